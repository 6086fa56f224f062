"""Two saved runs compared, as folders and as JSON."""

import json
from pathlib import Path

import pytest

from common import Command, refused

RUN = """\
[run]
duration = "1 s"
[host.a]
[host.b]
[link.wire]
between = ["a", "b"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "50 ms"
[flow.bulk]
from = "a"
to = "b"
traffic.greedy = {}
tcp.window = "16 KiB"
"""


@pytest.fixture
def saved(folder: Path, cellway: Command) -> Path:
    """Runs with two windows, that a path of 100 ms holds several times, in both forms."""
    (folder / "path.toml").write_text(RUN)
    for name, window in (("narrow", "16 KiB"), ("wide", "32 KiB")):
        sets = ("--set", f'flow.bulk.tcp.window="{window}"')
        assert cellway("run", "path.toml", *sets, "--out", name).returncode == 0
        (folder / f"{name}.json").write_text(cellway("run", "path.toml", *sets, "--json").stdout)
    return folder


def test_numbers_are_those_of_the_summaries(saved: Path, cellway: Command) -> None:
    found = json.loads(cellway("compare", "narrow.json", "wide.json", "--json").stdout)
    narrow, wide = (json.loads((saved / f"{name}.json").read_text()) for name in ("narrow", "wide"))
    by_path = {one["number"]: one for one in found["numbers"]}
    sent = by_path["flows.bulk.segments_sent"]
    expected = [run["flows"]["bulk"]["segments_sent"] for run in (narrow, wide)]
    assert [sent["first"], sent["second"]] == expected
    assert sent["difference"] == expected[1] - expected[0] > 0
    # The duration and the seed are the same.
    assert not {"duration_s", "seed"} & by_path.keys()
    assert (found["settings"], found["left_out"]) == (None, [[], []])


@pytest.mark.usefixtures("saved")
def test_folders_also_have_settings(cellway: Command) -> None:
    said = cellway("compare", "narrow", "wide")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith("wide minus narrow, a single pair of runs: no intervals\n")
    assert 'flow.bulk.tcp.window  "16 KiB"  "32 KiB"' in said.stdout
    assert "\nflows.bulk.throughput_bits_per_second " in said.stdout
    same = cellway("compare", "narrow", "narrow.json").stdout
    assert "settings not compared: JSON of a run has none" in same
    assert "no number differs" in same
    told = cellway("compare", "wide", "wide").stdout
    assert "the scenarios have the same value of every key" in told


def test_what_is_no_run_is_said(saved: Path, cellway: Command) -> None:
    expected = "expected a folder of `cellway run --out`, or the output of `cellway run --json`\n"
    none = f"path.toml: not a saved run; {expected}"
    assert refused(cellway, "compare", "path.toml", "wide.json") == none
    (saved / "list.json").write_text("[1]")
    none = f"list.json: not a saved run; {expected}"
    assert refused(cellway, "compare", "wide", "list.json") == none
    other = f"nowhere: not a run, as the other is; {expected}"
    assert refused(cellway, "compare", "wide", "nowhere") == other
    alone = "wide.json: a single run; expected a second one, or a scenario file\n"
    assert refused(cellway, "compare", "wide.json") == alone
