"""Boundary between two alternatives: differences along one factor, or a curve over two."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from cellway.plot.colours import COLOURS
from cellway.plot.rows import called
from cellway.plot.style import (
    MUTED,
    figure,
    headline,
    legend_below,
    mark,
    plain_logarithmic,
    quiet,
    title,
)
from cellway.statistics import Estimate
from cellway.study.boundary import Boundary, Line
from cellway.study.factors import Factor

_MARKERS = "osD^vP*X"
_SIZE = 4.5
_SHADE = 0.25


def plot_boundary(given: Boundary) -> Figure:
    """Differences with intervals at all judged values, and the boundary with its interval.

    Over one factor colours tell which alternative is better. Over two there is a panel with the
    boundary at each level of the second, and the differences have a colour for each level.
    """
    one, other = given.levels
    said = f"{given.response.name}: where {other} begins or ceases to beat {one}"
    if given.second is None:
        made = figure(6.8, 4.2)
        axes = made.subplots()
        (line,) = given.lines
        _alone(given, line, axes)
        headline(made, said)
        title(axes, _words(given, line))
    else:
        made = figure(6.8, 7.2)
        above, axes = made.subplots(2)
        _curve(given, given.second, above)
        _beside(given, given.second, axes)
        headline(made, said)
    if given.factor.span is not None and given.factor.span.logarithmic:
        axes.set_xscale("log")
        plain_logarithmic(axes.xaxis, *axes.get_xlim())
    axes.set_xlabel(_label(given.factor), fontsize=8.5)
    axes.set_ylabel(_difference(given), fontsize=8.5)
    legend_below(made, _legend(given))
    return made


def _label(factor: Factor) -> str:
    """Name, unit and scale of a factor with numbers, and the key that it sets."""
    is_log = factor.span is not None and factor.span.logarithmic
    words = f"{factor.name} [{factor.unit or 'no unit'}]{' (log scale)' if is_log else ''}"
    keys = ", ".join(factor.keys)
    return words if keys in {"", factor.name} else f"{words}\n{keys}"


def _difference(given: Boundary) -> str:
    one, other = given.levels
    if given.response.transform:
        return f"{given.response.name}, ratio of {other} to {one}"
    return called(replace(given.response, name=f"{given.response.name} of {other} minus {one}"))


def _nothing(given: Boundary) -> float:
    """The difference of equal alternatives."""
    return 0.0 if given.response.transform is None else 1.0


def _bars(found: Sequence[Estimate]) -> tuple[list[float], list[float]]:
    """Widths of the intervals below and above the means; those of ratios are unequal."""
    ends = [(nan, nan) if one.interval is None else one.interval for one in found]
    pairs = [
        (one.mean - low, high - one.mean) for one, (low, high) in zip(found, ends, strict=True)
    ]
    return [below for below, _ in pairs], [above for _, above in pairs]


def _words(given: Boundary, line: Line) -> str:
    if not line.exists:
        return line.why_none
    low, high = given.interval(line)
    at = "" if line.crossing is None else f" {given.rounded(line.crossing)}"
    return f"boundary{at}, 95 % interval {low} to {high}"


def _alone(given: Boundary, line: Line, axes: Axes) -> None:
    """Differences along the only line, in the colours of the better alternatives."""
    quiet(axes)
    axes.axhline(_nothing(given), color=MUTED, linewidth=0.8)
    places = _numbers(given, [at for at, _ in line.differences])
    for place, (_, found), better in zip(places, line.differences, line.better, strict=True):
        axes.errorbar(
            [place], [found.mean], _bars([found]), fmt="o", color=_colour(given, better),
            markerfacecolor="white" if better is None else None, markersize=_SIZE, capsize=3,
            linewidth=1.2,
        )  # fmt: skip
    if line.exists:
        low, high = _ends(given, line)
        axes.axvspan(low, high, color=MUTED, alpha=_SHADE, linewidth=0, zorder=0)
    if line.crossing is not None:
        axes.axvline(*_numbers(given, [line.crossing]), color="black", linestyle="--", linewidth=1)


def _curve(given: Boundary, second: Factor, axes: Axes) -> None:
    """Interval of the boundary, and the better alternative, over the second factor."""
    quiet(axes)
    title(axes, "the better alternative, and the boundary with its 95 % interval")
    numbers = [second.number(line.level) for line in given.lines]
    across = [at if one is None else one for at, one in enumerate(numbers)]
    for place, line in zip(across, given.lines, strict=True):
        judged = _numbers(given, [at for at, _ in line.differences])
        for value, better in zip(judged, line.better, strict=True):
            face = "white" if better is None else None
            axes.plot(
                place, value, "o", color=_colour(given, better), markerfacecolor=face,
                markersize=_SIZE, zorder=3,
            )  # fmt: skip
        if line.exists:
            low, high = _ends(given, line)
            axes.vlines(place, low, high, color=MUTED, linewidth=9, alpha=_SHADE)
        if line.crossing is not None:
            crossing = _numbers(given, [line.crossing])
            axes.plot(place, crossing, "_", color="black", markersize=13, zorder=4)
    if None in numbers:
        axes.set_xticks(across, [str(line.level) for line in given.lines])
        axes.set_xlim(-0.5, len(across) - 0.5)
        axes.set_xlabel(second.name, fontsize=8.5)
    else:
        axes.set_xlabel(_label(second), fontsize=8.5)
        if second.span is not None and second.span.logarithmic:
            axes.set_xscale("log")
            plain_logarithmic(axes.xaxis, *axes.get_xlim())
    if given.factor.span is not None and given.factor.span.logarithmic:
        axes.set_yscale("log")
        plain_logarithmic(axes.yaxis, *axes.get_ylim())
    axes.set_ylabel(_label(given.factor), fontsize=8.5)


def _beside(given: Boundary, second: Factor, axes: Axes) -> None:
    """Differences along all lines, with a shade and a marker for each level of the second."""
    quiet(axes)
    title(axes, f"differences with intervals, by {second.name}")
    axes.axhline(_nothing(given), color=MUTED, linewidth=0.8)
    for line, look in zip(given.lines, _looks(given), strict=True):
        found = [one for _, one in line.differences]
        axes.errorbar(
            _numbers(given, [at for at, _ in line.differences]), [one.mean for one in found],
            _bars(found), color=look.get_color(), marker=str(look.get_marker()),
            markersize=_SIZE, linewidth=1.0, capsize=3,
        )  # fmt: skip


def _looks(given: Boundary) -> list[Line2D]:
    """Entries of the legend for the levels of the second factor."""
    if given.second is None:
        return []
    shades, most = colormaps["viridis_r"], max(len(given.lines) - 1, 1)
    made = []
    for at, line in enumerate(given.lines):
        marker, named = _MARKERS[at % len(_MARKERS)], f"{given.second.name} = {line.level}"
        look = Line2D([], [], color=shades(0.2 + 0.8 * at / most), marker=marker, label=named)
        look.set(markersize=_SIZE, linewidth=1.0)
        made.append(look)
    return made


def _legend(given: Boundary) -> list[Line2D]:
    found = {better for line in given.lines for better in line.better}
    named = [
        mark("o", _colour(given, level), f"{level} is better")
        for level in given.levels
        if level in found
    ]
    if None in found:
        named.append(mark("o", MUTED, "not decided", open_inside=True))
    if any(line.exists for line in given.lines):
        shaded = Line2D(
            [], [], color=MUTED, alpha=_SHADE, linewidth=9, label="interval of the boundary"
        )
        named.append(shaded)
    return [*named, *_looks(given)]


def _colour(given: Boundary, better: str | None) -> str:
    return MUTED if better is None else COLOURS[given.levels.index(better)]


def _numbers(given: Boundary, values: Sequence[object]) -> list[float]:
    return [number for value in values if (number := given.factor.number(value)) is not None]


def _ends(given: Boundary, line: Line) -> list[float]:
    """Interval of the boundary as numbers; an end of the range where nothing is decided there."""
    judged = [at for at, _ in line.differences]
    low = judged[0] if line.low is None else line.low
    return _numbers(given, [low, judged[-1] if line.high is None else line.high])
