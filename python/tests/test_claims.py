"""Claims: sentences of a paper, calculated from rows seed by seed, judged by a range."""

import json
import re

import pytest

from cellway import RunError
from cellway.catalogue import Reproduction, Verdict, load_paper, reproduce
from cellway.cli.reproduction import report
from cellway.statistics import estimate
from common import CLAIMS, PAPER, Files, Make, changed, fault_ids, joined, refusal

BOTH = joined(PAPER, CLAIMS)


def claim(names: str, value: str) -> Files:
    """A claim X that expects nothing below 0."""
    return {
        "published.toml": f"""
[[claim]]
code = "X"
table = "X"
text = "a test"
names = {{ {names} }}
value = "{value}"
unit = "1"
""",
        "criteria.toml": '\n[[expected]]\nclaim = "X"\nmin = 0\nreason = "a test"\n',
    }


def one(make: Make, names: str, value: str) -> Reproduction:
    """A paper with a single claim, that claim chosen."""
    return reproduce(load_paper(make(joined(PAPER, claim(names, value)))), "X")


def test_claims_are_judged_and_counted_beside_the_rows(small_done: Reproduction) -> None:
    assert {finding.code: finding.verdict for finding in small_done.findings} == {
        "C1": Verdict.AGREES,
        "C2": Verdict.BECAUSE,
        "C3": Verdict.DIFFERS,
    }
    assert small_done.counts == {
        Verdict.AGREES: 2,
        Verdict.UNDECIDED: 1,
        Verdict.BECAUSE: 2,
        Verdict.DIFFERS: 2,
    }
    assert not small_done.passed


def test_a_claim_whose_interval_reaches_over_an_end_is_undecided(make: Make) -> None:
    """Pacing leaves 19.78 ± 1.4 % of the ceiling: astride 19, and astride 20."""
    verdicts = []
    for least, most in ((15, 19), (20, 25), (15, 18), (22, 25)):
        files = changed(BOTH, "criteria.toml", "min = 15\nmax = 25", f"min = {least}\nmax = {most}")
        (finding,) = reproduce(load_paper(make(files)), "C1").findings
        verdicts.append(finding.verdict)
    assert verdicts == [Verdict.UNDECIDED, Verdict.UNDECIDED, Verdict.DIFFERS, Verdict.DIFFERS]


def test_a_value_is_calculated_seed_by_seed_and_single_values_are_constants(
    small_done: Reproduction,
) -> None:
    paced, _, ceiling, *_ = small_done.results
    finding = small_done.findings[0]
    shares = [100 * value / ceiling.values[0] for value in paced.values]
    assert len(shares) == 8
    assert finding.values == pytest.approx(shares)
    assert finding.ours == estimate(finding.values)


def test_what_two_rows_of_one_seed_share_cancels(make: Make) -> None:
    """Common random numbers: a row has an interval, its difference from itself has none."""
    (finding,) = one(make, 'a = "T1-R1", b = "T1-R1"', "a - b").findings
    assert finding.ours is not None
    assert (finding.ours.mean, finding.ours.half_width, finding.ours.n) == (0.0, None, 8)


def test_rows_with_different_numbers_of_seeds_use_those_that_they_share(
    small_done: Reproduction,
) -> None:
    """Eight paced runs and four others: the value is that of the first four seeds."""
    paced, _, _, plain, _ = small_done.results
    finding = small_done.findings[2]
    shared = [ours / other for ours, other in zip(paced.values, plain.values, strict=False)]
    assert len(shared) == 4
    assert not finding.on_means
    assert finding.values == pytest.approx(shared)
    assert finding.ours == estimate(finding.values)


def test_a_claim_of_a_derived_number_runs_the_rows_behind_it(make: Make) -> None:
    done = one(make, 'share = "T1-D1"', "share / 100")
    paper = done.paper
    assert [row.code for row in paper.rows_of("X")] == ["T1-R1", "T2-R1"]
    (derived,) = reproduce(paper, "T1-D1").results
    assert done.findings[0].values == tuple(value / 100 for value in derived.values)


def test_a_published_number_follows_a_dot(make: Make) -> None:
    """The paper has 17.5 and 16.5 Mbit/s in T1-R1; its numbers need no run."""
    done = one(make, 'row = "T1-R1"', "row.simulated - row.measured")
    assert done.findings[0].values == (1.0,)
    assert done.results == ()


def test_a_claim_is_chosen_by_its_code_or_its_table(make: Make) -> None:
    paper = load_paper(make(BOTH))
    assert paper.tables == ("T1", "T2", "C")
    assert [claim.code for claim in paper.select("c").claims] == ["C2", "C3"]
    table = paper.select("T2")
    assert [row.code for row in table.rows] == ["T2-R1", "T2-R2"]
    assert [claim.code for claim in table.claims] == ["C1"]
    chosen = reproduce(paper, "C3", quick=True)
    assert chosen.results == ()
    assert [finding.code for finding in chosen.findings] == ["C3"]
    assert not chosen.passed


def test_a_zero_divisor_is_reported_with_the_numbers(make: Make) -> None:
    with pytest.raises(RunError) as failed:
        one(make, 'paced = "T1-R1", lost = "T1-R2"', "paced / (lost - 136)")
    assert "X: paced / (lost - 136) of seed 1 has no finite value: paced = " in str(failed.value)
    assert "lost = 136" in str(failed.value)


def test_claims_are_in_the_report_and_json(small_done: Reproduction) -> None:
    text = "\n".join(report(small_done))
    assert re.search(
        r"C1 +pacing leaves a fifth of the ceiling +19\.\d+ ± \S+ % \(8\) +15 to 25 % +agrees", text
    )
    claims = json.loads(json.dumps(small_done.as_data(), allow_nan=False))["claims"]
    assert [claim["code"] for claim in claims] == ["C1", "C2", "C3"]
    assert [(claim["n"], claim["on_means"]) for claim in claims] == [
        (8, False),
        (2, False),
        (4, False),
    ]


FAULTS = [
    (
        'code = "C2"',
        'code = "C1"',
        '"C1"\ntable = "C"',
        "two entries have the code C1; a code of its own is expected",
    ),
    (
        'value = "lost"',
        'value = "lost + found"',
        '"lost + found"',
        "no name 'found' in `names`; it has lost",
    ),
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
    (
        'value = "lost"',
        'value = "lost"\nreduce = "min"',
        "[[claim]]",
        "with a study in `value`, and only then, `reduce` says which of its points counts",
    ),
    ("published = 20", 'published = "20"', '"20"', "`published` is '20'; a number is expected"),
    (
        "published = 20",
        'expected = { min = 15, reason = "?" }',
        "expected = ",
        "unknown key `expected`; expected one of `code`, `table`, `text`,",
    ),
    (
        'code = "C2"',
        'code = "C9"',
        '"C9"',
        "claim C9 has no [[expected]] in the criteria; one is needed",
    ),
    ('unit = "times"', 'units = "times"', 'units = "times"', "unknown key `units`; did you mean"),
    ('note = "of', 'nota = "of', "nota = ", "unknown key `nota`; expected one of `code`, `table`,"),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), FAULTS, ids=fault_ids(FAULTS))
def test_faulty_claims_are_refused_at_their_place(
    make: Make, old: str, new: str, place: str, words: str
) -> None:
    claims = changed(CLAIMS, "published.toml", old, new)
    said, there = refusal(make(joined(PAPER, claims)))
    assert said.startswith(words)
    assert there.startswith(place)
