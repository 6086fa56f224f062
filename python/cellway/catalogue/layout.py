"""Places of a paper's numbers, in its own order and words: the format of `layout.toml`.

    places   [["table 1, row 1", CODE, …], …]: a place as the paper calls it, and the codes of the
             rows, derived numbers and claims that stand there
    before   codes of criteria that were set before any result of theirs was known, though the
             edition that has them was written when results of others were

A number that the paper prints need not have a place; it then stands behind those that have one.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cellway.errors import CatalogueError
from cellway.text.document import Table, load_optional

LAYOUT = "layout.toml"


@dataclass(frozen=True)
class Layout:
    """Order and names of a paper.

    Attributes:
        places: the paper's name of a place by code, in the paper's order.
        before: codes of criteria that were set before a result of theirs was known.
    """

    places: Mapping[str, str] = field(default_factory=dict)
    before: tuple[str, ...] = ()


def load_layout(folder: Path) -> tuple[Layout, Table]:
    """Reads `folder`/layout.toml, and the document for faults that need the paper.

    Raises:
        CatalogueError: it cannot be accepted.
        OSError: it cannot be read.
    """
    document = load_optional(folder / LAYOUT, CatalogueError, "a layout")
    found: dict[str, str] = {}
    for at, name, codes in _lines(document):
        for which, code in enumerate(codes, start=1):
            if code in found:
                document.fail_at(("places", at, which), f"{code} has a place already")
            found[code] = name
    layout = Layout(found, document.texts("before", optional=True))
    return document.only((layout, document))


def check_layout(document: Table, codes: Collection[str]) -> None:
    """Refuses places and criteria of entries that are not among `codes`.

    Raises:
        CatalogueError: a fault; the message has its place.
    """
    for at, _, named in _lines(document):
        for which, code in enumerate(named, start=1):
            if code not in codes:
                document.fail_at(("places", at, which), f"nothing is called {code}")
    for at, code in enumerate(document.texts("before", optional=True)):
        if code not in codes:
            document.fail_at(("before", at), f"nothing is called {code}")


def _lines(document: Table) -> list[tuple[int, str, list[str]]]:
    """Lines of `places`: number, name and codes."""
    lines = document.value("places", (list,), "a list of places", optional=True) or []
    for at, line in enumerate(lines):
        if not isinstance(line, list) or len(line) <= 1 or not all(map(_is_text, line)):
            document.fail_at(("places", at), "a name and the codes that stand there are expected")
    return [(at, line[0], line[1:]) for at, line in enumerate(lines)]


def _is_text(value: object) -> bool:
    return isinstance(value, str)
