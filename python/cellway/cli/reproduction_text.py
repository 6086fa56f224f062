"""A reproduction as text on the console: the summary, then what differs, then every row."""

from collections.abc import Sequence
from dataclasses import replace

from cellway.catalogue.claims import Finding
from cellway.catalogue.explained import reason_text, told, what_differs
from cellway.catalogue.markup import NONE, QUICK_SAID, briefly, difference_of, several, tolerance_of
from cellway.catalogue.reason_tests import ReasonTest
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction, unvaried
from cellway.catalogue.scores import Scored
from cellway.catalogue.sensitivity import Variation, grid
from cellway.catalogue.summary import (
    DOES_NOT_TEST,
    Tested,
    choices_text,
    differences,
    error_of,
    table_lines,
    tested,
    undecided,
    unit_of,
)
from cellway.catalogue.tally import Counts, together
from cellway.catalogue.verdict import Verdict
from cellway.cli.study_results import means
from cellway.cli.text import number, plain, splits, table, titled


def report(reproduction: Reproduction) -> list[str]:
    """A reproduction as text: counts and a line per table, differences with reasons, every row.

    After an interrupt it covers the finished part alone.
    """
    paper = reproduction.paper
    head = [f"{paper.id}: {', '.join(paper.authors)}: {paper.title} ({paper.year})"]
    if reproduction.quick:
        head.append(f"quick: {QUICK_SAID}")
    if not reproduction.complete:
        asked, reproduction = reproduction.judged, _finished(reproduction)
        head.append(f"interrupted: {reproduction.judged} of {asked} finished")
    parts = [_summary(reproduction), _tables(reproduction), _differences(reproduction)]
    parts += [_rows(reproduction.results)]
    parts += [
        [f"{entry.code}: {entry.text}", *means(results)] for entry, results in reproduction.studies
    ]
    parts += [_claims(reproduction)]
    parts += [_scores(reproduction)]
    parts += [_variation(variation) for variation in reproduction.variations]
    parts.append([f"failed: {said}" for said in reproduction.failures])
    lines = [line for part in parts if part for line in ("", *part)]
    return [*head, *lines]


def total(reproductions: Sequence[Reproduction]) -> list[str]:
    """Counts of all papers together."""
    counts = together([one.tally for one in reproductions])
    lines = _counted(counts.numbers, counts.derived, counts.simulations)
    return ["all papers together", *lines, *_unjudged(reproductions)]


def _finished(reproduction: Reproduction) -> Reproduction:
    """The finished part of an interrupted reproduction: entries with all runs, or failed ones."""
    tests = tuple(one for one in reproduction.reason_tests if _is_finished(one))
    waiting = {one.of for one in reproduction.reason_tests if one not in tests}
    results = [one for one in reproduction.results if one.finished or one.failed]
    findings = [one for one in reproduction.findings if one.finished]
    return replace(
        reproduction,
        results=tuple(one for one in results if not _awaits(one, waiting)),
        findings=tuple(one for one in findings if not _awaits(one, waiting)),
        studies=tuple(one for one in reproduction.studies if one[1].complete),
        variations=tuple(
            one
            for one in reproduction.variations
            if all(found is None or found.finished for case in one.cases for found in case.results)
        ),
        reason_tests=tests,
    )


def _awaits(one: Result | Finding, waiting: set[str]) -> bool:
    return one.verdict is Verdict.DIFFERS and one.code in waiting


def _is_finished(test: ReasonTest) -> bool:
    others = [one.finished for one in (*test.also_chosen, *test.also_without)]
    return test.chosen.finished and test.without.finished and all(others)


def _unjudged(reproductions: Sequence[Reproduction]) -> list[str]:
    """The number of entries without a verdict, with reasons; empty when all have one."""
    found = [result for one in reproductions for result in one.results]
    findings = [finding for one in reproductions for finding in one.findings]
    verdicts = [one.verdict for one in found] + [one.verdict for one in findings]
    unjudged = verdicts.count(Verdict.NOT_JUDGED)
    if not unjudged:
        return []
    finished = [one.finished for one in found] + [one.finished for one in findings]
    lacking = finished.count(False)
    shown = sum(one.finished and not one.claim.expected.judged for one in findings)
    why = [
        (unjudged - lacking - shown, "nothing was published"),
        (shown, "their criteria say why not"),
        (lacking, "runs are missing"),
    ]
    said = ", ".join(f"{count} because {text}" for count, text in why if count)
    return [f"not judged: {unjudged} of {len(verdicts)} rows and claims ({said})"]


def _summary(reproduction: Reproduction) -> list[str]:
    if not reproduction.results and not reproduction.findings:
        return []
    tally = reproduction.tally
    quoted = ", ".join(f"{count} {verdict}" for verdict, count in _quoted(reproduction))
    unjudged = _unjudged([reproduction])
    lines = [f"{quoted} — of {reproduction.judged}", *unjudged]
    lines += _counted(tally.numbers, tally.derived, tally.simulations)
    lines += [f"claims that give a number: {briefly(tally.claims_with_number)}"]
    lines += [f"claims judged by our thresholds: {briefly(tally.claims_without)}"]
    lines += [_tested(tested(reproduction))] if reproduction.scores else []
    lines += [said.replace("*", "")] if (said := choices_text([reproduction.paper])) else []
    return [*lines, said] if (said := unvaried(reproduction)) else lines


def _counted(numbers: Counts, derived: Counts, simulations: int) -> list[str]:
    systems = several(simulations, "distinct simulation")
    return [
        f"distinct published numbers: {briefly(numbers)} (from {systems})",
        f"numbers that repeat those or follow from them: {briefly(derived)}",
    ]


