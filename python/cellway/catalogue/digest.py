"""Numbers of one run per row, as a text that compares kept results with the program.

The text has a line per row, below its paper, with the number of its first seed, with all digits,
and above them the hashes of the papers' data and the versions of the model. A later check needs one
run per row to show whether program and data still give the kept results.
"""

import difflib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cellway.catalogue.figures import FIGURES
from cellway.catalogue.grids import ROWS, read_rows
from cellway.catalogue.measurements import MEASURED
from cellway.catalogue.published import Paper, Row
from cellway.catalogue.reading import PUBLISHED
from cellway.catalogue.runner import Reproduction
from cellway.errors import CatalogueError
from cellway.runs.models import MODEL_VERSION
from cellway.text.document import load_document

HEAD = "# The number of every row with its first seed"
_DATA = "# data "
_NOT_RUN = {FIGURES, MEASURED}
"""Files that change no run of a row."""
_MODEL = "# model "


@dataclass(frozen=True)
class FirstRuns:
    """Numbers of the first seeds of one paper.

    Attributes:
        paper: its identifier.
        model: the version of the model that was run.
        data: the hash of the paper's files.
        numbers: the number of every row with its first seed, by the row's code.
    """

    paper: str
    model: str
    data: str
    numbers: dict[str, float]


def first_runs_of(reproduction: Reproduction) -> FirstRuns:
    """Numbers of a paper that has been run with the present model."""
    numbers = {
        result.code: result.values[0]
        for result in reproduction.results
        if isinstance(result.number, Row) and result.values
    }
    paper = reproduction.paper
    return FirstRuns(paper.id, MODEL_VERSION, _hash_of(paper), numbers)


def first_runs_text(papers: Sequence[FirstRuns]) -> str:
    """Text: a head with digest, models and hashes, then a line per row; ends in a newline."""
    rows = [
        "".join(f" {code} {number!r}\n" for code, number in one.numbers.items()) for one in papers
    ]
    body = "".join(f"{one.paper}\n{lines}" for one, lines in zip(papers, rows, strict=True))
    digest = hashlib.sha256(body.encode()).hexdigest()
    models = "".join(f"{_MODEL}{one.paper} {one.model}\n" for one in papers)
    data = "".join(f"{_DATA}{one.paper} {one.data}\n" for one in papers)
    return f"{HEAD}.\n# sha256 {digest}\n{models}{data}{body}"


def first_runs(reproductions: Sequence[Reproduction]) -> str:
    """Text for papers that have all been run."""
    return first_runs_text([first_runs_of(one) for one in reproductions])


def _hash_of(paper: Paper) -> str:
    """Hash of all files of a paper that numbers depend on, by name and content.

    Rows count with what they say, in whichever form `published.toml` has them.
    """
    folder = paper.rows[0].scenario.parent
    files = sorted(file for file in folder.glob("*.toml") if file.name not in _NOT_RUN)
    parts = [file.name.encode() + b"\0" + _content(file) for file in files]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _content(file: Path) -> bytes:
    """The bytes of a file; of `published.toml` its values, with every row by itself.

    The order of a row's `set` counts: where two keys overlap, the later one holds. The time of the
    runs is no number of theirs.
    """
    if file.name != PUBLISHED:
        return file.read_bytes()
    document = load_document(file, CatalogueError, "a paper")
    rows = [
        {**row.content, "set": list(row.content.get("set", {}).items())}
        for row in read_rows(document)
    ]
    paper = {k: v for k, v in document.content["paper"].items() if k != "cpu_seconds"}
    return json.dumps({**document.content, "paper": paper, ROWS: rows}, sort_keys=True).encode()


def changed(kept: str, now: str) -> list[str]:
    """Lines that differ between two such texts, kept ones first; empty for the same numbers.

    The versions of the model do not count: changed sources that give the same numbers do not change
    the results.
    """
    lines = difflib.unified_diff(_compared(kept), _compared(now), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def _compared(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(_DATA)] + body_of(text)


def body_of(text: str) -> list[str]:
    """Lines that depend on numbers, each with its paper."""
    lines, paper = [], ""
    for line in text.splitlines():
        if line.startswith(" "):
            lines.append(paper + line)
        elif not line.startswith("#"):
            paper = line
    return lines


def models_of(text: str) -> dict[str, str]:
    """The version of the model that each paper was run with, by the paper's identifier."""
    return _heads(text, _MODEL)


def _heads(text: str, mark: str) -> dict[str, str]:
    heads = [line.removeprefix(mark) for line in text.splitlines() if line.startswith(mark)]
    return dict(head.split(" ", 1) for head in heads if " " in head)


def read_first_runs(text: str, paper: str) -> FirstRuns:
    """Numbers of one paper from the text of several.

    Raises:
        KeyError, ValueError: `first_runs_text` gives no such text.
    """
    lines = [line.split(" ") for line in body_of(text)]
    numbers = {code: float(number) for of, code, number in lines if of == paper}
    return FirstRuns(paper, models_of(text)[paper], _heads(text, _DATA)[paper], numbers)
