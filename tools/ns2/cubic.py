"""Prints CUBIC's window of ns-2's TCP/Linux and of cellway after the same losses.

Both have two segments at first, an ACK for each segment, SACK, a line that never queues. For each
stretch of time: the least and the largest ratio of the two.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cellway

STEP = 0.05
# Round trip in ms, segments lost by number from 1, seconds.
PATHS = (
    (100, (200,), 12),
    (100, (500,), 16),
    (100, (500, 20_000), 25),
    (200, (500,), 20),
    (20, (500,), 12),
)
# Slow start and the recovery from the first loss are over.
BEGINS = 2.0
PARTS = 4


def in_peer(rtt: int, lost: tuple[int, ...], seconds: int) -> list[tuple[float, float]]:
    """Instants and windows in segments."""
    with tempfile.TemporaryDirectory() as folder:
        windows = Path(folder) / "windows"
        script = Path(__file__).with_name("cubic.tcl")
        numbers = " ".join(str(number - 1) for number in lost)
        words = (f"{rtt / 2}ms", numbers, str(seconds), str(STEP), str(windows))
        run = ["ns", str(script), *words]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        lines = (line.split() for line in windows.read_text().splitlines())
        return [(float(instant), float(window)) for instant, window in lines]


def in_ours(rtt: int, lost: tuple[int, ...], seconds: int) -> cellway.Series:
    """The window in bytes, of segments of 1000."""
    text = f"""
run = {{ duration = "{seconds} s" }}
host = {{ a = {{}}, b = {{}} }}
[link.line]
between = ["a", "b"]
rate = "10 Gbit/s of line"
carries.packets.overhead = "0 B"
delay = "{rtt / 2} ms"
impairments.script.f.segments = {list(lost)}
[flow.f]
from = "a"
to = "b"
traffic = "greedy"
[flow.f.tcp]
recovery = "sack"
congestion = "cubic"
mss = "1000 B"
window = "100 MB"
initial_window = 2
ack = "every_segment"
timers = "fine"
[observe]
series = ["cwnd"]
interval = "10 ms"
"""
    return cellway.run(cellway.Scenario.parse(text)).series("f.cwnd")


def ratios(rtt: int, lost: tuple[int, ...], seconds: int) -> Iterator[tuple[float, float]]:
    """Ratio of ns-2's window to ours, by instant."""
    own = in_ours(rtt, lost, seconds)
    for instant, window in in_peer(rtt, lost, seconds):
        if instant > BEGINS:
            at = int(own.time.searchsorted(instant, side="right")) - 1
            yield instant, 1000 * window / float(own.value[at])


def main() -> None:
    """One line for each path."""
    for rtt, lost, seconds in PATHS:
        found = list(ratios(rtt, lost, seconds))
        cells = []
        for part in range(PARTS):
            some = [one for _, one in found[len(found) * part // PARTS :][: len(found) // PARTS]]
            cells.append(f"{min(some):.3f} to {max(some):.3f}")
        print(f"| {rtt} ms | {list(lost)} | {seconds} s | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
