"""CPU time of a run before it runs, from the traffic that `explain` gives.

A run costs, to within a factor of two, the sum of

- each cell on each link, and more at a port with a drop policy or several service classes, and more
  in an ABR connection;
- each burst of cells that a node handles at once: at most a frame, and at most what arrives within
  the delay of the link, because a node is never processed beyond its lookahead;
- each packet on each link, where TCP is most of the work;
- a constant for resolving the scenario and storing the result.

No losses are assumed: a flow that waits for timeouts costs less. The constants are those of least
squares of relative errors over the bench paths and the shipped studies, on a busy machine of two
cores, divided by 1.5, because an idle one is about twice as fast; docs/performance.md has them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

CELL_HOP = 19e-9
BURST_HOP = 160e-9
PACKET_HOP = 180e-9
JUDGED_HOP = 40e-9
ABR_HOP = 50e-9
RUN = 2e-3
"""Seconds per run besides its traffic."""
START = 1.5
"""Seconds of a study besides its runs: Python, NumPy and Polars are loaded."""
MAX_RAW_BURST = 32.0
"""Most raw cells that are handled at once, though they arrive one by one."""


@dataclass(frozen=True)
class Work:
    """Traffic of a run without losses.

    Attributes:
        cells: cells times links.
        bursts: groups of cells that are handled at once, times links.
        packets: packets times links of packets.
        judged: cells times ports with a drop policy or several service classes.
        abr: cells of ABR connections times links.
    """

    cells: float = 0.0
    bursts: float = 0.0
    packets: float = 0.0
    judged: float = 0.0
    abr: float = 0.0

    @property
    def hops(self) -> float:
        """Hops: cells and packets, times links."""
        return self.cells + self.packets

    @property
    def seconds(self) -> float:
        """CPU seconds of the run."""
        return (
            RUN
            + CELL_HOP * self.cells
            + BURST_HOP * self.bursts
            + PACKET_HOP * self.packets
            + JUDGED_HOP * self.judged
            + ABR_HOP * self.abr
        )

    def __add__(self, other: "Work") -> "Work":
        return Work(
            self.cells + other.cells,
            self.bursts + other.bursts,
            self.packets + other.packets,
            self.judged + other.judged,
            self.abr + other.abr,
        )


@dataclass(frozen=True)
class _Frame:
    """Frames of one flow in one direction: their number in the run, and the cells of each."""

    count: float
    cells: float
    longest_burst: float


def work(explained: Mapping[str, Any]) -> Work:
    """Traffic of the run of an explained scenario."""
    links = {(link["name"], link["from"]): link for link in explained["links"]}
    judging = {
        (port["link"], port["node"])
        for port in explained["ports"]
        if port["drop"] != "tail" or len(port["queues"]) > 1
    }
    total = Work()
    for flow in explained["flows"]:
        data, ack = _frames(flow, float(explained["duration_seconds"]))
        for hop, node in zip(flow["hops"], flow["path"], strict=False):
            here = hop["link"], node
            for frame in (data, ack):
                moved = _hop(frame, links[here], abr=flow["abr"] is not None)
                judged = moved.cells if here in judging and frame is data else 0.0
                total += moved + Work(judged=judged)
    return total


def _frames(flow: Mapping[str, Any], duration: float) -> tuple[_Frame, _Frame]:
    """Frames of data and frames of ACKs."""
    none = _Frame(0.0, 1.0, 1.0)
    if flow["raw"]:
        cells = duration * float(flow["raw"]["offered_cells_per_second"])
        return _Frame(cells, 1.0, MAX_RAW_BURST), none
    datagrams = flow.get("datagrams")
    if datagrams:
        cells = float(datagrams["cells"] or 1)
        return _Frame(duration * float(datagrams["per_second"]), cells, cells), none
    tcp = flow["tcp"]
    if not tcp or not tcp["expected_bits_per_second"]:
        return none, none
    segments = duration * float(tcp["expected_bits_per_second"]) / (8.0 * tcp["mss_bytes"])
    sizes = [float(tcp[key] or 1) for key in ("cells_per_segment", "cells_per_ack")]
    data, ack = (_Frame(segments, size, size) for size in sizes)
    return data, ack


def _hop(frame: _Frame, link: Mapping[str, Any], *, abr: bool) -> Work:
    """Work of a flow's frames on one link."""
    if link["cells_per_second"] is None:
        return Work(packets=frame.count)
    cells = frame.count * frame.cells
    lookahead = 1.0 + link["delay_seconds"] * link["cells_per_second"]
    bursts = cells / min(frame.longest_burst, lookahead)
    return Work(cells=cells, bursts=bursts, abr=cells if abr else 0.0)
