"""Queues that windows make, and flows that are alike: what `explain` says against runs."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cellway
from cellway.cli.alike import folded, in_common, together
from cellway.cli.describe import explain
from cellway.cli.outlook import queues, recovery
from common import Command, text_of

if TYPE_CHECKING:
    from cellway.result_types import WindowsFacts

PATH = text_of("two_windows.toml")


def _windows(scenario: cellway.Scenario, port: str) -> "WindowsFacts":
    ports = {one["name"]: one for one in scenario.explain()["ports"]}
    return ports[port]["queues"][0]["windows"]


@pytest.mark.parametrize("delay", ["5 ms", "20 ms", "80 ms"])
@pytest.mark.parametrize("ack", ["delayed", "every_segment"])
@pytest.mark.parametrize("window", ["32 KiB", "64 KiB"])
def test_the_largest_queue_is_that_of_a_run(delay: str, ack: str, window: str) -> None:
    scenario = cellway.Scenario.parse(PATH).with_sets(
        [("link.trunk.delay", delay), ("flow.*.tcp.ack", ack), ("flow.*.tcp.window", window)]
    )
    expected = _windows(scenario, "a.trunk")
    found = cellway.run(scenario).summary["ports"]["a.trunk"]["max_queue"]
    waiting = expected["units"] - expected["on_the_path"]
    # Where windows do not fill the path, flows meet in slow start, or miss each other.
    near = 2 * expected["flows"] if waiting >= expected["largest_queue"] else 0.4 * found
    assert found == pytest.approx(expected["largest_queue"], abs=near)


def test_a_single_window_by_hand() -> None:
    """44 segments of 1500 B; the path is 14 ms and frames on two fast lines, at 5 Mbit/s."""
    one = PATH.replace("count = 2\n", "").replace("[*]", "")
    found = _windows(cellway.Scenario.parse(one), "a.trunk")
    assert found["units"] == 44
    fast = 2 * (1500 + 40) * 8 / 100e6 + 40 * 8 / 5e6
    assert found["on_the_path"] == pytest.approx((14e-3 + fast) * 5e6 / 12e3, rel=1e-9)
    assert found["largest_queue"] == pytest.approx(44 - found["on_the_path"])


def test_a_host_that_is_as_narrow_leaves_no_queue() -> None:
    narrow = cellway.Scenario.parse(PATH).with_set("link.in.rate", "2 Mbit/s of line")
    assert not any(
        queue.get("windows") for port in narrow.explain()["ports"] for queue in port["queues"]
    )


def test_members_that_are_alike_are_one_and_others_say_in_what_they_differ() -> None:
    scenario = cellway.Scenario.parse(PATH)
    assert scenario.explain()["alike"] == [
        {"name": "bulk", "flows": ["bulk[1]", "bulk[2]"], "differ_in": []}
    ]
    changed = scenario.with_sets(
        [("flow.bulk[2].tcp.window", "32 KiB"), ("flow.bulk[2].start", "1 s")]
    )
    assert [(one["flows"], one["differ_in"]) for one in changed.explain()["alike"]] == [
        (["bulk[1]"], []),
        (["bulk[2]"], ["start", "tcp.window"]),
    ]
    farther = scenario.with_set("link.in[2].delay", "30 ms")
    assert farther.explain()["alike"][1]["differ_in"] == ["link in[*]"]


def test_flows_of_their_own_names_that_are_alike_are_one_entry(
    cellway: Command, folder: Path
) -> None:
    own = [
        f'[flow.{name}]\nfrom = "src[1]"\nto = "dst"\ntraffic = "greedy"\n[flow.{name}.tcp]\n'
        for name in "xyzuv"
    ]
    text = PATH[: PATH.index("[flow.")] + "\n".join(own)
    (folder / "own.toml").write_text(text.replace("count = 2", "count = 1"))
    said = cellway("explain", "own.toml").stdout
    assert [line for line in said.splitlines() if line.startswith("flow ")] == [
        "flow x, y, z and 2 more (5 flows alike)"
    ]
    other = cellway("explain", "own.toml", "--set", "flow.y.tcp.window=32 KiB").stdout
    assert [line for line in other.splitlines() if line.startswith("flow ")] == [
        "flow x, z, u and 1 more (4 flows alike)",
        "flow y",
    ]


def test_a_hundred_flows_are_one_entry(cellway: Command, folder: Path) -> None:
    (folder / "many.toml").write_text(PATH.replace("count = 2", "count = 100"))
    said = cellway("explain", "many.toml").stdout
    assert "flow bulk[1..100] (100 flows alike)" in said
    assert "src[*] > a > b > dst" in said
    assert len(said.splitlines()) < 45
    other = cellway("explain", "many.toml", "--set", "flow.bulk[7].tcp.recovery=tahoe").stdout
    assert "flow bulk[1..6, 8..100] (99 flows alike)" in other
    assert "flow bulk[7]: as bulk[1..6, 8..100] but for tcp." in other
    assert other.splitlines()[-1].startswith("  recovery  tahoe: ")


@pytest.mark.parametrize("columns", [80, 100])
def test_no_line_of_a_flow_is_wider_than_a_terminal(
    columns: int,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = folder / "narrow.toml"
    file.write_text(PATH)
    sets = ["flow.*.tcp.recovery=reno", 'switch.a.buffer.per_port="50 packet"']
    explain(file, sets)
    whole = capsys.readouterr().out
    assert max(map(len, whole.splitlines())) > 100
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    explain(file, sets)
    wrapped = capsys.readouterr().out
    assert max(map(len, wrapped.splitlines())) <= columns
    of_flows = [text[text.index("flow bulk") :].split() for text in (whole, wrapped)]
    assert of_flows[0] == of_flows[1]


def test_names_are_put_together() -> None:
    assert together(["a[1]", "a[2]", "a[3]", "a[7]"]) == "a[1..3, 7]"
    assert together(["sw", "sw"]) == "sw"
    assert together(["x[1].up", "x[2].up"]) == "x[1..2].up"
    assert together(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"
    assert in_common("src[1] > a", "src[9] > a") == "src[*] > a"
    rows = [{"link": f"l[{number}]", "to": "s", "flows": n} for number, n in enumerate("556", 1)]
    assert folded(rows, "link", "to") == [
        {"link": "l[1..2]", "to": "s", "flows": "5"},
        {"link": "l[3]", "to": "s", "flows": "6"},
    ]


def test_what_a_drop_policy_will_do() -> None:
    sets = [("switch.a.buffer", {"per_port": "50 packet"})]
    scenario = cellway.Scenario.parse(PATH).with_sets(sets)
    header, _, row, policy = queues(scenario.explain()["ports"])[1:]
    assert header.split("  ")[0] == "bottleneck queue"
    assert header.endswith("  first loss")
    assert "88 packets" in row
    assert policy == (
        "a.trunk: tail: Discards a cell or packet that arrives while the buffer is full."
    )
    assert re.search(r"  about \d+ segments, or fewer$", row)
    wide = scenario.with_sets(
        [
            ("switch.a.buffer.per_port", "100 packet"),
            ("switch.a.drop", {"epd": {"threshold": "50 packet"}}),
        ]
    )
    assert re.search(r"  none  +0 to \d+ segments$", queues(wide.explain()["ports"])[3])
    early = scenario.with_set("switch.a.drop", {"selective_drop": {"threshold": 0.8}})
    said = queues(early.explain()["ports"])[-1]
    assert "(threshold 40 packets, an equal share there 20.00 packets of 2 VCs)" in said


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("vanilla", "every loss waits for the timer, 10.00 s or more"),
        ("reno", "repairs one loss per window in a round trip"),
        ("new_reno", "if a window loses more than about"),
        ("sack", "repairs all losses of a window in about a round trip"),
    ],
)
def test_what_a_recovery_rule_will_do(rule: str, words: str) -> None:
    scenario = cellway.Scenario.parse(PATH).with_set("flow.*.tcp.recovery", rule)
    tcp = scenario.explain()["flows"][0]["tcp"]
    assert tcp
    assert tcp["recovery"] == rule
    assert words in recovery(tcp)
    few = scenario.with_set("flow.*.tcp.window", "4 KiB").explain()["flows"][0]["tcp"]
    assert few
    assert "every loss waits for the timer" in recovery(few)
