"""Published and our numbers of groups of rows, entry by entry: a panel per group."""

import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from cellway.catalogue.figures import Group, Groups
from cellway.catalogue.plots.verdicts import (
    BAND,
    LOOKS,
    half_width,
    ours_are,
    several_of,
    short_labels,
    verdict_marks,
)
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.verdict import Verdict
from cellway.plot.style import MUTED, figure, headline, mark, plain_logarithmic, quiet, title

_ACROSS = 3
_LABEL = 26
_TITLE = 36
_HIGH = 3.8
_FLAT = 44
"""Letters of all labels of a panel that fit beside each other."""


def plot_groups(asked: Groups, reproduction: Reproduction) -> Figure:
    """A panel per group: published numbers, hollow and joined, and ours with intervals, by verdict.

    Raises:
        ValueError: none of the rows has a result.
    """
    found = [(group, _results(group, reproduction)) for group in asked.groups]
    panels = [(group, results) for group, results in found if any(one.ours for one in results)]
    if not panels:
        raise ValueError(f"figure {asked.code}: none of its rows has a result; nothing to draw")
    across = min(_ACROSS, len(panels))
    down = -(-len(panels) // across)
    height = 2.75 if all(_flat(results) for _, results in panels) else _HIGH
    made = figure(max(6.0, 0.4 + 3.0 * across), 1.1 + height * down)
    grid = list(made.subplots(down, across, squeeze=False, sharey=True).flat)
    for axes, (group, results) in zip(grid, panels, strict=False):
        _panel(axes, group, results, asked)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    units = {one.number.unit for _, results in panels for one in results} - {"1"}
    units = {unit for unit in units if unit not in asked.y}
    unit = f" in {', '.join(sorted(map(several_of, units)))}" if units else ""
    if asked.scale == "log":
        plain_logarithmic(grid[0].yaxis, *grid[0].get_ylim())
    for axes in grid[: len(panels) : across]:
        axes.set_ylabel(f"{asked.y}{unit}", fontsize=9)
    quick = " (quick: one run per row)" if reproduction.quick else ""
    headline(made, f"{asked.code}: {asked.title}{quick}")
    handles = _legend([one for _, results in panels for one in results], quick=reproduction.quick)
    made.legend(
        handles=handles,
        loc="outside lower left",
        ncols=5 if across == _ACROSS else 3,
        fontsize=8,
        frameon=False,
    )
    return made


def _legend(results: list[Result], *, quick: bool) -> list[Line2D]:
    handles = [mark("o", "black", "published", line="--", open_inside=True)]
    published = [one for one in results if one.number.published is not None]
    marks = verdict_marks((one.verdict for one in results), quick=quick)
    handles = [*(handles if published else []), *marks]
    if len(published) < len(results):
        colour, marker = LOOKS[Verdict.NOT_JUDGED]
        handles.append(mark(marker, colour, f"{ours_are(quick=quick)}: nothing published"))
    return handles


def _results(group: Group, reproduction: Reproduction) -> list[Result]:
    found = [reproduction.result(code) for code in group.rows]
    return [one for one in found if one is not None]


def _panel(axes: Axes, group: Group, results: list[Result], asked: Groups) -> None:
    quiet(axes)
    axes.set_yscale(asked.scale)
    places = range(len(results))
    published = [
        (place, one.number.published, one.number.tolerance)
        for place, one in zip(places, results, strict=True)
        if one.number.published is not None
    ]
    for place, value, tolerance in published:
        reach = tolerance.reach(value) if tolerance else 0.0
        axes.plot(
            [place, place], [value - reach, value + reach], color=BAND, linewidth=9.0, zorder=1
        )
    axes.plot(
        [place for place, _, _ in published],
        [value for _, value, _ in published],
        "o--" if _flat(results) else "o",
        color="black",
        markerfacecolor="white",
        markersize=6.5,
        linewidth=0.8,
        zorder=3,
    )
    _ours(axes, results, joined=_flat(results))
    labels = short_labels([one.number.label for one in results])
    if not (flat := _flat(results)):
        labels = [
            "\n".join(textwrap.wrap(label, _LABEL, max_lines=2, placeholder="…"))
            for label in labels
        ]
    axes.set_xticks(places, labels, fontsize=8 if flat else 7, rotation=0 if flat else 90)
    axes.set_xlim(-0.5, len(results) - 0.5)
    axes.grid(visible=False, axis="x")
    axes.tick_params(labelleft=True)
    axes.set_xlabel(asked.x, fontsize=9)
    title(axes, textwrap.fill(group.label, _TITLE))


def _ours(axes: Axes, results: list[Result], *, joined: bool) -> None:
    """Draws our numbers, a little to the right of the published ones."""
    shown = [
        (place, one, one.ours.mean) for place, one in enumerate(results) if one.ours is not None
    ]
    axes.plot(
        [place + 0.12 for place, _, _ in shown],
        [mean for _, _, mean in shown],
        linestyle="-" if joined else "none",
        color=MUTED,
        linewidth=0.8,
        zorder=2,
    )
    for place, one, mean in shown:
        colour, marker = LOOKS[one.verdict]
        axes.errorbar(
            place + 0.12,
            mean,
            yerr=half_width(one),
            fmt=marker,
            color=colour,
            markersize=4.5,
            capsize=2,
            zorder=4,
        )


def _flat(results: list[Result]) -> bool:
    """True if the labels are as short as numbers of steps, so that a line may join the points."""
    return sum(map(len, short_labels([one.number.label for one in results]))) <= _FLAT
