"""The version, which stands in several files, and a package where POSIX is absent."""

import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

import cellway
from cellway.runs.stack_ends import words_of
from common import ROOT
from started import outcome

LOCKS = sorted(path for path in (ROOT / "crates").glob("*/examples/*/Cargo.lock"))
WINDOWS = "import as_windows; as_windows.run()"


def _text(name: str | Path) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_crates_have_the_version_of_the_workspace() -> None:
    workspace = tomllib.loads(_text("Cargo.toml"))["workspace"]
    version = workspace["package"]["version"]
    assert version == cellway.__version__
    ours = {n: d for n, d in workspace["dependencies"].items() if n.startswith("cellway-")}
    assert len(ours) > 5
    assert {one["version"] for one in ours.values()} == {version}


def test_the_citation_and_the_changelog_have_the_version_and_one_date() -> None:
    citation = _text("CITATION.cff")
    assert f"\nversion: {cellway.__version__}\n" in citation
    date = re.search(r"^date-released: (\d{4}-\d\d-\d\d)$", citation, re.MULTILINE)
    assert date is not None
    assert f"\n## {cellway.__version__} — {date[1]}\n" in _text("CHANGELOG.md")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.parent.name)
def test_locks_of_examples_have_the_version(lock: Path) -> None:
    packages = tomllib.loads(_text(lock))["package"]
    ours = {p["name"]: p["version"] for p in packages if p["name"].startswith("cellway-")}
    assert "cellway-sim" in ours
    assert set(ours.values()) == {cellway.__version__}


def test_commands_write_and_read_as_windows_lets_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    short = ("--set", 'run.duration="1 s"')
    study = ("study", "studies/window.toml", *short, "--workers", "2")
    for words in (
        ("init", "window"),
        ("run", "rate-mismatch.toml", *short, "--out", "kept"),
        ("run", "rate-mismatch.toml", *short, "--out", "kept"),
        ("plot", "kept"),
        ("report", "kept"),
        study,
        study,
        ("report", "out/window"),
        ("merge", "joined", "out/window"),
        ("verify", "joined"),
        ("deposit", "joined", "--out", "joined.zip"),
        ("lab", "rate-mismatch.toml", "--out", "lab.html"),
    ):
        done = outcome(WINDOWS, words, tmp_path)
        assert done.returncode == 0, f"{words}: {done.stderr}"


def test_a_path_of_windows_is_a_word_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    command = r'"C:\Program Files\python.exe" C:\own\stack.py'
    assert words_of(command)[1] == r"C:ownstack.py"
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        words = words_of(command)
    assert words == [r"C:\Program Files\python.exe", r"C:\own\stack.py"]
