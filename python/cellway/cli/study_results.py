"""Results of a study as text: means with their intervals, comparisons, effects, warnings."""

from typing import TYPE_CHECKING

from cellway.cli.study_decisions import decisions
from cellway.cli.study_sensitivity import sensitivity_lines
from cellway.cli.text import number, percent, plain, table, titled
from cellway.errors import StudyError
from cellway.runs.models import note_of
from cellway.statistics import Anova, DifferenceRule, Effect, Estimate, Source
from cellway.statistics.repeats import ALL_THE_SAME, AT_LENGTH, DETERMINISTIC, WITHOUT_ERROR
from cellway.study import Results, Saltelli, Study
from cellway.study.decided import undecided
from cellway.study.record import MARK, Record
from cellway.study.results import EXPLAINED

if TYPE_CHECKING:
    from collections.abc import Callable

    from cellway.study.failures import Failure

MAX_WARNINGS = 8
"""Number of kinds of notes that are listed."""
MAX_FAILURES = 5
"""Number of reasons of failed runs that are listed, with `MAX_LISTED` runs of each."""
MAX_LISTED = 8
INTERVAL = "mean ± half-width of the 95 % interval by Student's t (number of replications)"


BY = "from pairs of runs with equal seeds or, where noted, from all runs"
"""Note on the methods of comparison."""


def report(results: Results) -> list[str]:
    """A study's results as text."""
    given = results.study
    points = f"{len(results.conditions)} points of a {given.design.name} design"
    of = "" if results.complete else f" of {_asked_for(given)}"
    lines = [f"{given.name}: {len(results.records)}{of} runs, {points}"]
    made = note_of(results.models)
    if made is not None:
        lines.append(f"note: {made}")
    elif results.part_done:
        lines.append(
            f"part {given.part} of the study; cellway merge joins the folders of all parts"
        )
    elif not results.complete:
        lines.append("interrupted: finished runs are kept; the same command continues from here")
    lines += measured(results)
    lines += ["", *means(results)]
    for response in given.responses:
        if not response.explained and results.complete:
            lines += _comparisons(results, response.name) + _analysis(results, response.name)
    lines += [f"note: {said}" for said in given.overridden()]
    for response in given.responses:
        if count := results.without_logarithm(response.name):
            lines.append(f"note: {response.name}: {count} runs have no logarithm: 0 or less")
    warnings = [one for one in results.warnings.items() if not one[0].startswith(MARK)]
    lines += [f"note, {count} ×: {text}" for text, count in warnings[:MAX_WARNINGS]]
    if len(warnings) > MAX_WARNINGS:
        lines.append(
            f"… and {len(warnings) - MAX_WARNINGS} more notes, in the column `warnings` of the "
            "table of runs"
        )
    lines += untrusted(results)
    lines += _short_runs(results)
    lines += _precision(results) if results.complete else []
    return [*lines, *failures(results), "", *_method(results)]


def measured(results: Results) -> list[str]:
    """A line on the kernel of measured runs and the days of the measurements."""
    if not results.kernels:
        return []
    count = sum(1 for one in results.records if one.kernel)
    days = sorted({date.partition("T")[0] for date in results.dates})
    when = f", {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
    return [f"measured: {count} runs, Linux {' and '.join(results.kernels)}{when}"]


def untrusted(results: Results) -> list[str]:
    """Measured runs that are not to be trusted, which means and intervals include."""
    marked = [
        (point, record)
        for point, runs in enumerate(results.runs if results.marked else ())
        for record in runs
        if record.marks
    ]
    lines = [
        f"{_where(results, point)}, replication {record.replication}: {'; '.join(record.marks)}"
        for point, record in marked[:MAX_LISTED]
    ]
    more = [f"… and {len(marked) - MAX_LISTED} more"] if len(marked) > MAX_LISTED else []
    return [*lines, *more]


def _asked_for(given: Study) -> str:
    """Runs of the whole study; a stopping rule knows their number at its end."""
    return f"{given.count}{'' if isinstance(given.replications, int) else ' or more'}"


def _short_runs(results: Results) -> list[str]:
    """A line for each response with points whose runs are short for Student's t."""
    lines = []
    for response in results.study.responses:
        if found := results.short_runs(response.name):
            point, said = next(iter(found.items()))
            several = f"{_where(results, point)}, the shortest of {len(found)} points"
            at = f" ({several})" if len(found) > 1 else ""
            lines.append(f"warning: {response.name}: {said}{at}; make runs longer")
    return lines


