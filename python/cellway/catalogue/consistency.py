"""Checks across the entries of a paper: codes are unique, and every name in an entry exists."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellway.catalogue.choices import Sensitivity
from cellway.catalogue.claims import check, studies_behind
from cellway.catalogue.criteria import Criteria, check_criteria
from cellway.catalogue.failing import criterion_fault
from cellway.catalogue.figures import check_figures
from cellway.catalogue.grids import read_rows
from cellway.catalogue.layout import check_layout
from cellway.catalogue.measurements import check_measurements
from cellway.catalogue.published import Claim, Derived, Paper, PublishedStudy, Row
from cellway.catalogue.reasons import check_reasons
from cellway.errors import CatalogueError
from cellway.text.document import Table


@dataclass(frozen=True)
class Documents:
    """Files of a paper, for the places of faults; empty for a file that is not there."""

    published: Table
    criteria: Table
    choices: Table
    reasons: Table
    figures: Table
    measurements: Table
    layout: Table


def check_paper(paper: Paper, criteria: Criteria, folder: Path, documents: Documents) -> None:
    """Refuses entries that do not fit together; each fault has the place of its entry.

    Args:
        paper: read from `documents`.
        criteria: its criteria.
        folder: its name is the paper's identifier.
        documents: the files it was read from.

    Raises:
        CatalogueError: a fault; the message has its place and what would be accepted.
    """
    document = documents.published
    if paper.id != folder.name:
        said = f"`id` is {paper.id!r}; the folder's name, {folder.name!r}, is expected"
        document.fail_at(("paper", "id"), said)
    taken = set()
    for code, table in _codes(paper, documents):
        if code in taken:
            table.fail(f"two entries have the code {code}; a code of its own is expected", "code")
        taken.add(code)
    _check_sources(paper, document)
    _check_scores(paper, documents)
    _check_numbers(paper, document)
    for claim, table in zip(paper.claims, document.tables("claim", optional=True), strict=True):
        check(claim, paper, table)
    judged = {number.code: number.compare is not None for number in paper.numbers}
    claims = tuple(claim.code for claim in paper.claims)
    published = {one.code: one.published for one in paper.numbers if one.published is not None}
    check_criteria(criteria, published, claims, documents.criteria)
    _check_failing(paper, documents.criteria)
    entries = documents.choices.tables("sensitivity", optional=True)
    for entry, table in zip(paper.sensitivities, entries, strict=True):
        _check_rows(entry, paper, table)
        _check_alternatives(entry, table)
    check_reasons(documents.reasons, judged, claims, paper.keys)
    _check_testable(paper, documents.reasons)
    check_figures(documents.figures, tuple(judged))
    check_measurements(documents.measurements, {row.code: not row.explained for row in paper.rows})
    check_layout(documents.layout, {*judged, *claims})


def _codes(paper: Paper, documents: Documents) -> Iterator[tuple[str, Table]]:
    """Codes, each with the entry that has it."""
    for row, table in zip(paper.rows, read_rows(documents.published), strict=True):
        yield row.code, table
    entries: Mapping[str, Sequence[Derived | PublishedStudy | Claim]] = {
        "derived": paper.derived,
        "study": paper.studies,
        "claim": paper.claims,
    }
    for key, found in entries.items():
        for entry, table in zip(found, documents.published.tables(key, optional=True), strict=True):
            yield entry.code, table
    tables = documents.choices.tables("sensitivity", optional=True)
    for sensitivity, table in zip(paper.sensitivities, tables, strict=True):
        if sensitivity.code:
            yield sensitivity.code, table
    tables = documents.figures.tables("figure", optional=True)
    for figure, table in zip(paper.figures, tables, strict=True):
        yield figure.code, table


def _check_sources(paper: Paper, document: Table) -> None:
    """Refuses tables of a source that are not there, and a table without one beside sources."""
    named: set[str] = set()
    for table in document.tables("sources", optional=True):
        for at, name in enumerate(table.texts("tables")):
            if name not in paper.tables:
                said = f"no table {name}; the tables are {', '.join(paper.tables)}"
                table.fail_at(("tables", at), said)
            named.add(name)
    tables = {one.table for one in (*paper.numbers, *paper.claims)}
    if named and (left := sorted(tables - named)):
        document.fail(f"no source has the table {left[0]}; each table has one", "sources")


def _check_scores(paper: Paper, documents: Documents) -> None:
    """Refuses two scores with one code, which identifies them; a row may have it, too."""
    taken = set()
    tables = documents.criteria.tables("score", optional=True)
    for score, table in zip(paper.scores, tables, strict=True):
        if score.code in taken:
            table.fail(
                f"two scores have the code {score.code}; a code of its own is expected", "code"
            )
        taken.add(score.code)


def _check_numbers(paper: Paper, document: Table) -> None:
    """Checks that published numbers have tolerances, and that repeated and named rows exist."""
    tables = [*read_rows(document), *document.tables("derived", optional=True)]
    for number, table in zip(paper.numbers, tables, strict=True):
        if number.compare is not None and number.tolerance is None:
            table.fail(f"{number.code} has no [[tolerance]] in the criteria; one is needed", "code")
        relative = number.tolerance is not None and number.tolerance.absolute is None
        if number.published == 0.0 and relative:
            table.fail(
                f"{number.code} is published as 0, which needs an `absolute` tolerance", "code"
            )
        if isinstance(number, Row) and number.repeats is not None:
            _check_repeated(number, paper, table)
        if isinstance(number, Derived):
            check(number, paper, table)


def _check_repeated(row: Row, paper: Paper, table: Table) -> None:
    try:
        repeated = paper.row(row.repeats or "")
    except CatalogueError as error:
        table.fail(str(error), "repeats")
    if repeated.published is None:
        table.fail(f"{repeated.code} has no published number that could be repeated", "repeats")
    if repeated.repeats is not None:
        table.fail(
            f"{repeated.code} repeats a number itself; the row that counts is expected", "repeats"
        )
    if repeated.published != row.published or repeated.unit != row.unit:
        table.fail(f"{repeated.code} has another published number than {row.code}", "repeats")


def _check_failing(paper: Paper, document: Table) -> None:
    """Refuses criteria of claims that no result could fail."""
    found = {claim.code: claim for claim in paper.claims}
    for table in document.tables("expected", optional=True):
        if (said := criterion_fault(found[table.text("claim")], paper)) is not None:
            table.fail(f"{table.text('claim')}: {said}", "claim")


def _check_testable(paper: Paper, document: Table) -> None:
    """Checks that a reason is tested on rows: points of a study cannot run under other settings."""
    swept = {claim.code for claim in paper.claims if studies_behind(claim, paper)}
    for table in document.tables("reason", optional=True):
        for at, of in enumerate(table.texts("of")):
            if of in swept:
                said = (
                    f"{of} has a study behind it; a reason for rows or claims of rows is accepted"
                )
                table.fail_at(("of", at), said)


def _check_rows(entry: Sensitivity, paper: Paper, table: Table) -> None:
    for number, code in enumerate(entry.rows):
        try:
            paper.row(code)
        except CatalogueError as error:
            table.fail_at(("rows", number), str(error))
        if code in entry.rows[:number]:
            table.fail_at(("rows", number), f"row {code} is listed twice; once is accepted")


def _check_alternatives(entry: Sensitivity, table: Table) -> None:
    taken = set()
    for alternative, inside in zip(entry.alternatives, table.tables("alternatives"), strict=True):
        for number, code in enumerate(alternative.rows or ()):
            if code not in entry.rows:
                said = f"no row {code}; the entry's rows are {', '.join(entry.rows)}"
                inside.fail_at(("rows", number), said)
        for code in filter(alternative.concerns, entry.rows):
            if (alternative.label, alternative.published, code) in taken:
                said = f"two alternatives {alternative.label!r} concern {code}; one is accepted"
                inside.fail(said, "label")
            taken.add((alternative.label, alternative.published, code))
