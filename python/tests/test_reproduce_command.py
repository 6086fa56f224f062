"""`cellway reproduce` on a shelf of its own: exit codes, files, and what is left after Ctrl-C."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from common import CLAIMS, PAPER, Files, changed, joined, write_paper
from started import Starter

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


def start(shelf: Path, folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", START, str(shelf), "reproduce", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


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
    code, text = reproduce(shelf)
    assert code == 1
    assert '1 agrees, 1 undecided, 1 "differs, because", 1 differs' in text
    code, text = reproduce(shelf, "small-2001", "T1")
    assert code == 0
    assert '1 agrees, 1 undecided, 1 "differs, because", 0 differs' in text


def test_a_claim_decides_the_exit_code_like_a_row(shelf: Path, reproduce: Reproduce) -> None:
    shelved(shelf, joined(PAPER, CLAIMS))
    assert [reproduce(shelf, "small-2001", code)[0] for code in ("C1", "C2", "C3")] == [0, 0, 1]


def test_a_claim_that_divides_by_zero_is_one_line(shelf: Path, folder: Path) -> None:
    zero = changed(CLAIMS, "published.toml", "paced / plain", "paced / (plain - plain)")
    shelved(shelf, joined(PAPER, zero))
    with start(shelf, folder, "small-2001", "C3", "--workers", "1") as process:
        stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (1, "")
    assert stderr.startswith(
        "ready\nthe run failed: C3: paced / (plain - plain) of seed 1 has no finite"
    )
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
    code, text = reproduce(shelf, "--json", "--sensitivity", "--workers", "2", *files)
    (paper,) = json.loads(text)["papers"]
    assert code == 1
    assert paper["counts"] == {"agrees": 1, "undecided": 1, "differs, because": 1, "differs": 1}
    assert [row["n"] for row in paper["rows"]] == [8, 2, 1, 4, 8]
    assert (folder / "drawn/small-2001.png").read_bytes().startswith(b"\x89PNG")
    written = (folder / "made/R.md").read_bytes()
    assert reproduce(shelf, "--json", "--sensitivity", "--workers", "1", *files) == (code, text)
    assert (folder / "made/R.md").read_bytes() == written


def test_ctrl_c_keeps_what_is_finished_and_labels_it(shelf: Path, folder: Path) -> None:
    endless = '"run.duration" = "400000 s", "flow.bulk.service.ubr.pace"'
    paper = changed(PAPER, "published.toml", '"flow.bulk.service.ubr.pace"', endless)
    shelved(shelf, joined(paper, CLAIMS))
    with start(shelf, folder, "--markdown", "R.md", "--workers", "2") as process:
        assert process.stderr is not None
        process.stderr.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.5)
        process.send_signal(signal.SIGINT)
        try:
            stdout, stderr = process.communicate(timeout=50)
        finally:
            process.kill()
    assert (process.returncode, stderr) == (130, "interrupted\n")
    assert "interrupted: rows that lack runs are not judged" in stdout
    verdicts = {
        line.split()[0]: line.rpartition("  ")[2] for line in stdout.splitlines() if "  " in line
    }
    assert verdicts["T1-R1"] == verdicts["C1"] == "not judged (interrupted)"
    assert not list(folder.iterdir())
