"""Stacks: programs at the ends of flows, the simulator's own TCP on the wire, and their faults."""

import io
import json
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cellway import Run, Scenario, StackError, StackFault, run
from cellway.plot.time_sequence import plot_time_sequence
from cellway.runs.capture import HEAD, Capture, is_capture
from cellway.stack import Answer, Call, Event, Stack, answer
from common import Command, refused

EXAMPLES = Path(__file__).parents[2] / "crates/stack/examples"
GO_BACK_N = f"{sys.executable} {EXAMPLES / 'go_back_n.py'} 8"
TEXT = """
[run]
duration = "4 s"
warm_up = "1 s"
seed = 5
[host]
a = {}
b = {}
[link.wire]
between = ["a", "b"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "20 ms"
[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = { mtu = "1500 B", timers = "fine", recovery = "sack", window = "64 KiB" }
[observe]
interval = "100 ms"
"""


@pytest.fixture
def path() -> Scenario:
    """A wire of 10 Mbit/s and 40 ms."""
    return Scenario.parse(TEXT, "wire.toml")


def test_a_window_per_round_trip_is_the_goodput(path: Scenario) -> None:
    found = run(path, stacks={"bulk": GO_BACK_N})
    # 8 packets of 1476 octets of data; a round trip is 40 ms, a packet and an acknowledgement.
    round_trip = 0.04 + (1500 + 24) * 8 / 10e6
    rate = found.flows["bulk"]["throughput_bits_per_second"]
    assert rate == pytest.approx(8 * 1476 * 8 / round_trip, rel=0.01)
    assert found.stacks is not None
    assert found.stacks["ends"]["bulk.origin"]["name"] == "go-back-N"
    assert found.stacks["ends"]["bulk.origin"]["counters"] == {"timeouts": 0.0}
    assert max(found.series("bulk.in_flight").value[10:]) == 8


def test_losses_are_repaired_and_equal_runs_are_equal(path: Scenario) -> None:
    noisy = path.with_sets([("link.wire.impairments.loss", "0.02")])
    first, second = (run(noisy, stacks={"bulk": GO_BACK_N}) for _ in range(2))
    other = run(noisy.with_sets([("run.seed", "6")]), stacks={"bulk": GO_BACK_N})
    assert first.stacks == second.stacks
    assert first.stacks is not None
    assert other.stacks is not None
    assert first.summary_json == second.summary_json
    assert first.stacks["trace"] != other.stacks["trace"]
    assert first.stacks["ends"]["bulk.origin"]["counters"]["timeouts"] > 1


def test_a_run_with_stacks_is_kept_with_its_facts(path: Scenario, tmp_path: Path) -> None:
    found = run(path, stacks={"bulk": "model"}, pcap=tmp_path / "x.pcapng")
    kept = Run.load(found.save(tmp_path / "run"))
    assert kept.stacks == found.stacks
    assert kept.measured is None
    assert (tmp_path / "x.pcapng").stat().st_size > 100_000
    names = {"bulk.cwnd", "bulk.rtt", "bulk.destination.cwnd"}
    assert names <= set(kept.series_names)


def test_a_capture_ends_with_the_fault_of_a_stack(path: Scenario, tmp_path: Path) -> None:
    file = tmp_path / "x.pcapng"
    with pytest.raises(StackFault) as fault:
        run(path, stacks={"bulk.origin": GO_BACK_N}, pcap=Capture(file, at=["a", "b"]))
    said = str(fault.value)
    assert said.startswith("stack at bulk.destination, 0.02")
    assert said.endswith(f"; {file} has the packets until then")
    # The first packet of go-back-N leaves, and arrives; eight have left by then.
    packets = file.read_bytes().count(bytes([10, 0, 0, 1, 10, 0, 0, 2]))
    assert packets == 9
    assert is_capture(file.read_bytes()[:HEAD])


def test_segments_are_drawn_as_those_of_a_plain_run(path: Scenario) -> None:
    noisy = path.with_sets(
        [
            ("link.wire.impairments.loss", "0.02"),
            ("observe.segments.flows", '["bulk"]'),
            ("flow.bulk.tcp.handshake", "true"),
        ]
    )
    plain, driven = (run(noisy, stacks=stacks) for stacks in (None, {"bulk": "model"}))
    drawn = [plot_time_sequence(one, "bulk") for one in (plain, driven)]
    labels = [{one.get_label() for one in figure.axes[0].get_lines()} for figure in drawn]
    assert labels[0] == labels[1]
    for name in ("sent", "resent", "sack_start", "lost_on.wire"):
        inside, outside = (list(one.series(f"bulk.{name}").value) for one in (plain, driven))
        assert abs(len(inside) - len(outside)) <= 4
        assert all(one == other for one, other in zip(inside, outside, strict=False))
    # go-back-N has a protocol of its own.
    foreign = run(noisy, stacks={"bulk": GO_BACK_N})
    assert not any(name.startswith("bulk.sent") for name in foreign.series_names)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_example_in_c(path: Scenario, tmp_path: Path) -> None:
    program = tmp_path / "stop_and_wait"
    source = EXAMPLES / "stop_and_wait.c"
    command = ["cc", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(source)]
    subprocess.run(command, check=True)
    found = run(path, stacks={"bulk": [str(program)]})
    round_trip = 0.04 + (1500 + 28) * 8 / 10e6
    rate = found.flows["bulk"]["throughput_bits_per_second"]
    assert rate == pytest.approx(1472 * 8 / round_trip, rel=0.01)


