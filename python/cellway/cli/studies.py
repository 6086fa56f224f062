"""`cellway study`: runs a design and prints means with their intervals, comparisons, effects."""

import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from cellway.cli.exits import (
    FAILED,
    INTERRUPTED,
    BadInputError,
    reason,
    require_file,
    require_writable,
    unwritable,
)
from cellway.cli.options import AsJson
from cellway.cli.progress import counting_bar
from cellway.cli.text import number, percent, plain, say, say_json, table
from cellway.files import read_limited
from cellway.statistics import Effect, Estimate
from cellway.study import STUDY, Factor, Results, Study, load_study, local_workers
from cellway.study.results import EXPLAINED

HOPS_PER_SECOND = 50e6
"""Cells over links per second of one core, for estimates of time; docs/performance.md has measured ones."""
MOST_WARNINGS = 8
MOST_SHOWN = 20
"""Points that `explain` lists."""


def study(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="STUDY|DIR", help="A study file, or what an earlier study left.", show_default=False
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where every run is kept; by default out/ and the study's name.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Runs at a time; by default one per core.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the table of runs as CSV.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run what a study lacks; print means with intervals, comparisons and effects."""
    given = read_study(file)
    folder = out or (file if file.is_dir() else Path("out") / given.name)
    require_writable("--out", folder)
    if csv is not None:
        require_file("--csv", csv)
    with counting_bar(given.name) as progress:
        results = given.run(folder, workers=workers, progress=progress)
    if csv is not None:
        try:
            results.to_csv(csv)
        except OSError as error:
            raise unwritable("--csv", csv, error) from error
    if as_json:
        say_json(as_data(results))
    else:
        say(*report(results), "", f"written to {folder}")
    if not results.complete:
        raise typer.Exit(INTERRUPTED)
    if results.failed:
        raise typer.Exit(FAILED)


def is_study(path: Path) -> bool:
    """Whether a file, or a folder's frozen one, says that it is a study."""
    file = path / STUDY if path.is_dir() else path
    try:
        content = read_limited(file)
        return content is not None and "study" in tomllib.loads(content.decode())
    except (OSError, ValueError):
        return False


def read_study(path: Path) -> Study:
    """The study in `path`, a file or a folder.

    Raises:
        BadInputError: it cannot be read.
        StudyError, ScenarioError: it is no study.
    """
    file = path / STUDY if path.is_dir() else path
    try:
        return load_study(file)
    except OSError as error:
        raise BadInputError(f"{file}:1:1: cannot be read: {reason(error)}; expected a study file") from error


def explained(given: Study) -> dict[str, Any]:
    """A study before anything runs, for JSON."""
    conditions = given.conditions()
    hops = sum(condition.cost for condition in conditions) * given.least_replications
    return {
        "study": given.name,
        "scenario": given.base.origin,
        "design": given.design.name,
        "factors": [
            {"name": f.name, "levels": [level.value for level in f.levels], "sampled": f.span is not None}
            for f in given.factors
        ],
        "responses": [{"name": r.name, "source": r.definition, "unit": r.unit} for r in given.responses],
        "points": len(conditions),
        "replications": given.least_replications,
        "most_replications": given.replications
        if isinstance(given.replications, int)
        else given.replications.most,
        "runs": given.count,
        "random_numbers": given.random_numbers,
        "expected_cell_hops": hops,
        "estimated_cpu_seconds": hops / HOPS_PER_SECOND,
        "parameters": [dict(condition.parameters) for condition in conditions],
    }


def explanation(given: Study) -> list[str]:
    """A study before anything runs, as text."""
    facts = explained(given)
    seconds = facts["estimated_cpu_seconds"] / local_workers()
    most = facts["most_replications"]
    each = (
        f"{facts['replications']} each"
        if most == facts["replications"]
        else f"{facts['replications']} to {most} each"
    )
    seeds = (
        "the same seeds at every point"
        if given.random_numbers == "common"
        else "every run has a seed of its own"
    )
    design = f"{facts['points']} points of a {given.design.name} design, {each}"
    lines = [
        f"{given.name}: {facts['runs']} runs of {given.base.origin}: {design}; {seeds}",
        f"about {_duration(seconds)} with {local_workers()} at a time, less where cells are lost",
        "",
        *table(["factor", "levels", ""], [_factor(factor) for factor in given.factors], align="<><"),
        "",
        *table(
            ["response", "from", "unit"],
            [[r.name, r.definition, r.unit] for r in given.responses],
            align="<<<",
        ),
    ]
    rows = [[str(at), *map(str, point)] for at, point in enumerate(given.points()[:MOST_SHOWN], start=1)]
    lines += ["", *table(["point", *(factor.name for factor in given.factors)], rows, align="")]
    return lines if facts["points"] <= MOST_SHOWN else [*lines, f"… and {facts['points'] - MOST_SHOWN} more"]


def _factor(factor: Factor) -> list[str]:
    shown = ", ".join(map(str, factor.levels[:8]))
    return [factor.name, str(len(factor.levels)), shown if len(factor.levels) <= 8 else f"{shown}, …"]  # noqa: PLR2004


def _duration(seconds: float) -> str:
    if seconds < 120.0:  # noqa: PLR2004
        return f"{number(max(seconds, 0.1), 2)} s"
    return f"{number(seconds / 60.0, 2)} min" if seconds < 7200.0 else f"{number(seconds / 3600.0, 2)} h"  # noqa: PLR2004


def report(results: Results) -> list[str]:
    """A study's results as text."""
    given = results.study
    points = f"{len(results.conditions)} points of a {given.design.name} design"
    lines = [f"{given.name}: {len(results.records)} runs, {points}"]
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
    lines += [f"warning, {count} runs: {text}" for text, count in warnings[:MOST_WARNINGS]]
    if len(warnings) > MOST_WARNINGS:
        lines.append(f"… and {len(warnings) - MOST_WARNINGS} more warnings, in the table of runs")
    for point, said in results.inexact().items():
        where = ", ".join(map(str, results.conditions[point].parameters.values()))
        lines.append(f"not as exact as asked for: {where or 'all runs'}: {said}")
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
    if given.two_level:
        return ["", f"{name}: effects", *_effects(results, name)]
    if type(given.design).name == "full" and given.least_replications > 1 and len(given.factors) > 1:
        return ["", f"{name}: analysis of variance", *_variance(results, name)]
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
    rows = [
        [
            row.name,
            plain(row.degrees_of_freedom),
            number(row.mean_square),
            number(row.f),
            "–" if row.p is None else f"{row.p:.2g}",
            percent(row.share),
        ]
        for row in found.rows
    ]
    header = ["source", "df", "mean square", "F", "p", "of the variation"]
    return [*table(header, rows), f"error: {found.error_is}"]


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
