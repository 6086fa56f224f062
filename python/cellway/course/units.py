"""Unit 1: cells of a packet, rates of a line, bandwidth times delay, and what a window allows."""

from cellway.course.exercise import Exercise, Mistake, Unit
from cellway.course.setting import number
from cellway.theory import CELL_RATES, encapsulated, goodput_ceiling

SMALL = 576
"""Bytes of the IP packet of the first exercise; 40 of them are headers of TCP and IP."""
MTU, SEGMENT = 1500, 1460
ONE_WAY, ROUND_TRIP = 0.02, 0.04
"""Seconds of propagation of the laboratory's path."""
WINDOW = 64 * 1024
SONET = 155.52e6
"""Bit/s on an OC-3c, with the overhead of SONET."""
CELLS = CELL_RATES["OC-3c"]
"""Bit/s of cells on it."""


def _ceiling() -> float:
    return goodput_ceiling(CELLS, "aal5_llc", SEGMENT)


_CELLS = Exercise(
    name="cells",
    text=f"An IP packet of {SMALL} bytes goes over AAL5 with LLC/SNAP (8 bytes in front, a trailer "
    "of 8 bytes behind). How many cells does it take?",
    unit="cell",
    right=lambda: float(encapsulated("aal5_llc", SMALL - 40).cells or 0),
    how=f"({SMALL} + 8 + 8) / 48 = 12.33 cells of payload; AAL5 pads the last one.",
    tolerance=0.0,
    mistakes=(
        Mistake(lambda: SMALL / 48, "LLC/SNAP and the trailer of AAL5 are forgotten"),
        Mistake(lambda: (SMALL + 16) / 48, "AAL5 pads the last cell: no part of a cell is sent"),
        Mistake(lambda: -(-SMALL // 53), "5 of the 53 bytes of a cell are its header"),
        Mistake(
            lambda: -(-8 * SMALL // 48), "48 is the payload of a cell in bytes; these are bits"
        ),
    ),
)
_CELL_RATE = Exercise(
    name="cell_rate",
    text="How many cells a second does an OC-3c carry? 149.76 of its 155.52 Mbit/s are cells; the "
    "rest is the overhead of SONET.",
    unit="cell/s",
    right=lambda: CELLS / 424,
    how="149.76 Mbit/s / (53 × 8 bit).",
    tolerance=0.005,
    mistakes=(
        Mistake(lambda: SONET / 424, "the overhead of SONET carries no cells"),
        Mistake(lambda: CELLS / 384, "a cell takes 53 bytes on the line, not its 48 of payload"),
        Mistake(lambda: CELLS / 53, "53 are bytes; the rate is in bits"),
    ),
)
_CEILING = Exercise(
    name="ceiling",
    text=f"TCP sends segments of {SEGMENT} bytes in IP packets of {MTU} bytes over that line, each "
    "in 32 cells. How much data does TCP get at most?",
    unit="Mbit/s of payload",
    right=_ceiling,
    how=f"149.76 Mbit/s × {SEGMENT} / (32 × 53): only {SEGMENT} of the 1696 bytes are data.",
    tolerance=0.01,
    mistakes=(
        Mistake(
            lambda: SONET * SEGMENT / 1696, "the overhead of SONET carries no cells: 149.76 Mbit/s"
        ),
        Mistake(
            lambda: CELLS * 48 / 53,
            "headers of cells are counted; headers of TCP, IP and AAL5 and the padding are not",
        ),
        Mistake(lambda: CELLS * MTU / 1696, "40 bytes of each packet are headers of TCP and IP"),
        Mistake(lambda: CELLS * SEGMENT / MTU, "the cells are forgotten: 1696 bytes a packet"),
    ),
)
_BDP = Exercise(
    name="bdp",
    text="The path of the laboratory has this line and 20 ms of propagation in each direction. "
    "How large must a window be, in bytes of data, to keep the line busy?",
    unit="kB",
    right=lambda: _ceiling() * ROUND_TRIP / 8,
    how="128.9 Mbit/s of payload × 40 ms / 8: an ACK comes back one round trip after its data.",
    tolerance=0.02,
    mistakes=(
        Mistake(lambda: _ceiling() * ONE_WAY / 8, "one way; the ACK takes as long again"),
        Mistake(
            lambda: SONET * ROUND_TRIP / 8,
            "the rate of the line carries headers and cells, too; a window counts data",
        ),
        Mistake(
            lambda: CELLS * ROUND_TRIP / 8,
            "the rate of the cells carries headers, too; a window counts data",
        ),
        Mistake(lambda: _ceiling() * ROUND_TRIP, "in bits: divide by 8"),
    ),
)
_WINDOW = Exercise(
    name="window_rate",
    text="What throughput does the laboratory's window of 64 KiB give? Calculate it, then look at "
    "the run.",
    unit="Mbit/s of payload",
    right=lambda: number("units", "flows.bulk.throughput_bits_per_second"),
    how="A window per round trip: 64 KiB × 8 / 40 ms. Whole segments, 44 of 1460 bytes, and 0.1 ms "
    "for cells on the line make it 2 % less.",
    tolerance=0.03,
    mistakes=(
        Mistake(
            lambda: WINDOW * 8 / ONE_WAY,
            "a window per one-way delay; the next one waits for the ACK, a round trip",
        ),
        Mistake(lambda: WINDOW / ROUND_TRIP, "in bytes per second: multiply by 8"),
        Mistake(_ceiling, "this is what the line carries; the window is ten times too small"),
        Mistake(
            lambda: WINDOW * 8 / ROUND_TRIP * 1696 / SEGMENT,
            "this is what the window takes of the line, with headers and cells",
        ),
    ),
)
UNIT = Unit(
    name="units",
    reading={
        "glossary.md": "cell rate, line rate, payload; segment; window",
        "theory.md": "ceilings of lines",
    },
    setting="units.toml",
    exercises=(_CELLS, _CELL_RATE, _CEILING, _BDP, _WINDOW),
)
