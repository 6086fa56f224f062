"""Claims: sentences of a paper, calculated from rows seed by seed, judged by a range; on a small paper."""

import json
import re

import pytest

from cellway import RunError
from cellway.catalogue import Reproduction, Verdict, load_paper, reproduce
from cellway.catalogue.markdown import markdown
from cellway.catalogue.verdict import judge_range
from cellway.cli.reproduction import as_data, report
from cellway.statistics import estimate
from common import CLAIMS, PUBLISHED, Make, refusal

ONE = """
[[claim]]
code = "X"
table = "X"
text = "a test"
names = { %s }
value = "%s"
unit = "1"
expected = { least = 0, reason = "a test" }
"""


@pytest.fixture
def done(make: Make) -> Reproduction:
    return reproduce(load_paper(make(PUBLISHED + CLAIMS)))


def one(make: Make, names: str, value: str) -> Reproduction:
    """A paper with a single claim, that claim chosen."""
    return reproduce(load_paper(make(PUBLISHED + ONE % (names, value))), "X")


def test_claims_are_judged_and_counted_beside_the_rows(done: Reproduction) -> None:
    assert [finding.verdict for finding in done.findings] == [
        Verdict.AGREES,
        Verdict.BECAUSE,
        Verdict.DIFFERS,
    ]
    assert list(done.counts.values()) == [2, 2, 2]
    assert not done.passed


def test_a_range_has_its_ends_and_may_be_open() -> None:
    assert [judge_range(at, 1.0, 2.0) for at in (0.99, 1.0, 2.0, 2.01)] == [
        Verdict.DIFFERS,
        Verdict.AGREES,
        Verdict.AGREES,
        Verdict.DIFFERS,
    ]
    assert judge_range(-1e9, None, 0.0) is judge_range(1e9, 0.0, None) is Verdict.AGREES
    assert judge_range(-1.0, 0.0, None, explained=True) is Verdict.BECAUSE


def test_a_value_is_calculated_seed_by_seed_and_single_values_are_constants(done: Reproduction) -> None:
    paced, _, ceiling, _ = done.results
    finding = done.findings[0]
    shares = [100 * value / ceiling.values[0] for value in paced.values]
    assert len(shares) == 3
    assert finding.values == pytest.approx(shares)
    assert finding.ours == estimate(finding.values)


def test_what_two_rows_of_one_seed_share_cancels(make: Make) -> None:
    """Common random numbers: the difference of a row and itself has no interval, though the row has one."""
    done = one(make, 'a = "T1-R1", b = "T1-R1"', "a - b")
    (finding,) = done.findings
    assert finding.ours is not None
    assert (finding.ours.mean, finding.ours.half_width, finding.ours.n) == (0.0, None, 3)


def test_rows_with_different_numbers_of_seeds_give_a_value_of_their_means(done: Reproduction) -> None:
    paced, _, _, plain = done.results
    finding = done.findings[2]
    assert paced.ours is not None
    assert plain.ours is not None
    assert finding.ours is not None
    assert finding.on_means
    assert finding.ours.mean == pytest.approx(paced.ours.mean / plain.ours.mean)
    assert finding.ours.half_width is None


def test_a_published_number_stands_behind_a_dot(make: Make) -> None:
    """The paper has 19.0 and 18.0 Mbit/s in T1-R1; nothing is run for numbers that stand in the paper."""
    done = one(make, 'row = "T1-R1"', "row.simulated - row.measured")
    assert done.findings[0].values == (1.0,)
    assert done.results == ()


def test_a_claim_is_chosen_by_its_code_or_its_table(make: Make) -> None:
    paper = load_paper(make(PUBLISHED + CLAIMS))
    assert paper.tables == ("T1", "T2", "C")
    assert [claim.code for claim in paper.select("c").claims] == ["C2", "C3"]
    table = paper.select("T2")
    assert [row.code for row in table.rows] == ["T2-R1", "T2-R2"]
    assert [claim.code for claim in table.claims] == ["C1"]
    chosen = reproduce(paper, "C3", quick=True)
    assert chosen.results == ()
    assert [finding.claim.code for finding in chosen.findings] == ["C3"]
    assert not chosen.passed


def test_a_zero_divisor_is_told_with_the_numbers(make: Make) -> None:
    with pytest.raises(RunError) as failed:
        one(make, 'paced = "T1-R1", lost = "T1-R2"', "paced / (lost - 136)")
    assert "claim X: paced / (lost - 136) of the means has no finite value: paced = " in str(failed.value)
    assert "lost = 136" in str(failed.value)


