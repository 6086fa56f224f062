"""Send rate of one greedy TCP at a given loss and round trip, if nothing else limits it.

Rates are in segments per second. Every formula assumes greedy traffic in equilibrium: no slow start
at the beginning, no queue whose delay would follow the window.
"""

import math
from dataclasses import dataclass

from cellway._core import cubic_rate as _cubic_rate
from cellway._core import pftk_approximate_rate as _pftk_approximate_rate
from cellway._core import pftk_rates as _pftk_rates
from cellway._core import square_root_rate as _square_root_rate

C = 0.4
"""Constant of CUBIC, segments per second cubed (RFC 9438, section 5)."""
BETA = 0.7
"""Factor by which CUBIC lowers its window (RFC 9438, section 4.6)."""


def square_root_rate(
    loss: float, round_trip: float, segments_per_ack: float = 1, max_window: float = math.inf
) -> float:
    """Congestion avoidance of the Reno family alone: sqrt(3 / (2 b p)) / RTT.

    With a largest window Wm below the peak sqrt(8 / (3 b p)) the window grows to Wm and stays:
    1 / (p RTT (b Wm / 8 + 1 / (p Wm))).

    It fits New Reno and selective acknowledgements where losses rarely lead to timeouts, that is
    with windows above some ten segments.

    Args:
        loss: p, per segment, above 0 and below 1; losses are 1/p segments apart.
        round_trip: RTT, seconds.
        segments_per_ack: b, 1 for an acknowledgement per segment, 2 for delayed ones.
        max_window: Wm, segments; infinite if it does not limit.

    Raises:
        TheoryError: a number out of its range.

    Source: Mathis, Semke, Mahdavi, Ott, ACM CCR 27(3), 1997, equation (3); the limited window of
        Padhye, Firoiu, Towsley, Kurose, ACM SIGCOMM 1998, section 2.3.

    >>> round(square_root_rate(0.01, 0.1), 1)
    122.5
    """
    return _square_root_rate(loss, round_trip, segments_per_ack, max_window)


@dataclass(frozen=True)
class PftkRates:
    """Rates of Reno, segments per second.

    Attributes:
        sent: B(p), the send rate, retransmissions included.
        received: T(p), the throughput, which `cellway theory` prints.
    """

    sent: float
    received: float


def pftk_rates(
    loss: float,
    round_trip: float,
    timeout: float,
    segments_per_ack: float = 1,
    max_window: float = math.inf,
) -> PftkRates:
    """Rates of Reno with timeouts and a limited window.

    Args:
        loss: p, above 0 and below 1: the probability that a segment is the first of its round trip
            to be lost; the rest of that round is lost with it.
        round_trip: RTT, seconds.
        timeout: T0, seconds: the first timeout of a row.
        segments_per_ack: b, 1 for an acknowledgement per segment, 2 for delayed ones.
        max_window: Wm, segments; infinite if it does not limit.

    Raises:
        TheoryError: a number out of its range.

    Source: Padhye, Firoiu, Towsley, Kurose, ACM SIGCOMM 1998, equations (32) and (37), with the
        exact probability of a timeout, equation (24).

    >>> rates = pftk_rates(0.02, 0.2, 2.0, 2)
    >>> round(rates.sent, 1), round(rates.received, 1)
    (20.9, 19.3)
    """
    return PftkRates(*_pftk_rates(loss, round_trip, timeout, segments_per_ack, max_window))


def pftk_approximate_rate(
    loss: float,
    round_trip: float,
    timeout: float,
    segments_per_ack: float = 1,
    max_window: float = math.inf,
) -> float:
    """Send rate of Reno, by the short form that is often quoted; the full one is `pftk_rates`.

    It is within 3 % of the full form for losses of up to a percent where the window does not limit,
    that is from 1.5 sqrt(8 / (3 b p)) segments on. Where the window limits, the short form has
    fewer timeouts than the full one, and may be several times as large.

    Args:
        loss: p, above 0 and below 1, as in `pftk_rates`.
        round_trip: RTT, seconds.
        timeout: T0, seconds.
        segments_per_ack: b.
        max_window: Wm, segments; infinite if it does not limit.

    Raises:
        TheoryError: a number out of its range.

    Source: Padhye, Firoiu, Towsley, Kurose, ACM SIGCOMM 1998, equation (33).

    >>> round(pftk_approximate_rate(0.02, 0.2, 2.0, 2), 1)
    21.0
    """
    return _pftk_approximate_rate(loss, round_trip, timeout, segments_per_ack, max_window)


def cubic_rate(
    loss: float, round_trip: float, c: float = C, beta: float = BETA, max_window: float = math.inf
) -> float:
    """Response function of CUBIC.

    It is the larger of its own rate and that of its Reno-friendly region. With a largest window
    below its peak the window is left at that, grows to it again, and stays.

    Args:
        loss: p, per segment, above 0 and below 1; losses are 1/p segments apart.
        round_trip: RTT, seconds.
        c: C, segments per second cubed, above 0.
        beta: the factor of each decrease, above 0 and below 1.
        max_window: segments; infinite if it does not limit.

    Raises:
        TheoryError: a number out of its range.

    Source: RFC 9438, section 5.1; the sum with a largest window is this program's own.

    >>> round(cubic_rate(1e-6, 0.1) * 0.1)
    5926
    """
    return _cubic_rate(loss, round_trip, c, beta, max_window)
