"""The figure of a port that ABR sources share: its VCs, what is plotted, what is left out."""

import math
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import cellway
from cellway.plot.allocations import OVERLOADS, limiting_ports, plot_allocation
from cellway.plot.curves import Curve, columns, exact, total
from cellway.plot.ports import vcs_through
from cellway.plot.runs import plot_run
from cellway.runs.runs import Run
from cellway.runs.series import Series
from cellway.scenario.scenario import SettableValue
from common import ROOT, Command, refused
from shown import legend, units

SHIPPED = ROOT / "scenarios/abr-vbr.toml"
SENDERS = [f"bulk[{number}]" for number in range(1, 6)]


@pytest.fixture(scope="module")
def shipped() -> Run:
    """Until the third burst has begun."""
    return shortened()


def shortened(*sets: tuple[str, SettableValue]) -> Run:
    scenario = cellway.Scenario.load(SHIPPED)
    return cellway.run(scenario.with_sets([("run.duration", "0.25 s"), *sets]))


def curve(figure: Figure, label: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The values of the line that the legend calls `label`."""
    lines = [line for axes in figure.axes for line in axes.get_lines() if line.get_label() == label]
    assert len(lines) == 1
    return np.asarray(lines[0].get_ydata(), dtype=np.float64)


def test_columns_keep_extremes_and_the_mean_over_time() -> None:
    """By hand: 0 for 0.5 s and 4 for 0.5 s; 4 for 0.75 s and 8 for 0.25 s; then 8."""
    time, value = np.array([0.0, 0.5, 1.75]), np.array([0.0, 4.0, 8.0])
    found = columns(Curve(time, value), (0.0, 3.0), 3)
    assert found.edges.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert found.mean.tolist() == [2.0, 5.0, 8.0]
    assert found.minimum.tolist() == [0.0, 4.0, 8.0]
    assert found.maximum.tolist() == [4.0, 8.0, 8.0]


def test_what_has_no_value_does_not_count_and_leaves_a_gap() -> None:
    time, value = np.array([0.0, 0.5, 1.0, 2.0]), np.array([6.0, math.nan, math.nan, 1.0])
    found = columns(Curve(time, value), (0.0, 3.0), 3)
    assert found.mean.tolist()[::2] == [6.0, 1.0]
    assert math.isnan(found.mean[1])
    steps = exact(Curve(time, value), (0.25, 3.0))
    assert steps.edges.tolist() == [0.25, 0.5, 1.0, 2.0, 3.0]
    assert np.isnan(steps.mean).tolist() == [False, True, True, False]


def test_a_sum_changes_whenever_a_part_does() -> None:
    parts = [
        Series("a.acr", "cell/s", np.array([0.0, 2.0]), np.array([1.0, 2.0])),
        Series("b.acr", "cell/s", np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])),
    ]
    time, value, _ = total(parts)
    assert time.tolist() == [1.0, 2.0, 3.0]
    assert value.tolist() == [11.0, 22.0, 32.0]


def test_the_trunk_carries_the_senders_one_way_and_their_acknowledgements_the_other() -> None:
    """By class, as the port serves them; nothing answers the video."""
    explained = cellway.Scenario.load(SHIPPED).explain()
    assert vcs_through(explained, "west.trunk") == ["video", *SENDERS]
    assert vcs_through(explained, "east.trunk") == [f"{name} back" for name in SENDERS]
    assert vcs_through(explained, "west.access[2]") == ["bulk[2] back"]
    assert vcs_through(explained, "west.nowhere") == []


def test_of_all_allocators_only_the_one_at_the_trunk_limits(shipped: Run) -> None:
    """Every other port has one flow, or acknowledgements alone, and the rate of the trunk."""
    assert limiting_ports(shipped) == ["west.trunk"]


def test_rates_queue_and_measurements_above_each_other(shipped: Run) -> None:
    figure = plot_allocation(shipped, "west.trunk")
    rows = figure.axes[:4]
    assert units(figure)[:4] == ["Mbit/s of cell", "Mbit/s of cell", "cells", "z"]
    assert {axes.get_xlim() for axes in figure.axes} == {(0.0, 0.25)}
    assert legend(rows[0]) == ["ABR capacity", "sum of 5 ACRs"]
    assert legend(rows[1]) == ["ACR of each of 5", "fair share"]
    assert [entry.partition(":")[0] for entry in legend(rows[2])] == ["ABR", "VBR"]
    assert legend(rows[3])[-1] == "active VCs N\n(axis on the right)"
    (counted,) = figure.axes[4:]
    assert counted.get_ylim() == (0.0, 1.25 * shipped.series("west.trunk.active").value.max())


def test_capacity_and_rates_are_in_megabits_of_cells() -> None:
    """ERICA assigns U = 0.9 of 155.52 Mbit/s when no class is before ABR; sources begin at ICR.

    An RM cell of a VC that has no data is not a source's: one in an interval of 1 ms takes 424
    kbit/s.
    """
    run = shortened(("switch.*.rate_allocator", "erica"), ("flow.video.start", "249 ms"))
    figure = plot_allocation(run, "west.trunk")
    capacity = np.unique(curve(figure, "ABR capacity").round(6))
    assert capacity == pytest.approx([0.9 * 155.52 - 0.424, 0.9 * 155.52])
    assert curve(figure, "sum of 5 ACRs")[0] == pytest.approx(5 * 10.0)


def test_overload_stays_on_its_axis_and_has_gaps_without_capacity() -> None:
    """A video that takes the whole trunk for 80 ms leaves nothing to divide by."""
    run = shortened(("flow.video.traffic.on_off.rate", "155.52 Mbit/s of cell"))
    recorded = run.series("west.trunk.overload").value
    assert np.isnan(recorded).any()
    assert np.nanmin(recorded) < OVERLOADS[0]
    figure = plot_allocation(run, "west.trunk")
    plotted = curve(figure, "overload z")
    assert np.isnan(plotted).any()
    assert OVERLOADS[0] <= np.nanmin(plotted) <= np.nanmax(plotted) <= OVERLOADS[1]
    assert "no ABR capacity" in legend(figure.axes[3])
    assert f"between {OVERLOADS[0]:g} and {OVERLOADS[1]:g}" in figure.axes[3].get_title(loc="left")


def test_capacity_that_never_ends_is_not_said_to_end(shipped: Run) -> None:
    assert "no ABR capacity" not in legend(plot_allocation(shipped, "west.trunk").axes[3])


def test_crowded_curves_are_means_and_it_is_said() -> None:
    run = shortened(("observe.interval", "0.2 ms"))
    crowded = plot_allocation(run, "west.trunk")
    assert "means over 0.556 ms" in crowded.axes[3].get_xlabel()
    assert len(curve(crowded, "ABR capacity")) == 451
    close = plot_allocation(run, "west.trunk", 0.1, 0.12)
    assert close.axes[3].get_xlabel() == "time in s"
    assert len(curve(close, "ABR capacity")) == pytest.approx(101, abs=1)


def test_a_port_that_only_marks_cells_is_plotted_without_an_allocator() -> None:
    """EFCI has no rates of its own: the ACRs, and the queue that they make."""
    marking = ("switch.*.rate_allocator", {"efci": {"threshold": "100 cell"}})
    run = shortened(marking, ("observe.series", ["queue", "acr"]))
    assert limiting_ports(run) == ["west.trunk"]
    figure = plot_allocation(run, "west.trunk")
    assert units(figure) == ["Mbit/s of cell", "Mbit/s of cell", "cells"]


def test_a_port_without_rates_names_those_with_some(shipped: Run) -> None:
    with pytest.raises(ValueError, match=r"'west\.west'.*west\.trunk"):
        shipped.plot_port("west.west")


def test_the_figure_of_the_run_has_no_panel_for_rates(shipped: Run) -> None:
    assert units(plot_run(shipped)) == ["cells", "Mbit/s", "ms", "part of time"]


def test_plot_writes_a_figure_of_the_run_and_one_of_the_trunk(
    cellway: Command, folder: Path
) -> None:
    short = ("plot", SHIPPED, "--set", 'run.duration="0.1 s"')
    whole = "written to abr-vbr.png\nwritten to abr-vbr-west.trunk.png\n"
    assert cellway(*short).stdout == whole
    other = cellway(*short, "--port", "east.trunk", "--out", "p.svg")
    assert other.stdout == "written to p.svg\n"
    names = ["abr-vbr-west.trunk.png", "abr-vbr.png", "p.svg"]
    assert sorted(file.name for file in folder.iterdir()) == names
    rates = cellway(*short, "--set", 'observe.series=["acr"]')
    assert rates.stdout == "written to abr-vbr-west.trunk.png\n", "of rates alone"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (SHIPPED, "no rates were recorded at port 'x'"),
        (ROOT / "scenarios/studies/window.toml", "is a study"),
    ],
    ids=["run", "study"],
)
def test_a_port_that_cannot_be_plotted_is_one_line(
    cellway: Command, folder: Path, source: Path, words: str
) -> None:
    assert words in refused(cellway, "plot", source, "--port", "x")
    assert not list(folder.iterdir())