def test_claims_are_in_the_report_json_and_markdown(done: Reproduction) -> None:
    text = "\n".join(report(done))
    assert '2 agrees, 2 "differs, because", 2 differs — of 4 rows and 3 claims' in text
    assert re.search(
        r"C1 +pacing leaves a fifth of the ceiling +20\.\d+ ± \S+ % \(3\) +15 to 25 % +agrees", text
    )
    claims = json.loads(json.dumps(as_data(done), allow_nan=False))["claims"]
    assert [claim["code"] for claim in claims] == ["C1", "C2", "C3"]
    assert [(claim["n"], claim["on_means"]) for claim in claims] == [(3, False), (2, False), (0, True)]
    page = markdown([done])
    for words in (
        "2 *agrees*, 2 *differs, because*, 2 *differs*, 1 *not judged*, of 4 rows and 3 claims.",
        "All papers together: 2 *agrees*, 2 *differs, because*, 2 *differs*, 1 *not judged*.",
        "| C2 | nothing is lost \\| ever | 136 cell (2, all the same) | at most 0 cell | differs, because |",
        "- C1 is `100 * paced / ceiling` with paced = T1-R1, ceiling = T2-R1; expected 15 to 25 %: 20 of 88",
        "- C1: of two tables.",
        "- C2 differs, because it is not (run: `cellway run small.toml`).",
        "### C\n",
    ):
        assert words in page
    assert page.index("| T2-R2 |") < page.index("| C1 |") < page.index("### C\n") < page.index("| C3 |")


FAULTS = [
    (
        'code = "C2"',
        'code = "T1-R1"',
        '"T1-R1"\ntable = "C"',
        "two entries have the code T1-R1; a code of its own is expected",
    ),
    ('value = "lost"', 'value = "lost + found"', '"lost + found"', "no name 'found' in `names`; it has lost"),
    (
        'value = "lost"',
        'value = "1"',
        'lost = "T1-R2"',
        "`value` does not use the name lost; it is not needed in `names`",
    ),
    (
        'value = "lost"',
        'value = "lost ** 2"',
        '"lost **',
        "'lost ** 2' is not accepted; accepted are names, numbers, + - * /,",
    ),
    (
        'value = "lost"',
        'value = "lost.measured"',
        '"lost.measured"',
        "row T1-R2 has no lost.measured; accepted are lost, lost.simulated",
    ),
    (
        'value = "lost"',
        'value = "lost.mean"',
        '"lost.mean"',
        "row T1-R2 has no lost.mean; accepted are lost, lost.simulated",
    ),
    ('lost = "T1-R2"', 'lost = "T9"', '"T9"', "no row T9; the rows are T1-R1, T1-R2"),
    (
        'lost = "T1-R2"',
        'max = "T1-R2"',
        "max = ",
        "'max' cannot be a name; words other than abs, min, max can",
    ),
    ('lost = "T1-R2"', "lost = 2", "2 }", "`names.lost` is 2; a text is expected"),
    ('lost = "T1-R2"', "", "{", "`names` is empty; a table of texts is expected"),
    ("most = 0, ", "", "expected = ", "neither `least` nor `most`; one or both of them are expected"),
    ("least = 15", "least = 26", "26, most", "`least` is 26, above `most`; at most 25 is accepted"),
    ("least = 15", 'least = "15"', '"15", most', "`least` is '15'; a number is expected"),
    ("least = 15", "least = -inf", "-inf, most", "`least` is -inf; a finite number is expected"),
    ('unit = "times"', 'units = "times"', '[[claim]]\ncode = "C3"', "no `unit`; a text is needed"),
    ('note = "of', 'nota = "of', "nota = ", "unknown key `nota`; accepted are code, table, text,"),
]


@pytest.mark.parametrize(
    ("old", "new", "place", "words"), FAULTS, ids=[fault[1] or fault[0] for fault in FAULTS]
)
def test_faulty_claims_are_refused_where_they_stand(
    make: Make, old: str, new: str, place: str, words: str
) -> None:
    assert old in CLAIMS
    said, there = refusal(make(PUBLISHED + CLAIMS.replace(old, new, 1)))
    assert said.startswith(words)
    assert there.startswith(place)
