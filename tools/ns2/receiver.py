"""Events at a receiver that delays its ACKs, from the segments that arrived there."""

from collections.abc import Iterable
from typing import NamedTuple

ACK_DELAY = 0.2


class Met(NamedTuple):
    """Instants of the first event of each kind; infinite if there is none."""

    # An ACK acknowledges a segment that waited for it, and tells of a gap behind that.
    advancing_report: float
    # The last segment in order has arrived again.
    last_again: float


def met(arrivals: Iterable[tuple[float, int]], *, delayed: bool) -> Met:
    """Follows RFC 5681 section 4.2: ACKs for every second segment, and at once out of order."""
    report = again = waits_until = float("inf")
    awaited, held, waits = 0, set[int](), False
    for instant, segment in arrivals:
        waits = waits and instant < waits_until
        if segment > awaited:
            report = min(report, instant) if waits else report
            held.add(segment)
            waits = False
        elif segment == awaited:
            fills = bool(held)
            while awaited in held or awaited == segment:
                held.discard(awaited)
                awaited += 1
            waits = delayed and not waits and not fills
            waits_until = instant + ACK_DELAY
        elif segment == awaited - 1 and delayed and not waits:
            again = min(again, instant)
    return Met(report, again)
