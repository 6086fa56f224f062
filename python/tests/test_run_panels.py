"""Which panels the figure of a run has, how far their axes reach, and that their numbers are those
of what is shown; each once went wrong as its comment says."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes

from cellway.plot.curves import mostly_below, swings
from cellway.plot.panels import Line, Panel, draw_panel
from cellway.plot.runs import plot_run
from cellway.plot.style import figure, plain
from cellway.plot.throughput import rate_text
from cellway.runs.series import Series
from common import SMALL, Command
from shown import legend, panel, shipped_run, titles


def test_ports_at_which_nothing_waits_have_no_panel_and_it_is_said() -> None:
    """Eight ports with one packet each were a barcode beside a legend higher than its panel."""
    run = shipped_run("edge-router", ("run.duration", "3 s"))
    assert max(port["max_queue"] for port in run.ports.values()) == 1
    made = plot_run(run)
    assert not any(text.startswith("Queue") for text in titles(made))
    assert made.get_suptitle().replace("\n", " ").endswith("no port holds more than 1 cell")


def test_short_queues_are_shown_where_nothing_else_was_recorded() -> None:
    run = shipped_run("edge-router", ("run.duration", "3 s"), ("observe.series", ["queue"]))
    assert len([text for text in titles(plot_run(run)) if text.startswith("Queue")]) == 2


def test_a_short_queue_that_loses_is_shown() -> None:
    sets = [("run.duration", "3 s"), ("switch.router.buffer.per_port", "2 packet")]
    made = plot_run(shipped_run("packet-router", *sets))
    assert "lost" in legend(panel(made, "Queue"))[0]


def test_what_swings_too_often_is_a_mean_within_a_band() -> None:
    time = np.arange(1000) / 1000.0
    barcode = Series("x.capacity", "bit/s", time, np.where(np.arange(1000) % 2, 8.0, 4.0))
    assert swings((time, barcode.value)) == 999.0
    line = Line(barcode, "x", "#000000")

    def drawn(end: float, *, binned: bool = False) -> Axes:
        axes = figure(4.0, 2.0).subplots()
        draw_panel(axes, Panel("Capacity", "bit/s", [line], binned=binned), (0.0, end))
        return axes

    axes = drawn(1.0)
    plotted = axes.get_lines()[0]
    assert np.allclose(plotted.get_ydata(), 6.0)
    assert len(np.asarray(plotted.get_xdata())) <= 101
    assert any("minimum to maximum" in str(one.get_label()) for one in axes.collections)
    # Bins of throughput are means already, and no means of means; nor is a close-up.
    for exact in (drawn(1.0, binned=True), drawn(0.05)):
        assert set(np.asarray(exact.get_lines()[0].get_ydata())) == {4.0, 8.0}


def test_a_peak_of_the_warm_up_does_not_press_the_rest_to_the_axis() -> None:
    """Slow start had an axis of its own height for ten minutes of congestion avoidance."""
    run = shipped_run("random-loss", ("observe.limit", 10_000))
    window, series = panel(plot_run(run), "Congestion window"), run.series("f.cwnd")
    highest, top = series.value.max() / 1024, window.get_ylim()[1]
    late = series.value[series.time >= run.summary["warm_up_s"]]
    assert np.quantile(late, 0.98) / 1024 < top < highest / 4
    assert f"beyond this axis, to {plain(highest)} KiB" in window.get_title(loc="left")
    # The line runs along the upper end while it is beyond.
    assert np.asarray(window.get_lines()[0].get_ydata()).max() == pytest.approx(top)


def test_means_of_many_curves_do_not_reach_beyond_an_axis_that_is_cut() -> None:
    """The title said beyond, and the axis had room for what is beyond."""
    run = shipped_run("shared-router", ("observe.limit", 10_000))
    axes = panel(plot_run(run), "Sent and not yet acknowledged; beyond this axis, to ")
    assert any(text.startswith("lines: means over") for text in legend(axes))
    beyond, unit = axes.get_title(loc="left").split("to ")[1].split()[:2]
    assert unit == axes.get_ylabel() == "KiB"
    assert axes.get_ylim()[1] < float(beyond) / 4


def test_nearly_always_is_weighted_by_time() -> None:
    series = Series("f.rtt", "second", np.array([0.0, 1.0, 1.5]), np.array([1.0, 50.0, 2.0]))
    assert mostly_below(series, (0.0, 100.0)) == 2.0
    assert mostly_below(series, (0.0, 2.0)) == 50.0


def test_a_curve_has_room_above_it() -> None:
    """A constant round-trip time lay on the upper edge, and looked like its border."""
    run = shipped_run("rate-mismatch", ("run.duration", "3 s"))
    axes = panel(plot_run(run), "Round-trip time")
    assert axes.get_ylim()[1] >= 1.05 * np.nanmax(run.series("bulk.rtt").value) * 1e3


def test_thresholds_of_many_flows_have_one_place_in_the_legend() -> None:
    run = shipped_run("shared-router", ("observe.limit", 10_000), ("run.duration", "30 s"))
    found = legend(panel(plot_run(run), "Congestion window"))
    assert found.count("ssthresh of each") == 1
    # It stood between the first window and the second, as if it were of the first.
    assert all(text.endswith(" cwnd") for text in found[: found.index("ssthresh of each")])
    assert not any(text.endswith(" cwnd") for text in found[found.index("ssthresh of each") :])
    assert len(found) <= 8 + 2


def test_a_flow_has_no_curves_before_it_starts() -> None:
    """The window of a connection that was not open yet was drawn at its first value."""
    run = shipped_run("fq-codel-router")
    starts = {name: flow["start_s"] for name, flow in run.flows.items()}
    assert max(starts.values()) == 1.0
    for line in panel(plot_run(run), "Congestion window").get_lines():
        flow = str(line.get_label()).removesuffix(" cwnd")
        if flow in starts:
            assert np.asarray(line.get_xdata()).min() == starts[flow]


def test_small_rates_have_a_unit_in_which_they_can_be_read() -> None:
    rates = [rate_text(rate) for rate in (9.389e6, 30_840.0, 20.0, 0.0)]
    assert rates == ["9.389 Mbit/s", "30.84 kbit/s", "20 bit/s", "0 Mbit/s"]
    assert [plain(number) for number in (16_384.0, 0.12345, 99.99)] == ["16384", "0.1235", "99.99"]


@pytest.mark.parametrize(("again", "words"), [(1, "1 timeout"), (2, "2 timeouts")])
def test_one_timeout_is_not_several(again: int, words: str) -> None:
    name = {1: "loss-episode", 2: "instcap"}[again]
    assert plot_run(shipped_run(name)).get_suptitle().endswith(words)


def test_numbers_beside_a_close_up_are_those_of_the_close_up() -> None:
    """Maxima, means and losses of the whole run stood beside a part of it."""
    run = shipped_run("gfr-dfba", ("observe.series", ["vc_queue", "queue"]))
    port, part = "first.trunk", (0.02, 0.2)
    whole, close = run.plot_occupancy(port), run.plot_occupancy(port, *part)
    series = run.series(f"{port}.queue")
    mean, most = series.time_mean(*part), run.ports[port]["max_queue"]
    inside = series.value[(series.time >= part[0]) & (series.time <= part[1])].max()
    assert f"maximum {most:g}" in legend(whole.axes[0])[0]
    found = legend(close.axes[0])[0]
    assert float(found.split()[2].rstrip(",")) == pytest.approx(mean, rel=0.02)
    assert found.endswith(f"maximum {inside:g}")
    assert "0.02 to 0.2 s" in close.get_suptitle()
    assert "timeouts" not in close.get_suptitle()


def test_a_maximum_close_up_is_one_of_samples() -> None:
    """It stood beside a buffer that was full between two of them."""
    run = shipped_run("packet-router", ("observe.interval", "50 ms"))
    (close, *_), (whole, *_) = (legend(panel(run.plot(*part), "Queue")) for part in ((3, 8), ()))
    most = run.ports["router.line"]["max_queue"]
    assert close.endswith("\nat samples every 50 ms")
    assert f"maximum {most:g}" in whole
    assert "samples" not in whole
    every = shipped_run("packet-router", ("observe.interval", "change"))
    assert "samples" not in legend(panel(every.plot(3, 8), "Queue"))[0]


def test_axes_close_up_are_those_of_the_close_up() -> None:
    """The axis had the height of the whole run, and "beyond" was a peak at another time."""
    run = shipped_run("packet-router")
    made = run.plot(2.5, 4.0)
    queue, rtt = panel(made, "Queue"), panel(made, "Round-trip time")
    for axes, name, scale in ((queue, "router.line.queue", 1.0), (rtt, "download.rtt", 1e3)):
        series = run.series(name)
        inside = series.value[(series.time >= 2.49) & (series.time <= 4.0)].max() * scale
        assert inside < 0.5 * np.nanmax(series.value) * scale
        assert inside < axes.get_ylim()[1] < 1.2 * inside
        assert "beyond" not in axes.get_title(loc="left")
    assert not any("of 30" in text or "lost" in text for text in legend(queue))


def test_the_figure_of_a_port_close_up_has_its_own_numbers() -> None:
    run = shipped_run("abr-vbr", ("run.duration", "0.5 s"))
    made = run.plot_port("west.trunk", 0.1, 0.2)
    assert "0.1 to 0.2 s" in made.get_suptitle()
    assert not any("lost" in text for axes in made.axes for text in legend(axes))


def test_a_scenario_that_records_nothing_is_plotted_with_what_is_usually_recorded(
    cellway: Command, folder: Path
) -> None:
    """It was refused after the run, and only then was it said what to write."""
    (folder / "plain.toml").write_text(SMALL.partition("[observe]")[0])
    text = cellway("plot", "plain.toml", "--out", "plain.svg").stdout
    assert "written to plain.svg" in text
    assert (folder / "plain.svg").stat().st_size > 10_000
