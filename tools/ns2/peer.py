"""Runs connections in ns-2 (package `ns2` of Debian, 2.35) and reads its trace."""

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cases import Case, Pair

# Routes between all nodes of a run are computed: many small runs take less time.
BATCH = 25

COMMON = {
    "syn_": 0,
    "delay_growth_": 0,
    "tcpTick_": 0.001,
    "minrto_": 1,
    "rtxcur_init_": 3,
    "packetSize_": 1000,
    "useHeaders_": 0,
    "precisionReduce_": 0,
    "singledup_": 0,
}


@dataclass
class Found:
    """Instants and segments, from 0: sent, arrived, last in order of ACKs; and those lost."""

    sent: list[tuple[float, int]] = field(default_factory=list)
    arrived: list[tuple[float, int]] = field(default_factory=list)
    heard: list[tuple[float, int]] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)


def connection(pair: Pair, case: Case, drops: Sequence[int]) -> str:
    """Line for lines.tcl that describes the connection."""
    path = case.path
    settings = {**COMMON, "windowInit_": path.initial_window, "window_": path.window}
    settings.update(pair.settings)
    words = " ".join(f"{name} {value}" for name, value in settings.items())
    sink = "TCPSink" + ("/Sack1" if "Sack" in pair.agent else "")
    sink += "/DelAck" if case.delayed else ""
    numbers = " ".join(str(number) for number in sorted(drops))
    return f"{pair.agent} {sink} {{{words}}} {path.ssthresh} {{{numbers}}} {case.seconds}"


def run(connections: Sequence[str]) -> list[Found]:
    """Runs several connections at once."""
    with tempfile.TemporaryDirectory() as folder:
        (listed, trace) = (Path(folder) / "connections", Path(folder) / "trace")
        listed.write_text("\n".join(connections) + "\n")
        script = Path(__file__).with_name("lines.tcl")
        subprocess.run(["ns", script, listed, trace], check=True)  # noqa: S603, S607
        found = [Found() for _ in connections]
        with trace.open() as lines:
            for line in lines:
                event, instant, node, *rest = line.split()
                segment, of = int(rest[-2]), found[int(node) // 2]
                if int(node) % 2 == 1:
                    if event == "r":
                        of.heard.append((float(instant), segment))
                elif event == "+":
                    of.sent.append((float(instant), segment))
                elif event == "r":
                    of.arrived.append((float(instant), segment))
                elif event == "d":
                    of.lost.append(segment)
    return found


def runs(connections: Sequence[str], known: dict[str, Found]) -> list[Found]:
    """Runs many connections, of which some are known."""
    missing = [one for one in dict.fromkeys(connections) if one not in known]
    for start in range(0, len(missing), BATCH):
        some = missing[start : start + BATCH]
        known.update(zip(some, run(some), strict=True))
    return [known[one] for one in connections]
