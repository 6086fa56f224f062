"""Means without interval because their runs repeat each other: plotted hollow."""

import math
from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from cellway.statistics import ALL_THE_SAME, DETERMINISTIC, Estimate
from cellway.study.results import Results


def half_widths(found: Iterable[Estimate]) -> list[float]:
    """Half-widths for error bars; NaN, which is not drawn, where there is no interval."""
    return [math.nan if one.half_width is None else one.half_width for one in found]


def bars(found: Sequence[Estimate], *, is_signed: bool) -> tuple[list[float], list[float]]:
    """Error bars below and above the means; bars of numbers without sign end at 0."""
    widths = half_widths(found)
    if is_signed:
        return widths, widths
    below = [
        width if math.isnan(width) else min(width, max(one.mean, 0.0))
        for one, width in zip(found, widths, strict=True)
    ]
    return below, widths


def is_signed(results: Results, response: str) -> bool:
    """True if a run of the study gave a number below 0; explained responses have no bars."""
    if results.response(response).explained:
        return False
    values = (results.values(response, point) for point in range(len(results.conditions)))
    return any(value < 0.0 for found in values for value in found)


def open_markers(
    axes: Axes, x: Sequence[float], y: Sequence[float], size: float, zorder: float = 4.0
) -> None:
    """Opens the markers of `size` points at these places."""
    if x:
        axes.plot(
            x, y, "o", color="white", markersize=0.5 * size, markeredgewidth=0.0, zorder=zorder
        )


def open_markers_note(found: Iterable[Estimate | None]) -> list[Line2D]:
    """Legend entry for hollow markers, if any of `found` is hollow."""
    known = {one.method for one in found if one is not None and one.repeated}
    said = "; ".join(words for words in (DETERMINISTIC, ALL_THE_SAME) if words in known)
    if not said:
        return []
    return [
        Line2D(
            [],
            [],
            linestyle="none",
            marker="o",
            color="black",
            markerfacecolor="white",
            markersize=4.5,
            label=f"hollow, no interval: {said}",
        )
    ]
