"""Values of answers: numbers with units as in scenarios, plain numbers and words."""

import re
from collections.abc import Mapping
from math import inf, isfinite

from cellway.text.units import SCALES, base_of

EXAMPLES: Mapping[str, str] = {
    "B": '"12.5 kB"',
    "bit/s": '"2.5 Mbit/s"',
    "s": '"30 ms"',
    "cell": '"5 cell"',
    "packet": '"5 packet"',
    "cell/s": '"5000 cell/s"',
    "1": '0.25 or "25 %"',
}
"""How a value is written, by its dimension."""
LAYERS = ("line", "cell", "payload")
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?) *(\S*)(?: +of +(\S+))?")
_DIGITS = 4


def dimension(unit: str) -> str:
    """The unit in which values are compared: ``"B"`` for ``"kB"``, ``"1"`` for ``"%"``."""
    base = base_of(unit.partition(" of ")[0])
    return "1" if base == "%" else base


def read_number(said: object, unit: str) -> float:
    """A value in base units.

    Args:
        said: as TOML has it, a text or a number.
        unit: the one that is asked for, such as ``"kB"`` or ``"Mbit/s of payload"``; others of its
            dimension are accepted, and a layer may be left out.

    Raises:
        ValueError: another dimension or layer, or no number; with what would be accepted.
    """
    wanted = dimension(unit)
    is_number = isinstance(said, int | float) and not isinstance(said, bool)
    found = _NUMBER.fullmatch(str(said).strip()) if is_number or isinstance(said, str) else None
    value = float(found[1]) if found else inf
    if not found or not isfinite(value):
        raise ValueError(f"{said!r}; {_accepted(wanted)} is expected")
    name = found[2] or "1"
    if name not in SCALES or dimension(name) != wanted:
        raise ValueError(f"{said!r}; {_accepted(wanted)} is expected{_bits(name, wanted)}")
    layer = unit.partition(" of ")[2]
    if found[3] and found[3] != layer:
        asked = f"a rate of {layer} is asked for" if layer else "no layer is expected"
        raise ValueError(f"{said!r}; {asked}")
    return value * SCALES[name]


def number_text(value: float, unit: str) -> str:
    """A value in base units as an answer has it, to four digits: ``"12.5 kB"``."""
    name, of, layer = unit.partition(" of ")
    shown = f"{value / SCALES[name]:.{_DIGITS}g}"
    if "e" in shown:
        shown = f"{value / SCALES[name]:.0f}"
    return shown if name == "1" else f"{shown} {name}{of}{layer}"


def _accepted(wanted: str) -> str:
    known = sorted(
        (name for name in SCALES if dimension(name) == wanted), key=lambda name: SCALES[name]
    )
    kind = "a number" if wanted == "1" else f"a number with its unit, {', '.join(known)}"
    return f"{kind}, such as {EXAMPLES[wanted]},"


def _bits(name: str, wanted: str) -> str:
    is_bits = re.fullmatch("[kMG]?bits?", name)
    return "; 8 bits are a byte" if is_bits and wanted == "B" else ""
