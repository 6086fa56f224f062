"""Packets of a run, from the blocks of its capture at all hosts.

A packet is seen twice: as it is handed to the interface of a host, and as it has arrived whole. The
two are joined by its addresses, ports, numbers and identification, which contains the instant at
which it was sent. One that is seen once was lost, or was under way at the end of the window.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cellway.runs.series import Series

_BLOCK, _INBOUND = 6, 1
"""Type of an enhanced packet block, and the flag of one that arrives."""
_HEAD = 32
"""Octets that are read: the header of IP, and ports and numbers of TCP."""
_START, _SECOND = 1_000_000_000, 1_000_000_000
"""Seconds of the time stamps at the start of the run, and their unit, nanoseconds, in a second."""
_FIRST_PORT = 49152
"""Port of the origin of the first flow."""
_TCP = 6
_LONGEST = 2.0
"""Most seconds behind a window in which its packets may still arrive."""
MOST = 60_000
"""Most packets that are kept, each as often as it is seen."""


class PastTheWindow(Exception):  # noqa: N818 - no error: the run has shown what was asked for.
    """End of a run whose window is over."""


class Packets:
    """Packets handed over in a window of a run, whose arrivals may follow it for a while.

    `write` takes the pieces of the capture in order.
    """

    def __init__(self, flows: Sequence[Mapping[str, Any]], window: tuple[float, float]) -> None:
        """Starts with none.

        Args:
            flows: as `explain` has them; those of the wire have ports in this order.
            window: start and end, seconds.
        """
        self._flows = [str(one["name"]) for one in flows]
        self._low, self._high = (round((one + _START) * _SECOND) for one in window)
        trips = [one["propagation_rtt_seconds"] or 0.0 for one in flows]
        wait = max(window[1] - window[0], 4.0 * max(trips, default=0.0))
        self._end = self._high + round(min(wait, _LONGEST) * _SECOND)
        self._held = b""
        self._kept: list[bytes] = []
        self._stamps: list[int] = []
        self._arrived: list[bool] = []

    def write(self, piece: bytes) -> None:
        """Takes the next octets of the file, which are whole blocks.

        Raises:
            PastTheWindow: nothing that follows is in the window.
        """
        # Stamps ascend: a piece before one that begins too early has nothing to keep.
        held, self._held = self._held, piece
        if held and (_number_at(piece, 0) != _BLOCK or _stamp(piece, 0) >= self._low):
            self._read(held)

    def _read(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            kind, size = _number_at(data, at), _number_at(data, at + 4)
            if kind == _BLOCK:
                stamp = _stamp(data, at)
                if stamp > self._end or len(self._kept) >= MOST:
                    raise PastTheWindow
                is_arrival = _number_at(data, at + size - 12) == _INBOUND
                if stamp >= self._low and (is_arrival or stamp <= self._high):
                    self._stamps.append(stamp)
                    self._arrived.append(is_arrival)
                    self._kept.append(data[at + 28 : at + 28 + _HEAD].ljust(_HEAD, b"\0"))
            at += size

    def columns(self) -> list[Series]:
        """Columns of each flow, whose times are the instants at which packets were handed over.

        `FLOW.packets` has the instants of arrival, seconds, and NaN for those never seen again;
        `FLOW.packets.size` the octets of the IP packet; `FLOW.packets.sequence` the first octet of
        data of TCP. Packets from the destination, such as acknowledgements, are `FLOW.answers` and
        so on, with the acknowledged octet for `sequence`.
        """
        with suppress(PastTheWindow):
            self._read(self._held)
        self._held = b""
        if not self._kept:
            return []
        octets = np.frombuffer(b"".join(self._kept), np.uint8).reshape(-1, _HEAD)
        seconds = (np.array(self._stamps) - _START * _SECOND) / _SECOND
        return [*_columns(self._flows, octets, seconds, np.array(self._arrived))]


Octets = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Seconds = NDArray[np.float64]


def _number_at(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _stamp(data: bytes, at: int) -> int:
    """Nanoseconds of a packet block."""
    return _number_at(data, at + 12) << 32 | _number_at(data, at + 16)


def _number(octets: Octets, at: int, size: int) -> Numbers:
    """Numbers of `size` octets, the greatest first."""
    found = np.zeros(len(octets), np.int64)
    for place in range(at, at + size):
        found = found << 8 | octets[:, place]
    return found


def _columns(
    flows: Sequence[str], octets: Octets, seconds: Seconds, is_arrival: NDArray[np.bool_]
) -> Iterator[Series]:
    protocol, size = octets[:, 9], _number(octets, 2, 2)
    source, target = _number(octets, 20, 2), _number(octets, 22, 2)
    is_onward = source >= _FIRST_PORT
    flow = np.where(is_onward, source, target) - _FIRST_PORT
    sequence = np.where(is_onward, _number(octets, 24, 4), _number(octets, 28, 4))
    sequence = np.where(protocol == _TCP, sequence, -1)
    names = np.column_stack([flow, is_onward, size, _number(octets, 4, 2), _number(octets, 24, 8)])
    sent, arrived = _joined(names, seconds, is_arrival)
    for number in range(len(flows)):
        for onward, word in ((True, "packets"), (False, "answers")):
            those = (flow[sent] == number) & (is_onward[sent] == onward)
            if not those.any():
                continue
            of, name = sent[those], f"{flows[number]}.{word}"
            yield Series(name, "second", seconds[of], arrived[those])
            yield Series(f"{name}.size", "byte", seconds[of], size[of].astype(float))
            yield Series(f"{name}.sequence", "byte", seconds[of], sequence[of].astype(float))


def _joined(
    names: Numbers, seconds: Seconds, is_arrival: NDArray[np.bool_]
) -> tuple[Numbers, Seconds]:
    """Places of the packets as they were sent, in order, and for each the instant of arrival.

    A packet that a line has doubled arrives for the first time.
    """
    order = np.lexsort((is_arrival, *names.T[::-1]))
    alike = (names[order[1:]] == names[order[:-1]]).all(axis=1)
    is_sent = ~is_arrival[order]
    arrived = np.full(len(names), np.nan)
    here = np.flatnonzero(is_sent[:-1] & alike & ~is_sent[1:])
    arrived[order[here]] = seconds[order[here + 1]]
    sent = np.flatnonzero(~is_arrival)
    return sent, arrived[sent]
