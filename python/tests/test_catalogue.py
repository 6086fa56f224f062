"""Papers as data: what is refused, how rows are judged, that workers change nothing; on a small paper."""

import pytest

from cellway import CatalogueError
from cellway.catalogue import Reproduction, Verdict, load_paper, paper, paper_ids, reproduce
from cellway.catalogue.markdown import markdown
from cellway.cli.reproduction import as_data, report
from common import PUBLISHED, Make, refusal


@pytest.fixture
def done(make: Make) -> Reproduction:
    return reproduce(load_paper(make(PUBLISHED)), sensitivity=True)


def test_every_row_is_judged_by_its_tolerance(done: Reproduction) -> None:
    verdicts = {result.number.code: result.verdict for result in done.results}
    assert verdicts == {
        "T1-R1": Verdict.AGREES,
        "T1-R2": Verdict.BECAUSE,
        "T2-R1": Verdict.DIFFERS,
        "T2-R2": Verdict.NOT_JUDGED,
    }
    assert not done.passed
    paced = done.results[0]
    assert [result.ours.n for result in done.results if result.ours] == [3, 2, 1, 2]
    assert paced.ours is not None
    assert paced.difference == pytest.approx((paced.ours.mean - 19.0) / 19.0)


def test_sensitivity_runs_the_alternatives(done: Reproduction) -> None:
    (variation,) = done.variations
    chosen, small = variation.cases
    assert (chosen.label, small.label) == ("as chosen", "8 KiB")
    (ours,), (others,) = chosen.results, small.results
    assert ours == done.results[0]
    assert others is not None
    assert others.ours is not None
    assert others.ours.mean < 0.9 * ours.values[0]


def test_quick_takes_one_run_per_row_and_says_so(make: Make) -> None:
    quick = reproduce(load_paper(make(PUBLISHED)), quick=True)
    assert [len(result.values) for result in quick.results] == [1, 1, 1, 1]
    assert "quick" in "\n".join(report(quick))
    assert "Quick" in markdown([quick])


def test_workers_change_nothing(make: Make) -> None:
    found = load_paper(make(PUBLISHED))
    one, two = (as_data(reproduce(found, sensitivity=True, workers=workers)) for workers in (1, 2))
    assert one == two


def test_one_table_or_one_row(make: Make) -> None:
    found = load_paper(make(PUBLISHED))
    assert [row.code for row in found.select("t1").rows] == ["T1-R1", "T1-R2"]
    assert [row.code for row in found.select("T2-R2").rows] == ["T2-R2"]
    with pytest.raises(CatalogueError, match="it has T1, T2"):
        found.select("T3")


def test_the_report_has_every_row_and_the_counts(done: Reproduction) -> None:
    text = "\n".join(report(done))
    assert '1 agrees, 1 "differs, because", 1 differs — of 4 rows' in text
    for words in ("T1-R1", "paced", "± 10 %", "not judged", "sensitivity, window"):
        assert words in text


def test_markdown_is_the_same_every_time_and_complete(done: Reproduction) -> None:
    text = markdown([done])
    assert text == markdown([done])
    assert text.endswith("\n")
    for words in (
        "## small-2001",
        "A small paper \\| with a bar",
        "| T1-R1 | paced | Mbit/s | **19** | 18 |",
        "- Tolerance 10 % (T1-R1): slow start takes part of the second.",
        "- T1-R2 differs, because the number is made up.",
        "- T2-R2: nothing was published.",
        "| buffer | 256\\*1 cells | not said |",
        "**window** — not said.",
        "1 *agrees*, 1 *differs, because*, 1 *differs*",
    ):
        assert words in text


