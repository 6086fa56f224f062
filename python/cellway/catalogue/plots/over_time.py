"""Counting series as rates over time: one run for each line, with published levels."""

import re
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cellway.catalogue.figures import Line, OverTime
from cellway.errors import CatalogueError
from cellway.plot.colours import COLOURS
from cellway.plot.curves import total
from cellway.plot.style import figure, headline, quiet
from cellway.runs.runs import Run
from cellway.runs.series import Series
from cellway.runs.side_by_side import run_all
from cellway.scenario.scenario import Scenario
from cellway.text.units import UNITS, seconds

Numbers = NDArray[np.float64]
_BITS = 8.0
_STYLES = ("-", (0, (6, 2)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 1, 1, 1, 1, 1)))
_COUNTERS = ("acked", "arrived")
"""Series that count; all others are levels."""


def plot_over_time(asked: OverTime) -> Figure:
    """A curve for each line: the growth rate of series, or their level, averaged over each window.

    A published number is a level of the same colour, named at the right.

    Raises:
        CatalogueError: no recorded series has such a name.
        RunError, ScenarioError, OSError: the scenario of a line cannot be read or run.
    """
    runs = run_all([_scenario(asked, line) for line in asked.lines])
    made = figure(8.6, 3.9)
    axes = made.subplots()
    quiet(axes)
    levels, ends = [], 0.0
    for at, (line, done) in enumerate(zip(asked.lines, runs, strict=True)):
        time, value = averaged(_matching(done, asked.series, asked.code), asked)
        ends = max(ends, float(time[-1]))
        colour = COLOURS[at % len(COLOURS)]
        style = _STYLES[at % len(_STYLES)]
        label = (
            line.label if line.published is None else f"{line.label} (published {line.published:g})"
        )
        axes.stairs(
            value, time, baseline=None, color=colour, linestyle=style, linewidth=1.5, label=label
        )
        if line.published is not None:
            axes.axhline(
                line.published, color=colour, linestyle=(0, (1, 1.5)), linewidth=1.2, zorder=1
            )
            levels.append((line.published, colour))
    axes.set_ylim(bottom=0.0)
    axes.set_xlim(0.0, ends)
    _name_levels(axes, levels)
    axes.set_xlabel(f"time in s, averaged over {asked.window}", fontsize=9)
    axes.set_ylabel(f"{asked.y} in {asked.unit}", fontsize=9)
    headline(made, f"{asked.code}: {asked.title} (one run for each curve)")
    made.legend(loc="outside lower left", ncols=min(3, len(runs)), fontsize=8, frameon=False)
    return made


def _name_levels(axes: Axes, levels: Sequence[tuple[float, str]]) -> None:
    right = axes.secondary_yaxis("right")
    right.set_yticks(
        [value for value, _ in levels],
        [f"published {value:g}" for value, _ in levels],
        fontsize=7.5,
    )
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
    for label, (_, colour) in zip(right.get_yticklabels(), levels, strict=True):
        label.set_color(colour)


def _scenario(asked: OverTime, line: Line) -> Scenario:
    """The scenario with the line's keys, sampled at each window unless the line says otherwise."""
    quantity = asked.series.rpartition(".")[2]
    observed = (("observe.series", [quantity]), ("observe.interval", asked.window))
    return Scenario.load(asked.scenario).with_sets((*observed, *line.sets))


def _matching(done: Run, pattern: str, code: str) -> list[Series]:
    wanted = re.compile(".*".join(map(re.escape, pattern.split("*"))))
    found = [done.series(name) for name in done.series_names if wanted.fullmatch(name)]
    found = [series for series in found if len(series)]
    if not found:
        names = ", ".join(done.series_names[:8]) or "nothing"
        raise CatalogueError(
            f"figure {code}: no series {pattern!r} has points; recorded are {names}"
        )
    return found


def averaged(series: Sequence[Series], asked: OverTime) -> tuple[Numbers, Numbers]:
    """Edges of all windows, and in each the mean rate of counters, or the time mean of levels.

    Args:
        series: to be added.
        asked: gives the window and the unit. Counters of bytes become bits per second.
    """
    whole = total(list(series))
    step = seconds(asked.window)
    count = int((whole.time[-1] - whole.time[0]) / step + 1e-6)
    edges = whole.time[0] + step * np.arange(count + 1)
    if series[0].name.rpartition(".")[2] in _COUNTERS:
        before = np.maximum(whole.time.searchsorted(edges + 1e-9 * step, side="right") - 1, 0)
        bits = _BITS if series[0].unit == "byte" else 1.0
        return edges, bits * np.diff(whole.value[before]) / step / UNITS[asked.unit]
    ends = np.append(whole.time, edges[-1])
    areas = np.concatenate([[0.0], np.cumsum(np.diff(ends) * whole.held)])
    return edges, np.diff(np.interp(edges, ends, areas)) / step / UNITS[asked.unit]
