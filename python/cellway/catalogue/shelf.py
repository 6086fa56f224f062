"""Papers of the catalogue."""

from pathlib import Path

from cellway.catalogue.published import Paper
from cellway.catalogue.reading import PUBLISHED, load_paper
from cellway.errors import CatalogueError
from cellway.text.nearest import did_you_mean

SHELF = Path(__file__).parent
"""Folder that holds a folder per paper."""


def paper_ids() -> tuple[str, ...]:
    """Identifiers of all papers, sorted."""
    return tuple(sorted(file.parent.name for file in SHELF.glob(f"*/{PUBLISHED}")))


def paper(identifier: str) -> Paper:
    """The paper called `identifier`.

    Raises:
        CatalogueError: there is none of that name, or its data cannot be accepted.
    """
    if identifier not in paper_ids():
        near = did_you_mean(identifier, paper_ids(), 1)
        raise CatalogueError(
            f"no paper {identifier!r} in the catalogue{near} (it has {', '.join(paper_ids())})"
        )
    return load_paper(SHELF / identifier)
