"""All replications of rows, and where among them the published numbers lie."""

import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cellway.catalogue.figures import Places
from cellway.catalogue.markup import estimated
from cellway.catalogue.plots.verdicts import BAND, judged_headline, several_of
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.plot.style import figure, legend_below, mark, plain_logarithmic, quiet

_ROW = 0.66
"""Inches of a row: two lines of words, and the strip below them."""
_BELOW, _HALF = 0.2, 0.2
"""Parts of a row: from its middle to that of the strip, and half of the height with dots."""
_LETTERS = 64
_GOLDEN = 0.618034
"""Step by multiples of which dots are spread, so that they do not cover each other."""


def plot_places(asked: Places, reproduction: Reproduction) -> Figure:
    """A strip per row: a dot per replication, the published number as a line, words above it.

    Raises:
        ValueError: none of the rows has a result.
    """
    found = [reproduction.result(code) for code in asked.rows]
    results = [one for one in found if one is not None and one.values]
    if not results:
        raise ValueError(f"figure {asked.code}: none of its rows has a result; nothing to draw")
    made = figure(6.6, 1.2 + _ROW * len(results))
    axes = made.subplots()
    quiet(axes)
    axes.grid(visible=False, axis="y")
    axes.set_xscale(asked.scale)
    for place, one in enumerate(results):
        _strip(axes, place + _BELOW, one)
        above = place + _BELOW - 1.3 * _HALF
        axes.annotate(
            _words(one), (0.0, above), xycoords=("axes fraction", "data"), va="bottom", fontsize=7.5
        )
    if asked.scale == "log":
        plain_logarithmic(axes.xaxis, *axes.get_xlim())
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
    axes.set_ylim(len(results) - 0.5, -0.5)
    units = sorted(several_of(unit) for unit in {one.number.unit for one in results} - {"1"})
    axes.set_xlabel(
        f"our replications, in {', '.join(units)}" if units else "our replications", fontsize=9
    )
    judged_headline(made, f"{asked.code}: {asked.title}", results, reproduction)
    handles: list[Line2D | Patch] = [mark(".", "#0072B2", "a replication")]
    if any(len(one.values) > 1 for one in results):
        handles.append(mark("D", "black", "our mean", open_inside=True))
    if _any_published(results):
        handles.append(Line2D([], [], color="black", linewidth=2.0, label="published"))
        handles.append(Patch(color=BAND, label="tolerance"))
    legend_below(made, handles)
    return made


def _strip(axes: Axes, place: float, one: Result) -> None:
    published, tolerance = one.number.published, one.number.tolerance
    if published is not None:
        reach = tolerance.reach(published) if tolerance else 0.0
        axes.barh(
            place, 2.0 * reach, left=published - reach, height=2.4 * _HALF, color=BAND, zorder=1
        )
        axes.vlines(
            published,
            place - 1.2 * _HALF,
            place + 1.2 * _HALF,
            color="black",
            linewidth=2.0,
            zorder=4,
        )
    spread = [
        place + _HALF * (2.0 * (number * _GOLDEN % 1.0) - 1.0) for number in range(len(one.values))
    ]
    axes.plot(
        sorted(one.values),
        spread,
        ".",
        color="#0072B2",
        alpha=0.55,
        markersize=4.5,
        markeredgewidth=0.0,
    )
    if one.ours is not None and len(one.values) > 1:
        axes.plot(
            one.ours.mean,
            place,
            "D",
            color="black",
            markerfacecolor="white",
            markersize=4.5,
            zorder=5,
        )


def _words(one: Result) -> str:
    """Code and label, and below them ours with the verdict and the published number."""
    label = textwrap.shorten(f"{one.code} {one.number.label}", _LETTERS, placeholder=" …")
    return f"{label}\n{_said(one)}"


def _any_published(results: list[Result]) -> bool:
    return any(one.number.published is not None for one in results)


def _said(one: Result) -> str:
    """Verdict and mean of ours, and the published number with its place among ours."""
    below = one.below_published
    ours = f"ours {estimated(one.ours).partition(' (')[0]}"
    if below is None:
        return f"{ours}; nothing published"
    place = f", above {100 * below:.0f} % of {len(one.values)}" if len(one.values) > 1 else ""
    return f"{one.said}: {ours}; published {one.number.published:g}{place}"
