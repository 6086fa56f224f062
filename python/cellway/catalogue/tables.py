"""A table of a paper with all its columns: rows, derived numbers, claims and studies."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cellway.catalogue.claims import Finding
from cellway.catalogue.explained import command_of, reason_text
from cellway.catalogue.markup import (
    NONE,
    escaped,
    estimated,
    grid_lines,
    ours_of,
    place_of,
    sentence,
    short,
    titled_grid,
)
from cellway.catalogue.measured_text import measured_cell, measured_section
from cellway.catalogue.published import Derived, Paper, PublishedStudy, Row
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.sheets import Sheet, judged_figure, sheets, table_of
from cellway.catalogue.verdict import Verdict
from cellway.study import Results

if TYPE_CHECKING:
    from cellway.catalogue.criteria import Tolerance


def all_tables(reproduction: Reproduction) -> list[str]:
    """Tables of which a part was run, in the paper's order."""
    tables = dict.fromkeys(result.number.table for result in reproduction.results)
    tables |= dict.fromkeys(entry.table for entry, _ in reproduction.studies)
    tables |= dict.fromkeys(finding.claim.table for finding in reproduction.findings)
    return [part for name in tables for part in _table(name, reproduction)]


def figures_of(reproduction: Reproduction, table: str) -> list[str]:
    """Links to the figures of a table, or with ``""`` of all tables."""
    paper = reproduction.paper
    words = f"Published and ours: {table}" if table else "Published and ours"
    return [
        f"![{words}]({judged_figure(paper.id, sheet)}.svg)"
        for sheet in sheets(paper)
        if table_of(sheet, paper) == table and has_results(sheet, reproduction)
    ]


def has_results(sheet: Sheet, reproduction: Reproduction) -> bool:
    """True if one of the sheet's entries has a number of ours to draw."""
    found: list[Result | Finding] = [*reproduction.results, *reproduction.findings]
    return any(one.ours and one.code in sheet.codes for one in found)


def _table(name: str, reproduction: Reproduction) -> list[str]:
    rows = [result for result in reproduction.results if result.number.table == name]
    findings = [finding for finding in reproduction.findings if finding.claim.table == name]
    parts = [f"### {name}", *figures_of(reproduction, name)]
    parts += _grids(rows, reproduction.paper)
    parts += _joined(_tolerances(rows) + _remarks(rows, reproduction))
    parts += measured_section(reproduction.paper, [result.code for result in rows])
    parts += [
        _study(entry, results) for entry, results in reproduction.studies if entry.table == name
    ]
    if findings:
        parts += [titled_grid("llrrrl", [_claim(finding) for finding in findings])]
        parts += _joined(_claim_remarks(findings, reproduction))
    return parts


def _grids(rows: Sequence[Result], paper: Paper) -> list[str]:
    """Rows with a published number, and below them those that have only ours."""
    alone: list[Result] = []
    others: list[Result] = []
    for one in rows:
        (alone if one.finished and one.number.without_published else others).append(one)
    parts = []
    if others:
        parts.append(titled_grid("lllrrrrrrrl", [_row(one, paper) for one in others]))
    if alone:
        parts.append(titled_grid("lllrr", [_alone(one, paper) for one in alone]))
    return parts


def _alone(result: Result, paper: Paper) -> dict[str, str]:
    number = result.number
    return {
        "row, not judged": number.code,
        "condition": escaped(number.label),
        "unit": number.unit,
        "ours": ours_of(result),
        "ours, measured": measured_cell(paper, number.code),
    }


def _row(result: Result, paper: Paper) -> dict[str, str]:
    number = result.number
    published = {"simulated": number.simulated, "measured": number.measured}
    texts = {name: NONE if value is None else f"{value:g}" for name, value in published.items()}
    if number.compare is not None:
        texts[number.compare] = f"**{texts[number.compare]}**"
    return {
        "row": number.code,
        "condition": escaped(number.label),
        "unit": number.unit,
        **texts,
        "ours": ours_of(result),
        "ours, measured": measured_cell(paper, number.code),
        "difference": NONE if result.difference is None else f"{100 * result.difference:+.1f} %",
        "published lies above": place_of(result),
        "tolerance": NONE if number.tolerance is None else str(number.tolerance),
        "verdict": result.said,
    }


