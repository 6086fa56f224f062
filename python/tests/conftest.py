"""What several tests share: the command as a user calls it, and a small scenario."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios").glob("*.toml"))

SMALL = """\
[run]
duration = "1 s"

[host.a]
[host.b]
[switch.s]
buffer = { per_vc = "256 cell" }

[link.left]
between = ["a", "s"]
rate = "OC-3c"
delay = "1 ms"
[link.right]
between = ["s", "b"]
rate = "TAXI-100"
delay = "1 ms"

[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = { window = "128 KiB" }

[observe]
interval = "10 ms"
"""
"""Loses cells, so that every quantity moves."""

Result = subprocess.CompletedProcess[str]
Command = Callable[..., Result]


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
def small(folder: Path) -> Path:
    """A file with the scenario `SMALL`, named relative to nothing."""
    file = folder / "small.toml"
    file.write_text(SMALL)
    return file
