"""Sentences that answer a study, from numbers whose intervals are known by hand."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from cellway import Study
from cellway.cli.report_study import results_page
from cellway.cli.study_best import answers
from cellway.report.blocks import Text
from cellway.runs.quantity import Quantity
from cellway.statistics import DifferenceRule
from cellway.study import Factor, Response, Results
from cellway.study.foreign import import_results
from cellway.study.ranking import rankings
from common import known, shipped
from study.test_decided import study_of

DUNN = 4.8567
"""Student's t, two-sided, of 3 degrees of freedom for 3 comparisons at 95 % (Dunn 1961)."""
RUNS = {"a": (10, 11, 12, 13), "b": (14, 17, 16, 19), "c": (10, 12, 11, 13)}


def imported(folder: Path, runs: Mapping[str, Sequence[float]]) -> Results:
    lines = [f"{level},{value}" for level, found in runs.items() for value in found]
    (folder / "runs.csv").write_text("\n".join(["law,rate", *lines]))
    return import_results(folder / "runs.csv", ["law"], ["rate"], folder / "out")


def test_intervals_of_the_order_hold_for_all_pairs(tmp_path: Path) -> None:
    """Differences of b and a are 4, 6, 4, 6: mean 5, standard error sqrt(4/3)/2."""
    (found,) = rankings(imported(tmp_path, RUNS), "rate", "law")
    assert [*found.means] == ["b", "a", "c"]
    change = found.differences["b", "a"]
    assert change.mean == 5.0
    assert known(change.half_width) == pytest.approx(DUNN * math.sqrt(4 / 3) / 2, rel=1e-4)


def test_the_highest_level_stands_against_the_next(tmp_path: Path) -> None:
    count, said, _ = answers(imported(tmp_path, RUNS))
    assert count == "12 runs, 4 at each of 3 points"
    assert said == (
        "rate: highest with law = b, 16.50, 5.00 ± 2.8 (+43 %) above a; lowest with law = c, "
        "11.50, but no difference seen to a: 0 ± 2"
    )


def test_levels_that_nothing_tells_from_the_highest_are_counted(tmp_path: Path) -> None:
    near = {"a": (10, 11, 12, 13), "b": (11, 10, 13, 12), "c": (12, 13, 10, 11.5)}
    _, said, _ = answers(imported(tmp_path, near))
    assert said.startswith("rate: highest with law = c, 11.62, but no difference seen to ")
    assert ", nor to 1 more; lowest with law = " in said


def test_numbers_alike_in_all_runs_are_no_difference(tmp_path: Path) -> None:
    _, said, _ = answers(imported(tmp_path, {"a": (2, 2, 2), "b": (2, 2, 2)}))
    assert said == "rate: no difference seen; every run gave 2.000"


def test_a_difference_alike_in_all_runs_has_no_interval(tmp_path: Path) -> None:
    _, said, _ = answers(imported(tmp_path, {"a": (2, 3, 4), "b": (3, 4, 5)}))
    assert said == (
        "rate: highest with law = b, 4.000, 1.00 (+33 %) above a, in all runs alike, so without an "
        "interval"
    )


def test_single_runs_have_no_answer(tmp_path: Path) -> None:
    assert answers(imported(tmp_path, {"a": (2,), "b": (3,)})) == []


def test_ratios_are_those_of_geometric_means() -> None:
    base = shipped("access-queue", {"run.duration": "3 s", "run.warm_up": "1 s"})
    policy = Factor.of("policy", ["switch.router.drop"], ["tail", "fq_codel"])
    queue = Response("queue", Quantity("ports.router.line.mean_queue"), "packet", transform="log")
    results = Study(base, [policy], responses=[queue], replications=3).run()
    tail, fair = (known(one).mean for one in results.estimates("queue"))
    _, said, _ = answers(results)
    assert f"; tail is {tail / fair:.3g} ×/÷ " in said
    assert said.endswith(" times fq_codel")


def test_many_settings_are_counted() -> None:
    base = shipped("access-queue", {"run.duration": "3 s", "run.warm_up": "1 s"})
    rates = [f"{rate} Mbit/s of line" for rate in range(5, 12)]
    policy = Factor.of("policy", ["switch.router.drop"], ["tail", "fq_codel"])
    queue = Response("queue", Quantity("ports.router.line.mean_queue"), "packet")
    factors = [Factor.of("rate", ["link.line.rate"], rates), policy]
    given = Study(base, factors, responses=[queue], replications=3, compared="policy")
    _, said, _ = answers(given.run())
    assert said.startswith("queue: highest level of policy in 7 settings: tail in ")


def test_what_a_rule_left_undecided_is_said() -> None:
    results = study_of(DifferenceRule(1e-9, min=2, max=2), "64 KiB", "62 KiB").run()
    (said,) = [one for one in answers(results) if one.startswith("not decided")]
    assert said.startswith("not decided after 2 runs each, the most allowed: queue at buffer = ")


def test_the_page_has_the_answer_once(tmp_path: Path) -> None:
    sections = results_page(imported(tmp_path, RUNS)).sections
    (short,) = [one.blocks for one in sections if one.title == "In short"]
    said = [one.text for one in short if isinstance(one, Text)]
    assert len(said) == 3
    assert sum("law = b" in one for one in said) == 1
