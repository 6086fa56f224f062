"""What several tests share: the command as a user calls it, and a small scenario."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cellway.catalogue import Reproduction, load_paper, reproduce
from common import CLAIMS, PAPER, SMALL, Command, Files, Make, Result, joined, write_paper


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder that the command runs in."""
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture
def cellway(folder: Path) -> Command:
    """Calls `cellway` with arguments, in `folder`, as a process of its own."""

    def call(*arguments: str | Path) -> Result:
        return subprocess.run(
            [sys.executable, "-c", "from cellway.cli import main; main()", *map(str, arguments)],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={**os.environ, "COLUMNS": "60", "MPLCONFIGDIR": str(folder.parent / "matplotlib")},
        )

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
    """`PAPER` with `CLAIMS`, re-run with its sensitivities; frozen, so that all tests can share it."""
    folder = write_paper(tmp_path_factory.mktemp("papers") / "small-2001", joined(PAPER, CLAIMS))
    return reproduce(load_paper(folder), sensitivity=True)


@pytest.fixture
def small(folder: Path) -> Path:
    """A file with the scenario `SMALL`, named relative to nothing."""
    file = folder / "small.toml"
    file.write_text(SMALL)
    return file
