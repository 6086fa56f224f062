"""What several tests share: the command as a user calls it, and a small scenario."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cellway.catalogue import Reproduction, load_paper, reproduce
from common import CLAIMS, PAPER, SMALL, Command, Files, Make, Result, joined, write_paper
from started import Starter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder that the command runs in."""
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture(scope="session", autouse=True)
def one_list_of_fonts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One folder of Matplotlib for all tests and their processes: a new one lists fonts again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MPLCONFIGDIR", str(tmp_path_factory.getbasetemp() / "matplotlib"))
        yield


@pytest.fixture(scope="session")
def starter(one_list_of_fonts: None) -> Iterator[Starter]:
    """Starts processes, as if on a terminal of 60 columns."""
    del one_list_of_fonts
    with Starter({"COLUMNS": "60"}) as starter:
        yield starter


@pytest.fixture
def cellway(starter: Starter, folder: Path) -> Command:
    """Calls `cellway` with arguments, in `folder`, as a process of its own."""

    def call(*arguments: str | Path) -> Result:
        return starter.run("from cellway.cli import main; main()", arguments, folder)

    return call


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a paper into a folder of its own; returns that."""

    def write(files: Files = PAPER, *, sealed: bool = True) -> Path:
        number = len(list(tmp_path.glob("papers-*")))
        return write_paper(tmp_path / f"papers-{number}" / "small-2001", files, sealed=sealed)

    return write


@pytest.fixture(scope="session")
def small_done(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    """`PAPER` with `CLAIMS`, run with its sensitivities; frozen, so that tests can share it."""
    folder = write_paper(tmp_path_factory.mktemp("papers") / "small-2001", joined(PAPER, CLAIMS))
    return reproduce(load_paper(folder), sensitivity=True)


@pytest.fixture
def small(folder: Path) -> Path:
    """A file with the scenario `SMALL`, named relative to nothing."""
    file = folder / "small.toml"
    file.write_text(SMALL)
    return file
