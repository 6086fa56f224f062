"""Boundary between two alternatives: differences along one factor, or a curve over two."""

from matplotlib.figure import Figure

from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, quiet
from cellway.study.boundary import Boundary, Line


def plot_boundary(given: Boundary) -> Figure:
    """Differences with intervals over the bisected factor; of two factors the boundary's interval.

    Raises:
        ValueError: of two factors, no level of the second has a boundary.
    """
    made = figure(6.4, 4.0)
    axes = made.subplots()
    factor, (one, other) = given.factor, given.levels
    unit = f", {factor.unit}" if factor.unit else ""
    if given.second is None:
        _differences(given, given.lines[0], axes)
        axes.set_ylabel(f"{given.response} of {other} minus {one}", fontsize=9)
        axes.set_xlabel(f"{factor.name}{unit}", fontsize=9)
    else:
        _curve(given, axes)
        axes.set_ylabel(f"{factor.name}{unit}", fontsize=9)
        second = f", {given.second.unit}" if given.second.unit else ""
        axes.set_xlabel(f"{given.second.name}{second}", fontsize=9)
    quiet(axes)
    headline(made, f"{given.response}: where {other} begins or ceases to beat {one}")
    return made


def _differences(given: Boundary, line: Line, axes) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    number = given.factor.number
    places = [number(value) for value, _ in line.differences]
    means = [found.mean for _, found in line.differences]
    widths = [found.half_width or 0.0 for _, found in line.differences]
    axes.errorbar(places, means, widths, fmt="o", color=COLOURS[0], markersize=3, capsize=2)
    axes.axhline(0.0, color="0.5", linewidth=0.8)
    if line.exists:
        ends = [places[0] if line.low is None else number(line.low)]
        ends += [places[-1] if line.high is None else number(line.high)]
        axes.axvspan(*ends, color=COLOURS[1], alpha=0.3, linewidth=0)
    if given.factor.span is not None and given.factor.span.logarithmic:
        axes.set_xscale("log")


def _curve(given: Boundary, axes) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    assert given.second is not None  # noqa: S101
    number, span = given.factor.number, given.factor.span
    assert span is not None  # noqa: S101
    lines = [line for line in given.lines if line.exists]
    if not lines:
        raise ValueError("no level of the second factor has a boundary; nothing to draw")
    named = [given.second.number(line.level) for line in lines]
    places = [at if one is None else one for at, one in enumerate(named)]
    low = [number(line.low) or span.low for line in lines]
    high = [number(line.high) or span.high for line in lines]
    axes.vlines(places, low, high, color=COLOURS[0], linewidth=3, alpha=0.6)
    middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    axes.plot(places, middle, color=COLOURS[0], linewidth=1)
    if None in named:
        axes.set_xticks(places, [str(line.level) for line in lines])
    if span.logarithmic:
        axes.set_yscale("log")
