"""Prints how XCP of ns-2 and of cellway use a line, over ten draws of the instants of starts.

10 Mbit/s and 20 ms there and back, packets of 1500 bytes, an ACK for each, room for all: for each
setting the part of the line that is used, the mean number of packets that wait, and the share of
the first flow over an equal one. Means and half-widths of 95 % intervals over the draws.
"""

import random
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import cellway
from cellway.statistics.intervals import estimate

SEEDS = 10
STARTS = 5.0
FROM, UNTIL = 30, 90
PACKET_BITS = 12_000
LINE_BITS = 10e6
# Data of a packet of 1500 bytes with the header of XCP.
DATA_BYTES = 1440
# Delays of access in one direction, ms.
SETTINGS = {
    "2 flows, 30 ms": (5.0, 5.0),
    "10 flows, 30 ms": (5.0,) * 10,
    "2 flows, 20 and 80 ms": (0.001, 30.0),
}

BASE = """
run = { duration = RUN }
switch.near = { buffer.per_port = "2000 packet", drop = "xcp" }
switch.far.buffer.per_port = "100000 packet"
[host]
HOSTS
[link.line]
from = "near"
to = "far"
rate = "10 Mbit/s of line"
delay = "10 ms"
carries.packets.overhead = "0 B"
[link.back]
from = "far"
to = "near"
rate = "1 Gbit/s of line"
delay = "10 ms"
carries.packets.overhead = "0 B"
"""
FLOW = """
[link.inNUMBER]
between = ["leftNUMBER", "near"]
rate = "1 Gbit/s of line"
delay = "DELAY ms"
carries.packets.overhead = "0 B"
[link.outNUMBER]
between = ["far", "rightNUMBER"]
rate = "1 Gbit/s of line"
delay = "1 us"
carries.packets.overhead = "0 B"
[flow.fNUMBER]
from = "leftNUMBER"
to = "rightNUMBER"
traffic = "greedy"
start = "START s"
[flow.fNUMBER.tcp]
congestion = "xcp"
mtu = "1500 B"
window = "15 MB"
ack = "every_segment"
timers = "fine"
"""


@dataclass(frozen=True)
class Found:
    """Numbers of one run: part of the line, packets that wait, share of the first flow."""

    used: float
    queue: float
    share: float

    @classmethod
    def of(cls, packets: list[float], queue: float) -> "Found":
        """Numbers of so many packets of each flow."""
        total = sum(packets)
        used = total * PACKET_BITS / (LINE_BITS * (UNTIL - FROM))
        return cls(used, queue, packets[0] * len(packets) / total)


def in_peer(delays: tuple[float, ...], starts: list[float]) -> Found:
    """Runs ns-2."""
    with tempfile.TemporaryDirectory() as folder:
        queue, goodput = Path(folder) / "queue", Path(folder) / "goodput"
        script = Path(__file__).with_name("xcp.tcl")
        pairs = zip(delays, starts, strict=True)
        flows = " ".join(f"{delay} {start}" for delay, start in pairs)
        words = (str(UNTIL), str(FROM), flows, str(queue), str(goodput))
        run = ["ns", str(script), *words]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        packets = [float(line) for line in goodput.read_text().split()]
        return Found.of(packets, float(queue.read_text()))


def in_ours(delays: tuple[float, ...], starts: list[float]) -> Found:
    """Runs cellway."""
    count = len(delays)
    hosts = "".join(f"left{number} = {{}}\nright{number} = {{}}\n" for number in range(count))
    text = BASE.replace("HOSTS", hosts).replace("RUN", f'"{UNTIL} s", warm_up = "{FROM} s"')
    for number, (delay, start) in enumerate(zip(delays, starts, strict=True)):
        of_flow = FLOW.replace("NUMBER", str(number)).replace("START", str(start))
        text += of_flow.replace("DELAY", str(delay))
    summary = cellway.run(cellway.Scenario.parse(text)).summary
    flows = [summary["flows"][f"f{number}"] for number in range(count)]
    bits = [flow["throughput_bits_per_second"] for flow in flows]
    sent = [rate * (UNTIL - FROM) / (8 * DATA_BYTES) for rate in bits]
    port = summary["ports"]["near.line"]
    return Found.of(sent, port["mean_queue"] - port["utilisation"])


def main() -> None:
    """One line for each setting and simulator."""
    for name, delays in SETTINGS.items():
        draws = []
        for seed in range(SEEDS):
            dice = random.Random(seed)  # noqa: S311
            draws.append([round(dice.uniform(0, STARTS), 6) for _ in delays])
        for simulator, run in (("ns-2", in_peer), ("cellway", in_ours)):
            found = [run(delays, starts) for starts in draws]
            cells = []
            for quantity in ("used", "queue", "share"):
                values = [getattr(one, quantity) for one in found]
                interval = estimate(values)
                cells.append(f"{interval.mean:.3f} ± {interval.half_width or 0:.3f}")
            print(f"| {name} | {simulator} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
