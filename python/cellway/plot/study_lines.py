"""Means of a study over a factor: a panel per response and column, a line per other setting."""

import math
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, NamedTuple

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cellway.plot.colours import COLOURS
from cellway.plot.repeated import bars, is_signed, open_markers, open_markers_note
from cellway.plot.rows import called
from cellway.plot.study_choice import Choice, Column, beside, columns, settings_beside
from cellway.plot.study_gaps import draw_gaps, gap_marks
from cellway.plot.style import MUTED, figure, legend_below, plain_logarithmic, quiet, title
from cellway.statistics import Estimate
from cellway.study.factors import Factor
from cellway.study.responses import Response
from cellway.study.results import Results

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.lines import Line2D

MAX_LINES = len(COLOURS)
"""Lines that colours and markers tell apart; more are drawn in shades."""
_MARKERS = "osD^vP*X"
_DASHES = ("--", ":", "-.")
_SIDE_BY_SIDE = 5
"""Columns that stand beside each other; more are wrapped, `_WRAPPED` to a line."""
_WRAPPED = 4
_MAX_NAMED = 16
"""Lines in shades that a legend names; if there are more, every second or third."""
_RATES = ("bit/s", "kbit/s", "Mbit/s")
_LOG = "log scale"
OFFERED = "all that is offered"
"""Name of the diagonal."""
_DODGE = 0.6
"""Part of the room of a name that the marks of all lines share."""
FEW_TICKS = 12
"""Most levels that are the ticks of a logarithmic axis."""
_LETTERS = 13.0
"""Letters per inch of a tick label and of a title."""
BELOW = 0.02
_ABOVE = 0.04
"""Parts of the height of a panel below 0, and above the highest value."""
_NARROW = 3.0
"""Inches of a panel outside a figure."""
_USED = 0.85
"""Part of its share of a figure that a panel has beside its numbers."""
CURVED = 60
"""Steps of the diagonal where the scales of the axes differ, so that it is a curve."""
_WIDE = 4.0
"""Ratio of the ends from which levels can be in equal ratios, and are not just few."""


class Look(NamedTuple):
    """Colour and marker of a line."""

    colour: str | tuple[float, float, float, float]
    marker: str


class Panel(NamedTuple):
    """A response in a column, with the choice for the whole figure."""

    results: Results
    response: Response
    column: Column
    choice: Choice


def wraps(results: Results, choice: Choice) -> bool:
    """True if the columns of panels are too many to stand beside each other."""
    return len(columns(results, choice, MAX_LINES)) > _SIDE_BY_SIDE