def _precision(results: Results) -> list[str]:
    """Points where a stopping rule ended before the means were as exact as it asks."""
    lines = [
        f"less exact than requested, all responses together: {_where(results, point)}: {said}"
        for point, said in results.inexact().items()
    ]
    if unvaried := results.unvaried():
        deterministic = all(results.deterministic(point) for point in unvaried)
        why = (
            "deterministic" if deterministic else "no response varies, which does not make it exact"
        )
        where = "; ".join(_where(results, point) for point in unvaried)
        lines.append(f"the stopping rule ended with `min` runs, {why}: {where}")
    for others, name, level, found in undecided(results):
        at = ", ".join(f"{key} = {value}" for key, value in others.items()) or "all runs"
        lines.append(
            f"undecided after {found.replications} replications: {at}: {name} of {level}: "
            f"{shown(found.differences[name, level])}"
        )
    return lines


def _where(results: Results, point: int) -> str:
    return ", ".join(map(str, results.conditions[point].parameters.values())) or "all runs"


def failures(results: Results) -> list[str]:
    """Failed runs: point, reason, and the command that repeats each."""
    groups: dict[tuple[int, str], list[Failure]] = {}
    for one in results.failures:
        groups.setdefault((one.point, one.reason), []).append(one)
    lines = [""] if groups or results.retried or results.restored else []
    if results.retried:
        lines.append(f"repeated: {results.retried} that had failed before")
    if results.restored:
        lines.append(f"repeated: {results.restored} with a damaged or missing row or series")
    for (point, reason), group in list(groups.items())[:MAX_FAILURES]:
        which = ", ".join(str(one.record.replication) for one in group[:MAX_LISTED])
        which += f" and {len(group) - MAX_LISTED} more" if len(group) > MAX_LISTED else ""
        lines += [f"failed: {_where(results, point)}, replication {which}: {reason}"]
        lines += [f"  again: {group[0].command}"]
    if len(groups) > MAX_FAILURES:
        lines.append("… and more, with `status` failed in the table of runs")
    return lines


def means(results: Results) -> list[str]:
    """The estimates of all responses, a line per point."""
    given = results.study
    header = [factor.name for factor in given.factors]
    header += [f"{r.name}{'' if r.unit == '1' else f', {r.unit}'}" for r in given.responses]
    rows = []
    for point, condition in enumerate(results.conditions):
        levels = [str(level) for level in condition.parameters.values()]
        rows.append([*levels, *(shown(results.estimate(r.name, point)) for r in given.responses)])
    odd: dict[str, Callable[[Record], bool]] = {}
    if results.failed:
        odd["failed"] = lambda one: one.status == "failed"
    if results.marked:
        odd["not to be trusted"] = lambda one: bool(one.marks)
    for name, is_odd in odd.items():
        counts = [sum(map(is_odd, runs)) for runs in results.runs]
        if any(counts):
            header.append(name)
            for row, runs, count in zip(rows, results.runs, counts, strict=True):
                row.append(f"{count} of {len(runs)}" if count else "")
    return table(header, rows, align=">" * len(header), keys=len(given.factors) or 1)


def shown(found: Estimate | None) -> str:
    """Mean ± half-width (n), or a note that all n are the same, or that it is a single run."""
    if found is None:
        return "–"
    if found.method == EXPLAINED:
        return number(found.mean)
    if found.repeated:
        return f"{number(found.mean)} ({found.counted})"
    if found.half_width is None:
        return f"{number(found.mean)} (single run)"
    return f"{number(found.mean)}{found.width(2)} ({found.n})"


def _method(results: Results) -> list[str]:
    """Meaning of the numbers in parentheses, and reasons for missing intervals."""
    if all(len(runs) <= 1 for runs in results.runs):
        return [_of_single_runs(results)]
    simulated = [response.name for response in results.study.responses if not response.explained]
    found = [one for name in simulated for one in results.estimates(name) if one is not None]
    lines = []
    if any(one.half_width is not None for one in found):
        common = results.study.random_numbers == "common" and len(results.conditions) > 1
        lines.append(INTERVAL + ("; all points use the same seeds" if common else ""))
    said = {one.method for one in found}
    lines += [text for method, text in AT_LENGTH.items() if method in said]
    return lines or [INTERVAL]


def _of_single_runs(results: Results) -> str:
    if any(
        response.half_width(one.metrics)
        for response in results.study.responses
        for one in results.records
    ):
        return "single runs: mean ± half-width of the 95 % interval by batch means, if there is one"
    return "single runs: no interval, so their accuracy is not known"


def _comparisons(results: Results, name: str) -> list[str]:
    rows = []
    is_ratio = results.response(name).transform is not None
    what = "ratio" if is_ratio else "difference"
    rule, decided = results.study.replications, decisions(results, name)
    for others, differences in results.comparisons(name):
        where = ", ".join(f"{key} = {value}" for key, value in others.items())
        for level, found in differences.items():
            said = decided(others, found) or remark(found, is_ratio=is_ratio)
            rows.append([where, level, shown(found), said])
    if not rows:
        return []
    factor = results.study.compared
    count = len(rule.looks) if isinstance(rule, DifferenceRule) else 1
    looks = f", at all {count} looks" if count > 1 else ""
    title = (
        f"{name}: {what} to the first level of {factor}, {BY}; intervals together at 95 %{looks}"
    )
    unit = results.response(name).unit
    header = ["at", factor or "", what if unit == "1" or is_ratio else f"{what}, {unit}", ""]
    return ["", title, *table(header, rows, align="<>><")]


