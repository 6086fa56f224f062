"""Means without interval because their runs repeat each other: plotted hollow."""

import math
from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from cellway.statistics import ALL_THE_SAME, DETERMINISTIC, Estimate


def half_widths(found: Iterable[Estimate]) -> list[float]:
    """For error bars: NaN, of which nothing is plotted, where there is no interval."""
    return [math.nan if one.half_width is None else one.half_width for one in found]


def hollow(
    axes: Axes, x: Sequence[float], y: Sequence[float], size: float, zorder: float = 4.0
) -> None:
    """Opens the markers of `size` points at these places."""
    if x:
        axes.plot(
            x, y, "o", color="white", markersize=0.5 * size, markeredgewidth=0.0, zorder=zorder
        )


def hollow_note(found: Iterable[Estimate | None]) -> list[Line2D]:
    """What hollow means, for the legend, if any of `found` is."""
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
