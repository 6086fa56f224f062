"""`cellway reproduce --pages`, and the tools that `make` and `.ci/run` time their parts with."""

import os
import subprocess
from pathlib import Path

import pytest

from common import ROOT, content
from reproduced import loaded
from started import outcome

START = """
import pathlib, sys
import cellway.cli
from cellway.catalogue import shelf
shelf.SHELF = pathlib.Path(sys.argv.pop(1))
cellway.cli.main()
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    loaded(tmp_path / "shelf")
    return tmp_path / "shelf"


def reproduce(shelf: Path, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return outcome(START, [shelf, "reproduce", "--quick", *arguments], folder)


def test_pages_are_the_same_bytes_every_time_and_replace_their_own(
    shelf: Path, folder: Path
) -> None:
    first = reproduce(shelf, folder, "--all", "--pages", ".")
    assert first.stderr == ""
    assert first.returncode == 1
    written = content(folder)
    figures = [f"P-F-{kind}.svg" for kind in "GOP"]
    figures += ["pages-2001-judged.svg", "pages-2001-scatter.svg"]
    below = [*figures, "first-runs.txt", "pages-2001.json", "pages-2001.md"]
    assert {*written} == {"REPRODUCED.md", *(f"docs/reproduced/{name}" for name in below)}
    assert reproduce(shelf, folder, "--all", "--pages", ".", "--workers", "1").returncode == 1
    assert content(folder) == written


def test_pages_are_made_again_without_a_run(shelf: Path, folder: Path) -> None:
    assert reproduce(shelf, folder, "--all", "--pages", ".").returncode == 1
    written = content(folder)
    for name in written:
        if name.endswith((".svg", ".md")):
            (folder / name).unlink()
    again = reproduce(shelf, folder, "--redraw", "--pages", ".")
    assert (again.returncode, again.stderr) == (0, "")
    assert "pages-2001: not redrawn, because they need runs: P-F-O" in again.stdout.splitlines()
    kept = content(folder)
    del written["docs/reproduced/P-F-O.svg"]
    assert kept == written
    alone = reproduce(shelf, folder, "--redraw")
    assert alone.returncode == 2
    assert alone.stderr == "--redraw: expected --pages DIR, the folder of the pages\n"
    elsewhere = reproduce(shelf, folder, "--redraw", "--pages", "other")
    said = "has no pages of pages-2001; cellway reproduce pages-2001 --pages other writes"
    assert (elsewhere.returncode, said in elsewhere.stderr) == (2, True)


def test_what_somebody_else_wrote_is_not_replaced(shelf: Path, folder: Path) -> None:
    (folder / "REPRODUCED.md").write_text("# Mine\n")
    reported = reproduce(shelf, folder, "--all", "--pages", ".")
    assert (reported.returncode, reported.stdout) == (2, "")
    assert reported.stderr.startswith(
        "--pages REPRODUCED.md: the file exists, and cellway did not write it"
    )
    assert content(folder) == {"REPRODUCED.md": b"# Mine\n"}


def test_a_page_is_of_whole_papers(shelf: Path, folder: Path) -> None:
    reported = reproduce(shelf, folder, "pages-2001", "P-T1", "--pages", ".")
    assert (reported.returncode, reported.stdout) == (2, "")
    assert reported.stderr == "--pages: P-T1 is a part of a paper; a page covers whole papers\n"
    assert content(folder) == {}


def test_parts_keep_their_seconds_and_exit_codes(tmp_path: Path) -> None:
    kept = tmp_path / "seconds"
    part = str(ROOT / "tools/part")

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        env = {**os.environ, "SECONDS_OF_PARTS": str(kept)}
        return subprocess.run(
            [part, *arguments], capture_output=True, text=True, check=False, env=env
        )

    assert run("short", "true").stdout == "== short\n== short: 0 s\n"
    assert run("long: wrong", "sh", "-c", "exit 3").returncode == 3
    assert run("--table", str(kept)).stdout.splitlines() == [
        "== seconds",
        "       0  short",
        "       0  long: wrong (failed)",
    ]
