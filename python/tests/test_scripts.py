"""Packet scripts from the command line: verdicts, tables, faults and notes."""

import json
import sys
from pathlib import Path

import pytest

from common import ROOT, Command, refused

SCRIPTS = ROOT / "crates/stack/scripts"
GO_BACK_N = f"{sys.executable} {ROOT / 'crates/stack/examples/go_back_n.py'} 8"
TEXT = """\
--tcp mss = "1000 B"
0    connect(3, ..., ...) = 0
+0   > S 0:0(0) <...>
+.1  < S. 0:0(0) ack 1 win 65535 <mss 1000>
+0   > . 1:1(0) ack 1
+0   write(3, ..., 1000) = 1000
+0   > . 1:1001(1000) ack 1
+1   > . 1:1001(1000) ack 1
+1.5 > . 1:1001(1000) ack 1
"""


@pytest.fixture
def late(folder: Path) -> Path:
    """A script that expects the second timeout too early, with a line that is skipped."""
    path = folder / "late.pkt"
    path.write_text("`sysctl -q net.ipv4.tcp_sack=0`\n" + TEXT)
    return path


def test_scripts_of_the_tree_pass(cellway: Command) -> None:
    files = sorted(SCRIPTS.glob("timeouts/*.pkt"))
    result = cellway("script", *files)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count(": passes, ") == len(files) >= 10


def test_a_failure_shows_expected_beside_actual(cellway: Command, late: Path) -> None:
    result = cellway("script", late)
    assert (result.returncode, result.stderr) == (1, "")
    first, *rest = result.stdout.splitlines()
    assert first == f"{late}:10: fails: nothing was sent until 2.604000"
    assert rest[0].split() == ["line", "expected", "at", "s", "actual"]
    row = "10 +1.5 > . 1:1001(1000) ack 1 nothing"
    assert " ".join(rest[-2].split()) == row
    skipped = f"note: {late}:1: skipped `sysctl -q net.ipv4.tcp_sack=0`: a command"
    assert rest[-1].startswith(skipped)


def test_json_has_all_reports(cellway: Command, late: Path) -> None:
    good = SCRIPTS / "handshake/active.pkt"
    result = cellway("script", good, late, "--json")
    assert result.returncode == 1
    reports = json.loads(result.stdout)
    assert reports[str(good)]["fault"] is None
    assert reports[str(late)]["fault"][0] == 10
    assert reports[str(late)]["skipped"][0]["line"] == 1
    assert reports[str(good)]["stack"] == "model"


def test_show_prints_what_passes(cellway: Command) -> None:
    lines = cellway("script", SCRIPTS / "handshake/active.pkt", "--show").stdout.splitlines()
    assert "+0 > S 0:0(0) <mss 1000,sackOK,wscale 1>" in lines[4]
    assert lines[4].endswith("S 0:0(0) win 65535 <mss 1000,sackOK,wscale 1>")


def test_another_stack_is_asked(cellway: Command) -> None:
    result = cellway("script", SCRIPTS / "handshake/active.pkt", "--stack", GO_BACK_N)
    assert result.returncode == 1
    assert ": fails: nothing was sent until 0.004000" in result.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TEXT.replace("win 65535", "wim 5"), "late.pkt:4:24: `wim` is not accepted here; expected"),
        (TEXT.replace("mss =", "mms ="), "late.pkt:1:7: "),
        ("\xff", "late.pkt: no text in UTF-8; expected a packet script"),
    ],
)
def test_faults_have_a_place(cellway: Command, late: Path, text: str, said: str) -> None:
    late.write_bytes(text.encode("latin-1"))
    assert said in refused(cellway, "script", late)


def test_wrong_words_are_refused(cellway: Command, late: Path) -> None:
    assert "expected a program" in refused(cellway, "script", late, "--stack", " ")
    assert "cannot start `/no" in refused(cellway, "script", late, "--stack", "/no/such/program")
    assert "expected a packet script" in refused(cellway, "script", "none.pkt")