def _tolerances(rows: Sequence[Result]) -> list[str]:
    """Tolerances with reasons; rows that share both share a line."""
    shared: dict[Tolerance, list[str]] = {}
    for result in rows:
        if (tolerance := result.number.tolerance) is not None:
            shared.setdefault(tolerance, []).append(result.number.code)
    return [
        f"- Tolerance {tolerance} ({', '.join(codes)}): {sentence(tolerance.reason)}"
        for tolerance, codes in shared.items()
    ]


def _remarks(rows: Sequence[Result], reproduction: Reproduction) -> list[str]:
    lines = []
    for result in rows:
        number = result.number
        if isinstance(number, Derived):
            names = ", ".join(f"{name} = {code}" for name, code in number.names.items())
            counts = "" if number.distinct else ", not counted"
            lines.append(f"- {number.code} is derived{counts}: `{number.value.text}` with {names}.")
        if isinstance(number, Row) and number.repeats:
            lines.append(f"- {number.code} repeats the published number of {number.repeats}.")
        lines += _noted(result, number.note, reproduction)
    return lines


def _noted(one: Result | Finding, note: str | None, reproduction: Reproduction) -> list[str]:
    """The note of an entry, and why it differs; without a tested reason, that says the note."""
    untested = reproduction.reason_test(one.code) is None
    said = note if not (untested and one.verdict is Verdict.DIFFERS) else None
    noted = [f"- {one.code}: {sentence(said)}"] if said else []
    return noted + why(one, reproduction)


def why(one: Result | Finding, reproduction: Reproduction) -> list[str]:
    """Lines on the reason of a difference, or on a recorded reason of an entry that agrees."""
    test = reproduction.reason_test(one.code)
    if test is None and one.verdict is not Verdict.DIFFERS:
        return []
    run = command_of(one, reproduction)
    figure = f" {sentence(test.reason.figure)}" if test and test.reason.figure else ""
    end = "" if one.verdict is Verdict.BECAUSE else "."
    return [
        f"- {one.code} {one.verdict}{end} {escaped(reason_text(one, reproduction))}{figure}{run}"
    ]


def _claim(finding: Finding) -> dict[str, str]:
    claim = finding.claim
    published = None if claim.published is None else claim.measured(f"{claim.published:g}")
    return {
        "code": claim.code,
        "claim": escaped(claim.text),
        "value": escaped(finding.text(short)),
        "published": NONE if published is None else escaped(published),
        "expected": escaped(claim.measured(str(claim.expected))),
        "verdict": str(finding.verdict),
    }


def _claim_remarks(findings: Sequence[Finding], reproduction: Reproduction) -> list[str]:
    lines = []
    for finding in findings:
        claim = finding.claim
        names = ", ".join(f"{name} = {code}" for name, code in claim.names.items())
        whose = "threshold of ours" if claim.published is None else "expected"
        whose = whose if claim.expected.judged else "not judged"
        lines.append(
            f"- {claim.code} is `{claim.value.text}` with {names}; {whose}: "
            f"{sentence(claim.expected.reason)}"
        )
        lines += _noted(finding, claim.note, reproduction)
    return lines


def _study(entry: PublishedStudy, results: Results) -> str:
    given = results.study
    header = [factor.name for factor in given.factors]
    header += [
        response.name if response.unit == "1" else f"{response.name}, {response.unit}"
        for response in given.responses
    ]
    rows = [
        [
            *(escaped(str(level)) for level in condition.parameters.values()),
            *(estimated(results.estimate(r.name, point)) for r in given.responses),
        ]
        for point, condition in enumerate(results.conditions)
    ]
    return f"{entry.code}: {sentence(entry.text)}\n\n{grid_lines(header, 'r' * len(header), rows)}"


def _joined(lines: Sequence[str]) -> list[str]:
    return ["\n".join(lines)] if lines else []
