"""Published and our numbers of groups of rows, entry by entry: a panel per group."""

import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cellway.catalogue.figures import Group, Groups
from cellway.catalogue.markup import NONE, short
from cellway.catalogue.plots.verdicts import (
    LOOKS,
    half_width,
    judged_headline,
    published_marks,
    several_of,
    short_labels,
    show_published,
    verdict_marks,
)
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.verdict import Verdict
from cellway.plot.style import MUTED, figure, legend_below, mark, plain_logarithmic, quiet, title

_ACROSS = 3
_LABEL, _LONGEST = 32, 50
_UNBROKEN = "\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}"
_TITLE = 36
_HIGH = 4.1
_ENTRY = 0.4
"""Inches of an entry, for the numbers below it."""
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
    height = 3.0 if all(_flat(results) for _, results in panels) else _HIGH
    most = max(len(results) for _, results in panels)
    width = max(3.0, 0.5 + _ENTRY * most)
    made = figure(max(6.0, 0.4 + width * across), 1.1 + height * down)
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
    shown = [one for _, results in panels for one in results]
    judged_headline(made, f"{asked.code}: {asked.title}", shown, reproduction)
    legend_below(made, _legend(shown, quick=reproduction.quick))
    return made


def _legend(results: list[Result], *, quick: bool) -> list[Line2D | Patch]:
    published = [one for one in results if one.number.published is not None]
    marks = verdict_marks((one.verdict for one in results), quick=quick)
    handles = [*(published_marks() if published else []), *marks]
    if len(published) < len(results):
        colour, marker = LOOKS[Verdict.NOT_JUDGED]
        handles.append(mark(marker, colour, "ours: nothing published"))
    return handles


def _results(group: Group, reproduction: Reproduction) -> list[Result]:
    found = [reproduction.result(code) for code in group.rows]
    return [one for one in found if one is not None]


def _panel(axes: Axes, group: Group, results: list[Result], asked: Groups) -> None:
    quiet(axes)
    axes.set_yscale(asked.scale)
    flat = _flat(results)
    show_published(axes, [*enumerate(results)], joined=flat)
    published = any(one.number.published is not None for one in results)
    _ours(axes, results, joined=flat)
    labels = _labels(results, flat=flat, numbers=published)
    axes.set_xticks(
        range(len(results)), labels, fontsize=8 if flat else 7, rotation=0 if flat else 90
    )
    axes.set_xlim(-0.5, len(results) - 0.5)
    axes.grid(visible=False, axis="x")
    axes.tick_params(labelleft=True)
    numbers = f"\n({'below: published, ours' if flat else 'published / ours'})"
    axes.set_xlabel(f"{asked.x}{numbers if published else ''}", fontsize=9)
    title(axes, textwrap.fill(group.label, _TITLE))


def _labels(results: list[Result], *, flat: bool, numbers: bool) -> list[str]:
    """Entries with the published number and ours below, or, of long words, behind them."""
    labels = short_labels([one.number.label for one in results])
    if not flat:
        labels = [textwrap.shorten(label, _LONGEST, placeholder="…") for label in labels]
    if numbers:
        both = [(one.number.published, one.ours.mean if one.ours else None) for one in results]
        said = [[NONE if value is None else short(value) for value in pair] for pair in both]
        between, before = ("\n", "\n") if flat else (_UNBROKEN, ": ")
        joined = [between.join(pair) for pair in said]
        labels = [f"{label}{before}{pair}" for label, pair in zip(labels, joined, strict=True)]
    return labels if flat else [textwrap.fill(label, _LABEL) for label in labels]


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
