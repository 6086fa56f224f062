"""Published numbers and ours, row by row, on one axis: the distance from what was published."""

import math
import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cellway.catalogue import Reproduction, Result, Verdict
from cellway.plot.style import MUTED, figure, quiet

_LOOKS = {
    Verdict.AGREES: ("#009E73", "o"),
    Verdict.BECAUSE: ("#E69F00", "D"),
    Verdict.DIFFERS: ("#D55E00", "s"),
    Verdict.NOT_JUDGED: (MUTED, "X"),
}
_BAND = "#CFE3F1"
_LEAST_SPAN = 5.0
"""Per cent that the axis covers on each side at least."""


def plot_reproduction(reproduction: Reproduction) -> Figure:
    """Per row the published simulation and measurement, ours with its interval, and the tolerance.

    Rows measure different things in different units, so the axis is the difference from the published number
    that the row is judged against, in per cent; the numbers themselves stand beside the rows.

    Raises:
        ValueError: no row has anything to show.
    """
    results = [result for result in reproduction.results if result.ours is not None]
    if not results:
        raise ValueError("no row has a result; nothing to draw")
    made = figure(11.0, 1.7 + 0.52 * len(results))
    axes = made.subplots()
    quiet(axes)
    axes.grid(visible=False, axis="y")
    for place, result in enumerate(results):
        _row(axes, place, result)
    _frame(axes, results)
    paper = reproduction.paper
    quick = "; quick: one run per row" if reproduction.quick else ""
    made.suptitle(f"{paper.id}: published and reproduced{quick}", x=0.01, ha="left", fontsize=11)
    made.legend(handles=_legend(results), loc="outside lower left", ncols=4, fontsize=8, frameon=False)
    return made


def _row(axes: Axes, place: int, result: Result) -> None:
    row, published = result.row, result.row.published
    if published is None or result.ours is None or row.tolerance is None:
        axes.annotate("  nothing published", (0.0, place), ha="left", va="center", fontsize=8, color=MUTED)
        return
    band = 100.0 * row.tolerance.relative
    axes.barh(place, 2.0 * band, left=-band, height=0.62, color=_BAND, zorder=1)
    for value, marker in ((row.simulated, "|"), (row.measured, "x")):
        if value is not None:
            axes.plot(_percent(value, published), place, marker, color="black", markersize=9, zorder=3)
    colour, marker = _LOOKS[result.verdict]
    axes.errorbar(
        _percent(result.ours.mean, published),
        place,
        xerr=100.0 * (result.ours.half_width or 0.0) / abs(published),
        fmt=marker,
        color=colour,
        capsize=3,
        markersize=6,
        zorder=4,
    )


def _frame(axes: Axes, results: list[Result]) -> None:
    """Conditions on the left, numbers on the right, an axis that all rows fit on."""
    places = range(len(results))
    axes.axvline(0.0, color=MUTED, linewidth=0.8, zorder=2)
    axes.set_yticks(places, [_condition(result) for result in results], fontsize=8)
    axes.set_ylim(len(results) - 0.5, -0.5)
    span = max([_LEAST_SPAN, *(_extent(result) for result in results)])
    axes.set_xlim(-1.08 * span, 1.08 * span)
    axes.set_xlabel("difference from the published number in %", fontsize=9)
    numbers = axes.secondary_yaxis("right")
    numbers.set_yticks(places, [_numbers(result) for result in results], fontsize=8)
    numbers.tick_params(length=0)
    numbers.spines["right"].set_visible(False)


def _extent(result: Result) -> float:
    """Per cent that the row reaches to either side."""
    row, published = result.row, result.row.published
    if published is None or result.ours is None or row.tolerance is None:
        return 0.0
    values = [value for value in (row.simulated, row.measured, result.ours.mean) if value is not None]
    reach = max(abs(_percent(value, published)) for value in values)
    reach += 100.0 * (result.ours.half_width or 0.0) / abs(published)
    return max(reach, 100.0 * row.tolerance.relative) if math.isfinite(reach) else 0.0


def _percent(value: float, published: float) -> float:
    return 100.0 * (value - published) / abs(published)


def _condition(result: Result) -> str:
    label = textwrap.shorten(result.row.label, 64, placeholder=" …")
    return f"{result.row.code}\n{label}"


def _numbers(result: Result) -> str:
    row = result.row
    published = [f"{value:g}" for value in (row.simulated, row.measured) if value is not None]
    ours = f"ours {result.ours.mean:.4g}" if result.ours else ""
    if result.ours and result.ours.half_width is not None:
        ours += f" ± {result.ours.half_width:.2g}"
    unit = "" if row.unit == "1" else f" {row.unit}"
    return f"published {' and '.join(published) or '–'}\n{ours}{unit}"


def _legend(results: list[Result]) -> list[Line2D | Patch]:
    def mark(marker: str, colour: str, label: str) -> Line2D:
        return Line2D([], [], linestyle="none", marker=marker, color=colour, markersize=7, label=label)

    verdicts = [verdict for verdict in _LOOKS if any(result.verdict is verdict for result in results)]
    shown = [verdict for verdict in verdicts if verdict is not Verdict.NOT_JUDGED]
    return [
        mark("|", "black", "published simulation"),
        mark("x", "black", "published measurement"),
        Patch(color=_BAND, label="tolerance, fixed before the run"),
        *(mark(_LOOKS[verdict][1], _LOOKS[verdict][0], f"ours, 95 %: {verdict}") for verdict in shown),
    ]