def draw_lines(results: Results, shown: Sequence[Response], choice: Choice) -> Figure:
    """A panel per response and column, with one legend below all."""
    across = columns(results, choice, MAX_LINES)
    wide = len(across) if len(across) <= _SIDE_BY_SIDE else _WRAPPED
    down = -(-len(across) // wide)
    made = figure(max(3.6 * wide, 7.2), 0.8 + 3.1 * len(shown) * down)
    grid = made.subplots(len(shown) * down, wide, squeeze=False)
    for number, response in enumerate(shown):
        cells = list(grid[number * down : (number + 1) * down].flat)
        for axes in cells[len(across) :]:
            axes.set_visible(False)
        panels = [(axes, Panel(results, response, column, choice))
                  for axes, column in zip(cells, across, strict=False)]  # fmt: skip
        _row(panels, shared=across[0].setting is not None)
    _finish(made, results, shown, choice)
    return made


def _finish(made: Figure, results: Results, shown: Sequence[Response], choice: Choice) -> None:
    """Adds the legend of all panels."""
    named: dict[str, Artist] = {}
    for axes in made.axes:
        handles, labels = axes.get_legend_handles_labels()
        named |= dict(zip(labels, handles, strict=True))
    found = [one for response in shown for one in results.estimates(response.name)]
    notes: list[Line2D] = [] if results.study.sampled else open_markers_note(found)
    legend_below(made, [*named.values(), *notes, *gap_marks(results, shown, log=choice.log_y)])


def _row(panels: Sequence[tuple[Axes, Panel]], *, shared: bool) -> None:
    """Draws the panels of one response; on a shared axis they have the same limits."""
    (first, one), *others = panels
    for axes, _ in others if shared else ():
        axes.sharey(first)
    for axes, panel in panels:
        quiet(axes)
        _draw(axes, panel)
    found = one.results.estimates(one.response.name)
    limited = () if one.choice.log_y else panels[:1] if shared else panels
    for axes, _ in limited:
        _from_zero(axes, [known.mean for known in found if known is not None])
    for axes, panel in panels:
        _diagonal(axes, panel.response, panel.column.factor)


def _draw(axes: Axes, panel: Panel) -> None:
    results, response, (factor, _), choice = panel
    log = choice.log_y
    title(axes, textwrap.fill(panel_title(panel), int(_LETTERS * _inches(axes))))
    if log:
        axes.set_yscale("log", nonpositive="mask")
    if results.study.sampled and factor is not None:
        _cloud(axes, results, response, factor)
    else:
        _lines(axes, panel)
        for number, other in enumerate(beside(results, choice, response)):
            _explained(axes, panel._replace(response=other), _DASHES[number % len(_DASHES)])
    if factor is not None:
        _frame(axes, factor, choice, sampled=results.study.sampled)
    if log:
        plain_logarithmic(axes.yaxis, *axes.get_ylim())


def panel_title(panel: Panel) -> str:
    """The response of a panel, and the setting of its column."""
    setting, log = panel.column.setting, panel.choice.log_y
    where = "" if setting is None else f", {setting[0]} = {setting[1]}"
    return f"{called(panel.response)}{f' ({_LOG})' if log else ''}{where}"


def _from_zero(axes: Axes, means: Sequence[float]) -> None:
    """Makes the vertical axis include 0, and end there if no mean is below: bars are cut."""
    low, high = axes.get_ylim()
    if min(means, default=0.0) >= 0.0:
        high = high if max(means, default=0.0) > 0.0 else 1.0
        low = -BELOW * high
    low = min(low, 0.0)
    axes.set_ylim(low, high + _ABOVE * (high - low))


def _inches(axes: Axes) -> float:
    """Approximate width of a panel in inches."""
    made, spec = axes.get_figure(root=True), axes.get_subplotspec()
    if made is None or spec is None:
        return _NARROW
    return _USED * made.get_figwidth() / spec.get_gridspec().ncols


def _cloud(axes: Axes, results: Results, response: Response, factor: Factor) -> None:
    places = places_of(factor, results, range(len(results.conditions)))
    for point, place in enumerate(places):
        for value in results.values(response.name, point):
            axes.plot(place, value, "o", color=COLOURS[0], markersize=3.5, alpha=0.7)


def has_diagonal(response: Response, factor: Factor | None) -> bool:
    """True for a rate over an offered load in the same unit."""
    return factor is not None and factor.unit == response.unit and response.unit in _RATES


def diagonal_places(factor: Factor, steps: int = CURVED, *, is_log: bool) -> list[float]:
    """Loads along the diagonal, from 0 or, on a logarithmic axis, from the least."""
    most, least = max(factor.numbers), min(factor.numbers) if is_log else 0.0
    return [least + (most - least) * step / steps for step in range(steps + 1)]


def _diagonal(axes: Axes, response: Response, factor: Factor | None) -> None:
    """Draws the diagonal on which all of an offered load is delivered, within the panel."""
    if factor is None or not has_diagonal(response, factor):
        return
    limits = axes.get_ylim()
    is_log = axes.get_xscale() == "log"
    steps = CURVED if axes.get_xscale() != axes.get_yscale() else 1
    at = diagonal_places(factor, steps, is_log=is_log)
    axes.plot(at, at, color=MUTED, linewidth=0.8, label=OFFERED, zorder=1)
    axes.set_ylim(limits)


def settings_of(panel: Panel) -> dict[str, list[int]]:
    """Points of each line of a panel, by the setting of the other factors."""
    return settings_beside(panel.results, panel.column.factor, panel.column.setting)


def known_means(panel: Panel, points: Sequence[int]) -> list[tuple[int, Estimate]]:
    """Points that have a mean, each with it."""
    found = [(point, panel.results.estimate(panel.response.name, point)) for point in points]
    return [(point, one) for point, one in found if one is not None]


def _lines(axes: Axes, panel: Panel) -> None:
    """Draws one line per setting of the other factors."""
    factor = panel.column.factor
    settings = settings_of(panel)
    looks = looks_of(panel, settings)
    names = factor is not None and factor.kind == "name"
    signed = is_signed(panel.results, panel.response.name)
    for (name, points), (label, look) in zip(settings.items(), looks, strict=True):
        number = list(settings).index(name)
        aside = _DODGE * ((number + 0.5) / len(settings) - 0.5) if names else 0.0
        known = known_means(panel, points)
        places = [x + aside for x in places_of(factor, panel.results, [at for at, _ in known])]
        means = [one.mean for _, one in known]
        if known:
            axes.errorbar(
                places, means, yerr=bars([one for _, one in known], is_signed=signed), label=label,
                color=look.colour, linestyle="none" if names else "-", marker=look.marker,
                markersize=4.5, linewidth=1.2, capsize=3, zorder=2,
            )  # fmt: skip
        repeated = [(x, one.mean) for x, (_, one) in zip(places, known, strict=True)
                    if one.repeated]  # fmt: skip
        open_markers(axes, [x for x, _ in repeated], [y for _, y in repeated], 4.5)
        at = [x + aside for x in places_of(factor, panel.results, points)]
        draw_gaps(axes, panel.results, panel.response, list(zip(points, at, strict=True)),
                  look.colour, number=number, log=panel.choice.log_y)  # fmt: skip


def looks_of(panel: Panel, settings: dict[str, list[int]]) -> Iterator[tuple[str | None, Look]]:
    """A label, a colour and a marker per line; shades from light to dark for many lines."""
    lone = panel.response.name if beside(panel.results, panel.choice, panel.response) else None
    many = len(settings) > MAX_LINES
    every = -(-len(settings) // _MAX_NAMED)
    for number, name in enumerate(settings):
        colour = COLOURS[number % MAX_LINES]
        shade = colormaps["viridis_r"](0.1 + 0.9 * number / max(len(settings) - 1, 1))
        label = textwrap.shorten(name, 60, placeholder=" …") if name else lone
        named = not many or number % every == 0
        marker = "o" if many else _MARKERS[number % len(_MARKERS)]
        yield label if named else None, Look(shade if many else colour, marker)


def _explained(axes: Axes, panel: Panel, dashes: str) -> None:
    """Draws an explained response, dashed: one line for all settings with equal values."""
    plotted: set[tuple[float, ...]] = set()
    for points in settings_of(panel).values():
        known = known_means(panel, points)
        means = tuple(one.mean for _, one in known)
        if not known or means in plotted:
            continue
        plotted.add(means)
        axes.plot(
            places_of(panel.column.factor, panel.results, [point for point, _ in known]),
            means,
            label=panel.response.name if len(plotted) == 1 else None,
            color="black",
            linestyle=dashes,
            linewidth=0.9,
            zorder=3,
        )


def places_of(factor: Factor | None, results: Results, points: Sequence[int]) -> list[float]:
    """Places of points along the axis: the numbers of their levels, or consecutive places."""
    if factor is None:
        return [0.0 for _ in points]
    values = [results.conditions[point].parameters[factor.name] for point in points]
    if factor.kind == "number":
        return [factor.number(value) or 0.0 for value in values]
    names = [level.shown for level in factor.levels]
    return [float(names.index(value)) for value in values]


def _frame(axes: Axes, factor: Factor, choice: Choice, *, sampled: bool) -> None:
    if factor.kind != "number":
        _names(axes, factor)
        return
    log = is_logarithmic(factor, choice)
    axes.set_xlabel(axis_label(factor, choice), fontsize=8.5)
    if not log:
        return
    numbers = sorted(set(factor.numbers))
    axes.set_xscale("log", nonpositive="mask")
    numbers = [number for number in numbers if number > 0.0]
    if len(numbers) <= FEW_TICKS and numbers and not sampled:
        ticks = _apart(numbers, _inches(axes))
        axes.set_xticks(ticks, [f"{number:g}" for number in ticks])
        axes.minorticks_off()
    else:
        plain_logarithmic(axes.xaxis, *axes.get_xlim())


def is_logarithmic(factor: Factor, choice: Choice) -> bool:
    """True if the axis of a factor with numbers is logarithmic."""
    if choice.log is not None:
        return choice.log in {"x", "xy"}
    if factor.span is not None:
        return factor.span.logarithmic
    return _by_ratio(sorted(set(factor.numbers)))


def axis_label(factor: Factor, choice: Choice) -> str:
    """Name and unit of a factor with numbers, and its scale if that is logarithmic."""
    words = f"{factor.name} [{factor.unit}]" if factor.unit else factor.name
    return f"{words} ({_LOG})" if is_logarithmic(factor, choice) else words


def _apart(numbers: Sequence[float], inches: float) -> list[float]:
    """Numbers whose labels do not run into each other on a logarithmic axis."""
    span = math.log(numbers[-1] / numbers[0]) or 1.0
    chosen = [numbers[0]]
    for number in numbers[1:]:
        letters = (len(f"{number:g}") + len(f"{chosen[-1]:g}")) / 2.0 + 1.0
        if math.log(number / chosen[-1]) / span * inches * _LETTERS > letters:
            chosen.append(number)
    return chosen


def _names(axes: Axes, factor: Factor) -> None:
    """Writes the levels in words, upright where they would overlap, with a line between them."""
    axes.set_xlabel(factor.name, fontsize=8.5)
    labels = [textwrap.shorten(str(level.shown), 28, placeholder="…") for level in factor.levels]
    room = int(_LETTERS * _inches(axes) / max(len(labels), 1))
    lines = [textwrap.fill(label, max(room, 6), break_long_words=False) for label in labels]
    flat = all(len(line) <= room for text in lines for line in text.split("\n"))
    axes.set_xticks(
        range(len(labels)), lines if flat else labels, fontsize=8, rotation=0 if flat else 90
    )
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.grid(visible=False, axis="x")
    for edge in range(1, len(labels)):
        axes.axvline(edge - 0.5, color="#DDDDDD", linewidth=0.6, zorder=0)


def _by_ratio(numbers: Sequence[float]) -> bool:
    """True if ascending numbers are spaced more evenly by ratios than by differences."""
    if len(numbers) < 3 or numbers[0] <= 0.0 or numbers[-1] < _WIDE * numbers[0]:  # noqa: PLR2004
        return False
    pairs = list(pairwise(numbers))
    return _unevenness([math.log(b / a) for a, b in pairs]) < _unevenness([b - a for a, b in pairs])


def _unevenness(gaps: Sequence[float]) -> float:
    """The deviation of gaps as a part of their mean."""
    return pstdev(gaps) / fmean(gaps)
