"""Entry of one paper on the pages on all papers, so that one paper can be run and written alone.

Counts and numbers of figures are kept beside the paper's own page as JSON. Its part of
`REPRODUCED.md` and its first runs are kept where they are printed.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cellway.catalogue.counted import Counted, counted, counted_from
from cellway.catalogue.digest import FirstRuns, first_runs_of, read_first_runs
from cellway.catalogue.numbers_kept import Kept, kept_of
from cellway.catalogue.published import Paper
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.section import section, section_in
from cellway.errors import CatalogueError

_HEAD = '{\n "entry of": '
_END = "\n}"


@dataclass(frozen=True)
class Entry:
    """Entry of one paper on the pages on all papers.

    Attributes:
        paper: the paper as published.
        counted: counts of its results.
        section: its part of the page, as Markdown, of paragraphs.
        first_runs: the number of every row with its first seed.
        kept: numbers that its figures show.
    """

    paper: Paper
    counted: Counted
    section: tuple[str, ...]
    first_runs: FirstRuns
    kept: Kept

    def text(self) -> str:
        """JSON of what only the entry has; ends in a newline."""
        data = {"entry of": self.paper.id, "counted": self.counted.as_data()}
        text = json.dumps(data, indent=1, ensure_ascii=False)
        return f"{text.removesuffix(_END)},\n{_kept_text(self.kept)}{_END}\n"


def _kept_text(kept: Kept) -> str:
    """JSON with a line per number: further indentation would need eight lines."""
    parts = [f'  "quick": {json.dumps(kept["quick"])}']
    for what in ("numbers", "claims"):
        lines = (
            f"   {json.dumps(code)}: {json.dumps(one, separators=(',', ':'))}"
            for code, one in kept[what].items()
        )
        parts.append(f'  "{what}": {{\n' + ",\n".join(lines) + "\n  }")
    return ' "kept": {\n' + ",\n".join(parts) + "\n }"


def entry(reproduction: Reproduction, *, figures: bool = True) -> Entry:
    """Entry of a paper that has been run whole; for `figures` see `section`."""
    return Entry(
        reproduction.paper,
        counted(reproduction),
        tuple(section(reproduction, figures=figures)),
        first_runs_of(reproduction),
        kept_of(reproduction),
    )


def is_entry(content: bytes) -> bool:
    """True if a file begins as an entry does."""
    return content.startswith(_HEAD.encode())


def kept(folder: Path, papers: Sequence[Paper], page: Path, first_runs: Path) -> list[Entry]:
    """Entries of those `papers` that have one, in their order.

    Args:
        folder: has their files of JSON.
        papers: of the catalogue.
        page: the page on all papers.
        first_runs: the first runs of all papers.

    Raises:
        CatalogueError: a file differs from what was written there.
        OSError: it cannot be read.
    """
    files = [(paper, folder / file_of(paper)) for paper in papers]
    return [_read(paper, file, page, first_runs) for paper, file in files if file.is_file()]


def file_of(paper: Paper) -> str:
    """Name of the file of a paper's entry."""
    return f"{paper.id}.json"


def _read(paper: Paper, file: Path, page: Path, first_runs: Path) -> Entry:
    at = file
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        found = counted_from(data["counted"])
        at = page
        shown = section_in(_text(page), paper.id)
        at = first_runs
        first = read_first_runs(_text(first_runs), paper.id)
        return Entry(paper, found, shown, first, data["kept"])
    except (KeyError, TypeError, ValueError) as error:
        raise CatalogueError(
            f"{at}: has no entry of {paper.id} as `cellway reproduce {paper.id} --pages` writes "
            f"it; remove {file} and run that again"
        ) from error


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""
