"""Predictions of formulas over the levels of a study."""

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, legend_beside, quiet, title
from cellway.prediction.sweeps import Sweep

READ_AS = {"bit/s": ("Mbit/s", 1e-6), "s": ("ms", 1e3)}
MAX_LINES = 8
"""Most lines in a panel; there are as many colours."""


def plot_sweep(given: Sweep) -> Figure:
    """A panel per unit; a line per number and setting of the other factors.

    Raises:
        ValueError: no formula applies, or no factor has numbers.
    """
    factor = _factor(given)
    lines = _lines(given, factor)
    if not lines:
        raise ValueError("no formula gives a number of a run at any point; nothing to draw")
    units = sorted({unit for unit, _ in lines})
    made = figure(8.6, 2.9 * len(units) + 0.5)
    for axes, unit in zip(made.subplots(len(units), 1, squeeze=False)[:, 0], units, strict=True):
        mine = {label: points for (of, label), points in lines.items() if of == unit}
        for colour, (label, points) in zip(COLOURS, list(mine.items())[:MAX_LINES], strict=False):
            places = sorted(points)
            axes.plot(
                places, [points[place] for place in places], "o-", color=colour, markersize=3,
                linewidth=1.2, label=label,
            )  # fmt: skip
        places = sorted({place for points in mine.values() for place in points})
        if places[0] > 0 and places[-1] > 20 * places[0]:
            axes.set_xscale("log")
        left = len(mine) - MAX_LINES
        title(axes, f"in {unit}" + (f"; {left} more lines are not drawn" if left > 0 else ""))
        axes.set_xlabel(factor, fontsize=9)
        quiet(axes)
        legend_beside(axes)
    headline(made, f"{given.name}: what formulas predict, without a run")
    return made


def _lines(given: Sweep, factor: str) -> dict[tuple[str, str], dict[float, float]]:
    """Numbers by unit and label, and then by the level of `factor`."""
    lines: dict[tuple[str, str], dict[float, float]] = {}
    for point in given.points:
        place = _number(point.levels[factor])
        others = [str(level) for name, level in point.levels.items() if name != factor]
        for one, number in point.numbers:
            if number.path is not None and place is not None:
                label = ", ".join([f"{one.of}: {number.name}", *others])
                unit, scale = READ_AS.get(number.unit, (number.unit, 1.0))
                lines.setdefault((unit, label), {})[place] = number.value * scale
    return lines


def _factor(given: Sweep) -> str:
    """The factor with most numbers among its levels."""
    levels: dict[str, set[float]] = {}
    for point in given.points:
        for name, level in point.levels.items():
            if (number := _number(level)) is not None:
                levels.setdefault(name, set()).add(number)
    if not levels:
        raise ValueError("no factor has numbers as levels; expected one to draw over")
    return max(levels, key=lambda name: len(levels[name]))


def _number(level: Any) -> float | None:  # noqa: ANN401
    """Number in a level such as 3, `"0.01"` or `"16 KiB"`; all levels have the same unit."""
    if isinstance(level, Mapping):
        return None
    try:
        return float(str(level).split()[0])
    except (ValueError, IndexError):
        return None
