"""Programs of a measurement: their options without root; with root also ends before the end."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import pytest

from cellway import MeasurementError, Scenario
from cellway.cli.arguments import call
from cellway.cli.ending import ending
from cellway.cli.parameters import Argument, Rest, UsageError
from cellway.cli.programs import Programs, of_left, of_programs, programs_of
from cellway.runs.measured import Program, differences, measure
from common import Command, refused
from disks import SIZE

TEXT = """
run = { duration = "60 s", warm_up = "0.2 s", seed = 1 }
host = { near = {}, far = {} }
[link.wire]
between = ["near", "far"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "5 ms"
[flow.bulk]
from = "near"
to = "far"
traffic = "greedy"
tcp = { preset = "linux", window = "64 KiB" }
"""
CELLWAY = "from cellway.cli import main; main()"
with_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or not os.access("/dev/net/tun", os.W_OK),
    reason="needs root and /dev/net/tun",
)


@pytest.fixture
def path(folder: Path) -> Path:
    file = folder / "path.toml"
    file.write_text(TEXT)
    return file


def test_a_command_is_its_words_or_a_line_for_a_shell() -> None:
    given = [("near", "sh -c 'a b'"), ("far", "sh a && b"), ("far", "X=1 sh $HOME")]
    assert programs_of(given) == [
        Program("near", ["sh", "-c", "a b"]),
        Program("far", ["sh", "-c", "sh a && b"]),
        Program("far", ["sh", "-c", "X=1 sh $HOME"]),
    ]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-program -x", "--exec near no-such-program: no such program"),
        ("no-such-program | sh", "--exec near no-such-program: no such program"),
        ("sh 'a", "--exec near sh 'a: no closing quotation"),
        (" ", "--exec near: an empty command"),
    ],
)
def test_a_program_that_is_not_there_is_refused(
    path: Path, cellway: Command, command: str, said: str
) -> None:
    assert refused(cellway, "measure", path, "--exec", "near", command).startswith(said)


def test_hosts_and_flows_that_are_not_there_are_refused(path: Path, cellway: Command) -> None:
    said = refused(cellway, "measure", path, "--exec", "nearest", "sh")
    assert said == "no host `nearest`; expected a host of: near, far\n"
    said = refused(cellway, "measure", path, "--exec", "near", "sh", "--flow", "bulky")
    assert said.startswith("no flow `bulky` with `tcp` starts or ends at a host of a program")
    assert refused(cellway, "measure", path, "--flow", "bulk").startswith("--flow bulk: there is")
    assert refused(cellway, "shell", path, "near", "--", "no-such").startswith("shell no-such: no")


def test_words_behind_two_dashes_are_the_command() -> None:
    found: list[tuple[object, ...]] = []

    def given(
        file: Annotated[Path, Argument(help="A file.")],
        host: Annotated[str, Argument(help="A host.")],
        programs: Programs = [],  # noqa: B006
        command: Annotated[list[str], Rest("COMMAND...", "A command.")] = [],  # noqa: B006
    ) -> None:
        found.append((str(file), host, programs, command))

    call("given", given, ["f", "--exec", "far", "a -b", "h", "--", "ping", "--", "-c", "1"])
    call("given", given, ["f", "h"])
    with pytest.raises(UsageError, match="argument --exec: expected 2 arguments"):
        call("given", given, ["f", "h", "--exec", "far"])
    assert found == [
        ("f", "h", [["far", "a -b"]], ["ping", "--", "-c", "1"]),
        ("f", "h", [], []),
    ]


def test_programs_differ_in_what_they_set_themselves() -> None:
    scenario = Scenario.parse(TEXT)
    of = differences(scenario, [Program("near", ["sh"])])["bulk"]
    assert [said.split(":")[0] for said in of] == ["window", "send_buffer, nagle, pacing"]
    with pytest.raises(MeasurementError, match="no host `x`"):
        measure(scenario, programs=[Program("x", ["sh"])])


def test_tables_have_packets_and_codes() -> None:
    way = {
        "from": "near",
        "to": "far",
        "sent": 10,
        "lost": {"lost_on.wire": 2},
        "packet_bits_per_second": 1.5e6,
        "delay": {"p50": 0.005, "p99": 0.02, "max": 0.1},
    }
    (*_, there, back, _) = of_left({"left": {"bulk": {"there": way, "back": {**way, "sent": 3}}}})
    assert there.split() == ["bulk", "near", "far", "10", "2", "1.500", "5.000", "20.00", "100.0"]
    assert back.split()[3] == "3"
    program = {"host": "near", "command": "sh -c a\nb", "started_s": 0.5, "ended_s": None}
    *_, row, _ = of_programs({"programs": [{**program, "code": None}]})
    assert row.split() == ["sh", "-c", "a", "near", "0.5000", "–", "–"]
    assert of_left({}) == of_programs({}) == []


def test_the_first_signal_asks_and_the_second_interrupts() -> None:
    with ending() as end:
        signal.raise_signal(signal.SIGINT)
        assert end.is_asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    with ending(by_terminal=False) as end:
        signal.raise_signal(signal.SIGINT)
        assert not end.is_asked


@with_root
def test_ctrl_c_keeps_the_results_until_then(path: Path) -> None:
    out = path.parent / "out"
    command = [sys.executable, "-c", CELLWAY, "measure", str(path), "--out", str(out)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    said, complained = process.communicate(timeout=20)
    assert (process.returncode, complained) == (130, "interrupted\n"), said
    assert "note: not to be trusted: ended at " in said
    measured = json.loads((out / "measured.json").read_text())
    ended = measured["ended"]
    assert (ended["of_s"], ended["fault"]) == (60, None)
    assert measured["marks"][0] == f"ended at {ended['at_s']:.3f} s of 60 s"
    assert json.loads((out / "summary.json").read_text())["duration_s"] == ended["at_s"]


@with_root
def test_ctrl_c_before_the_end_of_the_warm_up_leaves_nothing(path: Path) -> None:
    out = path.parent / "out"
    command = [sys.executable, "-c", CELLWAY, "measure", str(path), "--out", str(out)]
    command += ["--set", 'run.warm_up="50 s"']
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, complained = process.communicate(timeout=20)
    assert (process.returncode, complained) == (130, "interrupted\n")
    assert not out.exists()


@with_root
def test_a_full_disk_loses_no_result(path: Path, small_disk: Path) -> None:
    (small_disk / "full").write_bytes(bytes(SIZE - 4096))
    words = ["measure", str(path), "--set", 'run.duration="0.5 s"', "--out", f"{small_disk}/out"]
    result = subprocess.run(
        [sys.executable, "-c", CELLWAY, *words], capture_output=True, text=True, check=False
    )
    assert result.returncode == 2, result
    assert "no space left" in result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    assert "by this machine's TCP, measured from 0.2 s" in result.stdout
    assert not (small_disk / "out" / "summary.json").exists()


@with_root
def test_a_shell_ends_with_its_command(path: Path) -> None:
    script = "import socket, sys; print(socket.gethostbyname('far')); sys.exit(7)"
    words = ["shell", str(path), "near", "--", sys.executable, "-c", script]
    result = subprocess.run(
        [sys.executable, "-c", CELLWAY, *words], capture_output=True, text=True, check=False
    )
    assert result.returncode == 7, result
    assert result.stderr == ""
    address = "10.64.1.2"
    assert [line for line in result.stdout.splitlines() if line == address] == [address]
    assert f"far                {address}" in result.stdout
    assert "not to be trusted" not in result.stdout
