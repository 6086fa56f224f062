"""Unit 8: means of a varying capacity, queues when it falls, and what a TCP uses."""

from cellway.course.exercise import Exercise, Mistake, Unit
from cellway.course.setting import number
from cellway.theory import full_buffer_delay

HIGH, LOW = 8e6, 4e6
"""Bit/s of cells."""
LONG, SHORT = 3.0, 1.0
"""Mean seconds at the high and the low rate in the first exercise."""
CELL, ROOM, ROUND_TRIP = 424, 1400, 0.1
DATA = 1460 / (32 * 53)
"""Data over bits of cells, for packets of 1500 bytes."""
STAYS = ("100 ms", "300 ms", "1 s", "10 s")


def efficiency(stay: str) -> float:
    """Goodput over the largest one that the capacity of the run allows, in the laboratory."""
    keys = [f"link.bottleneck.capacity.two_state.mean_{one}" for one in ("high", "low")]
    sets = ((key, f'"{stay}"') for key in keys)
    return number("capacity", "channels.bottleneck.efficiency", *sets)


def _mean(high: float, low: float) -> float:
    return (HIGH * high + LOW * low) / (high + low)


_MEAN = Exercise(
    name="mean",
    text="A line has 8 Mbit/s of cells for 3 s on average, then 4 Mbit/s for 1 s on average, and "
    "so on. What is its mean rate?",
    unit="Mbit/s of cell",
    right=lambda: _mean(LONG, SHORT),
    how="(8 × 3 + 4 × 1) / 4: each rate counts by its time.",
    mistakes=(
        Mistake(lambda: (HIGH + LOW) / 2, "the line has 8 Mbit/s three times as long as 4"),
        Mistake(lambda: _mean(SHORT, LONG), "the times are exchanged"),
        Mistake(
            lambda: 4 / (3 / HIGH + 1 / LOW),
            "harmonic: that is for equal amounts of data at each rate; here times are given",
        ),
    ),
)
_DATA = Exercise(
    name="data",
    text="The laboratory's line has 8 and 4 Mbit/s of cells, each for half of the time. How much "
    "data does TCP get at most in the long run, in segments of 1460 bytes in 32 cells each?",
    unit="Mbit/s of payload",
    right=lambda: _mean(1, 1) * DATA,
    how="6 Mbit/s × 1460 / 1696.",
    mistakes=(
        Mistake(lambda: _mean(1, 1), "this is the rate of cells, with all headers"),
        Mistake(lambda: _mean(1, 1) * 48 / 53, "headers of TCP, IP and AAL5 and padding, too"),
        Mistake(lambda: LOW * DATA, "the line has more than its low rate half of the time"),
        Mistake(lambda: HIGH * DATA, "the line has its high rate half of the time only"),
    ),
)
_GROWTH = Exercise(
    name="growth",
    text="A source sends 8 Mbit/s of cells when the line falls to 4. It learns of it after a round "
    "trip of 100 ms. How many cells are waiting by then?",
    unit="cell",
    right=lambda: (HIGH - LOW) * ROUND_TRIP / CELL,
    how="(8 - 4) Mbit/s × 100 ms / 424 bit.",
    mistakes=(
        Mistake(lambda: HIGH * ROUND_TRIP / CELL, "the line still sends 4 Mbit/s of it"),
        Mistake(lambda: (HIGH - LOW) * ROUND_TRIP / 2 / CELL, "a round trip, not one way"),
        Mistake(lambda: (HIGH - LOW) * ROUND_TRIP / 53, "53 are bytes; a cell has 424 bits"),
        Mistake(
            lambda: (HIGH - LOW) * ROUND_TRIP / 384, "these rates count whole cells, 53 bytes each"
        ),
    ),
)
_WAIT = Exercise(
    name="wait",
    text="The router has a buffer of 1400 cells. How long does a cell wait at most, if the line "
    "has 4 Mbit/s all the while?",
    unit="ms",
    right=lambda: full_buffer_delay(ROOM * CELL, LOW),
    how="1400 × 424 bit / 4 Mbit/s.",
    mistakes=(
        Mistake(
            lambda: full_buffer_delay(ROOM * CELL, HIGH), "the line has 4 Mbit/s, half of its best"
        ),
        Mistake(lambda: ROOM * CELL / _mean(1, 1), "the mean rate; the line is at its low one"),
        Mistake(lambda: ROOM * 53 / LOW, "bytes divided by bits per second: multiply by 8"),
        Mistake(lambda: ROOM * 384 / LOW, "headers of cells are sent, too: 53 bytes each"),
    ),
)
_USED = Exercise(
    name="used",
    text="What fraction of the data that the line can carry does the laboratory's download get? "
    "The run knows its capacity: `channels.bottleneck.efficiency` of `cellway run --json`.",
    unit="%",
    right=lambda: efficiency("1 s"),
    how="Its goodput over that of a line that is always busy with full segments.",
    tolerance=0.02,
    mistakes=(
        Mistake(
            lambda: _goodput() / _mean(1, 1),
            "data over cells; headers take 14 % of the cells",
        ),
        Mistake(lambda: _goodput() / (HIGH * DATA), "the line has 8 Mbit/s half of the time only"),
        Mistake(lambda: _goodput() / HIGH, "data over cells, and the high rate all the time"),
        Mistake(lambda: 1.0, "the queue is empty at times: after losses, and when the rate rises"),
    ),
)
_STAYS = Exercise(
    name="stays",
    text="The rate changes after 100 ms, 300 ms, 1 s or 10 s on average. With which of these does "
    "the laboratory's download use the largest fraction of the line?",
    unit="",
    right=lambda: max(STAYS, key=efficiency),
    how="In 10 s a window grows to the new rate and stays there for many round trips. In a few "
    "round trips it cannot follow.",
    words=STAYS,
    mistakes=(
        Mistake(
            lambda: "100 ms",
            "the buffer averages over a round trip, but slower changes remain, and it overflows",
        ),
        Mistake(lambda: "300 ms", "the worst of them: too slow for the buffer, too fast for TCP"),
        Mistake(lambda: "1 s", "a window grows by a segment each round trip: 10 s leave more time"),
    ),
)


def _goodput() -> float:
    return number("capacity", "flows.download.throughput_bits_per_second")


UNIT = Unit(
    name="capacity",
    reading={
        "varying-capacity.md": "TCP and sources that are told the capacity",
        "models/capacity.md": "processes of a link's rate",
    },
    setting="capacity.toml",
    exercises=(_MEAN, _DATA, _GROWTH, _WAIT, _USED, _STAYS),
)
