"""Unit 2: slow start, the sawtooth of one Reno connection, and the square-root law."""

from functools import cache
from itertools import pairwise

from cellway.course.exercise import Exercise, Mistake, Unit
from cellway.course.setting import number, run_of
from cellway.theory import needed_buffer, slow_start_time, square_root_rate

SEGMENT, PACKET_BITS = 1460, 1500 * 8
LINE = 10e6
"""Bit/s of the line."""
ROUND_TRIP = 0.1012
"""Seconds with an empty queue: propagation and 1.2 ms for a packet on the line."""
BUFFER, FIRST = 20, 10
"""Packets of the router; segments of the first window."""
PATH = LINE * ROUND_TRIP / PACKET_BITS
"""Packets that the path contains with an empty queue."""
FILLED = 85
"""Segments that fill it."""
LOSS = 0.001


@cache
def teeth() -> tuple[float, float]:
    """Peak of the sawtooth in segments, and seconds from peak to peak, in the laboratory's run.

    The peak before a window is halved; the first one is that of slow start.
    """
    cwnd = run_of("slow-start", ("observe.interval", '"change"')).series("bulk.cwnd")
    points = zip(cwnd.time.tolist(), (cwnd.value / SEGMENT).tolist(), strict=True)
    falls = [(later[0], now[1]) for now, later in pairwise(points) if later[1] < 0.6 * now[1]]
    steady = falls[2:]
    return max(peak for _, peak in steady), (steady[-1][0] - steady[0][0]) / (len(steady) - 1)


