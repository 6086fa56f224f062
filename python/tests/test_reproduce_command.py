"""`cellway reproduce` on a shelf of its own: exit codes, files, and what is left after Ctrl-C."""

import json
import re
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cellway.catalogue import Reproduction
from cellway.cli.reproduction_text import report
from common import CLAIMS, PAPER, Command, Files, changed, joined, refused, write_paper
from started import Process, Starter, ended_by, process_of

Reproduce = Callable[..., tuple[int, str]]

START = """
import pathlib, sys
import cellway.cli
from cellway.catalogue import shelf
shelf.SHELF = pathlib.Path(sys.argv.pop(1))
print("ready", file=sys.stderr, flush=True)
cellway.cli.main()
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A shelf with the small paper, without claims."""
    return shelved(tmp_path / "shelf", PAPER)


def shelved(shelf: Path, files: Files) -> Path:
    """The folder `shelf` with a single paper."""
    shutil.rmtree(shelf, ignore_errors=True)
    return write_paper(shelf / "small-2001", files).parent


def start(shelf: Path, folder: Path, *arguments: str) -> Process:
    return process_of(START, [shelf, "reproduce", *arguments], folder)


@pytest.fixture
def reproduce(starter: Starter, folder: Path) -> Reproduce:
    """`cellway reproduce` to its end; its exit code and what it printed."""

    def call(shelf: Path, *arguments: str) -> tuple[int, str]:
        done = starter.run(START, [shelf, "reproduce", *arguments], folder)
        assert done.stderr == "ready\n"
        return done.returncode, done.stdout

    return call


def test_a_difference_without_a_reason_is_1_and_with_one_0(
    shelf: Path, reproduce: Reproduce
) -> None:
    code, text = reproduce(shelf, "--all")
    assert code == 1
    assert '1 agrees, 1 undecided, 1 "differs, because", 1 differs' in text
    code, text = reproduce(shelf, "small-2001", "T1")
    assert code == 0
    assert '1 agrees, 1 undecided, 1 "differs, because", 0 differs' in text


def test_without_a_paper_nothing_runs_and_the_papers_are_listed(
    shelf: Path, reproduce: Reproduce
) -> None:
    code, text = reproduce(shelf)
    assert code == 0
    (line,) = (one for one in text.splitlines() if one.startswith("small-2001"))
    code, ran = reproduce(shelf, "--all", "--json")
    (paper,) = json.loads(ran)["papers"]
    (listed,) = json.loads(reproduce(shelf, "--json")[1])["papers"]
    assert listed["numbers"] == len(paper["rows"])
    assert line.split()[:4] == ["small-2001", str(len(paper["rows"])), str(listed["runs"]), "–"]
    assert "cellway reproduce --all runs all of them" in text


def test_the_listed_runs_are_those_of_the_store(
    shelf: Path, reproduce: Reproduce, folder: Path
) -> None:
    for quick in ([], ["--quick"]):
        store = f"kept{len(quick)}"
        reproduce(shelf, "small-2001", "--store", store, *quick)
        with closing(sqlite3.connect(folder / store / "runs.sqlite")) as database:
            (count,) = database.execute("SELECT count(*) FROM runs").fetchone()
        (listed,) = json.loads(reproduce(shelf, "--json")[1])["papers"]
        assert count == listed["quick_runs" if quick else "runs"]


def test_options_of_runs_ask_for_a_paper_or_all(cellway: Command) -> None:
    for options in (["--quick"], ["--store", "kept"], ["--measure"]):
        said = refused(cellway, "reproduce", *options)
        assert said.startswith(f"{options[0]}: expected a paper, one of acts-1999, ")
    assert "expected without a paper" in refused(cellway, "reproduce", "magic-1997", "--all")


def test_a_verdict_on_one_of_several_runs_says_so_in_table_and_sentence(
    shelf: Path, reproduce: Reproduce
) -> None:
    """The rows state 8, 2, 1 and 4 runs; the ceiling needs one alone, and T2-R2 is not judged."""
    _, quick = reproduce(shelf, "small-2001", "--quick")
    assert "quick: one run per row, not the stated replications" in quick
    said = {
        line.split()[0]: line.rstrip().rpartition("  ")[2]
        for line in quick.splitlines()
        if "(one run, no interval)" in line
    }
    assert said == {
        "T1-R1": "agrees (one of 8 runs)",
        "T1-R2": "differs (one of 2 runs)",
        "T2-R1": "differs",
        "T2-R2": "not judged",
        "T1-D1": "differs (one of 8 runs)",
    }
    assert "ours 136 cells. It differs, by one of 2 runs. " in quick
    _, whole = reproduce(shelf, "small-2001")
    assert "(one of " not in whole
    assert ", by one of " not in whole


