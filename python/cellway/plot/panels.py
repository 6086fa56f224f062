"""A panel of a figure over time: curves of one quantity, with limits and a second axis."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from cellway.plot.curves import (
    COLUMNS,
    Numbers,
    bins,
    columns,
    curve_of,
    exact,
    highest_within,
    swings,
    within,
)
from cellway.plot.style import MUTED, plain, quiet, title
from cellway.plot.throughput import bin_width
from cellway.runs.series import Series

_SPECIAL = re.compile(r" in front of | in bins of | of link|;| \(")
"""Separators before the part of a title that belongs to one run."""

MOST_SWINGS = 125.0
"""Most swings of all curves of a panel together: more of them are a block of colour."""
_BANDS = 2
"""Curves whose bands from minimum to maximum can be told apart."""
_ROOM = 1.08
"""Upper end of an axis, as a multiple of the highest value."""
_DOTS = ((0, (1, 1.5)), (0, (4, 1.5)), (0, (6, 1.5, 1, 1.5)), (0, (8, 3)))
"""Line styles of horizontal lines: each in a panel has another."""


@dataclass(frozen=True)
class Line:
    """A curve: `label` is its name in the legend; values are `scale` times those of the series."""

    series: Series
    label: str
    colour: str
    scale: float = 1.0
    dashed: bool = False


@dataclass(frozen=True)
class Panel:
    """Curves of one quantity.

    Attributes:
        title: the quantity, and the number of curves that are shown.
        label: of the vertical axis, with the unit.
        lines: the curves.
        limits: names and heights of horizontal lines.
        top: upper end of the axis; `None` leaves it to the curves. A curve beyond it runs along it.
        right: unit of the axis on the right, and its size in units of the left one; `None` for no
            such axis.
        binned: true if the curves are means over bins already.
    """

    title: str
    label: str
    lines: Sequence[Line]
    limits: Sequence[tuple[str, float]] = field(default=())
    top: float | None = None
    right: tuple[str, float] | None = None
    binned: bool = False

    @property
    def quantity(self) -> str:
        """The title without the part that belongs to one run."""
        return _SPECIAL.split(self.title)[0]


def draw_panel(axes: Axes, panel: Panel, span: tuple[float, float]) -> None:
    """Draws the curves of `panel` from one instant to another, in seconds.

    Curves that swing too often to be followed are drawn as means over bins, within bands from
    minimum to maximum.
    """
    quiet(axes)
    axes.set_ylabel(panel.label, fontsize=9)
    solid = [line for line in panel.lines if not line.dashed]
    crowded = not panel.binned and _swings(solid, span) > MOST_SWINGS
    width = bin_width([line.series for line in solid], span) if crowded else None
    bare = crowded and len(solid) > _BANDS
    heights = [height for _, height in panel.limits]
    for line in panel.lines:
        is_mean = line.series.means is not None or (width is not None and not line.dashed)
        time, value = (
            _means(axes, panel, line, span, width) if is_mean else within(line.series, span)
        )
        # Without their bands, means have an axis of their own height.
        reached = np.nanmax(value, initial=0.0) if bare else highest_within(line.series, span)
        heights.append(float(reached) * line.scale)
        axes.plot(
            time,
            _below(value * line.scale, panel.top),
            color=line.colour,
            linewidth=0.9 if line.dashed else 1.1,
            linestyle=(0, (4, 2)) if line.dashed else "solid",
            drawstyle="steps-post",
            label=line.label,
        )
    if width is not None or any(line.series.means is not None for line in solid):
        _explain_means(axes, solid, width)
    for number, (name, height) in enumerate(panel.limits):
        dots = _DOTS[number % len(_DOTS)]
        axes.axhline(height, color=MUTED, linewidth=0.9, linestyle=dots, label=name)
    own = _ROOM * max(heights, default=0.0) or None
    top = panel.top or own
    axes.set_ylim(0.0, min(top, own) if bare and top and own else top)
    title(axes, panel.title + beyond(axes, [(panel, span)]))
    if panel.right is not None:
        _axis_on_the_right(axes, *panel.right)


def beyond(axes: Axes, panels: Sequence[tuple[Panel, tuple[float, float]]]) -> str:
    """Note on the highest value of `panels` in their spans, where an axis ends below it."""
    highest = max(
        (
            highest_within(line.series, span) * line.scale
            for panel, span in panels
            for line in panel.lines
            if not line.dashed and not panel.binned
        ),
        default=0.0,
    )
    if highest <= axes.get_ylim()[1]:
        return ""
    return f"; beyond this axis, to {plain(highest)} {panels[0][0].label}"


def _swings(lines: Sequence[Line], span: tuple[float, float]) -> float:
    return sum(swings(within(line.series, span)) for line in lines)


def _below(value: Numbers, top: float | None) -> Numbers:
    return value if top is None else value.clip(max=top)


def _axis_on_the_right(axes: Axes, label: str, each: float) -> None:
    def scaled(factor: float) -> Callable[[ArrayLike], Numbers]:
        return lambda heights: np.asarray(heights, dtype=np.float64) * factor

    right = axes.secondary_yaxis("right", functions=(scaled(1.0 / each), scaled(each)))
    right.set_ylabel(label, fontsize=9)
    right.tick_params(labelsize=8)


def _means(
    axes: Axes, panel: Panel, line: Line, span: tuple[float, float], width: float | None
) -> tuple[Numbers, Numbers]:
    """Draws time means, over a band from minimum to maximum where few curves have one."""
    curve = curve_of(line.series)
    points = int(((curve.time > span[0]) & (curve.time < span[1])).sum())
    if width is not None:
        steps = bins(curve, span, width)
    else:
        steps = columns(curve, span, COLUMNS) if points > COLUMNS else exact(curve, span)
    low, high = (
        _below(np.append(edge, edge[-1:]) * line.scale, panel.top)
        for edge in (steps.minimum, steps.maximum)
    )
    if width is None or len([one for one in panel.lines if not one.dashed]) <= _BANDS:
        axes.fill_between(
            steps.edges, low, high, step="post", color=line.colour, alpha=0.25, linewidth=0.0
        )
    return steps.edges, np.append(steps.mean, steps.mean[-1:])


def _explain_means(axes: Axes, lines: Sequence[Line], width: float | None) -> None:
    """Adds the meaning of lines and bands to the legend."""
    if width is not None and len(lines) > _BANDS:
        axes.plot([], [], color=MUTED, linewidth=1.1, label=f"lines: means over {width:g} s")
        return
    over = "" if width is None else f"\nof {width:g} s"
    axes.fill_between([], [], color=MUTED, alpha=0.25, linewidth=0.0, label=_BAND + over)


_BAND = "minimum to maximum"
