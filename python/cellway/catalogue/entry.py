"""Entry of one paper on the pages on all papers, so that one paper can be run and written alone.

Counts and numbers are kept beside the paper's own page as JSON, and its first runs in the file of
all papers. Pages are made of what is kept, with or without a run.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellway.catalogue.counted import Counted, counted, counted_from
from cellway.catalogue.digest import FirstRuns, first_runs_of, read_first_runs
from cellway.catalogue.explained import Told
from cellway.catalogue.numbers_kept import Kept, from_kept, kept_of, reasons_kept
from cellway.catalogue.published import Paper
from cellway.catalogue.runner import Reproduction
from cellway.errors import CatalogueError

_HEAD = '{\n "entry of": '
_END = "\n}"


@dataclass(frozen=True)
class Entry:
    """Entry of one paper on the pages on all papers.

    Attributes:
        paper: the paper as published.
        counted: counts of its results.
        first_runs: the number of every row with its first seed.
        kept: numbers and texts that its pages and figures show.
        shown: reproduction of the kept numbers.
        reasons: reasons on record, by code.
    """

    paper: Paper
    counted: Counted
    first_runs: FirstRuns
    kept: Kept
    shown: Reproduction
    reasons: Mapping[str, Told]

    def text(self) -> str:
        """JSON of what only the entry has; ends in a newline."""
        data = {"entry of": self.paper.id, "counted": self.counted.as_data()}
        text = json.dumps(data, indent=1, ensure_ascii=False)
        return f"{text.removesuffix(_END)},\n{_kept_text(self.kept)}{_END}\n"


def _kept_text(kept: Kept) -> str:
    """JSON with a line per number: further indentation would need eight lines."""
    parts = []
    for what, found in kept.items():
        if isinstance(found, Mapping):
            lines = (f"   {json.dumps(code)}: {_compact(one)}" for code, one in found.items())
            parts.append(f'  "{what}": {{\n' + ",\n".join(lines) + "\n  }")
        else:
            parts.append(f'  "{what}": {json.dumps(found)}')
    return ' "kept": {\n' + ",\n".join(parts) + "\n }"


def _compact(one: object) -> str:
    return json.dumps(one, separators=(",", ":"), ensure_ascii=False)


def entry(reproduction: Reproduction) -> Entry:
    """Entry of a paper that has been run whole."""
    first_runs = first_runs_of(reproduction)
    return _made(reproduction.paper, counted(reproduction), first_runs, kept_of(reproduction))


def _made(paper: Paper, found: Counted, first_runs: FirstRuns, kept: Kept) -> Entry:
    shown, reasons = from_kept(paper, kept), reasons_kept(paper, kept)
    return Entry(paper, found, first_runs, kept, shown, reasons)


def is_entry(content: bytes) -> bool:
    """True if a file begins as an entry does."""
    return content.startswith(_HEAD.encode())


def kept(folder: Path, papers: Sequence[Paper], first_runs: Path) -> list[Entry]:
    """Entries of those `papers` that have one, in their order.

    Args:
        folder: has their files of JSON.
        papers: of the catalogue.
        first_runs: the first runs of all papers.

    Raises:
        CatalogueError: a file differs from what was written there.
        OSError: it cannot be read.
    """
    files = [(paper, folder / file_of(paper)) for paper in papers]
    return [_read(paper, file, first_runs) for paper, file in files if file.is_file()]


def file_of(paper: Paper) -> str:
    """Name of the file of a paper's entry."""
    return f"{paper.id}.json"


def _read(paper: Paper, file: Path, first_runs: Path) -> Entry:
    at = file
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        found = counted_from(data["counted"])
        at = first_runs
        first = read_first_runs(_text(first_runs), paper.id)
        at = file
        return _made(paper, found, first, data["kept"])
    except (KeyError, TypeError, ValueError) as error:
        raise CatalogueError(
            f"{at}: has no entry of {paper.id} as `cellway reproduce {paper.id} --pages` writes "
            f"it; remove {file} and run that again"
        ) from error


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""
