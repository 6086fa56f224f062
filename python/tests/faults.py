"""Faulty texts: what is changed in a text and what is said of it, listed in the files of `faults`.

A case has what is replaced (`-`), what it becomes (`+`, or the lines go), and the line, column and
message (`=`), in which `…` stands for words that do not matter. A line in brackets names it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from cellway import CatalogueError
from cellway.catalogue import load_paper
from common import Files, Make

FOLDER = Path(__file__).with_name("faults")


@dataclass(frozen=True)
class Fault:
    """A change to a text, and what is said of it."""

    name: str
    listed_in: str
    old: str
    new: str
    said: str

    def put_into(self, text: str) -> str:
        """The text with the fault in the first place that it fits."""
        assert self.old in text
        return text.replace(self.old, self.new, 1)

    def require(self, said: str) -> None:
        """Fails unless `said` is line, column and message of this fault."""
        listed = ".*".join(map(re.escape, self.said.split("…")))
        assert re.fullmatch(listed, said), f"{said}\nis not what is listed:\n{self.said}"


def faults(*names: str) -> pytest.MarkDecorator:
    """Gives a test each `fault` of the lists `names`."""
    cases = [
        _fault(name, block.splitlines())
        for name in names
        for block in (FOLDER / f"{name}.txt").read_text().split("\n\n")
        if not block.startswith("#")
    ]
    return pytest.mark.parametrize("fault", cases, ids=lambda one: f"{one.listed_in}: {one.name}")


def _fault(listed_in: str, lines: list[str]) -> Fault:
    old, new, said = ([line[2:] for line in lines if line.startswith(sign)] for sign in "-+=")
    name = lines[0].strip("[]") if lines[0].startswith("[") else " ".join(new) or f"no {old[0]}"
    # Without lines that take their place the lines go as a whole.
    replaced = old if new else [*old, ""]
    return Fault(name, listed_in, "\n".join(replaced), "\n".join(new), *said)


def listed(name: str) -> list[tuple[str, ...]]:
    """The lines of a list in `faults`: what is given, and behind `=>` what is said of it."""
    lines = (FOLDER / f"{name}.txt").read_text().splitlines()
    return [tuple(line.split(" => ")) for line in lines]


def require_refused(make: Make, files: Files, name: str, fault: Fault) -> None:
    """Fails unless the paper `files` with the fault in its file `name` is refused as listed."""
    paper = make({**files, name: fault.put_into(files[name])})
    with pytest.raises(CatalogueError) as refused:
        load_paper(paper)
    place, _, said = str(refused.value).partition(f"{name}:")
    assert Path(place) == paper
    fault.require(said)
