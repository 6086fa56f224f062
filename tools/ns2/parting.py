"""First difference between the segments that two simulators send."""

from typing import NamedTuple

Sent = list[tuple[float, int]]

# Half the time of a segment on the line.
APART = 0.0005
# Round trips of 0.1 s that are compared after the last repair: later ever more whole bytes differ.
AFTERWARDS = 1.0


class Parted(NamedTuple):
    """The first packet that differs, if one does, and its instant.

    `rounded` packets before it leave one ACK earlier or later: where a window reaches a whole
    number of segments, here by whole bytes.
    """

    at: int | None
    instant: float
    rounded: int


def horizon(sent: Sent) -> float:
    """The instant up to which both are compared."""
    highest, last = -1, 0.0
    for instant, segment in sent:
        if segment <= highest:
            last = instant
        highest = max(highest, segment)
    return last + AFTERWARDS


def is_one_ack_apart(one: Sent, other: Sent, at: int) -> bool:
    """True if one sends with the next ACK, which comes a segment's time later, or after a pause."""
    if abs(one[at][0] - other[at][0]) < 3 * APART:
        return True
    pairs = ((one, other), (other, one))
    return any(
        at + 1 < len(later) and abs(first[at][0] - later[at + 1][0]) < APART
        for first, later in pairs
    )


def parting(peers: Sent, own: Sent, seconds: float) -> Parted:
    """Parting of two runs of so many seconds."""
    rounded, end = 0, min(horizon(peers), seconds - APART)
    for at, (instant, segment) in enumerate(peers):
        if instant > end:
            break
        if at >= len(own):
            return Parted(at, instant, rounded)
        if segment != own[at][1]:
            return Parted(at, min(instant, own[at][0]), rounded)
        if abs(instant - own[at][0]) > APART:
            if not is_one_ack_apart(peers, own, at):
                return Parted(at, min(instant, own[at][0]), rounded)
            rounded += 1
    return Parted(None, end, rounded)
