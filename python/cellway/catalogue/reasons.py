"""Reasons of differences: the format of `reasons.toml`.

    [[reason]]  of, text, without, set, also, figure, run

A reason is a test: if `set` takes out the blamed cause, the difference must be gone. The effect of
that setting on other rows of the paper, `also`, is shown in the same place, so that no difference
is explained by a setting that spoils the rest. `cellway.catalogue.reason_tests` runs it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellway.errors import CatalogueError
from cellway.text.document import Table, load_optional

REASONS = "reasons.toml"


@dataclass(frozen=True)
class Reason:
    """Reason why a row or a claim differs.

    Attributes:
        of: the code of a row, a derived number or a claim.
        text: the reason.
        without: the effect of `sets` in words: the reason taken out.
        sets: keys and values on top of the rows behind it.
        also: the codes of judged rows that are run under the same setting.
        figure: a number that shows it.
        run: a command that shows it, from the root of the source.
    """

    of: str
    text: str
    without: str
    sets: tuple[tuple[str, Any], ...]
    also: tuple[str, ...]
    figure: str | None = None
    run: str | None = None


def load_reasons(folder: Path) -> tuple[tuple[Reason, ...], Table]:
    """Reads `folder`/reasons.toml, and the document for faults that need the paper.

    Raises:
        CatalogueError: it cannot be accepted.
        OSError: it cannot be read.
    """
    document = load_optional(folder / REASONS, CatalogueError, "reasons")
    reasons = tuple(map(_reason, document.tables("reason", optional=True)))
    return document.only((reasons, document))


def _reason(table: Table) -> Reason:
    reason = Reason(
        of=table.text("of"),
        text=table.text("text"),
        without=table.text("without"),
        sets=table.sets("set"),
        also=table.texts("also"),
        figure=table.text("figure", default="") or None,
        run=table.text("run", default="") or None,
    )
    table.done()
    if not reason.sets:
        table.fail(
            "`set` is missing: a reason that cannot be taken out cannot be tested", at_key=True
        )
    return reason


def check_reasons(document: Table, judged: dict[str, bool], claims: tuple[str, ...]) -> None:
    """Refuses reasons for entries that are not in the paper, and two for the same one.

    Args:
        document: the root of `reasons.toml`.
        judged: by code of rows and derived numbers, true if a number was published.
        claims: the codes of claims.

    Raises:
        CatalogueError: a fault; the message has its place and what would be accepted.
    """
    taken = set()
    for table in document.tables("reason", optional=True):
        of = table.text("of")
        if not judged.get(of) and of not in claims:
            table.fail(f"no claim, and no row with a published number, is called {of}", "of")
        if of in taken:
            table.fail(f"{of} has a reason already; one is accepted", "of")
        taken.add(of)
        for at, code in enumerate(table.texts("also")):
            if not judged.get(code):
                table.fail_at(("also", at), f"no row {code} with a published number")
