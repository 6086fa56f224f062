"""A table in place of a study: the commands that the message names are run."""

import re
import shlex
from pathlib import Path

import pytest

from cellway import Scenario, Study
from cellway.study import Factor
from common import Command, refused
from study.texts import BESIDE, lasting


def commands_in(said: str) -> list[list[str]]:
    """Words of the commands that a message has, without `cellway`."""
    return [shlex.split(one)[1:] for one in re.findall(r"`(cellway [^`]*)`", said)]


def our_study(folder: Path) -> None:
    """A study of windows, in kibibytes, and of a factor with words."""
    factors = [
        Factor.of("window", ["flow.bulk.tcp.window"], ["16 KiB", "64 KiB"]),
        Factor.of("queue", ["link.left.delay"], ["1 ms", "2 ms"], ["tail", "fq_codel"]),
    ]
    base = Scenario.parse(lasting("50 ms", BESIDE))
    Study(base, factors, replications=2, name="ours").run(folder / "ours")


@pytest.mark.parametrize(
    "header",
    [
        "window,queue,throughput",
        # Other letters, a name that says the unit, and a column that counts runs.
        "Window,AQM,mbps,run",
        "WINDOW,Queue,Throughput,loss",
    ],
)
@pytest.mark.parametrize("command", ["compare", "plot"])
def test_the_commands_work(command: str, header: str, cellway: Command, folder: Path) -> None:
    our_study(folder)
    columns = header.split(",")
    rows = [
        ",".join([str(window), queue, *["1.5"] * (len(columns) - 2)])
        for window in (16, 64)
        for queue in ("tail", "FQ-CoDel")
        for _ in range(2)
    ]
    (folder / "my table.csv").write_text("\n".join([header, *rows, ""]))
    said = refused(cellway, command, "ours", "my table.csv")
    assert said.startswith("my table.csv: a table, not a study; expected what `cellway import 'my ")
    made, then = commands_in(said)
    assert f"{columns[0]}=KiB" in made
    assert any(word.endswith("=Mbit/s") for word in made)
    assert then == [command, "ours", "out/my table"]
    done = cellway(*made)
    assert done.returncode == 0, done.stderr
    done = cellway(*then)
    assert done.returncode == 0, done.stderr
    assert "FQ-CoDel = fq_codel" in done.stdout + done.stderr
    assert "not compared" not in done.stdout


@pytest.mark.parametrize("words", [["compare", "t.csv"], ["plot", "t.csv"]])
def test_a_table_alone_names_words_as_factors(
    words: list[str], cellway: Command, folder: Path
) -> None:
    (folder / "t.csv").write_text("queue,run,mbps\ntail,1,4.5\ntail,2,4.7\n")
    (made,) = commands_in(refused(cellway, *words))
    assert made == ["import", "t.csv", "--factor", "queue", "--response", "mbps"]
    assert cellway(*made).returncode == 0


def test_what_is_no_table_is_said(cellway: Command, folder: Path) -> None:
    (folder / "t.csv").write_bytes(b"")
    assert "t.csv: no table" in refused(cellway, "plot", "t.csv")
    said = refused(cellway, "compare", "t.csv", "missing.csv")
    assert "t.csv: no table" in said
