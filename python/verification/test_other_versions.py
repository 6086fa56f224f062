"""A folder of this installation, verified by one with the lowest libraries that are accepted.

It takes 11 s of CPU time, of which pip takes 8, and 23 to 44 s on a busy machine.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cellway
from common import ROOT, text_of

LIBRARIES = ("numpy", "polars", "rich", "scipy")
"""Those that a run, a study and their files need; figures need another."""
LONGEST = 150
"""Seconds for pip. A registry that cannot be reached is no fault of ours."""
NAMES = ("numpy", "polars", "scipy")
VERSIONS = f"import {', '.join(NAMES)}; print({', '.join(f'{one}.__version__' for one in NAMES)})"
COMMAND = "import sys; from cellway.cli import main; sys.argv[0] = 'cellway'; main()"


def lowest() -> dict[str, str]:
    """The lower bound of each library, such as 2.0 for numpy."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    found = (re.fullmatch(r"(\w+)>=([\d.]+),<\d+", one) for one in listed)
    bounds = {one[1]: one[2] for one in found if one}
    return {name: bounds[name] for name in LIBRARIES}


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with the lowest libraries, and with this package in its path."""
    place = tmp_path_factory.mktemp("lower") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    python = place / "bin" / "python"
    wanted = [f"{name}=={bound}.*" for name, bound in lowest().items()]
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    try:
        done = subprocess.run(
            [*pip, "--only-binary", ":all:", *wanted],
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"pip did not install {' '.join(wanted)} within {LONGEST} s")
    if done.returncode:
        pytest.skip(f"pip cannot install {' '.join(wanted)}: {done.stderr.strip()[-300:]}")
    return python


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with this package and no library, wherever the package is installed."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "cellway").symlink_to(Path(cellway.__file__).parent)
    return folder


def by(python: Path, package: Path, *arguments: str | Path) -> str:
    """What an interpreter prints that imports this package."""
    env = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(
        [python, "-c", *arguments], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.mark.timeout(LONGEST + 100)
def test_lower_versions_make_equal_runs(other: Path, alone: Path, tmp_path: Path) -> None:
    bounds, ours = lowest(), Path(sys.executable)
    found = by(other, alone, VERSIONS).split()
    for version, name in zip(found, NAMES, strict=True):
        assert version.startswith(f"{bounds[name]}."), name
    assert found != by(ours, alone, VERSIONS).split()
    for name in ("small.toml", "window.toml"):
        (tmp_path / name).write_text(text_of(name))
    cellway.load_study(tmp_path / "window.toml").run(tmp_path / "made")
    assert "10 of 10 runs equal" in by(other, alone, COMMAND, "verify", tmp_path / "made")
    shown = [by(python, alone, COMMAND, "study", tmp_path / "made") for python in (other, ours)]
    assert shown[0] == shown[1]