def remark(difference: Estimate, *, is_ratio: bool = False) -> str:
    """The verdict, and the numbers of runs that it uses and that have no partner."""
    said = [verdict(difference, nothing=1.0 if is_ratio else 0.0)]
    said += ["of all runs (Welch)"] if difference.method.startswith("Welch") else []
    said += [f"runs left out: {difference.left_out}"] if difference.left_out else []
    return "; ".join(text for text in said if text)


def verdict(difference: Estimate, nothing: float = 0.0) -> str:
    """Remark on a difference that is zero or has no interval."""
    if difference.repeated and not difference.deterministic and difference.mean != nothing:
        return "not judged"
    least, most = difference.interval or (difference.mean, difference.mean)
    if not least <= nothing <= most:
        return ""
    return "no difference" if difference.deterministic else "no difference shown"


def _analysis(results: Results, name: str) -> list[str]:
    """Effects of a two-level design, or an analysis of variance of several factors."""
    given = results.study
    if isinstance(given.design, Saltelli):
        return ["", *sensitivity_lines(results, name)]
    several = [factor for factor in given.factors if len(factor.levels) > 1]
    analysed = given.two_level or (
        given.design.name == "full" and given.min_replications > 1 and len(several) > 1
    )
    if analysed and results.failed:
        return ["", f"{name}: not analysed: {len(results.failed)} of its runs failed"]
    of = f"logarithm of {name}" if results.response(name).transform else name
    try:
        if given.two_level:
            return ["", f"{of}: effects", *_effects(results, name), *_caveats(results, name)]
        if analysed:
            lines = [*_variance(results, name), *_caveats(results, name)]
            return ["", f"{of}: analysis of variance", *lines]
    except StudyError as error:
        return ["", f"{name}: not analysed: {error}"]
    return []


def _caveats(results: Results, name: str) -> list[str]:
    """Caveats of an analysis: runs left out, and points whose variances are too unlike."""
    count = results.left_out(name)
    lines = [f"{count} runs left out: not every point has their replication"] if count else []
    found = results.spread(name)
    if found and found.is_unlike:
        least, most = number(found.least), number(found.most)
        lines.append(
            f"warning: standard deviations within points are {least} to {most} (Bartlett's test, "
            f"p {found.p:.1g}): the points that vary most dominate the error term"
            + ("" if results.response(name).transform else '; try `transform = "log"`')
        )
    return lines


def _effects(results: Results, name: str) -> list[str]:
    found = results.effects(name)
    rows = [["mean", *_effect(found.mean), ""]]
    rows += [
        [_with_aliases(one), *_effect(one.estimate), percent(one.share)] for one in found.effects
    ]
    if found.block_share is not None:
        rows.append(["replications", "", "", percent(found.block_share)])
    if found.replications > 1:
        rows.append(["error", "", "", percent(found.error_share)])
    lines = table(["factor", "effect", "95 %", "of the variation"], rows)
    if found.replications > 1 and all(one.estimate.half_width is None for one in found.effects):
        lines.append(f"{_without_error(results)}: no intervals")
    return lines


def _without_error(results: Results) -> str:
    return WITHOUT_ERROR[DETERMINISTIC if results.all_deterministic else ALL_THE_SAME]


def _effect(found: Estimate) -> list[str]:
    return [number(found.mean), "–" if found.half_width is None else f"± {found.half_width:.2g}"]


def _with_aliases(effect: Effect) -> str:
    return " + ".join([effect.name, *effect.aliases])


def _variance(results: Results, name: str) -> list[str]:
    found = results.anova(name)
    if not found.total.sum_of_squares:
        return [f"no variation: every run gave {number(found.mean)}"]
    rows = [
        {
            "source": row.name,
            "df": plain(row.degrees_of_freedom),
            "mean square": number(row.mean_square if row.degrees_of_freedom else None),
            "F": number(row.f),
            "p": "–" if row.p is None else f"{row.p:.2g}",
            "of the variation": _share(row, found),
        }
        for row in found.rows
    ]
    return [*titled(rows), _judged_by(found, results)]


def _share(row: Source, found: Anova) -> str:
    """Share of the variation, with its interval where there are three replications."""
    width = found.share_half_widths.get(row.name)
    return percent(row.share) + ("" if width is None else f" ± {100 * width:.1f}")


def _judged_by(found: Anova, results: Results) -> str:
    if not found.varying:
        return f"{_without_error(results)}: no F and no p"
    if not any(row.f is not None for row in found.effects):
        return f"error: {found.error_is}; no variation there, so no F and no p"
    if found.varying < found.cells:
        return f"error: {found.error_is}; each effect has its own error term (Box)"
    return f"error: {found.error_is}"
