"""Runs connections in cellway and reads their captures."""

import struct
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from cases import Case, Pair

import cellway

# Large segments: in avoidance a window grows by whole bytes, in ns-2 by fractions of a segment.
MSS = 64_000
HEADERS = 40
EPOCH = 1_000_000_000
# Blocks of packets in a pcapng file (draft-ietf-opsawg-pcapng), and the header of a packet.
ENHANCED_PACKET = 6
PACKET_AT = 28
SEQUENCE_AT = 24


def scenario(pair: Pair, case: Case, drops: Sequence[int]) -> cellway.Scenario:
    """The scenario of a case; ns-2 counts packets from 0, a script from 1."""
    path = case.path
    is_limited = path.ssthresh < path.window
    ssthresh = f'initial_ssthresh = "{path.ssthresh * MSS} B"' if is_limited else ""
    script = f"impairments.script.f.segments = {[number + 1 for number in sorted(drops)]}"
    keys = "\n".join({key.split(" = ")[0]: key for key in pair.keys}.values())
    text = f"""
run = {{ duration = "{case.seconds} s" }}
host = {{ a = {{}}, b = {{}} }}
[link.line]
between = ["a", "b"]
rate = "{(MSS + HEADERS) * 8} kbit/s of line"
carries.packets.overhead = "0 B"
delay = "50 ms"
{script if drops else ""}
[flow.f]
from = "a"
to = "b"
traffic = "greedy"
[flow.f.tcp]
recovery = "{pair.rule}"
{keys}
{ssthresh}
mss = "{MSS} B"
window = "{path.window * MSS} B"
initial_window = {path.initial_window}
ack = "{"delayed" if case.delayed else "every_segment"}"
timers.fine = {{ initial_rto = "3 s", min_rto = "1 s", ack_delay = "200 ms" }}
"""
    return cellway.Scenario.parse(text)


def sent_in(capture: bytes) -> Iterator[tuple[float, int]]:
    """Data segments of a pcapng file: instant and number, from 0."""
    at = 0
    while at < len(capture):
        kind, length = struct.unpack_from("<II", capture, at)
        if kind == ENHANCED_PACKET:
            _, high, low, _, total = struct.unpack_from("<5I", capture, at + 8)
            (sequence,) = struct.unpack_from(">I", capture, at + PACKET_AT + SEQUENCE_AT)
            if total == HEADERS + MSS:
                instant = ((high << 32 | low) - EPOCH * 10**9) / 1e9
                yield instant, (sequence - 1) // MSS
        at += length


def run(pair: Pair, case: Case, drops: Sequence[int]) -> list[tuple[float, int]]:
    """Runs the case; returns instants and numbers of the sent segments."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.pcapng"
        cellway.run(scenario(pair, case, drops), pcap=file)
        return list(sent_in(file.read_bytes()))
