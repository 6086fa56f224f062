"""Units in which numbers are shown and written: the only table of them in Python.

The scenario language has its own table, in Rust; its quantities arrive here as numbers in base
units.
"""

import re
from collections.abc import Mapping

SCALES: Mapping[str, float] = {
    "1": 1.0,
    "%": 0.01,
    "bit/s": 1.0,
    "kbit/s": 1e3,
    "Mbit/s": 1e6,
    "Gbit/s": 1e9,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "ns": 1e-9,
    "B": 1.0,
    "kB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "KiB": 1024.0,
    "MiB": 1024.0**2,
    "GiB": 1024.0**3,
    "cell": 1.0,
    "kcell": 1e3,
    "Mcell": 1e6,
    "packet": 1.0,
    "kpacket": 1e3,
    "cell/s": 1.0,
    "kcell/s": 1e3,
}
"""Units as multiples of their base units, in which the simulator gives numbers: a number of the
summary divided by the multiple is in the unit. 1 500 000 bits per second are 1.5 Mbit/s."""

UNITS: Mapping[str, float] = {
    name: SCALES[name]
    for name in (
        "1",
        "%",
        "bit/s",
        "kbit/s",
        "Mbit/s",
        "s",
        "ms",
        "us",
        "B",
        "KiB",
        "cell",
        "packet",
        "cell/s",
    )
}
"""Units that a study file and a paper may name."""

CELL_BITS = 424
"""Bits of a cell on the line, 53 bytes: cells per second times this are bits per second of cell."""

_BASES = ("bit/s", "cell/s", "packet", "cell", "B", "s", "1", "%")
"""Units of bytes, each before those that its name ends in."""
_SIZES = ("B", "kB", "MB", "GB", "KiB", "MiB", "GiB")
_TIME = re.compile(r"(\d+\.?\d*|\.\d+) *(s|ms|us)")


def per(unit: str) -> float:
    """The number of `unit` in one base unit: 1000 for ms. Numbers are multiplied by it."""
    return 1.0 / SCALES[unit]


def base_of(unit: str) -> str:
    """The unit without a prefix: ``"bit/s"`` for ``"kbit/s"``, ``"B"`` for ``"KiB"``."""
    return next(base for base in _BASES if unit.endswith(base))


def size_text(size: int) -> str:
    """Bytes in the scenario language, in the greatest unit that divides them: ``"64 KiB"``."""
    dividing = [name for name in _SIZES if size % SCALES[name] == 0.0 and (size or name == "B")]
    unit = max(dividing, key=lambda name: SCALES[name])
    return f"{size // int(SCALES[unit])} {unit}"


def seconds(text: str) -> float:
    """Seconds in a time such as ``"5 s"`` or ``"200 ms"``.

    Raises:
        ValueError: anything else; s, ms and us are accepted.
    """
    found = _TIME.fullmatch(text)
    if not found:
        raise ValueError(f'{text!r}; a time such as "5 s" or "200 ms" is expected')
    return float(found[1]) * SCALES[found[2]]
