"""Figures: the panels that were recorded, labels with units, and no state that is shared."""

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import cellway
from cellway.catalogue import Reproduction, load_paper, reproduce
from cellway.catalogue.plots.reproductions import plot_reproduction
from cellway.catalogue.sheets import Sheet
from cellway.plot.panels import Line, Panel, draw_panel
from cellway.plot.runs import plot_run
from cellway.plot.throughput import bin_width, binned, mean_rate
from cellway.runs.series import Series
from common import CLAIMS, PAPER, Make, joined, text_of
from shown import legend, panel, shipped_run, small_run, titles, units

SHORT = [("run.duration", "1 s"), ("run.warm_up", "0 s")]


def test_a_panel_for_each_recorded_quantity() -> None:
    figure = plot_run(small_run())
    assert units(figure) == ["cells", "KiB", "KiB", "Mbit/s", "ms", "part of time"]
    assert titles(figure)[0].startswith("Queue in front of s.right")
    *over_time, last = figure.axes
    assert [axes.get_xlabel() for axes in (over_time[-1], last)] == ["time in s", "delay in ms"]
    assert {axes.get_xlim() for axes in over_time} == {(0.0, 1.0)}


def test_only_what_was_recorded() -> None:
    assert units(plot_run(small_run(("observe.series", ["acked"])))) == ["Mbit/s"]


@pytest.mark.parametrize(("start", "end"), [(500.0, 502.0), (500.0, None), (0.5, 1.5)])
def test_nothing_is_plotted_beyond_the_end_of_the_run(start: float, end: float | None) -> None:
    run = small_run()
    said = rf"^{end or start:g} s is beyond the end of the run at 1 s$"
    with pytest.raises(ValueError, match=said):
        run.plot(start, end)


def test_a_window_before_the_first_point_of_a_series_has_a_panel_without_its_curve() -> None:
    """Slow start close up: no threshold was set yet and no segment timed, and neither has a point.

    A threshold that is not there is not in the legend either.
    """
    series = ("observe.series", ["cwnd", "ssthresh", "rtt"])
    run = small_run(("observe.interval", "change"), series)
    first = float(run.series("bulk.rtt").time[0])
    assert first < run.series("bulk.ssthresh").time[0]
    windows, rtt = run.plot(0.0, first / 2).axes
    curves = {
        str(line.get_label()): len(np.asarray(line.get_xdata()))
        for axes in (windows, rtt)
        for line in axes.get_lines()
    }
    assert curves["bulk cwnd"] > 1
    assert curves["bulk"] == 0
    assert "bulk ssthresh" not in curves


def test_many_flows_are_cut_to_the_fastest_and_it_is_said() -> None:
    windows = panel(plot_run(shipped_run("shared-bottleneck", *SHORT)), "Congestion window")
    assert "the 6 fastest and the 2 slowest of 10 flows" in windows.get_title(loc="left")
    assert sum("cwnd" in text for text in legend(windows)) == 8


def test_flows_without_a_window_take_no_place_of_those_that_have_one() -> None:
    """Five calls are slower than all downloads, and neither of eight downloads makes room."""
    text = text_of("calls.toml")
    windows = panel(plot_run(cellway.run(cellway.Scenario.parse(text))), "Congestion window")
    curves = {str(line.get_label()) for line in windows.get_lines()}
    assert {f"bulk[{number}] cwnd" for number in range(1, 9)} <= curves
    assert "fastest" not in windows.get_title(loc="left")


def test_an_axis_that_ends_below_a_curve_says_so_in_one_place() -> None:
    axes = Figure().subplots()
    peak = Series("s.queue", "packet", np.arange(4.0), np.array([1.0, 412.0, 2.0, 1.0]))
    draw_panel(axes, Panel("Queue", "packets", [Line(peak, "s", "black")], top=65.0), (0.0, 4.0))
    assert axes.get_title(loc="left") == "Queue; beyond this axis, to 412 packets"