def tooth(round_trip: float) -> float:
    """Seconds of a tooth if every round trip adds a segment and takes `round_trip` or longer."""
    peak = int(PATH + BUFFER)
    return sum(max(round_trip, w * PACKET_BITS / LINE) for w in range(peak // 2, peak))


def _utilisation() -> float:
    return number("slow-start", "channels.line.utilisation")


def _root(loss: float = LOSS) -> float:
    return square_root_rate(loss, ROUND_TRIP) * SEGMENT * 8


_ROUNDS = Exercise(
    name="rounds",
    text=f"A connection begins with a window of {FIRST} segments, and every segment is "
    f"acknowledged. After how many whole round trips of slow start is its window {FILLED} "
    "segments or more?",
    unit="1",
    right=lambda: slow_start_time(FILLED, 1.0, FIRST),
    how="Every ACK adds a segment, so each round trip doubles the window: 10, 20, 40, 80, 160.",
    tolerance=0.0,
    mistakes=(
        Mistake(lambda: float(FILLED - FIRST), "a segment per round trip is congestion avoidance"),
        Mistake(
            lambda: slow_start_time(FILLED, 1.0, 1), "from one segment; the first window is 10"
        ),
        Mistake(
            lambda: slow_start_time(FILLED, 1.0, FIRST, delayed_acks=True),
            "that is with delayed ACKs, by which a window grows by half in a round trip",
        ),
        Mistake(lambda: 3.09, "whole round trips are asked for: after three it is 80"),
    ),
)
_PEAK = Exercise(
    name="peak",
    text="In the laboratory one connection has a line of 10 Mbit/s, packets of 1500 bytes, a round "
    f"trip of 101.2 ms and a buffer of {BUFFER} packets. How many segments has its window when a "
    "packet is lost in congestion avoidance?",
    unit="packet",
    right=lambda: teeth()[0],
    how="The path holds 10 Mbit/s × 101.2 ms / 12 000 bit = 84 packets, the queue 20, and the next "
    "one is lost.",
    tolerance=0.02,
    mistakes=(
        Mistake(lambda: PATH, "the queue is forgotten: the window fills the path and the buffer"),
        Mistake(lambda: float(BUFFER), "the path is forgotten: packets are on the line, too"),
        Mistake(
            lambda: PATH / 2 + BUFFER,
            "one way; the path holds packets in one direction and ACKs in the other",
        ),
        Mistake(lambda: 0.75 * (PATH + BUFFER), "this is the mean of the sawtooth, not its peak"),
        Mistake(lambda: (PATH + BUFFER) / 2, "this is the window after the loss"),
    ),
)
_PERIOD = Exercise(
    name="period",
    text="How long is a tooth, from one loss to the next?",
    unit="s",
    right=lambda: teeth()[1],
    how="From 52 to 105 segments at one per round trip: 53 round trips. They take 101.2 ms up to "
    "84 segments, and then 1.2 ms more for each packet that waits: 5.5 s. In the run it is 6 s: "
    "the repair takes a round trip, and a window of 52.9 grows by 52 ACKs.",
    tolerance=0.1,
    mistakes=(
        Mistake(
            lambda: (PATH + BUFFER) / 2 * ROUND_TRIP,
            "the queue is forgotten: packets that wait make the round trip longer",
        ),
        Mistake(
            lambda: (PATH + BUFFER) * 0.1126, "the window is halved at a loss, it begins at 52"
        ),
        Mistake(lambda: ROUND_TRIP, "the window doubles in slow start alone"),
        Mistake(lambda: tooth(ROUND_TRIP / 2), "one way; a window grows once per round trip"),
    ),
)
_UTILISATION = Exercise(
    name="utilisation",
    text="What fraction of the time is the line busy, in the long run?",
    unit="%",
    right=_utilisation,
    how="With 52 to 84 segments the line is idle for part of each round trip, above that it is "
    "busy. `theory.buffered_utilisation` has the closed form, 0.888.",
    tolerance=0.015,
    mistakes=(
        Mistake(lambda: 0.75, "this is without a buffer: the mean of a sawtooth from 1/2 to 1"),
        Mistake(lambda: 1.0, "half of the peak, 52 segments, does not fill the path of 84"),
        Mistake(
            lambda: _utilisation() * SEGMENT / 1500,
            "this is data; the line is also busy with headers",
        ),
        Mistake(lambda: (PATH + BUFFER) / 2 / PATH, "this is only just after a loss"),
    ),
)
_BUFFER = Exercise(
    name="buffer",
    text="How large a buffer of the router keeps the line always busy, with this one connection?",
    unit="packet",
    right=lambda: needed_buffer(LINE, ROUND_TRIP) / PACKET_BITS,
    how="Half of the peak must still fill the path: (84 + B) / 2 = 84, so B is bandwidth times "
    "round trip.",
    tolerance=0.03,
    mistakes=(
        Mistake(lambda: PATH / 2, "half of bandwidth times delay, or the delay one way"),
        Mistake(lambda: 2 * PATH, "this is the peak, path and buffer together"),
        Mistake(lambda: PATH * 8, "bits divided by bytes: a packet has 12 000 bit"),
    ),
)
_ROOT = Exercise(
    name="root_law",
    text="One packet in 1000 is lost at random, the round trip stays 101.2 ms, and every segment "
    "is acknowledged. What throughput does the square-root law give for segments of 1460 bytes?",
    unit="Mbit/s of payload",
    right=_root,
    how="sqrt(3 / (2 p)) = 38.7 segments per round trip of 101.2 ms, 1460 × 8 bit each.",
    tolerance=0.03,
    mistakes=(
        Mistake(lambda: _root() / 8, "in bytes per second: multiply by 8"),
        Mistake(lambda: _root(0.1), "p is 0.001; it was taken in per cent"),
        Mistake(lambda: _root() * (2 / 3) ** 0.5, "the factor sqrt(3/2) is forgotten"),
        Mistake(lambda: 2 * _root(), "one way; the law has the round trip"),
        Mistake(lambda: _root() / 2**0.5, "that is with delayed ACKs; here each segment has one"),
    ),
)
UNIT = Unit(
    name="slow-start",
    reading={
        "models/tcp.md": "slow start and congestion avoidance",
        "theory.md": "the square-root law and its assumptions",
    },
    setting="slow-start.toml",
    exercises=(_ROUNDS, _PEAK, _PERIOD, _UTILISATION, _BUFFER, _ROOT),
)
