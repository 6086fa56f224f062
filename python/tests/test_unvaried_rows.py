"""Rows and claims whose runs repeat each other, or break: what the catalogue says of them."""

import json
from pathlib import Path

import pytest

from cellway import SimulationFault
from cellway.catalogue import Reproduction, Verdict, load_paper, reproduce
from cellway.catalogue.markdown import markdown
from cellway.catalogue.plots.reproductions import plot_reproduction
from cellway.cli.reproduction import report
from cellway.statistics import ALL_THE_SAME, DETERMINISTIC
from common import CLAIMS, PAPER, SMALL, Make, breaking, changed, joined


@pytest.fixture
def paper(make: Make) -> Path:
    """Every row with two runs; no phase is random, so that all runs of a row are one."""
    files = joined(PAPER, CLAIMS)
    for many in ("replications = 8", "replications = 4"):
        files = changed(files, "published.toml", many, "replications = 2")
    return make(changed(files, "small.toml", "[run]\n", '[run]\nphase = "none"\n'))


@pytest.fixture
def done(paper: Path) -> Reproduction:
    return reproduce(load_paper(paper))


def test_deterministic_rows_and_claims_have_no_interval_and_are_counted(done: Reproduction) -> None:
    """The ceiling of `explain` needs no run; it is exact, and hides no claim's determinism."""
    rows = [result.ours.counted for result in done.results if result.ours]
    two = "2, deterministic"
    assert rows == [two, two, "1", two, two]
    assert [finding.deterministic for finding in done.findings] == [True, True, True]
    said = f"No interval: 4 rows and 3 claims ({DETERMINISTIC})."
    assert said in report(done)
    written = markdown([done])
    assert said in written
    assert " ± 0" not in written
    assert "(2, deterministic)|" in written


def test_a_number_that_is_equal_in_runs_that_differ_is_all_the_same(paper: Path) -> None:
    (paper / "small.toml").write_text(SMALL)
    done = reproduce(load_paper(paper))
    assert [result.ours.counted for result in done.results if result.ours][1] == "2, all the same"
    assert not done.results[1].deterministic
    assert f"({ALL_THE_SAME})" in "\n".join(report(done))


def test_json_says_which_and_how_many(done: Reproduction) -> None:
    reported = json.loads(json.dumps(done.as_data()))
    assert reported["deterministic"] == {"rows": 4, "claims": 3}
    assert reported["all_the_same"] == {"rows": 0, "claims": 0}
    row, claim = reported["rows"][0], reported["claims"][0]
    assert (row["half_width"], row["n"], row["deterministic"]) == (None, 2, True)
    assert row["method"] == DETERMINISTIC
    assert (claim["half_width"], claim["n"], claim["deterministic"]) == (None, 2, True)


def test_a_quick_reproduction_knows_nothing_of_seeds(paper: Path) -> None:
    done = reproduce(load_paper(paper), quick=True)
    assert [result.ours.counted for result in done.results if result.ours] == ["1"] * 5
    assert "No interval" not in markdown([done]) + "\n".join(report(done))


def test_the_figure_has_no_bar_and_says_hollow(done: Reproduction) -> None:
    figure = plot_reproduction(done)
    (legend,) = figure.legends
    words = [" ".join(one.get_text().split()) for one in legend.get_texts()]
    assert f"hollow, no interval: {DETERMINISTIC}" in words


def test_a_run_that_breaks_leaves_its_row_and_claims_without_a_verdict_and_the_others_go_on(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = SimulationFault("cells of VC 3 are not conserved")
    breaking(monkeypatch, fault, "20 Mbit/s", "seed = 2\n")
    done = reproduce(load_paper(paper))
    assert done.complete
    assert not done.passed
    assert [result.said for result in done.results][:2] == [
        "not judged (failed)",
        "differs, because",
    ]
    assert [finding.verdict for finding in done.findings] == [
        Verdict.NOT_JUDGED,
        Verdict.BECAUSE,
        Verdict.NOT_JUDGED,
    ]
    assert done.failures == ["T1-R1, seed 2: cells of VC 3 are not conserved"]
    assert "failed: T1-R1, seed 2: cells of VC 3 are not conserved" in report(done)
    assert "**Failed:** T1-R1, seed 2: cells of VC 3 are not conserved." in markdown([done])
    assert done.as_data()["failed"] == done.failures
