"""Several runs in one figure: a panel per quantity, and no curve beyond the end of its run."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes

import cellway
from cellway.plot.colours import COLOURS
from cellway.plot.compared import plot_runs
from cellway.plot.delays import ONE_WAY, ROUND_TRIP, SMOOTHED
from cellway.plot.runs import flow_colours, plot_run
from common import SMALL, Command, refused, text_of
from shown import shipped_run, small_run, units


def curves(axes: Axes) -> dict[str, tuple[list[float], list[float]]]:
    return {
        str(line.get_label()): (
            np.asarray(line.get_xdata()).tolist(),
            np.asarray(line.get_ydata()).tolist(),
        )
        for line in axes.get_lines()
    }


def test_each_panel_has_the_curves_that_the_runs_have_alone() -> None:
    runs = {"large": small_run(), "little": small_run(("flow.bulk.tcp.window", "8 KiB"))}
    together = plot_runs(runs)
    for name, run in runs.items():
        # Of delays that are all alike a run alone has no distribution.
        for axes, alone in zip(together.axes, plot_run(run).axes, strict=False):
            assert axes.get_ylabel() == alone.get_ylabel()
            for label, (time, value) in curves(alone).items():
                if f"{name}: {label}" in curves(axes):
                    found = curves(axes)[f"{name}: {label}"]
                    assert found[0] == time
                    # What is beyond the axis of the one runs along it, and fits that of both.
                    within = np.minimum(found[1], alone.get_ylim()[1])
                    assert np.array_equal(within, value, equal_nan=True)
        assert f"{name}: bulk" in curves(together.axes[-2])


def test_the_distributions_of_all_runs_are_shown() -> None:
    """Of two runs one had none: its delays are alike, or counted otherwise than those of the first.

    Alone it has none where they are alike; beside another it says how far apart they are.
    """
    large, little = small_run(), small_run(("flow.bulk.tcp.window", "8 KiB"))
    (panel,) = plot_runs({"large": large, "little": little}).axes[-1:]
    assert [label.partition(":")[0] for label in curves(panel)] == ["large", "little"]
    packets = cellway.run(cellway.Scenario.parse(f'{SMALL}distributions = {{ flows = ["*"] }}\n'))
    ways = plot_runs({"packets": packets, "times": large}).axes[-2:]
    assert [axes.get_title(loc="left") for axes in ways] == [ONE_WAY[0], ROUND_TRIP[0]]
    assert [next(iter(curves(axes))).partition(":")[0] for axes in ways] == ["packets", "times"]


THREE = text_of("three.toml")
"""The order of the flows in the file is not that of their rates."""


@pytest.mark.parametrize("names", [("a", "b"), ("alone",)])
def test_a_flow_has_one_colour_in_all_panels(names: tuple[str, ...]) -> None:
    """Panels over time counted from the fastest flow, distributions from the first in the file."""
    runs = {
        name: cellway.run(cellway.Scenario.parse(THREE).with_set("flow.bulk.start", f"{at} s"))
        for name, at in zip(names, (0.5, 0.6), strict=False)
    }
    figure = plot_runs(runs) if len(runs) > 1 else plot_run(runs[names[0]])
    colours: dict[tuple[str, str], set[str]] = {}
    for axes in figure.axes:
        for line in axes.get_lines():
            if found := re.match(r"(?:(\w+): )?(bulk|two|three)\b", str(line.get_label())):
                colours.setdefault((found[1], found[2]), set()).add(str(line.get_color()))
    assert len(colours) == 3 * len(runs)
    assert all(len(of_one) == 1 for of_one in colours.values())
    assert len(set.union(*colours.values())) == 3 * len(runs)


def test_a_shorter_run_ends_where_it_ends() -> None:
    figure = plot_runs({"long": small_run(), "short": small_run(("run.duration", "0.5 s"))})
    found = curves(figure.axes[-2])
    assert max(found["short: bulk"][0]) == 0.5
    assert max(found["long: bulk"][0]) == 1.0
    assert figure.get_suptitle() == "long, short"


def test_the_axis_has_room_for_the_first_run_too() -> None:
    """It was that of the run drawn last, and cut the others."""
    slow = small_run(("link.right.rate", "T1"))
    for runs in ({"fast": small_run(), "slow": slow}, {"slow": slow, "fast": small_run()}):
        for axes in plot_runs(runs).axes[-3:-1]:
            highest = max(np.nanmax(value) for _, value in curves(axes).values() if value)
            assert axes.get_ylim()[1] >= highest


def test_a_quantity_that_one_run_recorded_has_a_panel() -> None:
    figure = plot_runs({"a": small_run(), "b": small_run(("observe.series", ["acked"]))})
    assert units(figure) == ["cells", "KiB", "KiB", "Mbit/s", "ms", "part of time"]


def test_more_flows_than_colours_leave_the_fastest_of_each() -> None:
    run = shipped_run("shared-bottleneck", ("run.duration", "1 s"), ("run.warm_up", "0 s"))
    figure = plot_runs({"a": run, "b": small_run()})
    fastest = sorted(run.flows, key=lambda name: -run.flows[name]["throughput_bits_per_second"])
    windows = next(axes for axes in figure.axes if axes.get_ylabel() == "KiB")
    plotted = [label for label in curves(windows) if label.startswith("a: ")]
    assert plotted == [f"a: {name} cwnd" for name in fastest[:4]]
    assert "of each run 4 at most" in windows.get_title(loc="left")


@pytest.mark.parametrize(
    ("count", "end", "words"), [(9, None, "9 runs cannot"), (2, 3.0, "between 0 and 3 s")]
)
def test_what_cannot_be_drawn_is_refused(count: int, end: float | None, words: str) -> None:
    run = small_run()
    with pytest.raises(ValueError, match=words):
        plot_runs({str(number): run for number in range(count)}, 0.0, end)


def test_the_command_names_the_figure_after_the_runs(
    cellway: Command, folder: Path, small: Path
) -> None:
    cellway("run", small, "--out", "first")
    assert cellway("plot", "first", small).stdout == "written to first-small.png\n"
    assert cellway("plot", "first", small, "--out", "b.svg").stdout == "written to b.svg\n"
    assert sorted(file.name for file in folder.glob("*.[ps][nv]g")) == ["b.svg", "first-small.png"]
    said = refused(cellway, "plot", "first", small, "--distributions")
    assert said == "--distributions: expected one run, and there are 2\n"


def test_a_run_that_recorded_nothing_is_refused_by_name(
    cellway: Command, folder: Path, small: Path
) -> None:
    """It was left out of the figure without a word."""
    (folder / "bare.toml").write_text(small.read_text().partition("[observe]")[0])
    cellway("run", "bare.toml", "--out", "bare")
    cellway("run", small, "--out", "first")
    for sources in (["bare", "first"], ["first", "bare"]):
        said = refused(cellway, "plot", *sources)
        assert said.startswith("bare: no queue, window, progress or round-trip time ")
    assert not list(folder.glob("*.png"))


def test_a_run_that_is_named_twice_is_refused(cellway: Command, folder: Path, small: Path) -> None:
    """Two of the same became the figure of one."""
    cellway("run", small, "--out", "first")
    for again in ("first", "./first/", folder / "first"):
        said = refused(cellway, "plot", "first", again)
        assert said.endswith("first: named twice; expected each run once\n")


def test_the_legend_says_the_way() -> None:
    simulated = small_run()
    measured = replace(simulated, measured={"marks": []})
    doubted = replace(simulated, measured={"marks": ["a packet was late"]})
    names = ("model", "kernel", "late")
    figure = plot_runs(dict(zip(names, (simulated, measured, doubted), strict=True)))
    said = {label.partition(":")[0] for axes in figure.axes for label in curves(axes)}
    assert {
        "model (simulated)",
        "kernel (measured)",
        "late (measured, not to be trusted)",
    } <= said
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert any(re.fullmatch(r"Round-trip time(;.*)?", text) for text in titles)
    assert ROUND_TRIP[0] in titles
    assert SMOOTHED in titles
    assert not any("threshold" in text for text in titles)
    alone = [axes.get_title(loc="left") for axes in plot_run(measured).axes]
    assert any(text.startswith("Round-trip time as the kernel smooths it") for text in alone)
    assert "model: bulk" in curves(plot_runs({"model": simulated}).axes[-2])


def test_a_flow_keeps_its_colour_whichever_starts_late() -> None:
    """The fastest flow had the first colour, so that later starts swapped colours."""
    given = cellway.Scenario.parse(THREE)
    fastest = set()
    for late in ("bulk", "two", "three"):
        colours = flow_colours(cellway.run(given.with_set(f"flow.{late}.start", "0.9 s")))
        fastest.add(next(iter(colours)))
        assert colours == dict(zip(("bulk", "three", "two"), COLOURS, strict=False))
    assert len(fastest) > 1
