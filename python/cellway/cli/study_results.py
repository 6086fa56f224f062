"""What a study found, as text and for JSON: means with their intervals, comparisons, effects, warnings."""

from typing import Any

from cellway.cli.text import number, percent, plain, table
from cellway.errors import StudyError
from cellway.statistics import Effect, Estimate
from cellway.study import Results
from cellway.study.results import EXPLAINED

MOST_WARNINGS = 8
"""Kinds of notes that are listed."""


def report(results: Results) -> list[str]:
    """A study's results as text."""
    given = results.study
    points = f"{len(results.conditions)} points of a {given.design.name} design"
    of = "" if results.complete else f" of {given.count} or more"
    lines = [f"{given.name}: {len(results.records)}{of} runs, {points}"]
    lines += (
        []
        if results.complete
        else ["interrupted: what is finished is kept; the same command goes on from here"]
    )
    lines += ["", *means(results)]
    for response in given.responses:
        if not response.explained and results.complete and not results.failed:
            lines += _comparisons(results, response.name) + _analysis(results, response.name)
    warnings = list(results.warnings.items())
    lines += [f"note, {count} ×: {text}" for text, count in warnings[:MOST_WARNINGS]]
    if len(warnings) > MOST_WARNINGS:
        lines.append(
            f"… and {len(warnings) - MOST_WARNINGS} more notes, in the column `warnings` of the table of runs"
        )
    for point, said in results.inexact().items() if results.complete else ():
        where = ", ".join(map(str, results.conditions[point].parameters.values()))
        lines.append(f"not as exact as asked for, all responses together: {where or 'all runs'}: {said}")
    return [*lines, "", _method(results)]


def means(results: Results) -> list[str]:
    """The estimates of all responses, a line per point."""
    given = results.study
    header = [factor.name for factor in given.factors]
    header += [f"{r.name}{'' if r.unit == '1' else f', {r.unit}'}" for r in given.responses]
    rows = []
    for point, condition in enumerate(results.conditions):
        levels = [str(level) for level in condition.parameters.values()]
        rows.append([*levels, *(shown(results.estimate(r.name, point)) for r in given.responses)])
    return table(header, rows, align=">" * len(header))


def shown(found: Estimate | None) -> str:
    """Mean ± half-width (n), or that it is of a single run."""
    if found is None:
        return "–"
    if found.method == EXPLAINED:
        return number(found.mean)
    if found.half_width is None:
        return f"{number(found.mean)} (single run)"
    return f"{number(found.mean)} ± {found.half_width:.2g} ({found.n})"


def _method(results: Results) -> str:
    if all(len(runs) <= 1 for runs in results.runs):
        if any(
            response.half_width(one.metrics)
            for response in results.study.responses
            for one in results.records
        ):
            return "mean ± half-width of the 95 % interval by batch means, where there is one, of single runs"
        return "single runs: nothing is known of how far they can be trusted"
    common = results.study.random_numbers == "common" and len(results.conditions) > 1
    return "mean ± half-width of the 95 % interval by Student's t over the replications (their number)" + (
        ", which share their seeds between points" if common else ""
    )


def _comparisons(results: Results, name: str) -> list[str]:
    rows = []
    for others, differences in results.comparisons(name):
        where = ", ".join(f"{key} = {value}" for key, value in others.items())
        for level, found in differences.items():
            width = found.half_width or 0.0
            sure = "" if abs(found.mean) > width else "no difference shown"
            rows.append([where, level, shown(found), sure])
    if not rows:
        return []
    factor = results.study.compared
    title = f"{name}: difference from the first level of {factor}, by pairs of equal seeds, together at 95 %"
    unit = results.response(name).unit
    header = ["at", factor or "", "difference" if unit == "1" else f"difference, {unit}", ""]
    return ["", title, *table(header, rows, align="<>><")]


def _analysis(results: Results, name: str) -> list[str]:
    """Effects of a two-level design, or an analysis of variance where several factors have replications."""
    given = results.study
    several = [factor for factor in given.factors if len(factor.levels) > 1]
    try:
        if given.two_level:
            return ["", f"{name}: effects", *_effects(results, name)]
        if given.design.name == "full" and given.least_replications > 1 and len(several) > 1:
            return ["", f"{name}: analysis of variance", *_variance(results, name)]
    except StudyError as error:
        return ["", f"{name}: not analysed: {error}"]
    return []


def _effects(results: Results, name: str) -> list[str]:
    found = results.effects(name)
    rows = [["mean", *_effect(found.mean), ""]]
    rows += [[_with_aliases(one), *_effect(one.estimate), percent(one.share)] for one in found.effects]
    if found.block_share is not None:
        rows.append(["replications", "", "", percent(found.block_share)])
    if found.replications > 1:
        rows.append(["error", "", "", percent(found.error_share)])
    return table(["factor", "effect", "95 %", "of the variation"], rows)


def _effect(found: Estimate) -> list[str]:
    return [number(found.mean), "–" if found.half_width is None else f"± {found.half_width:.2g}"]


def _with_aliases(effect: Effect) -> str:
    return " + ".join([effect.name, *effect.aliases])


def _variance(results: Results, name: str) -> list[str]:
    found = results.anova(name)
    if not found.total.sum_of_squares:
        return [f"no variation: every run gave {number(found.mean)}"]
    # Against nothing every effect is infinitely large: F would only say that runs repeat each other.
    judged = found.error.mean_square > 0.0
    rows = [
        [
            row.name,
            plain(row.degrees_of_freedom),
            number(row.mean_square),
            number(row.f if judged else None),
            "–" if row.p is None or not judged else f"{row.p:.2g}",
            percent(row.share),
        ]
        for row in found.rows
    ]
    header = ["source", "df", "mean square", "F", "p", "of the variation"]
    against = "" if judged else "; no variation there, so that nothing is judged against it"
    return [*table(header, rows), f"error: {found.error_is}{against}"]


def as_data(results: Results) -> dict[str, Any]:
    """A study's results for JSON."""
    given = results.study
    return {
        "study": given.name,
        "complete": results.complete,
        "runs": len(results.records),
        "failed": len(results.failed),
        "warnings": results.warnings,
        "points": [
            {
                "parameters": dict(condition.parameters),
                "responses": {
                    r.name: _estimate_data(results.estimate(r.name, point), r.unit) for r in given.responses
                },
            }
            for point, condition in enumerate(results.conditions)
        ],
    }


def _estimate_data(found: Estimate | None, unit: str) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "mean": found.mean,
        "half_width": found.half_width,
        "n": found.n,
        "method": found.method,
        "unit": unit,
    }