def test_a_claim_decides_the_exit_code_like_a_row(shelf: Path, reproduce: Reproduce) -> None:
    shelved(shelf, joined(PAPER, CLAIMS))
    assert [reproduce(shelf, "small-2001", code)[0] for code in ("C1", "C2", "C3")] == [0, 0, 1]


def test_a_claim_that_divides_by_zero_is_one_line(shelf: Path, folder: Path) -> None:
    zero = changed(CLAIMS, "published.toml", "paced / plain", "paced / (plain - plain)")
    shelved(shelf, joined(PAPER, zero))
    with start(shelf, folder, "small-2001", "C3", "--workers", "1") as process:
        stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (1, "")
    said = "ready\nthe run failed: C3: paced / (plain - plain) of seed 1 has no finite"
    assert stderr.startswith(said)
    assert stderr.count("\n") == 2


def test_faulty_data_are_one_line_with_their_place(shelf: Path, folder: Path) -> None:
    """The year is in the sixth line, behind `year = `."""
    data = shelf / "small-2001" / "published.toml"
    data.write_text(data.read_text().replace("year = 2001", "year = 1066"))
    with start(shelf, folder, "small-2001") as process:
        stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (2, "")
    assert stderr == f"ready\n{data}:6:8: `year` is 1066; at least 1900 is accepted\n"


def test_json_markdown_and_plots(shelf: Path, folder: Path, reproduce: Reproduce) -> None:
    files = ("--markdown", "made/R.md", "--plots", "drawn")
    whole = ("--all", "--json", "--sensitivity", *files)
    code, text = reproduce(shelf, *whole, "--workers", "2")
    (paper,) = json.loads(text)["papers"]
    assert code == 1
    assert paper["counts"] == {"agrees": 1, "undecided": 1, "differs, because": 1, "differs": 1}
    assert [row["n"] for row in paper["rows"]] == [8, 2, 1, 4, 8]
    assert (folder / "drawn/small-2001-judged.png").read_bytes().startswith(b"\x89PNG")
    written = (folder / "made/R.md").read_bytes()
    assert reproduce(shelf, *whole, "--workers", "1") == (code, text)
    assert (folder / "made/R.md").read_bytes() == written


def test_ctrl_c_prints_what_is_finished_and_nothing_empty(shelf: Path, folder: Path) -> None:
    """The first row never ends, nor does the claim on it; no rule, table or dash is for them."""
    endless = '"run.duration" = "400000 s", "flow.bulk.service.ubr.pace"'
    paper = changed(PAPER, "published.toml", '"flow.bulk.service.ubr.pace"', endless)
    shelved(shelf, joined(paper, CLAIMS))
    with start(shelf, folder, "--all", "--markdown", "R.md", "--workers", "2") as process:
        assert process.stderr is not None
        process.stderr.readline()
        stdout, stderr = ended_by(signal.SIGINT, process)
    assert stderr == "interrupted\n"
    finished = re.search(r"interrupted: (\d+) rows.* of 5 rows and 3 claims finished", stdout)
    assert finished, stdout
    assert len(re.findall(r"^T\d-[RD]\d  ", stdout, re.MULTILINE)) == int(finished[1])
    assert "T1-R1" not in stdout
    assert "interrupted)" not in stdout
    assert not list(folder.iterdir())


@pytest.mark.parametrize("columns", [80, 120])
def test_tables_fit_a_terminal_and_name_what_they_leave_out(
    small_done: Reproduction, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    whole = report(small_done)
    wide = max(len(line) for line in whole if "  " in line)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(wide))
    assert report(small_done) == whole
    monkeypatch.setenv("COLUMNS", str(columns))
    fitted = report(small_done)
    assert max(len(line) for line in fitted if "  " in line) <= columns
    for result in small_done.results:
        verdict = str(result.verdict).split(maxsplit=1)[0]
        assert any(line.startswith(result.code) and verdict in line for line in fitted)
    if columns == 80:
        assert any("| less -S has" in line for line in fitted)


def test_the_code_of_a_figure_runs_its_rows_and_draws_it_alone(
    shelf: Path, folder: Path, reproduce: Reproduce
) -> None:
    _, text = reproduce(shelf, "small-2001", "F-T1", "--quick", "--json", "--plots", "drawn")
    (paper,) = json.loads(text)["papers"]
    assert [row["code"] for row in paper["rows"]] == ["T1-R1", "T2-R1"]
    assert [file.name for file in (folder / "drawn").glob("*.png")] == ["small-2001-F-T1.png"]
    # Its lines are runs of its own, and no rows.
    code, _ = reproduce(shelf, "small-2001", "f-o1", "--quick", "--plots", "lines")
    assert code == 0
    assert [file.name for file in (folder / "lines").glob("*.png")] == ["small-2001-F-O1.png"]
