"""A table of a paper with all its columns: rows, derived numbers, claims and studies."""

from collections.abc import Sequence

from cellway.catalogue.claims import Finding
from cellway.catalogue.entry import Entry
from cellway.catalogue.explained import reason_text
from cellway.catalogue.markup import (
    NONE,
    difference_of,
    escaped,
    grid_lines,
    ours_of,
    sentence,
    set_when,
    short,
    source_cited,
    titled_grid,
    tolerance_of,
)
from cellway.catalogue.measured_text import measured_cell, measured_section
from cellway.catalogue.published import Derived, Paper, PublishedStudy, Row
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.sheets import Sheet, judged_figure, sheets, table_of
from cellway.catalogue.verdict import Verdict


def all_tables(entry: Entry) -> list[str]:
    """Tables of which a part was run, in the paper's order."""
    tables = dict.fromkeys(one.number.table for one in entry.shown.results)
    studies = [one for one in entry.paper.studies if one.code in entry.kept["studies"]]
    tables |= dict.fromkeys(one.table for one in studies)
    tables |= dict.fromkeys(one.claim.table for one in entry.shown.findings)
    return [part for name in tables for part in _table(name, entry)]


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


def _table(name: str, entry: Entry) -> list[str]:
    paper, shown = entry.paper, entry.shown
    rows = [result for result in shown.results if result.number.table == name]
    findings = [finding for finding in shown.findings if finding.claim.table == name]
    studies = [one for one in paper.studies if one.table == name]
    sources = [one for one in paper.sources if name in one.tables]
    parts = [f"### {name}", *(f"{source_cited(one)} {sentence(one.notes)}" for one in sources)]
    parts += figures_of(shown, name)
    parts += _grids(rows, entry)
    parts += _joined(_tolerances(rows) + _remarks(rows, entry))
    parts += measured_section(paper, [result.code for result in rows])
    parts += [
        _study(one, entry.kept["studies"][one.code])
        for one in studies
        if one.code in entry.kept["studies"]
    ]
    if findings:
        parts += [titled_grid("llrrrll", [_claim(finding, paper) for finding in findings])]
        parts += _joined(_claim_remarks(findings, entry))
    return parts


def _grids(rows: Sequence[Result], entry: Entry) -> list[str]:
    """Rows with a published number, and below them those that have only ours."""
    alone: list[Result] = []
    others: list[Result] = []
    for one in rows:
        (alone if one.finished and one.number.without_published else others).append(one)
    parts = []
    if others:
        parts.append(titled_grid("lllrrrrrrrll", [_row(one, entry) for one in others]))
    if alone:
        parts.append(titled_grid("lllrr", [_alone(one, entry.paper) for one in alone]))
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


def _row(result: Result, entry: Entry) -> dict[str, str]:
    number, paper = result.number, entry.paper
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
        "difference": difference_of(result),
        "published lies above": entry.kept["above"].get(number.code, NONE),
        "tolerance": tolerance_of(number),
        "verdict": result.said,
        "criterion": set_when(paper, number.code),
    }


def _tolerances(rows: Sequence[Result]) -> list[str]:
    """Tolerances with reasons; rows that share both share a line."""
    shared: dict[tuple[str, str], list[str]] = {}
    for number in (result.number for result in rows):
        if number.tolerance is not None:
            said = tolerance_of(number), number.tolerance.reason
            shared.setdefault(said, []).append(number.code)
    return [
        f"- Tolerance {tolerance} ({', '.join(codes)}): {sentence(reason)}"
        for (tolerance, reason), codes in shared.items()
    ]


def _remarks(rows: Sequence[Result], entry: Entry) -> list[str]:
    lines = []
    for result in rows:
        number = result.number
        if isinstance(number, Derived):
            names = ", ".join(f"{name} = {code}" for name, code in number.names.items())
            counts = "" if number.distinct else ", not counted"
            lines.append(f"- {number.code} is derived{counts}: `{number.value.text}` with {names}.")
        if isinstance(number, Row) and number.repeats:
            lines.append(f"- {number.code} repeats the published number of {number.repeats}.")
        lines += _noted(result, number.note, entry)
    return lines


def _noted(one: Result | Finding, note: str | None, entry: Entry) -> list[str]:
    """The note of an entry, and why it differs; without a tested reason, that says the note."""
    reason = entry.reasons.get(one.code)
    untold = reason is None and one.verdict is Verdict.DIFFERS
    noted = [f"- {one.code}: {sentence(note)}"] if note and not untold else []
    if reason is None and not untold:
        return noted
    run = f" `{' '.join(reason.reason.run.split())}`" if reason and reason.reason.run else ""
    figure = f" {sentence(reason.reason.figure)}" if reason and reason.reason.figure else ""
    end = "" if one.verdict is Verdict.BECAUSE else "."
    said = escaped(reason_text(one, reason, entry.paper))
    return [*noted, f"- {one.code} {one.verdict}{end} {said}{figure}{run}"]


def _claim(finding: Finding, paper: Paper) -> dict[str, str]:
    claim = finding.claim
    published = None if claim.published is None else claim.measured(f"{claim.published:g}")
    return {
        "code": claim.code,
        "claim": escaped(claim.text),
        "value": escaped(finding.text(short)),
        "published": NONE if published is None else escaped(published),
        "expected": escaped(claim.measured(str(claim.expected))),
        "verdict": str(finding.verdict),
        "criterion": set_when(paper, claim.code),
    }


def _claim_remarks(findings: Sequence[Finding], entry: Entry) -> list[str]:
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
        lines += _noted(finding, claim.note, entry)
    return lines


def _study(study: PublishedStudy, lines: Sequence[Sequence[str]]) -> str:
    header, *rows = [[escaped(cell) for cell in line] for line in lines]
    return f"{study.code}: {sentence(study.text)}\n\n{grid_lines(header, 'r' * len(header), rows)}"


def _joined(lines: Sequence[str]) -> list[str]:
    return ["\n".join(lines)] if lines else []
