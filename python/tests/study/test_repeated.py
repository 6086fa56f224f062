"""Seeds that change nothing: the words of studies instead of an interval, wherever one is shown."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.container import ErrorbarContainer

from cellway import Scenario, Study, load_study
from cellway.cli.comparison import _row
from cellway.cli.study_results import report, verdict
from cellway.plot.studies import plot_study
from cellway.runs.quantity import Quantity
from cellway.statistics import ALL_THE_SAME, DETERMINISTIC, Precision, estimate
from cellway.study import Factor, Response, Results, TwoLevel, compare
from common import known
from study.texts import CHANCE

IN_PHASE = [("run.phase", "none"), ("flow.bulk.tcp.ack", "every_segment")]
"""Sources and timers without random phases, and a TCP that has its first RTT within 100 ms."""
WINDOW = "flow.bulk.tcp.window"
NOISE = "flow.poisson.traffic.poisson.rate"
SILENT, LOUD = "1 bit/s of cell", "60 Mbit/s of cell"
"""A Poisson source without a cell in 100 ms, and one whose cells make all runs different."""
RATE = Response("rate", Quantity("flows.*.throughput_bits_per_second", "sum"), "Mbit/s")
MAX_QUEUE = Response("largest", Quantity("ports.s.right.max_queue"), "cell")


def noisy(**changes: object) -> Study:
    """Two windows, beside a silent or a loud source: half of the points are deterministic."""
    noise = Factor.of("noise", [NOISE], [SILENT, LOUD])
    window = Factor.of("window", [WINDOW], ["16 KiB", "32 KiB"])
    base = Scenario.parse(CHANCE).with_sets(IN_PHASE)
    given = Study(base, [noise, window], replications=4, responses=[RATE, MAX_QUEUE])
    return given.replaced(**changes) if changes else given


def silent(**changes: object) -> Study:
    """No chance at all."""
    base = Scenario.parse(CHANCE).with_sets([*IN_PHASE, (NOISE, SILENT)])
    given = Study(base, {WINDOW: ["16 KiB", "64 KiB"]}, replications=3, responses=[RATE])
    return given.replaced(**changes) if changes else given


@pytest.fixture(scope="module")
def mixed() -> Results:
    return noisy().run()


@pytest.fixture(scope="module")
def still() -> Results:
    return silent().run()


def text(results: Results) -> str:
    return "\n".join(report(results))


def test_runs_that_differ_in_the_seed_alone_are_deterministic_and_have_no_interval(
    mixed: Results,
) -> None:
    assert [mixed.deterministic(point) for point in range(4)] == [True, True, False, False]
    quiet, loud = (known(mixed.estimate("rate", point)) for point in (0, 2))
    assert (quiet.half_width, quiet.n, quiet.method) == (None, 4, DETERMINISTIC)
    assert known(loud.half_width) > 0.0


def test_an_equal_number_of_runs_that_differ_is_all_the_same_and_not_deterministic() -> None:
    """The maximum of the queue is the buffer in every run; the throughputs differ."""
    base = Scenario.parse(CHANCE).with_sets([*IN_PHASE, (NOISE, "120 Mbit/s of cell")])
    loud = Study(base, replications=4, responses=[RATE, MAX_QUEUE]).run()
    found = known(loud.estimate("largest", 0))
    assert (found.mean, found.half_width, found.method) == (150.0, None, ALL_THE_SAME)
    assert not loud.deterministic(0)
    assert "150.0 (4, all the same)" in text(loud)
    assert "all the same: the runs differ, but not in this number" in text(loud)


def test_a_kept_study_says_the_same_when_it_is_read_again(tmp_path: Path) -> None:
    first, again = silent().run(tmp_path), silent().run(tmp_path)
    assert first.all_deterministic
    assert text(again) == text(first)


def test_a_series_that_differs_makes_runs_differ(still: Results) -> None:
    """Equal summaries are not enough where a response looks at more than the summary."""
    point, other = still.runs
    moved = tuple(
        replace(one, metrics={**one.metrics, "max of s.right.queue": 3.0 if at else 4.0})
        for at, one in enumerate(point)
    )
    assert still.deterministic(0)
    assert not replace(still, runs=(moved, other)).deterministic(0)


def test_the_table_and_json_say_deterministic_and_no_plus_minus(still: Results) -> None:
    said = text(still)
    assert "±" not in said
    assert said.count("(3, deterministic)") == 2
    assert "deterministic: the seed changes nothing here" in said
    reported = still.as_data()["points"][0]
    assert reported["deterministic"] is True
    assert reported["responses"]["rate"]["half_width"] is None
    assert reported["responses"]["rate"]["method"] == DETERMINISTIC
    assert json.loads(json.dumps(reported)) == reported


@pytest.mark.parametrize("random_numbers", ["common", "independent"])
def test_no_f_and_no_p_where_all_points_are_deterministic(random_numbers: str) -> None:
    other = Factor.of("delay", ["link.left.delay"], ["1 ms", "2 ms"])
    window = Factor.of("window", [WINDOW], ["4 KiB", "8 KiB"])
    given = silent(factors=[other, window], random_numbers=random_numbers)
    found, effects = given.run(), given.replaced(design=TwoLevel()).run()
    rows = found.anova("rate").rows
    assert {(row.f, row.p) for row in rows} == {(None, None)}
    assert "so there is no error term: no F and no p" in text(found)
    reported = effects.effects("rate")
    estimates = [reported.mean, *(one.estimate for one in reported.effects)]
    assert {(one.half_width, one.method) for one in estimates} == {(None, DETERMINISTIC)}
    assert "so there is no error term: no intervals" in text(effects)


def test_points_of_one_number_are_no_part_of_the_error(mixed: Results) -> None:
    """Two of four points vary, four replications each: blocks 3, error 1 · 3."""
    found = mixed.anova("rate")
    degrees = known(found.blocks).degrees_of_freedom, found.error.degrees_of_freedom
    assert (found.varying, *degrees) == (2, 3, 3)
    assert "of the 2 of 4 points that vary; each effect has its own error term (Box)" in text(mixed)


def test_the_stopping_rule_ends_and_says_that_nothing_varies() -> None:
    rule = Precision(0.01, min=3, max=50)
    found = silent(replications=rule).run()
    assert [len(point) for point in found.runs] == [3, 3]
    assert found.inexact() == {}
    assert found.unvaried() == [0, 1]
    assert "the stopping rule ended with `min` runs, deterministic: 16 KiB; 64 KiB" in text(found)
    assert found.exactness() == "rate does not vary"


def test_the_stopping_rule_follows_what_varies() -> None:
    """The silent points end after three runs; the loud ones continue, each by itself."""
    found = noisy(replications=Precision(0.002, min=3, max=6)).run()
    assert [len(point) for point in found.runs] == [3, 3, 6, 6]
    assert found.unvaried() == [0, 1]


def test_deterministic_points_differ_exactly(mixed: Results, still: Results) -> None:
    compared = replace(mixed, study=mixed.study.replaced(compared="window"))
    exact, other = (found["32 KiB"] for _, found in compared.comparisons("rate"))
    first, second = (mixed.values("rate", point)[0] for point in (0, 1))
    assert (exact.mean, exact.half_width, exact.method) == (second - first, None, DETERMINISTIC)
    assert other.half_width is not None
    (found,) = compare(still, still)
    assert {one.change.method for one in found.differences} == {DETERMINISTIC}
    *_, change, part, said = _row(found.differences[0])
    assert (change, said) == ("0 (3, deterministic)", "no difference")
    assert part in {"0.0 %", "+0.0 %"}


def test_a_difference_that_no_interval_can_judge_is_not_judged() -> None:
    """Each pair of runs differs by 3, and runs that differ elsewhere may differ here, too."""
    assert verdict(estimate([3.0] * 4)) == "not judged"
    assert verdict(estimate([3.0] * 4, deterministic=True)) == ""
    assert verdict(estimate([0.0] * 4)) == "no difference shown"
    assert verdict(estimate([0.0] * 4, deterministic=True)) == "no difference"


def test_an_exact_difference_takes_no_confidence_from_the_intervals_of_others(
    mixed: Results,
) -> None:
    """Two of four settings have an interval; each has 97.5 per cent, not 98.75."""
    other = noisy(sets=(("link.right.delay", "2 ms"),)).run()
    changed = {one.name: one for one in (found.response for found in compare(mixed, other))}
    assert set(changed) == {"rate", "largest"}
    rates = compare(mixed, other)[0].differences
    assert [one.change.deterministic for one in rates] == [True, True, False, False]
    pairs = list(zip(other.values("rate", 2), mixed.values("rate", 2), strict=True))
    spread = np.std([b - a for b, a in pairs], ddof=1) / 2.0
    # Student's t with 3 degrees of freedom: 4.177 at 97.5 per cent, two-sided (NIST: 4.1765).
    assert rates[2].change.half_width == pytest.approx(4.1765 * spread, rel=1e-4)


def test_no_bar_is_plotted_for_what_has_no_interval_and_the_legend_says_so(mixed: Results) -> None:
    figure = plot_study(mixed, ["rate"])
    (axes,) = figure.axes
    bars = [one for one in axes.containers if isinstance(one, ErrorbarContainer)]
    plotted = [len(one) > 0 for bar in bars for one in bar.lines[2][0].get_segments()]
    assert sorted(plotted) == [False, False, True, True]
    (legend,) = figure.legends
    (said,) = [one.get_text() for one in legend.get_texts() if "hollow" in one.get_text()]
    assert " ".join(said.split()) == f"hollow, no interval: {DETERMINISTIC}"


def test_a_figure_of_deterministic_points_alone_says_so_in_its_title(still: Results) -> None:
    figure = plot_study(still)
    assert figure.get_suptitle() == f"study: {DETERMINISTIC}, 6 runs"


def test_a_study_that_goes_on_in_its_own_folder_is_as_deterministic(tmp_path: Path) -> None:
    """Its scenario has another name there, which once made equal runs differ."""
    sets = [*IN_PHASE, (NOISE, SILENT)]
    base = Scenario.parse(CHANCE, "quiet.toml").with_sets(sets)
    silent(base=base, replications=2).run(tmp_path / "out")
    given = load_study(tmp_path / "out" / "study.toml")
    again = given.replaced(replications=3).run(tmp_path / "out", force=True)
    assert [again.deterministic(point) for point in range(2)] == [True, True]