def _tested(found: Tested) -> str:
    return (
        f"of the numbers that agree: {found.by_score} in tables that tell our model from null "
        f"models, {found.untested} in tables that do not test it, {found.unscored} without a score"
    )


def _tables(reproduction: Reproduction) -> list[str]:
    lines = []
    for line in table_lines(reproduction):
        ours = [error_of(one.ours, unit_of(one, reproduction.paper)) for one in line.scores]
        nulls = [_null(one, reproduction) for one in line.scores]
        tests = ["yes" if one.tests else DOES_NOT_TEST for one in line.scores]
        lines.append(
            {
                "table": line.table,
                "numbers": str(line.compared),
                "claims": str(line.claims),
                "our rms error": "; ".join(ours) or NONE,
                "best null model": "; ".join(nulls) or NONE,
                "tests it?": "; ".join(tests) or NONE,
                "verdicts": briefly(line.counts),
            }
        )
    return titled(lines, align="<>><<<<", less=["best null model"])


def _null(scored: Scored, reproduction: Reproduction) -> str:
    return (
        f"{error_of(scored.best_null, unit_of(scored, reproduction.paper))}, "
        f"{scored.best_null.label}"
    )


def _differences(reproduction: Reproduction) -> list[str]:
    found = differences(reproduction)
    lines = [
        f"{one.code}: {what_differs(one)}. It {_verdict(one)}"
        f"{'' if one.verdict is Verdict.BECAUSE else '.'} "
        f"{reason_text(one, told(one, reproduction), reproduction.paper)}"
        for one in found
    ]
    lines += [f"{one.code} is undecided: {what_differs(one)}." for one in undecided(reproduction)]
    codes = {one.code for one in found}
    lines += [
        f"{test.of}: the reason on record failed its test, and the number does not differ"
        for test in reproduction.reason_tests
        if not test.passed and test.of not in codes
    ]
    return lines


def _verdict(one: Result | Finding) -> str:
    """The verdict in a sentence; that of one run where several are stated says so."""
    alone = one.one_of if isinstance(one, Result) else ""
    return f"{one.verdict}, by {alone}" if alone else str(one.verdict)


def _scores(reproduction: Reproduction) -> list[str]:
    rows = [
        {
            "score": scored.score.code if model is scored.ours else "",
            "model": model.label,
            "rms error": error_of(model, unit_of(scored, reproduction.paper)),
            "rank correlation": NONE if model.rank is None else f"{model.rank:.2f}",
        }
        for scored in reproduction.scores
        for model in (scored.ours, *scored.nulls)
    ]
    return titled(rows, align="<<>>")


def _rows(results: Sequence[Result]) -> list[str]:
    if not results:
        return []
    rows = [_row(result) for result in results]
    empty = [title for title in rows[0] if all(row[title] == NONE for row in rows)]
    less = [*empty, "tolerance", "difference"]
    if splits(rows, "<<<>>>>><", less):
        return _narrow(results)
    return titled(rows, align="<<<>>>>><", less=less)


def _narrow(results: Sequence[Result]) -> list[str]:
    """The same table for a narrow terminal: what is judged, beside the verdict."""
    rows = [
        {
            "code": one.code,
            "condition": one.number.label
            + ("" if one.number.unit == "1" else f", {one.number.unit}"),
            "published": plain(one.number.published),
            "ours": ours(one),
            "verdict": one.said,
        }
        for one in results
    ]
    said = "not shown: what else was published, differences, tolerances; | less -S has them"
    return [*titled(rows, "<<>><"), said]


def _row(result: Result) -> dict[str, str]:
    row = result.number
    return {
        "code": row.code,
        "condition": row.label,
        "unit": row.unit,
        "published: simulated": plain(row.simulated),
        "measured": plain(row.measured),
        "ours": ours(result),
        "difference": difference_of(result),
        "tolerance": NONE if row.tolerance is None else f"± {tolerance_of(row)}",
        "verdict": result.said,
    }


def _claims(reproduction: Reproduction) -> list[str]:
    rows = [
        {
            "code": finding.claim.code,
            "claim": finding.claim.text,
            "value": finding.text(number),
            "expected": finding.claim.measured(str(finding.claim.expected)),
            "verdict": _said(finding),
        }
        for finding in reproduction.findings
    ]
    return titled(rows, align="<<<<<")


def _said(finding: Finding) -> str:
    return str(finding.verdict) if finding.finished else f"{finding.verdict} (failed)"


def ours(result: Result) -> str:
    """Mean ± half-width (n), or a note that all n are the same."""
    if result.ours is None:
        return "–"
    if result.ours.n == 1 and not result.ours.repeated:
        return f"{number(result.ours.mean)} (one run, no interval)"
    width = "" if result.ours.half_width is None else f" ± {result.ours.half_width:.2g}"
    return f"{number(result.ours.mean)}{width} ({result.ours.counted})"


def _quoted(reproduction: Reproduction) -> list[tuple[str, int]]:
    return [
        (f'"{verdict}"' if "," in verdict else str(verdict), n)
        for verdict, n in reproduction.counts.items()
    ]


def _variation(variation: Variation) -> list[str]:
    entry = variation.sensitivity
    code = f"{entry.code}, " if entry.code else ""
    shown = grid(variation, ours, timed=True)
    lines = table(shown.header, shown.lines, align="<" * shown.words, keys=shown.words)
    return [f"sensitivity, {code}{entry.name}: {entry.why}", *lines]
