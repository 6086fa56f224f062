"""A panel of a figure over time: curves of one quantity, with limits and a second axis."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from cellway.plot.curves import COLUMNS, Numbers, columns, curve_of, exact, within
from cellway.plot.style import MUTED, quiet, title
from cellway.series import Series

_SPECIAL = re.compile(r" in front of | in bins of | of link|;| \(")
"""What begins the part of a title that belongs to one run."""


@dataclass(frozen=True)
class Line:
    """One curve: `label` is what the legend says; values are `scale` times those of the series."""

    series: Series
    label: str
    colour: str
    scale: float = 1.0
    dashed: bool = False


@dataclass(frozen=True)
class Panel:
    """Curves of one quantity.

    Attributes:
        title: what is shown, and of how many.
        label: of the vertical axis, with the unit.
        lines: the curves.
        limits: names and heights of horizontal lines.
        top: upper end of the axis; `None` leaves it to the curves.
        right: what the axis on the right counts, and how much of the left one each is; `None` for
            no such axis.
    """

    title: str
    label: str
    lines: Sequence[Line]
    limits: Sequence[tuple[str, float]] = field(default=())
    top: float | None = None
    right: tuple[str, float] | None = None

    @property
    def quantity(self) -> str:
        """What is shown, without what is special to one run."""
        return _SPECIAL.split(self.title)[0]


def draw_panel(axes: Axes, panel: Panel, span: tuple[float, float]) -> None:
    """The curves of `panel` from one instant to another, in seconds."""
    quiet(axes)
    title(axes, panel.title + _thinned(panel.lines))
    axes.set_ylabel(panel.label, fontsize=9)
    for line in panel.lines:
        time, value = (
            within(line.series, span) if line.series.means is None else _means(axes, line, span)
        )
        axes.plot(
            time,
            value * line.scale,
            color=line.colour,
            linewidth=0.9 if line.dashed else 1.1,
            linestyle=(0, (4, 2)) if line.dashed else "solid",
            drawstyle="steps-post",
            label=line.label,
        )
    for name, height in panel.limits:
        axes.axhline(height, color=MUTED, linewidth=0.9, linestyle=(0, (1, 1.5)), label=name)
    axes.set_ylim(0.0, panel.top)
    if panel.right is not None:
        _axis_on_the_right(axes, *panel.right)


def _axis_on_the_right(axes: Axes, label: str, each: float) -> None:
    def scaled(factor: float) -> Callable[[ArrayLike], Numbers]:
        return lambda heights: np.asarray(heights, dtype=np.float64) * factor

    right = axes.secondary_yaxis("right", functions=(scaled(1.0 / each), scaled(each)))
    right.set_ylabel(label, fontsize=9)
    right.tick_params(labelsize=8)


def _means(axes: Axes, line: Line, span: tuple[float, float]) -> tuple[Numbers, Numbers]:
    """Time means of a thinned series, over a band from minimum to maximum."""
    curve = curve_of(line.series)
    points = int(((curve.time > span[0]) & (curve.time < span[1])).sum())
    steps = columns(curve, span, COLUMNS) if points > COLUMNS else exact(curve, span)
    low, high = (np.append(edge, edge[-1:]) * line.scale for edge in (steps.minimum, steps.maximum))
    axes.fill_between(
        steps.edges, low, high, step="post", color=line.colour, alpha=0.25, linewidth=0.0
    )
    return steps.edges, np.append(steps.mean, steps.mean[-1:])


def _thinned(lines: Sequence[Line]) -> str:
    """What the first of the thinned ones gave up."""
    notes = [line.series.note for line in lines if line.series.thinned]
    banded = any(line.series.means is not None for line in lines)
    return f" ({notes[0]}; line: mean, band: minimum to maximum)" if banded else ""
