"""Cumulative distributions of delay in the figures of runs."""

from typing import Any

import numpy as np
import pytest

import cellway
from cellway.plot.delays import BY_SAMPLE, ONE_WAY, ROUND_TRIP, Cumulative, delays_of
from cellway.plot.runs import plot_run
from shown import shipped_run, small_run

WHOLE = (0.0, 1.0)


def only(run: cellway.Run, span: tuple[float, float] = WHOLE) -> tuple[str, Cumulative]:
    measured = run.summary["warm_up_s"], run.summary["duration_s"]
    texts, (found,) = delays_of(run, list(run.flows), span, measured)
    return texts[0], found


def test_packets_that_were_counted_have_the_quantiles_of_the_summary() -> None:
    run = shipped_run("voice-beside-bulk", ("observe.distributions.flows", ["voice"]))
    counted: Any = run.flows["voice"]["one_way_delay"]
    texts, (found,) = delays_of(run, [], (0.0, 30.0), (0.0, 30.0))
    assert texts == ONE_WAY
    assert (found.median, found.p99) == (counted["p50"], counted["p99"])
    assert (found.delay[0], found.part[0]) == (counted["min"], 0.0)
    assert (found.delay[-1], found.part[-1]) == (counted["max"], 1.0)
    assert np.all(np.diff(found.part) >= 0.0)
    for key, fraction in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99)):
        assert np.interp(counted[key], found.delay, found.part) == pytest.approx(fraction, abs=0.06)


def test_round_trips_count_by_the_time_that_they_hold() -> None:
    """Against a plain loop over a fine grid of instants."""
    run = small_run(("observe.interval", "change"))
    series, warm_up = run.series("bulk.rtt"), run.summary["warm_up_s"]
    text, found = only(run)
    assert text == ROUND_TRIP[0]
    instants = np.linspace(max(warm_up, series.time[0]), 1.0, 20_001)[:-1]
    held = [series.value[series.time <= at][-1] for at in instants]
    for fraction in (0.1, 0.5, 0.9):
        expected = float(np.quantile(held, fraction))
        place = min(int(found.part.searchsorted(fraction)), len(found.part) - 1)
        assert found.delay[place] == pytest.approx(expected, rel=0.02)


def test_a_part_of_a_run_has_its_own_distribution() -> None:
    """What is counted over the measurement does not tell of a part of it."""
    run = shipped_run("packet-router", ("observe.distributions.flows", ["*"]))
    assert only(run, (0.0, 20.0))[0] == ONE_WAY[0]
    text, found = only(run, (7.0, 9.0))
    series = run.series("download.rtt")
    inside = series.value[(series.time >= 6.9) & (series.time <= 9.0)]
    assert text == ROUND_TRIP[0]
    assert np.nanmin(inside) <= found.delay[0] <= found.delay[-1] <= np.nanmax(inside)


def test_a_part_of_a_run_counts_what_was_measured_in_it() -> None:
    """The last sample of a flow that is over held until the end, and was most of the panel."""
    sizes = ("flow.download.traffic", "ttcp"), ("flow.download.traffic.ttcp.total", "4 MB")
    run = shipped_run("packet-router", *sizes, ("observe.interval", "50 ms"))
    end = run.flows["download"]["finished_s"]
    assert end
    assert 5.0 < end < 12.0
    text, found = only(run, (3.0, 20.0))
    late = only(run, (3.0, end + 0.05))[1]
    assert text == BY_SAMPLE[0]
    assert np.array_equal(found.delay, late.delay)
    assert np.array_equal(found.part, late.part)
    assert np.max(np.diff(found.part)) < 0.1
    # Steady, it is about one sample in each round trip, on the grid.
    assert len(found.delay) == pytest.approx((end - 3.0) / 0.05, rel=0.3)


def test_a_part_with_few_samples_has_no_distribution() -> None:
    run = shipped_run("packet-router", ("observe.interval", "50 ms"))
    measured = run.summary["warm_up_s"], run.summary["duration_s"]
    for end, count in ((2.5, 0), (12.0, 1)):
        texts, found = delays_of(run, ["download"], (2.0, end), measured)
        assert texts == BY_SAMPLE
        assert len(found) == count


def test_many_flows_have_one_for_each_family() -> None:
    run = shipped_run("mixed", ("run.duration", "6 s"), ("observe.distributions.flows", ["*"]))
    texts, found = delays_of(run, list(run.flows), (0.0, 6.0), (5.0, 6.0))
    families = {name.partition("[")[0] for name in run.flows}
    assert len(run.flows) > 8
    assert texts == ONE_WAY
    assert {one.name for one in found} <= families
    for one in found:
        delays = [
            flow["one_way_delay"]
            for name, flow in run.flows.items()
            if name.partition("[")[0] == one.name
        ]
        ends = [end for delay in delays for end in (delay["min"], delay["max"]) if end is not None]
        assert (one.delay[0], one.delay[-1]) == (min(ends), max(ends))


def test_the_axis_is_logarithmic_over_decades_and_has_its_unit() -> None:
    far, near = (plot_run(run).axes[-1] for run in (shipped_run("cellular"), small_run()))
    assert (far.get_xscale(), near.get_xscale()) == ("log", "linear")
    assert {one.get_xlabel() for one in (far, near)} == {"delay in ms"}
    assert {one.get_ylabel() for one in (far, near)} == {ROUND_TRIP[1]}


def test_distributions_far_from_nothing_begin_near_the_smallest() -> None:
    """Delays from 273 to 315 ms stood on an axis from 0."""
    run = shipped_run(
        "satellite",
        ("observe.distributions.flows", ["*"]),
        ("observe.distributions.ports", ["*"]),
    )
    queue, through, way = run.plot_distributions().axes
    assert (queue.get_xlim()[0], through.get_xlim()[0]) == (0.0, 0.0)
    counted: Any = run.flows["transfer"]["one_way_delay"]
    smallest, most = 1e3 * counted["min"], 1e3 * counted["max"]
    assert smallest - 0.5 * (most - smallest) < way.get_xlim()[0] < smallest


def test_delays_that_are_all_alike_have_no_panel() -> None:
    run = small_run(("flow.bulk.tcp.window", "1460 B"))
    spread = np.ptp(run.series("bulk.rtt").value[5:])
    mean = run.flows["bulk"]["rtt"]["mean_s"]
    assert mean
    assert spread < 1e-3 * mean
    assert all(axes.get_xlabel() != "delay in ms" for axes in plot_run(run).axes)