FAULTS = [
    ("year = 2001", 'year = "2001"', '"2001"', "`year` is '2001'; a whole number is expected"),
    ("year = 2001", "year = 1066", "1066", "`year` is 1066; at least 1900 is accepted"),
    (
        'id = "small-2001"',
        'id = "other"',
        '"other"',
        "`id` is 'other'; the folder's name, 'small-2001', is expected",
    ),
    (
        'code = "T1-R2"',
        'code = "T1-R1"',
        '"T1-R1"\ntable = "T1"\nlabel = "cells lost"',
        "two entries have the code T1-R1; a code of its own is expected",
    ),
    ('unit = "cell"', 'unit = "furlong"', '"furlong"', "`unit` is 'furlong'; accepted are 1, %, bit/s"),
    (
        'compare = "measured"',
        'compare = "simulated"',
        '"simulated"',
        "`compare` is 'simulated', but published.simulated is missing or zero",
    ),
    ("relative = 0.5", "relative = 0", "0, reason", "`relative` is 0; above 0 and at most 1 is accepted"),
    (
        "relative = 0.5",
        "relative = 1.5",
        "1.5, reason",
        "`relative` is 1.5; above 0 and at most 1 is accepted",
    ),
    ("simulated = 1.0", "simulated = nan", "nan }", "`simulated` is nan; a finite number is expected"),
    (
        'reason = "slow start takes part of the second"',
        'reason = " "',
        '" " }',
        "`reason` is empty; a text is expected",
    ),
    (
        'scenario = "small.toml"',
        'scenario = "large.toml"',
        '"large.toml"',
        "'large.toml' is not there; a file in the paper's folder is expected",
    ),
    ("replications = 3", "replications = 0", "0", "`replications` is 0; at least 1 is accepted"),
    (
        "replications = 1",
        "replications = 2",
        "2",
        "an explained quantity does not vary; replications = 1 is accepted",
    ),
    ('label = "paced"', 'lable = "paced"', '[[row]]\ncode = "T1-R1"', "no `label`; a text is needed"),
    ('note = "nothing', 'nota = "nothing', "nota = ", "unknown key `nota`; accepted are published, compare,"),
    (
        'rows = ["T1-R1"]',
        'rows = ["T1-R2", "T9"]',
        '"T9"]',
        "no row T9; the rows are T1-R1, T1-R2, T2-R1, T2-R2",
    ),
    (
        'rows = ["T1-R1"]',
        'rows = ["T1-R1", "T1-R1"]',
        '"T1-R1"]',
        "row T1-R1 stands there twice; once is accepted",
    ),
    ("[[row]]", "[row]", "]]", "not TOML 1.0: "),
    ("[paper]", "[paper", "\nid = ", "not TOML 1.0: "),
    (
        "published = { measured = 10.0 }\n",
        "",
        "compare = ",
        "`compare` is for a row with `published`, which is missing",
    ),
    (
        "ports.s.right.drops",
        "ports.*.drops",
        '"ports.*',
        "'ports.*.drops.overflow' names several numbers; `reduce` is needed, one of sum, mean, least",
    ),
    (
        'unit = "cell"',
        'unit = "cell"\nreduce = "sum"',
        '"ports.s.right',
        "`reduce` joins what `*` names, and 'ports.s.right.drops.overflow' has no `*`",
    ),
    (
        'unit = "cell"',
        'unit = "cell"\nreduce = "add"',
        '"add"',
        "`reduce` is 'add'; accepted are sum, mean, least, largest, jain",
    ),
    (
        'right.drops.overflow"',
        '*.drops.overflow"\nreduce = "jain"',
        '"cell"',
        "an index of fairness has no unit cell; accepted are 1, %",
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), FAULTS, ids=[fault[1] for fault in FAULTS])
def test_faulty_data_are_refused_where_they_stand(
    make: Make, old: str, new: str, place: str, words: str
) -> None:
    assert old in PUBLISHED
    said, there = refusal(make(PUBLISHED.replace(old, new, 1)))
    assert said.startswith(words)
    assert there.startswith(place)


def test_a_quantity_that_does_not_exist_is_named(make: Make) -> None:
    found = load_paper(make(PUBLISHED.replace("drops.overflow", "drops.underflow")))
    with pytest.raises(
        CatalogueError,
        match=r"small-2001: response `T1-R2`: the summary has no number at 'ports\.s\.right\.drops\.u",
    ):
        reproduce(found, quick=True)


def test_numbers_that_a_star_names_are_joined(make: Make) -> None:
    """The switch drops at its right port alone, as T1-R2 says."""
    old = 'quantity = "ports.s.right.drops.overflow"'
    joined = 'quantity = "ports.s.*.drops.*"\nreduce = "sum"'
    found = load_paper(make(PUBLISHED.replace(old, joined)))
    (result,) = reproduce(found, "T1-R2", quick=True).results
    assert result.values == (136.0,)


def test_the_shelf_names_its_papers() -> None:
    assert "magic-1997" in paper_ids()
    with pytest.raises(CatalogueError, match=r"it has .*magic-1997"):
        paper("nobody-1900")


def test_ceilings_of_the_shelf_agree_without_running() -> None:
    assert reproduce(paper("magic-1997"), "S4-T2").passed
