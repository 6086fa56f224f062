"""The numbers of one run per row, as a text that compares kept results with the program.

The text has a line per row with the number of its first seed, as exact as it is, and above them the
hashes of the papers' data. It shows later, in the time of one run each, whether program and data
still give the kept results.
"""

import difflib
import hashlib
from collections.abc import Sequence

from cellway.catalogue.published import Paper, Row
from cellway.catalogue.runner import Reproduction
from cellway.study.plan import MODEL_VERSION

HEAD = "# The number of every row with its first seed"
_DATA = "# data "


def first_runs(reproductions: Sequence[Reproduction]) -> str:
    """A head with the digest and the model's version, then a line per row; ends in a newline."""
    lines = [
        f"{one.paper.id} {result.code} {result.values[0]!r}"
        for one in reproductions
        for result in one.results
        if isinstance(result.number, Row) and result.values
    ]
    body = "".join(f"{line}\n" for line in lines)
    digest = hashlib.sha256(body.encode()).hexdigest()
    data = "".join(f"{_DATA}{one.paper.id} {_hash_of(one.paper)}\n" for one in reproductions)
    return f"{HEAD}.\n# sha256 {digest}\n# model {MODEL_VERSION}\n{data}{body}"


def _hash_of(paper: Paper) -> str:
    """The hash of all files of a paper, by name and content."""
    files = sorted(paper.rows[0].scenario.parent.glob("*.toml"))
    parts = [file.name.encode() + b"\0" + file.read_bytes() for file in files]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def changed(kept: str, now: str) -> list[str]:
    """What differs between two such texts, the kept line first; nothing for the same numbers.

    The versions of the model do not count: other sources that give the same numbers are no other
    results.
    """
    lines = difflib.unified_diff(_compared(kept), _compared(now), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def _compared(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(_DATA)] + body_of(text)


def body_of(text: str) -> list[str]:
    """The lines of `first_runs` that numbers decide."""
    return [line for line in text.splitlines() if not line.startswith("#")]


def model_of(text: str) -> str:
    """The version of the model that `first_runs` was made with."""
    heads = [
        line.removeprefix("# model ") for line in text.splitlines() if line.startswith("# model ")
    ]
    return heads[0] if heads else ""
