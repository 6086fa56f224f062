"""What several tests share: the command as a user calls it, and a small scenario."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from common import SMALL, Command, Make, Result


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
    """Writes a paper with the given `published.toml`; returns its folder."""

    def write(published: str) -> Path:
        folder = tmp_path / "small-2001"
        folder.mkdir()
        (folder / "published.toml").write_text(published)
        (folder / "small.toml").write_text(SMALL)
        return folder

    return write


@pytest.fixture
def small(folder: Path) -> Path:
    """A file with the scenario `SMALL`, named relative to nothing."""
    file = folder / "small.toml"
    file.write_text(SMALL)
    return file