def test_throughput_is_what_was_acknowledged_in_each_bin() -> None:
    series = Series(
        "f.acked", "byte", np.array([0.0, 0.5, 1.0, 3.5]), np.array([0.0, 100.0, 300.0, 400.0])
    )
    found = binned(series, (0.0, 4.0), 1.0)
    assert found.time.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert found.value.tolist() == [2400.0, 0.0, 0.0, 800.0, 800.0]
    assert mean_rate(series, (0.5, 2.5)) == 8.0 * 200 / 2.0


def test_bins_have_equally_many_samples_of_a_grid() -> None:
    """Two and three samples by turns look like a rate that swings."""
    samples = np.arange(1001, dtype=np.float64)
    grid = Series("f.acked", "byte", 0.02 * samples, 2e4 * samples)
    width = bin_width([grid], (5.0, 8.0))
    assert width == pytest.approx(0.1)
    assert np.allclose(binned(grid, (5.0, 8.0), width).value, 8e6)
    at_any_time = Series("f.acked", "byte", np.array([0.0, 0.3, 1.0]), np.array([0.0, 1.0, 2.0]))
    assert bin_width([at_any_time], (5.0, 8.0)) == pytest.approx(0.05)


def test_a_part_of_a_run_has_its_own_numbers() -> None:
    run = small_run()
    whole, part = (made.get_suptitle() for made in (run.plot(), run.plot(0.5, 0.75)))
    assert whole.endswith("timeouts")
    acked = run.series("bulk.acked")
    rate = 8e-6 * np.diff(np.interp([0.5, 0.75], acked.time, acked.value))[0] / 0.25
    assert "0.5 to 0.75 s: " in part
    assert float(part.split()[-2]) == pytest.approx(rate, rel=0.05)
    assert "lost" not in legend(run.plot(0.5, 0.75).axes[0])[0]


def test_packets_are_called_packets() -> None:
    assert units(plot_run(shipped_run("packet-router", *SHORT)))[0] == "packets"


def test_figures_can_be_plotted_side_by_side(tmp_path: Path) -> None:
    run = small_run(("observe.series", ["queue", "cwnd"]))

    def image(_: int) -> bytes:
        file = io.BytesIO()
        run.plot().savefig(file, format="png")
        return file.getvalue()

    with ThreadPoolExecutor(3) as threads:
        (drawn,) = set(threads.map(image, range(3)))
    run = cellway.Run.load(run.save(tmp_path))
    assert image(0) == drawn


def test_a_reproduction_has_a_line_per_published_number(small_done: Reproduction) -> None:
    axes = plot_reproduction(small_done).axes[0]
    ticks = [label.get_text() for label in axes.get_yticklabels()]
    published = [one.code for one in small_done.results if one.number.published is not None]
    assert 0 < len(published) < len(small_done.results)
    assert [tick.split()[0] for tick in ticks] == published
    assert "%" in axes.get_xlabel()


def test_claims_have_a_panel_of_their_own(make: Make) -> None:
    paper = load_paper(make(joined(PAPER, CLAIMS)))
    rows, claims = plot_reproduction(reproduce(paper, quick=True)).axes
    published = [one for one in (*paper.rows, *paper.derived) if one.published is not None]
    assert len(rows.get_yticks()) == len(published)
    entries = [label.get_text().split()[0] for label in claims.get_yticklabels()]
    assert entries == ["C1", "C2", "C3"]
    assert [label.get_text() for label in claims.get_xticklabels()] == ["min", "max"]
    (alone,) = plot_reproduction(reproduce(paper, "C3", quick=True)).axes
    assert "claims" in alone.get_xlabel()


def test_a_claim_that_is_not_judged_has_no_range_and_no_marker(make: Make) -> None:
    """Its range has no end: a bar over the whole panel looked like one that holds anything."""
    files = joined(PAPER, CLAIMS)
    files["criteria.toml"] = files["criteria.toml"].replace("min = 15\nmax = 25", "judged = false")
    done = reproduce(load_paper(make(files)), "C1", quick=True)
    (axes,) = plot_reproduction(done, Sheet("C", ("C1",))).axes
    assert not axes.patches
    assert not axes.figure.legends
    assert [text.get_text() for text in axes.texts] == ["not judged"]
    assert [tick.get_text().split()[0] for tick in axes.get_yticklabels()] == ["C1"]
