"""Unit 3: delay of a full buffer, how large it must be, waiting times, and queue management."""

from math import sqrt

from cellway.course.exercise import Exercise, Mistake, Unit
from cellway.course.setting import number
from cellway.theory import PoissonQueue, full_buffer_delay, needed_buffer

LINE, PACKET_BITS = 10e6, 1500 * 8
ROOM, ROUND_TRIP, FLOWS = 200, 0.04, 100
"""Packets of the laboratory's buffer; seconds with an empty queue; flows of the second exercise."""
LOAD = 0.8
SERVICE = PACKET_BITS / LINE
PORT = "router.line"
QUEUES = ("tail", "codel", "pie", "fq_codel")
"""Drop policies that the laboratory compares."""


def call_delay(queue: str) -> float:
    """The 99th percentile of the call's one-way delay in the laboratory, seconds."""
    return number("queues", "flows.call.one_way_delay.p99", ("switch.router.drop", f'"{queue}"'))


def port_delay() -> float:
    """Mean time of a packet in the router under tail drop, seconds, as each packet measures it."""
    return number("queues", f"ports.{PORT}.delay.mean")


def _room() -> float:
    return needed_buffer(LINE, ROUND_TRIP, FLOWS) / PACKET_BITS


def _wait() -> float:
    return PoissonQueue(LOAD).mean_wait() * SERVICE


_FULL = Exercise(
    name="full",
    text=f"The laboratory's line has 10 Mbit/s and a buffer of {ROOM} packets of 1500 bytes. How "
    "long is a packet in the router that takes the last place, until its last bit has left?",
    unit="ms",
    right=lambda: full_buffer_delay(ROOM * PACKET_BITS, LINE),
    how="200 × 12 000 bit / 10 Mbit/s.",
    mistakes=(
        Mistake(lambda: ROOM * 1500 / LINE, "bytes divided by bits per second: multiply by 8"),
        Mistake(
            lambda: ROOM * 1460 * 8 / LINE,
            "headers wait, too: a packet has 1500 bytes, 1460 of them data",
        ),
        Mistake(
            lambda: full_buffer_delay(ROOM * PACKET_BITS, LINE) + ROUND_TRIP,
            "the round trip is not part of the wait",
        ),
        Mistake(lambda: SERVICE, "this is the time of one packet; 199 are before it"),
    ),
)
_ROOM = Exercise(
    name="buffer",
    text=f"{FLOWS} long Reno flows share such a line, with round trips of 40 ms, and their windows "
    "are halved independently of each other. How large a buffer keeps the line busy, by the rule "
    "of Appenzeller, Keslassy and McKeown?",
    unit="packet",
    right=_room,
    how="Bandwidth times round trip is 33.3 packets. The sum of n independent sawteeth varies, "
    "beside its mean, by 1 / sqrt(n) as much as one: 33.3 / sqrt(100).",
    tolerance=0.03,
    mistakes=(
        Mistake(
            lambda: _room() * sqrt(FLOWS), "that is for one flow, or for flows halved together"
        ),
        Mistake(
            lambda: _room() / sqrt(FLOWS), "divided by the number of flows; it is its square root"
        ),
        Mistake(lambda: _room() / 2, "one way; the rule has the round trip"),
        Mistake(lambda: _room() * 8, "bits divided by bytes: a packet has 12 000 bit"),
    ),
)
_POISSON = Exercise(
    name="poisson",
    text="Packets of 1500 bytes arrive at such a line as a Poisson process and take 80 % of it. "
    "How long do they wait on average, before their transmission begins?",
    unit="ms",
    right=_wait,
    how="M/D/1: ρ / (2 (1 - ρ)) = 2 transmission times of 1.2 ms.",
    mistakes=(
        Mistake(
            lambda: 2 * _wait(),
            "that is M/M/1, with exponential sizes; packets of one size wait half as long",
        ),
        Mistake(lambda: _wait() + SERVICE, "the transmission is not part of the wait"),
        Mistake(
            lambda: SERVICE / (2 * (1 - LOAD)),
            "a packet that finds the line idle, one in five, does not wait: factor ρ",
        ),
        Mistake(lambda: _wait() / 8, "bytes divided by bits per second: multiply by 8"),
    ),
)
_LITTLE = Exercise(
    name="little",
    text="Run the laboratory's scenario with tail drop. `cellway run` prints the mean queue of "
    "router.line, and how many packets it sent in the 40 s that are measured. How long is a packet "
    "in the router on average, by Little's law?",
    unit="ms",
    right=port_delay,
    how="Packets in the router over packets per second: W = L / λ. The distribution of the delay, "
    "measured packet by packet, has the same mean.",
    mistakes=(
        Mistake(
            lambda: number("queues", f"ports.{PORT}.mean_queue") * SERVICE,
            "1.2 ms is the time of a packet of 1500 bytes; those of the call are shorter",
        ),
        Mistake(
            lambda: ROOM * SERVICE, "this is a full buffer; the mean queue is a quarter shorter"
        ),
        Mistake(
            lambda: (
                number("queues", f"ports.{PORT}.mean_queue")
                * 60
                / number("queues", f"ports.{PORT}.sent")
            ),
            "the packets were sent in 40 s; the warm-up of 20 s is not measured",
        ),
        Mistake(lambda: ROUND_TRIP + port_delay(), "the round trip is outside the router"),
    ),
)
_CALL = Exercise(
    name="call",
    text="Which queue gives the laboratory's call the shortest 99th percentile of its one-way "
    "delay?",
    unit="",
    right=lambda: min(QUEUES, key=call_delay),
    how="Its own queue: FQ-CoDel sends the packets of a flow with a short queue first. CoDel and "
    "PIE keep the queue short for all; tail drop lets two downloads fill it.",
    words=QUEUES,
    mistakes=(
        Mistake(lambda: "tail", "downloads fill the buffer, and the call waits behind them"),
        Mistake(lambda: "codel", "short, but the call still waits behind bursts of the downloads"),
        Mistake(lambda: "pie", "PIE aims at 15 ms of queue, which the call has to wait as well"),
    ),
)
UNIT = Unit(
    name="queues",
    reading={
        "access-queues.md": "seven queues in front of an access line",
        "models/queues.md": "waiting times of Poisson arrivals",
        "models/codel.md": "CoDel",
    },
    setting="queues.toml",
    exercises=(_FULL, _ROOM, _POISSON, _LITTLE, _CALL),
)
