"""Papers as data: what is refused, how rows are judged, that workers change nothing."""

import re
from pathlib import Path

import pytest
from matplotlib.text import Text

from cellway import CatalogueError
from cellway.catalogue import Reproduction, Verdict, load_paper, paper, paper_ids, reproduce
from cellway.catalogue.plots.reproductions import plot_reproduction
from cellway.cli.reproduction import report
from common import CLAIMS, PAPER, Make, changed, joined, known, refusal, write_paper


def test_every_row_is_judged_by_its_tolerance(small_done: Reproduction) -> None:
    verdicts = {result.code: result.verdict for result in small_done.results}
    assert verdicts == {
        "T1-R1": Verdict.AGREES,
        "T1-R2": Verdict.BECAUSE,
        "T2-R1": Verdict.DIFFERS,
        "T2-R2": Verdict.NOT_JUDGED,
        "T1-D1": Verdict.UNDECIDED,
    }
    assert not small_done.passed
    assert [known(result.ours).n for result in small_done.results] == [8, 2, 1, 4, 8]
    paced = small_done.results[0]
    assert paced.difference == pytest.approx((known(paced.ours).mean - 17.5) / 17.5)


def test_a_paper_in_which_nothing_is_worse_than_undecided_passes(make: Make) -> None:
    done = reproduce(load_paper(make()), "T1")
    verdicts = [result.verdict for result in done.results]
    assert verdicts == [Verdict.AGREES, Verdict.BECAUSE, Verdict.UNDECIDED]
    assert done.passed


def test_a_mean_within_the_tolerance_whose_interval_is_not_is_undecided(make: Make) -> None:
    """The eight runs give 17.44 ± 1.2: within 20 % of 17.5, across 5 %, outside 5 % of 20."""
    verdicts = []
    for published, relative in ((17.5, 0.2), (17.5, 0.05), (20.0, 0.05)):
        files = changed(PAPER, "criteria.toml", "relative = 0.10", f"relative = {relative}")
        files = changed(files, "published.toml", "simulated = 17.5", f"simulated = {published}")
        (result,) = reproduce(load_paper(make(files)), "T1-R1").results
        verdicts.append(result.verdict)
    assert verdicts == [Verdict.AGREES, Verdict.UNDECIDED, Verdict.DIFFERS]


def test_our_replications_show_where_among_them_the_published_number_lies(
    small_done: Reproduction,
) -> None:
    paced, lost, ceiling, plain, _ = small_done.results
    below = sum(value < 17.5 for value in paced.values)
    assert 0 < below < 8
    assert paced.below_published == below / 8
    assert (lost.below_published, ceiling.below_published) == (0.0, 0.0)
    assert plain.below_published is None


def test_a_replication_that_equals_the_published_number_counts_half_below_it(make: Make) -> None:
    """Both runs lose 136 cells."""
    files = changed(PAPER, "published.toml", "simulated = 1.0", "simulated = 136")
    (result,) = reproduce(load_paper(make(files)), "T1-R2").results
    assert result.below_published == 0.5


def test_sensitivity_runs_the_alternatives(small_done: Reproduction) -> None:
    (variation,) = small_done.variations
    chosen, small = variation.cases
    assert (chosen.label, small.label) == ("as chosen", "8 KiB")
    (ours,), (others,) = chosen.results, small.results
    assert known(ours).values == small_done.results[0].values
    assert known(known(others).ours).mean < 0.9 * min(known(ours).values)


def test_quick_takes_one_run_per_row_and_says_so(make: Make) -> None:
    quick = reproduce(load_paper(make()), quick=True)
    assert [len(result.values) for result in quick.results] == [1, 1, 1, 1, 1]
    assert "quick" in "\n".join(report(quick))


def test_workers_change_nothing(make: Make) -> None:
    found = load_paper(make(joined(PAPER, CLAIMS)))
    one, two = (reproduce(found, sensitivity=True, workers=workers).as_data() for workers in (1, 2))
    assert one == two


def test_one_table_or_one_row(make: Make) -> None:
    found = load_paper(make())
    table = found.select("t1")
    assert [row.code for row in table.rows] == ["T1-R1", "T1-R2"]
    assert [one.code for one in table.derived] == ["T1-D1"]
    assert [row.code for row in found.select("T2-R2").rows] == ["T2-R2"]
    assert [one.code for one in found.select("T1-D1").derived] == ["T1-D1"]
    with pytest.raises(CatalogueError, match="it has T1, T2"):
        found.select("T3")


def test_a_paper_of_published_numbers_alone_can_be_read(make: Make) -> None:
    """Criteria are needed for what was published, the other files for nothing."""
    files = {name: PAPER[name] for name in ("published.toml", "criteria.toml", "small.toml")}
    assert load_paper(make(files)).reasons == ()
    paper, *_, unjudged, _ = re.split(r"(?=\[\[rows|\[\[derived)", PAPER["published.toml"])
    del files["criteria.toml"]
    (row,) = load_paper(make({**files, "published.toml": paper + unjudged})).rows
    assert row.tolerance is None


def test_a_published_number_needs_criteria(make: Make) -> None:
    files = {name: PAPER[name] for name in ("published.toml", "small.toml")}
    said, there = refusal(make(files))
    assert said == "T1-R1 has no [[tolerance]] in the criteria; one is needed"
    assert there.startswith('"T1-R1"\ntable')


def test_choices_say_how_they_were_made(make: Make) -> None:
    kinds = [(choice.kind, choice.combinations) for choice in load_paper(make()).choices]
    assert kinds == [("ours", None), ("drawn", None), ("fitted", 3)]


def test_a_quantity_that_does_not_exist_is_named(make: Make) -> None:
    found = load_paper(make(changed(PAPER, "published.toml", "drops.overflow", "drops.underflow")))
    said = r"^small-2001: response `T1-R2`: the summary has no number at 'ports\.s\.right\.drops\.u"
    with pytest.raises(CatalogueError, match=said):
        reproduce(found, quick=True)


def test_the_shelf_names_its_papers() -> None:
    assert "magic-1997" in paper_ids()
    with pytest.raises(CatalogueError, match=r"it has .*magic-1997"):
        paper("nobody-1900")


def test_ceilings_of_the_shelf_need_no_run() -> None:
    """The first is published as 48 of 53 octets of the link, without headers and padding."""
    found = reproduce(paper("magic-1997"), "S4-T2")
    assert [one.verdict for one in found.results] == [
        Verdict.DIFFERS,
        Verdict.AGREES,
        Verdict.AGREES,
    ]
    assert found.fallen == ("S4-T2-R1",)


def test_a_figure_of_a_quick_run_has_no_interval_in_its_words(
    small_done: Reproduction, tmp_path: Path
) -> None:
    quick = reproduce(load_paper(write_paper(tmp_path / "small-2001", PAPER)), quick=True)
    words = [
        {text.get_text() for text in plot_reproduction(one).findobj(Text)}
        for one in (quick, small_done)
    ]
    shown = "published 17.5 and 16.5, ours 19.08 Mbit/s, one of 8 runs"
    assert {shown, "ours, one run: agrees"} <= words[0]
    assert "ours, 95 % interval: agrees" in words[1]
    said = "(1 agrees; 3 differs; quick: 1 of 2 to 8 replications)"
    assert f"small-2001: published and reproduced {said}" in words[0]
    assert not any("one of" in text or "one run" in text for text in words[1])