@pytest.mark.parametrize(
    ("stacks", "said"),
    [
        ({"bulks": "model"}, "no flow `bulks` in the scenario; expected one of bulk, alone"),
        ({"bulk": "/no/such/program"}, "stack at bulk.origin: cannot start `/no/such/program`"),
        ({"bulk": "true"}, "stack at bulk.origin: its program"),
        ({"bulk": "echo 'a line of text'"}, "its answer begins with `a lin`; expected a length"),
        ({"bulk": "model", "bulk.origin": "model"}, "two stacks at bulk.origin"),
        ({"bulk": ""}, "stack at bulk: an empty command; expected a program, or model"),
        ({"bulk": "'"}, "stack at bulk: no closing quotation; expected a command"),
    ],
)
def test_faults_are_one_line(path: Scenario, stacks: dict[str, str], said: str) -> None:
    with pytest.raises(StackError) as fault:
        run(path, stacks=stacks)
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


def test_the_command_prints_a_table(cellway: Command, folder: Path) -> None:
    (folder / "wire.toml").write_text(TEXT)
    done = cellway("run", "wire.toml", "--stack", "bulk=model", "--out", "there")
    assert (done.returncode, done.stderr) == (0, "")
    assert "bulk.destination  model" in done.stdout
    assert "trace " in done.stdout
    assert (folder / "there/stacks.json").is_file()
    data = cellway("run", "wire.toml", "--stack", "bulk=model", "--json")
    assert json.loads(data.stdout)["stacks"]["ends"]["bulk.origin"]["turns"] > 100
    assert "expected FLOW=COMMAND" in refused(cellway, "run", "wire.toml", "--stack", "bulk")
    again = ("--stack", "bulk=model", "--stack", "bulk=model")
    assert "expected one" in refused(cellway, "run", "wire.toml", *again)
    missing = refused(cellway, "run", "wire.toml", "--stack", "bulks=model")
    assert "expected one of bulk" in missing


class Echo(Stack):
    """Sends back what arrives."""

    name = "echo"
    states = (("packets", "packet"),)

    def turn(self, now: int, packets: Sequence[bytes], calls: Sequence[tuple[Call, int]]) -> Answer:
        events = [(Event.ACKED, number) for _, number in calls]
        return Answer(list(packets), now + 7, events, {0: 2})

    def end(self) -> dict[str, float]:
        return {"calls": 1}


def test_the_protocol_of_the_module_octet_by_octet() -> None:
    greeting = (
        b"Hversion 1\nseed 7\nrole origin\naddress 10.0.0.1\nport 1\npeer_address 10.0.0.2\n"
        b"peer_port 9\nmtu 1500\nwindow 65536\nflow bulk\nnew yes\n"
    )
    turn = b"T" + struct.pack("<QHH3sHBQ", 1000, 1, 3, b"abc", 1, Call.WRITE, 258)
    questions = b"".join(struct.pack("<I", len(body)) + body for body in (greeting, turn, b"E"))
    answers = io.BytesIO()
    answer(io.BytesIO(questions), answers, Echo)
    body = struct.pack("<QHH3sHBQHBd", 1007, 1, 3, b"abc", 1, Event.ACKED, 258, 1, 0, 2.0)
    expected = [b"hversion 1\nname echo\nstate packets packet", b"t" + body, b"ecalls 1"]
    assert answers.getvalue() == b"".join(struct.pack("<I", len(one)) + one for one in expected)


def test_nothing_is_said_of_the_tcp_of_a_flow_that_a_stack_drives(
    cellway: Command, folder: Path
) -> None:
    """The report said 0 segments sent again, and the ceiling of a TCP that did not run."""
    (folder / "wire.toml").write_text(TEXT, encoding="utf-8")
    stack = ("--stack", f"bulk={GO_BACK_N}", "--set", "link.wire.impairments.loss=0.02")
    said = cellway("run", "wire.toml", *stack, "--theory", "--out", "kept").stdout
    assert "no formula for flow bulk: a stack drives it" in said
    assert "ceiling of the path" not in said
    cellway("report", "kept", "--md")
    page = (folder / "kept" / "report.md").read_text(encoding="utf-8")
    assert "segments sent again, " not in page
    assert "| flow bulk | throughput |" not in page
    assert "A stack drives bulk" in page
    assert "| bulk.origin | go-back-N |" in page


def test_a_flow_of_a_stack_is_not_the_same_as_one_of_the_list(
    cellway: Command, folder: Path
) -> None:
    """A note said that both flows of a switch lose together, whatever drives them."""
    (folder / "two.toml").write_text(
        """
run = { duration = "1 s" }
host = { a = {}, b = {}, c = {} }
switch.s.buffer.per_port = "20 packet"
[link]
a = { between = ["a", "s"], rate = "10 Mbit/s of line", carries = "packets", delay = "1 ms" }
b = { between = ["b", "s"], rate = "10 Mbit/s of line", carries = "packets", delay = "1 ms" }
c = { between = ["s", "c"], rate = "10 Mbit/s of line", carries = "packets", delay = "1 ms" }
[flow]
mine = { from = "a", to = "c", traffic = "greedy", tcp.preset = "linux" }
other = { from = "b", to = "c", traffic = "greedy", tcp.preset = "linux" }
""",
        encoding="utf-8",
    )
    note = "flows mine and other are the same"
    assert note in cellway("run", "two.toml").stdout
    assert note in cellway("run", "two.toml", "--stack", "mine=model").stdout
    assert note not in cellway("run", "two.toml", "--stack", f"mine={GO_BACK_N}").stdout
