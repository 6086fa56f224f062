"""Windows, buffers, shares and slow start of greedy TCPs, without a run."""

from dataclasses import dataclass
from math import inf
from typing import Literal

from cellway import _core


@dataclass(frozen=True)
class WindowRate:
    """Throughput, round trip and queue of a constant window.

    Attributes:
        rate: bit/s, counted as the window is.
        round_trip: seconds, with the queue that the window makes.
        queue: bits that wait before the line.
    """

    rate: float
    round_trip: float
    queue: float


def window_rate(window: float, round_trip: float, capacity: float = inf) -> WindowRate:
    """Throughput of a window per round trip; the excess over the path waits before its line.

    Args:
        window: bits on the line, headers included; above 0.
        round_trip: seconds with empty queues, above 0.
        capacity: bit/s of the line; infinite if it takes no time.

    Raises:
        TheoryError: a number out of its range.

    >>> window_rate(1e6, 0.1, 2e6)
    WindowRate(rate=2000000.0, round_trip=0.5, queue=800000.0)
    """
    return WindowRate(*_core.window_rate(window, round_trip, capacity))


def full_buffer_delay(buffer: float, capacity: float) -> float:
    """Seconds that a full buffer of so many bits adds before a line, bit/s ("bufferbloat").

    Raises:
        TheoryError: a number that is not above 0.

    Source: Gettys and Nichols, ACM Queue 9(11), 2011.

    >>> full_buffer_delay(256 * 1500 * 8, 1e6)
    3.072
    """
    return _core.full_buffer_delay(buffer, capacity)


def slow_start_time(
    segments: int, round_trip: float, initial: int = 1, *, delayed_acks: bool = False
) -> float:
    """Seconds until slow start has opened a window of so many segments.

    Whole round trips with empty queues; the timer for a lone first segment comes on top.

    Args:
        segments: the window at the end, at least 1.
        round_trip: seconds, above 0.
        initial: the window at the start, at least 1.
        delayed_acks: true if every second segment is acknowledged, false if each is.

    Raises:
        TheoryError: a number out of its range.

    Source: RFC 5681, section 3.1.

    >>> slow_start_time(1000, 0.5, initial=10), slow_start_time(1000, 0.5, 10, delayed_acks=True)
    (3.5, 6.0)
    """
    return _core.slow_start_time(initial, segments, round_trip, delayed_acks)


def buffered_utilisation(
    rule: Literal["tahoe", "reno"], path: float, buffer_ratio: float, segments_per_ack: float = 1
) -> float:
    """Utilisation of a line by one long-lived TCP that loses segments only in its own buffer.

    Flows that are halved together count as one. With `tahoe` and a ratio below 1/3 the buffer
    overflows in slow start, too.

    Args:
        rule: the window after a loss: one segment (`tahoe`), or half of it (`reno`).
        path: segments that the path contains with empty queues, at least 4.
        buffer_ratio: β, the buffer over these, above 0.
        segments_per_ack: b, 1 for an acknowledgement per segment, 2 for delayed ones.

    Raises:
        TheoryError: a number out of its range.
        ValueError: another rule.

    Source: Lakshman and Madhow, IEEE/ACM Transactions on Networking 5(3), 1997.

    >>> round(buffered_utilisation("reno", 100, 0.5), 4)
    0.9643
    """
    if rule not in {"tahoe", "reno"}:
        raise ValueError(f'no rule {rule!r}; expected "tahoe" or "reno"')
    return _core.buffered_utilisation(rule == "tahoe", path, buffer_ratio, segments_per_ack)


def needed_buffer(capacity: float, round_trip: float, independent: float | None = None) -> float:
    """Bits of buffer that keep a line busy with greedy TCPs of the Reno family.

    Args:
        capacity: bit/s, above 0.
        round_trip: seconds with empty queues, above 0.
        independent: flows that are halved independently, at least 1; `None` if all are halved
            together.

    Raises:
        TheoryError: a number out of its range.

    Source: Villamizar and Song, ACM CCR 24(5), 1994, for one bandwidth-delay product; Appenzeller,
        Keslassy and McKeown, ACM SIGCOMM 2004, for that over the square root of the flows.

    >>> round(needed_buffer(10e9, 0.25) / 1e6), round(needed_buffer(10e9, 0.25, 50_000) / 1e6)
    (2500, 11)
    """
    return _core.needed_buffer(capacity, round_trip, independent)


def desynchronised_utilisation(buffer_ratio: float, flows: float) -> float:
    """Lower bound of the utilisation by greedy TCPs that are halved independently.

    Args:
        buffer_ratio: the buffer over the bandwidth-delay product, above 0.
        flows: at least 2; their sum is taken as normal, which holds for some hundreds. For one flow
            see `buffered_utilisation`.

    Raises:
        TheoryError: a number out of its range.

    Source: Appenzeller, Keslassy and McKeown, ACM SIGCOMM 2004.

    >>> round(desynchronised_utilisation(0.1, 100), 3)
    0.982
    """
    return _core.desynchronised_utilisation(buffer_ratio, flows)


def bbr_share(buffer: float, capacity: float, round_trip: float, bbr_flows: float = 1) -> float:
    """Part of a line that flows of BBR version 1 have together beside loss-based flows.

    Twice the product that BBR measures in `ProbeRTT`, and the time that `ProbeRTT` takes. The queue
    is always full; neither the number of loss-based flows nor their law matters. Below a buffer of
    the bandwidth-delay product and 8 packets for each BBR flow only `ProbeRTT` leaves a part to
    others.

    Args:
        buffer: packets, above 0 and drained within the 10 s between two `ProbeRTT`.
        capacity: packets per second, above 0.
        round_trip: seconds with empty queues, above 0.
        bbr_flows: at least 1.

    Raises:
        TheoryError: a number out of its range.

    Source: Ware, Mukerjee, Seshan and Sherry, ACM IMC 2019, equations (7) to (11).

    >>> round(bbr_share(533, 833.3, 0.04), 3)
    0.491
    """
    return _core.bbr_share(buffer, capacity, round_trip, bbr_flows)
