"""Paths, a small scenario and types that several tests share."""

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import pytest

from cellway import CatalogueError, Run, Scenario
from cellway.catalogue import load_paper
from cellway.catalogue.criteria import load_criteria
from cellway.runs.runs import Progress
from cellway.study import execution

ROOT = Path(__file__).parents[2]
PAPERS = Path(__file__).with_name("papers")
GOLDEN = Path(__file__).with_name("golden")
SHIPPED = ROOT / "scenarios"
SCENARIOS = sorted(SHIPPED.glob("*.toml"))
WHOLE = ("geo-pep", "gfr-access", "household", "page-load", "proxy", "proxy-none")
"""Not cut by tests: transfers begin, or first segments arrive, until the end."""


def text_of(name: str) -> str:
    """A scenario, a study or a script from the folder `scenarios`."""
    return (Path(__file__).with_name("scenarios") / name).read_text()


def shipped(name: str, sets: Mapping[str, Any] = MappingProxyType({})) -> Scenario:
    """A scenario of the folder `scenarios` of the project, with these keys set."""
    return Scenario.load(SHIPPED / f"{name}.toml").with_sets([*sets.items()])


SMALL = text_of("small.toml")
"""Loses cells, so that every quantity moves."""


T = TypeVar("T")


def known(value: T | None) -> T:
    """The value, which must be there."""
    assert value is not None
    return value


def require_golden(name: str, text: str) -> None:
    """Fails unless `text` is that of a file in `golden`; UPDATE_GOLDENS=1 writes the file."""
    if os.environ.get("UPDATE_GOLDENS"):
        (GOLDEN / name).write_text(text)
    assert text == (GOLDEN / name).read_text()


def breaking(patch: pytest.MonkeyPatch, error: BaseException, *words: str) -> None:
    """From now on runs of studies whose scenario has all these words raise `error`."""
    usual: Callable[..., Run] = execution.run  # type: ignore[attr-defined]

    def run(scenario: Scenario, progress: Progress | None = None) -> Run:
        if all(word in scenario.to_toml() for word in words):
            raise error
        return usual(scenario, progress)

    patch.setattr(execution, "run", run)


def shows_colour(file: Path) -> bool:
    """True if a PNG has more than black, white and grey: data, in whatever shades."""
    from matplotlib.image import imread  # noqa: PLC0415

    pixels = imread(file)[..., :3]
    return bool((pixels.max(axis=2) - pixels.min(axis=2) > 0.2).any())


def plotted_colours(file: Path) -> set[str]:
    """The colours of lines and markers that a PNG shows, without grey, which text has, too."""
    from matplotlib.image import imread  # noqa: PLC0415

    from cellway.plot.colours import COLOURS  # noqa: PLC0415

    pixels = (imread(file)[..., :3] * 255.0).round().astype(int)
    shown = set((pixels @ [1 << 16, 1 << 8, 1]).ravel().tolist())
    return {colour for colour in COLOURS if colour != COLOURS[-1] and int(colour[1:], 16) in shown}


Result = subprocess.CompletedProcess[str]
Command = Callable[..., Result]


def refused(cellway: Command, *arguments: str | Path) -> str:
    """The line with which a command refuses its arguments."""
    result = cellway(*arguments)
    assert (result.returncode, result.stdout) == (2, ""), result
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def content(folder: Path) -> dict[str, bytes]:
    """All files in a folder and below it."""
    files = filter(Path.is_file, folder.rglob("*"))
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


Files = Mapping[str, str]
"""The files of a paper by name, with what they say."""
Make = Callable[..., Path]
"""Writes `Files` as a paper and returns its folder; see `write_paper`."""

UNSEALED = "put in by write_paper"


def write_paper(folder: Path, files: Files, *, sealed: bool = True) -> Path:
    """Writes a paper into the new `folder`.

    The hash of the last edition becomes that of the criteria, unless `sealed` is false or they are
    faulty.
    """
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    if sealed:
        seal(folder)
    return folder


def seal(folder: Path) -> None:
    """Puts the right hash where the criteria in `folder` have `UNSEALED`."""
    try:
        load_criteria(folder)
    except CatalogueError as refused:
        if right := re.search(r'sha256 = "([0-9a-f]{64})"', str(refused)):
            criteria = folder / "criteria.toml"
            criteria.write_text(criteria.read_text().replace(UNSEALED, right[1]))


def joined(*papers: Files) -> dict[str, str]:
    """The files of several papers, each behind those of the same name."""
    files: dict[str, str] = {}
    for paper in papers:
        for name, text in paper.items():
            files[name] = f"{files[name]}\n{text}" if name in files else text
    return files


def changed(files: Files, name: str, old: str, new: str) -> dict[str, str]:
    """The same files with `new` for the first `old` in the file `name`, which must be there."""
    assert old in files[name]
    return {**files, name: files[name].replace(old, new, 1)}


def refusal(paper: Path, name: str = "published.toml") -> tuple[str, str]:
    """The fault of the file `name` of the folder `paper`, and the text from its place on."""
    data = paper / name
    with pytest.raises(CatalogueError) as refused:
        load_paper(paper)
    said = re.fullmatch(rf"{re.escape(str(data))}:(\d+):(\d+): (.+)", str(refused.value))
    assert said is not None, str(refused.value)
    lines = data.read_text().splitlines(keepends=True)[int(said[1]) - 1 :]
    return said[3], "".join(lines)[int(said[2]) - 1 :]


def texts_of(name: str) -> dict[str, str]:
    """The files of a paper, or of a part of one, below the folder `papers`."""
    return {file.name: file.read_text() for file in (PAPERS / name).iterdir()}


PAPER: Files = {**texts_of("small-2001"), "small.toml": SMALL}
"""A paper on `SMALL`: a row that agrees, one that differs because, one that differs, one not
judged, and a derived number that is undecided."""

CLAIMS = texts_of("claims")
"""To be joined to `PAPER`: a claim that agrees, one that differs because, and one that differs."""
