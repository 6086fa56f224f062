"""Reasons of differences: the format of `reasons.toml`.

    [[reason]]  of = [codes], text, without, set, figure, run
    [[fallen]]  of = [codes], text, because

A reason is a test: if `set` takes out the blamed cause, the differences `of` the entries named must
be gone. `set` may name only keys that `choices.toml` lists as open: what a paper states is no
reason. The setting is tried on every row of the paper that has these keys, see
`cellway.catalogue.reason_tests`, so that no difference is explained by a setting that spoils more
than it mends. A reason that was given and no longer holds stays on record as fallen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellway.catalogue.choices import OpenKeys
from cellway.errors import CatalogueError
from cellway.text.document import Table, load_optional

REASONS = "reasons.toml"


@dataclass(frozen=True)
class Reason:
    """Reason why rows or claims differ: one setting for all of them.

    Attributes:
        of: the codes of rows, derived numbers or claims.
        text: the reason.
        without: the effect of `sets` in words: the reason taken out.
        sets: keys and values on top of the rows behind them.
        figure: a number that shows it.
        run: a command that shows it, from the root of the source.
    """

    of: tuple[str, ...]
    text: str
    without: str
    sets: tuple[tuple[str, Any], ...]
    figure: str | None = None
    run: str | None = None


@dataclass(frozen=True)
class Fallen:
    """Reason that was given once and does not hold.

    Attributes:
        of: the codes of the entries that it was given for.
        text: the reason that was given.
        because: the cause of its fall.
    """

    of: tuple[str, ...]
    text: str
    because: str


def load_reasons(folder: Path) -> tuple[tuple[Reason, ...], tuple[Fallen, ...], Table]:
    """Reads `folder`/reasons.toml, and the document for faults that need the paper.

    Raises:
        CatalogueError: it cannot be accepted.
        OSError: it cannot be read.
    """
    document = load_optional(folder / REASONS, CatalogueError, "reasons")
    reasons = tuple(map(_reason, document.tables("reason", optional=True)))
    fallen = tuple(map(_fallen, document.tables("fallen", optional=True)))
    return document.only((reasons, fallen, document))


def _reason(table: Table) -> Reason:
    reason = Reason(
        of=table.texts("of"),
        text=table.text("text"),
        without=table.text("without"),
        sets=table.sets("set"),
        figure=table.text("figure", default="") or None,
        run=table.text("run", default="") or None,
    )
    table.done()
    if not reason.sets:
        table.fail(
            "`set` is missing: a reason that cannot be taken out cannot be tested", at_key=True
        )
    return reason


def _fallen(table: Table) -> Fallen:
    return table.only(Fallen(table.texts("of"), table.text("text"), table.text("because")))


def check_reasons(
    document: Table, judged: Mapping[str, bool], claims: tuple[str, ...], keys: OpenKeys
) -> None:
    """Refuses reasons for entries that are not in the paper, two for one, and settings not open.

    Args:
        document: the root of `reasons.toml`.
        judged: by code of rows and derived numbers, true if a number was published.
        claims: the codes of claims.
        keys: the keys that the paper leaves open, and those that it states.

    Raises:
        CatalogueError: a fault; the message has its place and what would be accepted.
    """
    taken = set()
    for table in (
        *document.tables("reason", optional=True),
        *document.tables("fallen", optional=True),
    ):
        for at, of in enumerate(table.texts("of")):
            if not judged.get(of) and of not in claims:
                said = f"no claim, and no row with a published number, is called {of}"
                table.fail_at(("of", at), said)
            if of in taken:
                table.fail_at(("of", at), f"{of} has a reason already; one is accepted")
            taken.add(of)
    for table in document.tables("reason", optional=True):
        for key, value in table.sets("set"):
            for leaf in _leaves(key, value):
                if (fault := keys.fault(leaf)) is not None:
                    table.fail_at(("set", key), fault, at_key=True)


def _leaves(key: str, value: object) -> Iterator[str]:
    """Keys that a setting reaches, with those of the tables in its value."""
    if not isinstance(value, Mapping) or not value:
        yield key
        return
    for name, inner in value.items():
        yield from _leaves(f"{key}.{name}", inner)
