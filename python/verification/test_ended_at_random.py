"""Commands that are killed or asked to end at random moments lose nothing and mix nothing.

`ENDED_AT_RANDOM` says how often; half of them by `kill -9`, the others by Ctrl-C, SIGTERM and
SIGHUP in turns. The moments are spread over the time that the command takes undisturbed: the least
so far, as the machine may have had other work before.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
import pytest

from cellway import Run
from common import SMALL, text_of

COUNT = int(os.environ.get("ENDED_AT_RANDOM", "24"))
ASKING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
PROMPT = 1.0
"""Seconds within which a request to end is heard, where processes need not wait for a core."""
LONGEST = 60.0
TIMES = ["wall_seconds", "cpu_seconds"]
"""The columns of a table of runs that no two machines have alike."""
OURS = re.compile(r"\.cellway-(complete|\w+\.partial)|\..+\.\w{8}\.partial")
"""What a killed process may leave, until the next one writes."""
SCENARIO = SMALL.replace('duration = "1 s"', 'duration = "3 s"')
STUDY = text_of("windows.toml")
COMMAND = "import cellway.cli; print(flush=True); cellway.cli.main()"


@dataclass
class Tried:
    """A command, what it leaves undisturbed, and what ended it how often."""

    words: list[str]
    kept: Callable[[Path], object]
    whole: object = None
    seconds: float = 0.0
    said: str = ""
    late: list[float] = field(default_factory=list)


def start(folder: Path, words: list[str]) -> "subprocess.Popen[str]":
    """The command, which has been imported when this returns."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A loop of tests in the background has Ctrl-C ignored, and would hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def table_of(folder: Path) -> object:
    """The table of runs of a study, but for its times."""
    file = folder / "study" / "runs.parquet"
    return pl.read_parquet(file).drop(TIMES).rows() if file.exists() else None


def run_of(folder: Path) -> object:
    out = folder / "run"
    if not (out / "summary.json").exists() and not (out / ".cellway-complete").exists():
        return None
    found = Run.load(out)
    return found.summary_json, {
        name: found.series(name).value.tobytes() for name in found.series_names
    }


def file_of(name: str) -> Callable[[Path], object]:
    def content(folder: Path) -> object:
        file = folder / name
        return file.read_bytes() if file.exists() else None

    return content


def commands() -> dict[str, Tried]:
    pages = ["--quick", "--store", "store", "--markdown", "page.md"]
    return {
        "run": Tried(["run", "base.toml", "--out", "run"], run_of),
        "study": Tried(["study", "means.toml", "--out", "study", "--workers", "1"], table_of),
        "plot": Tried(["plot", "base.toml", "--out", "figure.png"], file_of("figure.png")),
        "reproduce": Tried(["reproduce", "magic-1997", "S4-T2-R2", *pages], file_of("page.md")),
    }


def finished(folder: Path, tried: Tried) -> str:
    """What the command prints undisturbed."""
    process = start(folder, tried.words)
    began = time.monotonic()
    stdout, stderr = process.communicate(timeout=600)
    tried.seconds = time.monotonic() - began
    assert (process.returncode, stderr) == (0, ""), (tried.words, stderr)
    return stdout


def end_at(folder: Path, tried: Tried, after: float, number: signal.Signals) -> int:
    """Ends the command by a signal; its exit code. All that it left is whole."""
    process = start(folder, tried.words)
    began = time.monotonic()
    try:
        process.wait(after)
        tried.seconds = min(tried.seconds, time.monotonic() - began)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    asked = time.monotonic()
    _, stderr = process.communicate(timeout=LONGEST)
    code = process.returncode
    if code == 130:
        tried.late.append(time.monotonic() - asked)
    expected = {-signal.SIGKILL: "", 130: "interrupted\n", 0: ""}
    assert stderr == expected.get(code), (tried.words, number, after, code, stderr)
    assert code != -signal.SIGKILL or number == signal.SIGKILL
    found = tried.kept(folder)
    assert found in (None, tried.whole) or table_is_part(found, tried.whole), (tried.words, after)
    left = [file.name for file in folder.iterdir() if file.name.startswith(".")]
    assert all(OURS.fullmatch(name) for name in left)
    assert number == signal.SIGKILL or not left, left
    return code


def table_is_part(found: object, whole: object) -> bool:
    """Whether a table has some of the rows of the whole one: a study that was asked to end."""
    return isinstance(found, list) and isinstance(whole, list) and set(found) < set(whole)


def cleared(folder: Path) -> None:
    for file in folder.iterdir():
        if file.suffix != ".toml":
            shutil.rmtree(file) if file.is_dir() else file.unlink()


def tried_in(folder: Path) -> Mapping[str, Tried]:
    """The commands, with what each leaves and prints when nobody disturbs it."""
    folder.mkdir()
    (folder / "base.toml").write_text(SCENARIO)
    (folder / "means.toml").write_text(STUDY)
    every = commands()
    for tried in every.values():
        tried.said = finished(folder, tried)
        tried.whole = tried.kept(folder)
        assert tried.whole is not None
        cleared(folder)
    return every


@pytest.mark.timeout(3600)
def test_ended_at_random_nothing_is_lost_or_mixed(tmp_path: Path) -> None:
    folder, chance = tmp_path / "work", random.Random(1996)
    every = tried_in(folder)
    codes: dict[int, int] = {}
    for number in range(COUNT):
        tried = [*every.values()][number % len(every)]
        how = signal.SIGKILL if number // len(every) % 2 else ASKING[number // 8 % len(ASKING)]
        code = end_at(folder, tried, chance.uniform(0.0, 1.05 * tried.seconds), how)
        codes[code] = codes.get(code, 0) + 1
    late = sorted(one for tried in every.values() for one in tried.late)
    print(f"{COUNT} ended, by exit code {codes}; heard within {late[-1] if late else 0:.2f} s")  # noqa: T201
    assert codes[130] > COUNT // 6
    assert codes[-signal.SIGKILL] > COUNT // 6
    if os.getloadavg()[0] <= (os.cpu_count() or 1):
        assert late[-1] < PROMPT, late
    # What was disturbed comes to its end as if it had not been, and leaves nothing else.
    for name, tried in every.items():
        said = finished(folder, tried)
        assert tried.kept(folder) == tried.whole, name
        assert said == tried.said or name == "reproduce", name
    assert not [file.name for file in folder.rglob(".*") if OURS.fullmatch(file.name)]
