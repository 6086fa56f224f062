"""A study's responses over its factors, with their intervals."""

from collections.abc import Sequence
from dataclasses import replace

from matplotlib.figure import Figure

from cellway.plot.colours import COLOURS
from cellway.plot.repeated import half_widths
from cellway.plot.rows import called, plot_rows, row_factor
from cellway.plot.study_choice import Choice, Log, beside, with_panels
from cellway.plot.study_lines import MAX_LINES, draw_lines, wraps
from cellway.plot.style import figure, headline, quiet, title
from cellway.statistics import DETERMINISTIC, Effect
from cellway.study.factors import Factor
from cellway.study.responses import Response
from cellway.study.results import Results

MAX_EFFECTS = 15
"""Most effects that a panel shows: those with the largest part of the variation."""


def plot_study(
    results: Results,
    responses: Sequence[str] = (),
    across: str | None = None,
    panels: str | None = None,
    log: Log | None = None,
) -> Figure:
    """A panel per response: means with 95 % intervals over one factor, a line per other setting.

    The factor along the axis is the one with the most levels among those with numbers; the axis is
    logarithmic, and says so, where these are in equal ratios. A factor with more named
    levels than distinct lines has a row for each level instead, all responses beside each other.
    Responses that `explain` gives and that have the unit of a simulated one are plotted in its
    panel, dashed. A mean without an interval because its runs repeat each other is hollow. Where
    there are more lines than can be told apart, the smallest factor that leaves few enough has a
    column of panels for each level. A response in bits per second over a factor in the same unit,
    an offered load, has the diagonal. Points whose runs failed or are missing have a mark at the
    edge. A sampled design is plotted as one point per run, a panel per factor; a two-level
    design as the effects of its factors, unless `across` or `panels` is given.

    Args:
        results: of the study, complete or not.
        responses: names of the responses to show; empty for all.
        across: the factor along the horizontal axis.
        panels: the factor whose levels have a panel each.
        log: the axes that are logarithmic.

    Raises:
        ValueError: no run has a number to show, or a logarithmic axis has none above 0.
        StudyError: a response or factor that the study does not have.
    """
    return _plotted(results, Choice(tuple(responses), across, panels, log))


def study_figures(results: Results, choice: Choice) -> dict[str, Figure]:
    """Figure of `plot_study`, by ``""``; by response where one figure would have too many panels.

    Raises:
        ValueError, StudyError: as `plot_study`.
    """
    choice.check(results.study)
    shown = with_panels(results, choice)
    effects = results.study.two_level and not choice.arranges
    if len(shown) == 1 or effects or rows_of(results, choice) or not wraps(results, choice):
        return {"": _plotted(results, choice)}
    figures = {}
    for one in shown:
        names = [one.name, *(other.name for other in beside(results, choice, one))]
        if any(results.estimates(one.name)):
            figures[one.name] = _plotted(results, replace(choice, responses=tuple(names)))
    return figures


def _plotted(results: Results, choice: Choice) -> Figure:
    choice.check(results.study)
    shown = with_panels(results, choice)
    _require_numbers(results, shown, choice)
    if results.study.two_level and all(results.runs) and not choice.arranges:
        made = _effects(results, shown)
    elif (rows := rows_of(results, choice)) is not None:
        made = plot_rows(results, shown, rows, choice.log)
    else:
        made = draw_lines(results, shown, choice)
    headline(made, f"{results.study.name}: {_shown_are(results)}, {_runs(results)}")
    return made


def rows_of(results: Results, choice: Choice) -> Factor | None:
    """The factor whose levels have a row each in the figure, if one has."""
    if results.study.sampled or choice.arranges:
        return None
    return row_factor(results, MAX_LINES)


def _require_numbers(results: Results, shown: Sequence[Response], choice: Choice) -> None:
    means = {
        response.name: [one.mean for one in results.estimates(response.name) if one is not None]
        for response in shown
    }
    if not any(means.values()):
        raise ValueError("no run has a number; nothing to draw")
    for name, found in means.items():
        if choice.log_y and found and max(found) <= 0.0:
            raise ValueError(
                f"--log {choice.log}: {name} is nowhere above 0; expected a linear axis, or other "
                "responses"
            )


def _runs(results: Results) -> str:
    """Number of runs, and of those that failed."""
    failed = len(results.failed)
    return f"{len(results.records)} runs" + (f", {failed} failed" if failed else "")


def _shown_are(results: Results) -> str:
    if all(len(point) <= 1 for point in results.runs):
        return "single runs"
    return DETERMINISTIC if results.all_deterministic else "means with 95 % intervals"


def largest(effects: Sequence[Effect]) -> list[Effect]:
    """Effects of a panel, the largest part of the variation last."""
    return sorted(effects, key=lambda effect: effect.share)[-MAX_EFFECTS:]


def effect_name(effect: Effect) -> str:
    """Name of an effect with those that a fraction cannot tell from it, and its part."""
    return f"{' + '.join([effect.name, *effect.aliases])}  ({100 * effect.share:.1f} %)"


def _effects(results: Results, panels: Sequence[Response]) -> Figure:
    """A bar per effect, by its part of the variation, with its interval."""
    tables = []
    for response in panels:
        effects = results.effects(response.name).effects
        tables.append(largest(effects))
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
        axes.set_yticks(range(len(found)), [*map(effect_name, found)], fontsize=8)
        axes.axvline(0.0, color="black", linewidth=0.8)
    column[-1].set_xlabel(
        "in parentheses: the part of the variation that it explains", fontsize=8.5
    )
    return made
