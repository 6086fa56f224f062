"""What no entry of a paper can know alone: codes are unique, and what an entry names is there."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cellway.catalogue.claims import check
from cellway.catalogue.published import Claim, Paper, PublishedStudy, Row, Sensitivity
from cellway.document import Table
from cellway.errors import CatalogueError


def check_paper(paper: Paper, folder: Path, document: Table) -> None:
    """Refuses entries that do not fit together; each complaint stands at the entry that is wrong.

    Args:
        paper: read from `document`.
        folder: whose name is the paper's identifier.
        document: the root of the paper's data.

    Raises:
        CatalogueError: what is wrong, where, and what would be accepted.
    """
    if paper.id != folder.name:
        said = f"`id` is {paper.id!r}; the folder's name, {folder.name!r}, is expected"
        document.fail_at(("paper", "id"), said)
    taken = set()
    for code, table in _codes(paper, document):
        if code in taken:
            table.fail(f"two entries have the code {code}; a code of its own is expected", "code")
        taken.add(code)
    for claim, table in zip(paper.claims, document.tables("claim", optional=True), strict=True):
        check(claim, paper, table)
    for entry, table in zip(paper.sensitivities, document.tables("sensitivity", optional=True), strict=True):
        _check_rows(entry, paper, table)
        _check_alternatives(entry, table)


def _codes(paper: Paper, document: Table) -> Iterator[tuple[str, Table]]:
    """Every code and the entry that has it."""
    entries: Mapping[str, Sequence[Row | PublishedStudy | Claim | Sensitivity]] = {
        "row": paper.rows,
        "study": paper.studies,
        "claim": paper.claims,
        "sensitivity": paper.sensitivities,
    }
    for key, found in entries.items():
        for entry, table in zip(found, document.tables(key, optional=True), strict=True):
            if entry.code:
                yield entry.code, table


def _check_rows(entry: Sensitivity, paper: Paper, table: Table) -> None:
    for number, code in enumerate(entry.rows):
        try:
            paper.row(code)
        except CatalogueError as error:
            table.fail_at(("rows", number), str(error))
        if code in entry.rows[:number]:
            table.fail_at(("rows", number), f"row {code} stands there twice; once is accepted")


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
