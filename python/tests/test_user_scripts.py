"""Programs of the how-tos: they run, and type checkers know the numbers that they read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from common import ROOT
from started import MAIN

SCRIPTS = sorted((ROOT / "docs/how-to/scripts").glob("*.py"))
MISSPELT = """import cellway

run = cellway.run(cellway.Scenario.load("wan.toml"))
print(run.flows["bulk"]["througput_bits_per_second"], run.series("s").tims)
"""


def test_there_are_ten_and_more() -> None:
    assert len(SCRIPTS) > 10


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_runs_and_prints(script: Path, tmp_path: Path) -> None:
    for line in script.read_text(encoding="utf-8").splitlines():
        if line.startswith("Before: `cellway init "):
            name = line.partition("init ")[2].partition("`")[0]
            command = [sys.executable, "-c", MAIN, "init", name]
            subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert not done.stderr


def _checked(tmp_path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Runs a type checker on a folder that knows nothing of this tree's settings."""
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def _mypy(tmp_path: Path, *files: Path) -> subprocess.CompletedProcess[str]:
    options = ("--strict", "--config-file", os.devnull, "--cache-dir", str(ROOT / ".mypy_cache"))
    return _checked(tmp_path, "mypy", *options, *map(str, files))


def _pyright(tmp_path: Path, *files: Path) -> subprocess.CompletedProcess[str]:
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    return _checked(tmp_path, "basedpyright", "--pythonpath", sys.executable, *map(str, files))


def test_scripts_are_typed_for_mypy(tmp_path: Path) -> None:
    done = _mypy(tmp_path, *SCRIPTS)
    assert done.returncode == 0, done.stdout


def test_scripts_are_typed_for_pyright(tmp_path: Path) -> None:
    copies = [tmp_path / script.name for script in SCRIPTS]
    for copy, script in zip(copies, SCRIPTS, strict=True):
        copy.write_bytes(script.read_bytes())
    done = _pyright(tmp_path, *copies)
    assert done.returncode == 0, done.stdout


def test_misspelt_names_of_numbers_are_found(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(MISSPELT, encoding="utf-8")
    for done in (_mypy(tmp_path, wrong), _pyright(tmp_path, wrong)):
        assert done.returncode == 1, done.stdout
        assert "througput_bits_per_second" in done.stdout
        assert "tims" in done.stdout
