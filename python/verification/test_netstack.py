"""The netstack of gVisor against the simulator's own TCP: two implementations on one wire."""

import shutil
import subprocess
from pathlib import Path

import pytest

from cellway import Run, Scenario, run
from cellway.plot.time_sequence import plot_time_sequence

SOURCE = Path(__file__).parents[2] / "crates/stack/examples/netstack"
pytestmark = pytest.mark.timeout(1800)
"""A busy machine builds for long."""
TEXT = """
[run]
duration = "6 s"
warm_up = "2 s"
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
[flow.bulk.tcp]
mtu = "1500 B"
window = "128 KiB"
timers = "fine"
recovery = "sack"
timestamps = true
"""
NOISE = {
    "loss": "0.01",
    "duplicate": "0.01",
    "reorder.probability": "0.05",
    "reorder.extra_delay": "5 ms",
}
SACK_BLOCKS = 28
"""Octets that netstack keeps free in each segment for three blocks, when both ends have SACK."""


@pytest.fixture(scope="module")
def netstack(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program, built; skips the tests if that cannot be."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("go is not installed")
    program = tmp_path_factory.mktemp("netstack") / "netstack"
    fetched = subprocess.run([go, "mod", "download"], cwd=SOURCE, capture_output=True, check=False)
    if fetched.returncode != 0:
        pytest.skip("the module gvisor.dev/gvisor cannot be had")
    subprocess.run([go, "build", "-o", program, "."], cwd=SOURCE, check=True)
    return str(program)


def rate(found: Run) -> float:
    """Goodput of the flow, in bits per second."""
    value: float = found.flows["bulk"]["throughput_bits_per_second"]
    return value


@pytest.mark.parametrize("end", ["origin", "destination"])
def test_without_losses_goodput_is_that_of_the_simulator(netstack: str, end: str) -> None:
    path = Scenario.parse(TEXT, "wire.toml")
    mtu = 1500 - SACK_BLOCKS if end == "origin" else 1500
    plain = run(path.with_sets([("flow.bulk.tcp.mtu", f"{mtu} B")]))
    found = run(path, stacks={f"bulk.{end}": netstack})
    assert rate(found) == pytest.approx(rate(plain), rel=0.001)
    assert found.stacks is not None
    counters = found.stacks["ends"][f"bulk.{end}"]["counters"]
    assert counters["retransmits"] == counters["wrong_checksums"] == 0


@pytest.mark.parametrize("end", ["origin", "destination"])
def test_noise_stops_neither_the_stream_nor_equal_runs(netstack: str, end: str) -> None:
    sets = [(f"link.wire.impairments.{key}", value) for key, value in NOISE.items()]
    noisy = Scenario.parse(TEXT, "wire.toml").with_sets(sets)
    stacks = {f"bulk.{end}": f"{netstack} --congestion cubic"}
    first, second = (run(noisy, stacks=stacks) for _ in range(2))
    assert first.stacks == second.stacks
    # Both ends check each octet; a transfer that stands still has a timeout of many seconds.
    assert rate(first) > 200_000


def test_netstack_fills_zero_windows_at_the_rate_of_the_reader(netstack: str) -> None:
    sets = {
        "run.duration": "20 s",
        "flow.bulk.tcp.window": "16 KiB",
        "flow.bulk.tcp.reader.paced.rate": "1 Mbit/s of payload",
    }
    slow = Scenario.parse(TEXT, "wire.toml").with_sets(list(sets.items()))
    found = run(slow, stacks={"bulk.origin": netstack})
    assert rate(found) == pytest.approx(1e6, rel=0.02)


def test_segments_of_netstack_are_drawn(netstack: str) -> None:
    sets = [(f"link.wire.impairments.{key}", value) for key, value in NOISE.items()]
    observed = f'{TEXT}[observe]\nsegments.flows = ["bulk"]\n'
    noisy = Scenario.parse(observed, "wire.toml").with_sets(sets)
    found = run(noisy, stacks={"bulk.origin": netstack})
    sent, lengths = (found.series(f"bulk.{name}").value for name in ("sent", "sent_length"))
    # What is new follows the octets before it, and what is lost was sent.
    assert list(sent[1:]) == list((sent + lengths)[:-1])
    again = set(found.series("bulk.resent").value)
    lost = set(found.series("bulk.lost_on.wire").value)
    assert len(lost) > 5
    assert lost <= set(sent) | again
    assert found.series("bulk.sack_start").value.size > 0
    assert "bulk.timeout" not in found.series_names
    figure = plot_time_sequence(found, "bulk")
    assert figure.axes[0].collections


IDLE = [
    ("flow.bulk.traffic.schedule.writes", [["0 s", "20 kB"], ["30 s", "20 kB"]]),
    ("run.duration", "40 s"),
    ("run.warm_up", "0 s"),
]
"""Two transfers with half a minute between them."""


@pytest.mark.parametrize("end", ["origin", "destination"])
def test_keep_alives_of_netstack_are_answered(netstack: str, end: str) -> None:
    path = Scenario.parse(TEXT, "wire.toml").with_sets(IDLE)
    quiet = run(path, stacks={f"bulk.{end}": netstack})
    found = run(path, stacks={f"bulk.{end}": f"{netstack} --keep-alive 1s"})
    assert found.flows["bulk"]["delivered_bytes"] == 40_000
    # A probe for each second and round trip without data; nine without an answer end a connection.
    for sender in (end, other(end)):
        assert sent_by(found, sender) == sent_by(quiet, sender) + 37


def test_a_close_from_both_ends_crosses(netstack: str) -> None:
    stop = [*IDLE[2:], ("run.duration", "12 s"), ("flow.bulk.stop", "3 s")]
    path = Scenario.parse(TEXT, "wire.toml").with_sets([*stop, (IDLE[0][0], [["0 s", "20 kB"]])])
    half, both = (
        run(path, stacks={"bulk.destination": f"{netstack}{more}"}) for more in ("", " --close 3s")
    )
    # Each FIN takes 20 ms, so that they pass each other; each is answered once (RFC 9293 §3.6).
    for end in ("origin", "destination"):
        assert sent_by(both, end) == sent_by(half, end) + 1
    assert both.stacks is not None
    assert both.stacks["ends"]["bulk.destination"]["counters"]["retransmits"] == 0


def other(end: str) -> str:
    """The other end of a flow."""
    return "destination" if end == "origin" else "origin"


def sent_by(found: Run, end: str) -> int:
    """Packets that an end of the flow has sent."""
    assert found.stacks is not None
    sent: int = found.stacks["ends"][f"bulk.{end}"]["packets_sent"]
    return sent
