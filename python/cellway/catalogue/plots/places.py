"""All replications of rows, and where among them the published numbers lie."""

import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cellway.catalogue.figures import Places
from cellway.catalogue.plots.verdicts import BAND, several_of
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.plot.style import figure, headline, mark, plain_logarithmic, quiet

_HALF = 0.32
_GOLDEN = 0.618034
"""Step by multiples of which dots are spread, so that they do not cover each other."""


def plot_places(asked: Places, reproduction: Reproduction) -> Figure:
    """A strip per row: a dot per replication, the published number as a line, its place in words.

    Raises:
        ValueError: none of the rows has a result.
    """
    found = [reproduction.result(code) for code in asked.rows]
    results = [one for one in found if one is not None and one.values]
    if not results:
        raise ValueError(f"figure {asked.code}: none of its rows has a result; nothing to draw")
    made = figure(8.6, 1.4 + 0.44 * len(results))
    axes = made.subplots()
    quiet(axes)
    axes.grid(visible=False, axis="y")
    axes.set_xscale(asked.scale)
    for place, one in enumerate(results):
        _strip(axes, place, one)
    if asked.scale == "log":
        plain_logarithmic(axes.xaxis, *axes.get_xlim())
    _beside(axes, results)
    units = sorted(several_of(unit) for unit in {one.number.unit for one in results} - {"1"})
    axes.set_xlabel(
        f"our replications, in {', '.join(units)}" if units else "our replications", fontsize=9
    )
    quick = " (quick: one run per row)" if reproduction.quick else ""
    headline(made, f"{asked.code}: {asked.title}{quick}")
    handles: list[Line2D | Patch] = [
        mark(".", "#0072B2", "a replication"),
        mark("D", "black", "our mean", open_inside=True),
    ]
    if _any_published(results):
        handles.append(Line2D([], [], color="black", linewidth=2.0, label="published"))
        handles.append(Patch(color=BAND, label="tolerance"))
    made.legend(handles=handles, loc="outside lower left", ncols=4, fontsize=8, frameon=False)
    return made


def _strip(axes: Axes, place: int, one: Result) -> None:
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


def _beside(axes: Axes, results: list[Result]) -> None:
    """Writes the rows on the left, and the places of the published numbers on the right."""
    places = range(len(results))
    labels = [
        f"{one.code}\n{textwrap.shorten(one.number.label, 44, placeholder=' …')}" for one in results
    ]
    axes.set_yticks(places, labels, fontsize=7.5)
    axes.set_ylim(len(results) - 0.5, -0.5)
    if not _any_published(results):
        return
    right = axes.secondary_yaxis("right")
    right.set_yticks(places, [_said(one) for one in results], fontsize=7.5)
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)


def _any_published(results: list[Result]) -> bool:
    return any(one.number.published is not None for one in results)


def _said(one: Result) -> str:
    below = one.below_published
    if below is None:
        return "nothing published"
    if len(one.values) == 1:
        return f"published {one.number.published:g}\n1 replication"
    place = f"{100 * below:.0f} % of {len(one.values)}"
    return f"published {one.number.published:g} lies above\n{place}: {one.verdict}"
