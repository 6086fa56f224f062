"""A study's responses over its factors, with their intervals."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from cellway.plot.repeated import half_widths, hollow, hollow_note
from cellway.plot.rows import Setting, called, plot_rows, row_factor, settings_beside
from cellway.plot.style import COLOURS, MUTED, figure, quiet, title
from cellway.statistics import DETERMINISTIC
from cellway.study.factors import Factor, Level
from cellway.study.responses import Response
from cellway.study.results import Results

if TYPE_CHECKING:
    from matplotlib.artist import Artist

MAX_LINES = len(COLOURS)
_MARKERS = "osD^vP*X"
_DASHES = ("--", ":", "-.")
MAX_EFFECTS = 15
_LEGEND_COLUMNS = 4
_RATES = ("bit/s", "kbit/s", "Mbit/s")
"""Effects that a panel shows: those that explain most."""


class Column(NamedTuple):
    """What lies across a column of panels, and the setting that it has alone."""

    factor: Factor | None
    setting: Setting | None = None


def plot_study(results: Results) -> Figure:
    """A panel per response: means with 95 % intervals over one factor, a line per other setting.

    The factor along the axis is the one with the most levels among those that are numbers. A factor
    with more named levels than distinct lines has a row for each level instead, all
    responses beside each other. Responses that `explain` gives and that have the unit of a
    simulated one are plotted in its panel, dashed. A mean without an interval because its runs
    repeat each other is hollow. Where there are more lines than can be told apart, the factor with
    the fewest levels among the others has a column of panels for each level. A response in bits per
    second over a factor in the same unit, an offered load, has the diagonal. A sampled design is
    plotted as one point per run, a panel per factor; a two-level design as the effects of its
    factors.

    Raises:
        ValueError: no run has a number to show.
    """
    panels = _panels(results)
    if not any(
        results.estimate(r.name, point) for r in panels for point in range(len(results.conditions))
    ):
        raise ValueError("no run has a number; nothing to draw")
    if results.study.two_level and all(results.runs):
        made = _effects(results, panels)
    elif not _sampled(results) and (rows := row_factor(results, MAX_LINES)) is not None:
        made = plot_rows(results, panels, rows)
    else:
        made = _curves(results, panels)
    given = results.study
    runs = len(results.records)
    made.suptitle(
        f"{given.name}: {_shown_are(results)}, {runs} runs", x=0.01, ha="left", fontsize=11
    )
    return made


def _shown_are(results: Results) -> str:
    if all(len(point) <= 1 for point in results.runs):
        return "single runs"
    return DETERMINISTIC if results.all_deterministic else "means with 95 % intervals"


def _curves(results: Results, panels: Sequence[Response]) -> Figure:
    columns = [
        Column(factor, setting)
        for factor in _across(results)
        for setting in _settings_apart(results, factor)
    ]
    made = figure(max(3.6 * len(columns), 7.2), 0.8 + 3.4 * len(panels))
    shared: Literal["row", "none"] = "row" if columns[0].setting is not None else "none"
    grid = made.subplots(len(panels), len(columns), squeeze=False, sharey=shared)
    for response, row in zip(panels, grid, strict=True):
        for column, axes in zip(columns, row, strict=True):
            quiet(axes)
            _panel(axes, results, response, column)
    if columns[0].setting is not None:
        found = [one for response in panels for one in results.estimates(response.name)]
        _one_legend(made, list(grid.flat), hollow_note(found))
    return made


def _one_legend(made: Figure, panels: Sequence[Axes], notes: Sequence[Line2D]) -> None:
    """One for all panels, below them."""
    named: dict[str, Artist] = {}
    for axes in panels:
        handles, labels = axes.get_legend_handles_labels()
        named |= dict(zip(labels, handles, strict=True))
        if (own := axes.get_legend()) is not None:
            own.remove()
    made.legend(
        handles=[*named.values(), *notes],
        loc="outside lower center",
        ncols=min(len(named), _LEGEND_COLUMNS),
        fontsize=8,
        frameon=False,
    )


def _settings_apart(results: Results, factor: Factor | None) -> list[Setting | None]:
    """Settings with a column of panels each, where lines could not be told apart; else one."""
    others = [one for one in results.study.factors if one != factor and len(one.levels) > 1]
    few = len(settings_beside(results, factor)) <= MAX_LINES
    if _sampled(results) or few or len(others) < 2:  # noqa: PLR2004
        return [None]
    apart = min(others, key=lambda one: len(one.levels))
    return [(apart.name, level.shown) for level in apart.levels]


def _effects(results: Results, panels: Sequence[Response]) -> Figure:
    """A bar per effect, by its part of the variation, with its interval."""
    tables = []
    for response in panels:
        effects = results.effects(response.name).effects
        tables.append(sorted(effects, key=lambda effect: effect.share)[-MAX_EFFECTS:])
    made = figure(9.0, 0.9 + sum(0.9 + 0.3 * len(found) for found in tables))
    column = made.subplots(len(panels), squeeze=False, height_ratios=[2 + len(t) for t in tables])[
        :, 0
    ]
    for response, found, axes in zip(panels, tables, column, strict=True):
        quiet(axes)
        axes.grid(visible=False, axis="y")
        title(axes, f"effects on {called(response)}: half the change from first to second level")
        values = [effect.estimate.mean for effect in found]
        axes.barh(
            range(len(found)),
            values,
            xerr=half_widths([effect.estimate for effect in found]),
            color=[COLOURS[0] if value >= 0.0 else COLOURS[1] for value in values],
            height=0.62,
            error_kw={"capsize": 3, "linewidth": 1.0},
        )
        if results.all_deterministic:
            axes.set_xlabel(f"no intervals: {DETERMINISTIC}", fontsize=8.5)
        names = [
            f"{' + '.join([effect.name, *effect.aliases])}  ({100 * effect.share:.1f} %)"
            for effect in found
        ]
        axes.set_yticks(range(len(found)), names, fontsize=8)
        axes.axvline(0.0, color="black", linewidth=0.8)
    column[-1].set_xlabel(
        "in parentheses: the part of the variation that it explains", fontsize=8.5
    )
    return made


def _panels(results: Results) -> list[Response]:
    """The responses that have a panel of their own: those that need a run; all, if none does."""
    given = results.study.responses
    return [response for response in given if not response.explained] or list(given)


def _sampled(results: Results) -> bool:
    return results.study.design.name in {"latin_hypercube", "sobol"}


def _across(results: Results) -> list[Factor | None]:
    """What lies along the axis of each column of panels."""
    factors = results.study.factors
    if _sampled(results) or not factors:
        return list(factors) or [None]
    numbers = [factor for factor in factors if factor.kind == "number" and len(factor.levels) > 1]
    return [max(numbers or factors, key=lambda factor: len(factor.levels))]


def _panel(axes: Axes, results: Results, response: Response, column: Column) -> None:
    factor, setting = column
    where = "" if setting is None else f", {setting[0]} = {setting[1]}"
    title(axes, called(response) + where)
    if _sampled(results) and factor is not None:
        _cloud(axes, results, response, factor)
    else:
        _lines(axes, results, response, column)
        beside = [
            other
            for other in results.study.responses
            if other.explained and not response.explained and other.unit == response.unit
        ]
        for number, other in enumerate(beside):
            _lines(axes, results, other, column, _DASHES[number % len(_DASHES)])
        _diagonal(axes, response, factor)
    if factor is not None:
        _frame(axes, factor)
    low, high = axes.get_ylim()
    axes.set_ylim(min(0.0, low), high + 0.04 * (high - min(0.0, low)))
    handles, _ = axes.get_legend_handles_labels()
    handles += [] if _sampled(results) else hollow_note(results.estimates(response.name))
    if handles:
        axes.legend(handles=handles, fontsize=7.5, frameon=False)


def _cloud(axes: Axes, results: Results, response: Response, factor: Factor) -> None:
    places = _places(factor, results, range(len(results.conditions)))
    for point, place in enumerate(places):
        for value in results.values(response.name, point):
            axes.plot(place, value, "o", color=COLOURS[0], markersize=3.5, alpha=0.7)


def _diagonal(axes: Axes, response: Response, factor: Factor | None) -> None:
    """Where a load that is offered would all be delivered."""
    if factor is not None and factor.unit == response.unit and response.unit in _RATES:
        most = max(level.number or 0.0 for level in factor.levels)
        axes.plot([0.0, most], [0.0, most], color=MUTED, linewidth=0.8, label="all that is offered")


def _lines(
    axes: Axes,
    results: Results,
    response: Response,
    column: Column,
    dashes: str = "-",
) -> None:
    """One line per setting of the other factors; one for all if `explain` has equal values."""
    factor, setting = column
    plotted: set[tuple[float, ...]] = set()
    for number, (name, points) in enumerate(settings_beside(results, factor, setting).items()):
        found = [(point, results.estimate(response.name, point)) for point in points]
        known = [(point, one) for point, one in found if one is not None]
        means = tuple(one.mean for _, one in known)
        if not known or (response.explained and means in plotted):
            continue
        plotted.add(means)
        places = _places(factor, results, [point for point, _ in known])
        label = name
        if response.explained:
            label = response.name if len(plotted) == 1 else ""
        axes.errorbar(
            places,
            means,
            yerr=None if response.explained else half_widths([one for _, one in known]),
            label=textwrap.shorten(label, 60, placeholder=" …")
            if label and number < MAX_LINES
            else None,
            color=COLOURS[number % len(COLOURS)] if dashes == "-" else "black",
            linestyle="none" if factor is not None and factor.kind == "name" else dashes,
            marker="" if response.explained else _MARKERS[number % len(_MARKERS)],
            markersize=4.5,
            linewidth=1.2 if dashes == "-" else 0.9,
            capsize=3,
            zorder=2 if dashes == "-" else 3,
        )
        if not response.explained:
            repeated = [(x, one) for x, (_, one) in zip(places, known, strict=True) if one.repeated]
            hollow(axes, [x for x, _ in repeated], [one.mean for _, one in repeated], 4.5)


def _places(factor: Factor | None, results: Results, points: Sequence[int]) -> list[float]:
    """Where points lie along the axis: at the numbers of their levels, or one after the other."""
    if factor is None:
        return [0.0 for _ in points]
    values = [results.conditions[point].parameters[factor.name] for point in points]
    if factor.kind == "number":
        return [Level(value, ()).number or 0.0 for value in values]
    names = [level.shown for level in factor.levels]
    return [float(names.index(value)) for value in values]


def _frame(axes: Axes, factor: Factor) -> None:
    if factor.kind == "number":
        axes.set_xlabel(
            f"{factor.name} [{factor.unit}]" if factor.unit else factor.name, fontsize=8.5
        )
        if factor.span is not None:
            axes.set_xscale("log" if factor.span.logarithmic else "linear")
            return
        numbers = [level.number or 0.0 for level in factor.levels]
        if _by_ratio(numbers):
            axes.set_xscale("log")
            axes.set_xticks(numbers, [f"{number:g}" for number in numbers])
            axes.minorticks_off()
        return
    axes.set_xlabel(factor.name, fontsize=8.5)
    labels = [textwrap.shorten(str(level.shown), 24, placeholder="…") for level in factor.levels]
    axes.set_xticks(range(len(labels)), labels, fontsize=8)
    axes.set_xlim(-0.5, len(labels) - 0.5)


def _by_ratio(numbers: Sequence[float]) -> bool:
    """Whether numbers are spaced more evenly by their ratios than by their differences."""
    middle = sorted(numbers)[len(numbers) // 2]
    few = len(numbers) <= 12  # noqa: PLR2004
    return min(numbers) > 0.0 and few and middle < 0.3 * max(numbers)
