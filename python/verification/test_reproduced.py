"""The catalogue's pages are those of the program, lack no figure, and print commands that work."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cellway import catalogue
from cellway.catalogue.digest import changed, first_runs, models_of
from cellway.catalogue.pages import FIRST_RUNS, PAGE
from cellway.cli.reproduction_text import report
from cellway.runs.models import MODEL_VERSION

ROOT = Path(__file__).parents[2]
FOLDER = (ROOT / FIRST_RUNS).parent
PAGES = [ROOT / PAGE, *sorted(FOLDER.glob("*.md"))]
FIGURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
COMMAND = re.compile(r"`(cellway [^`]+)`")
FINE, DIFFERENCE = 0, 1


def commands() -> list[str]:
    """The commands on pages, whole papers first: the others find their runs in the store."""
    found = {
        command: None
        for page in PAGES
        for command in COMMAND.findall(page.read_text(encoding="utf-8"))
    }
    return sorted(found, key=lambda command: (len(command.split()) != 3, command))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of the source, in which commands may write."""
    folder = tmp_path_factory.mktemp("clone")
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (folder / entry.name).symlink_to(entry)
    return folder


@pytest.mark.timeout(1800)
def test_one_run_of_every_row_is_what_the_pages_were_made_from(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = [
        catalogue.reproduce(catalogue.paper(name), quick=True, store=store)
        for name in catalogue.paper_ids()
    ]
    for columns in (80, 120):
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", str(columns))
        wide = [line for one in done for line in report(one) if "  " in line]
        assert max(map(len, wide)) <= columns
    kept = (ROOT / FIRST_RUNS).read_text(encoding="utf-8")
    differing = changed(kept, first_runs(done))
    assert not differing, "run `make catalogue`; these rows have changed:\n" + "\n".join(differing)
    older = [paper for paper, model in models_of(kept).items() if model != MODEL_VERSION]
    if older:
        with capsys.disabled():
            print(  # noqa: T201
                f"\nnote: {', '.join(older)} ran on earlier models, which give the same first runs"
            )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_figure_is_missing(page: Path) -> None:
    named = FIGURE.findall(page.read_text(encoding="utf-8"))
    assert [name for name in named if not (page.parent / name).is_file()] == []


def test_no_figure_is_left_from_earlier_pages() -> None:
    named = {
        (page.parent / name).resolve()
        for page in PAGES
        for name in FIGURE.findall(page.read_text(encoding="utf-8"))
    }
    assert [file.name for file in FOLDER.glob("*.svg") if file.resolve() not in named] == []


def test_the_pages_are_of_all_replications() -> None:
    assert [page.name for page in PAGES if "**Quick" in page.read_text(encoding="utf-8")] == []


def test_every_paper_has_its_pages() -> None:
    assert [page.stem for page in PAGES[1:]] == list(catalogue.paper_ids())


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("command", commands())
def test_a_command_that_a_page_prints_works(command: str, clone: Path, store: Path) -> None:
    """A difference without a reason is 1, and is said; anything else that ends so has failed."""
    _, *arguments = shlex.split(command)
    reproduces = arguments[0] == "reproduce"
    arguments += ["--quick", "--store", str(store)] if reproduces else []
    answer = subprocess.run(
        [sys.executable, "-c", "from cellway.cli import main; main()", *arguments],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MPLCONFIGDIR": str(store.parent / "matplotlib")},
    )
    differs = reproduces and " It differs." in answer.stdout and "failed: " not in answer.stdout
    assert answer.returncode == FINE or (answer.returncode == DIFFERENCE and differs), (
        answer.stdout + answer.stderr
    )
    assert answer.stdout
