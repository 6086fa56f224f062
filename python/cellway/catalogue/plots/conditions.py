"""Our numbers over a condition, a panel per figure of the paper, with intervals."""

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cellway.catalogue.figures import Curve, Curves, Panel
from cellway.catalogue.plots.verdicts import (
    half_width,
    judged_headline,
    published_marks,
    show_published,
)
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.plot.colours import COLOURS
from cellway.plot.style import MUTED, figure, legend_below, mark, plain_logarithmic, quiet, title

_ACROSS = 2
_ALONE = 6.6
"""Inches of a panel without others beside it."""
_MARKERS = "os^DvP"
_DASHES = ("--", ":", "-.", (0, (8, 2, 1, 2, 1, 2)))
_HEADROOM = 0.14
"""Part of the height above and below the curves, for legends."""


def plot_curves(asked: Curves, reproduction: Reproduction) -> Figure:
    """A panel per condition: lines for groups of rows, dashed ones for values of a formula.

    Raises:
        ValueError: none of the rows has a result.
    """
    panels = [one for one in asked.panels if _found(one, reproduction)]
    if not panels:
        raise ValueError(f"figure {asked.code}: none of its rows has a result; nothing to draw")
    across = min(_ACROSS, len(panels))
    down = -(-len(panels) // across)
    made = figure(max(_ALONE, 4.7 * across), 0.6 + 3.4 * down)
    grid = list(made.subplots(down, across, squeeze=False, sharey=True).flat)
    for axes, panel in zip(grid, panels, strict=False):
        _draw(axes, panel, reproduction)
        axes.tick_params(labelleft=True)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    for axes in grid[: len(panels) : across]:
        axes.set_ylabel(asked.y, fontsize=9)
    found = [one for panel in panels for one in _found(panel, reproduction)]
    judged_headline(made, f"{asked.code}: {asked.title}", found, reproduction)
    intervals = any(not math.isnan(half_width(one)) for one in found)
    published = any(one.number.published is not None for one in found)
    note = [mark("|", "black", "95 % interval of our mean")] if intervals else []
    legend_below(made, [*note, *(published_marks() if published else [])])
    return made


def _found(panel: Panel, reproduction: Reproduction) -> list[Result]:
    rows = [code for line in panel.lines for code in line.rows]
    found = [reproduction.result(code) for code in rows]
    return [one for one in found if one is not None and one.ours is not None]


def _draw(axes: Axes, panel: Panel, reproduction: Reproduction) -> None:
    quiet(axes)
    axes.set_xscale(panel.scale)
    axes.margins(y=_HEADROOM)
    ours = [line for line in panel.lines if line.rows]
    for place, line in enumerate(ours):
        colour = COLOURS[place % len(COLOURS)]
        _simulated(axes, line, reproduction, colour, _MARKERS[place % len(_MARKERS)])
    for place, line in enumerate(one for one in panel.lines if not one.rows):
        style = _DASHES[place % len(_DASHES)]
        axes.plot(
            line.at, line.numbers, linestyle=style, color=MUTED, linewidth=1.1, label=line.label
        )
    if panel.scale == "log":
        plain_logarithmic(axes.xaxis, *axes.get_xlim())
    axes.set_xlabel(panel.x, fontsize=9)
    title(axes, panel.label)
    axes.legend(fontsize=7, frameon=False)


def _simulated(
    axes: Axes, line: Curve, reproduction: Reproduction, colour: str, marker: str
) -> None:
    """Draws means with their 95 % intervals; rows without a finished result are left out."""
    shown = [
        (at, result, result.ours.mean)
        for at, code in zip(line.at, line.rows, strict=True)
        if (result := reproduction.result(code)) is not None and result.ours is not None
    ]
    axes.errorbar(
        [at for at, _, _ in shown],
        [mean for _, _, mean in shown],
        yerr=[half_width(result) for _, result, _ in shown],
        fmt=f"{marker}-",
        color=colour,
        markersize=3.5,
        linewidth=1.0,
        capsize=2,
        label=line.label,
    )
    show_published(axes, [(at, result) for at, result, _ in shown])
