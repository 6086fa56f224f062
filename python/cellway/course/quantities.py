"""Values of answers: numbers with units as in scenarios, plain numbers and words."""

import re
from collections.abc import Mapping
from math import inf, isfinite

from cellway.text.units import SCALES, base_of

_EXAMPLES: Mapping[str, str] = {
    "kB": "12.5",
    "Mbit/s": "2.5",
    "ms": "30",
    "s": "0.5",
    "cell": "5",
    "packet": "5",
    "cell/s": "5000",
    "%": "25",
    "1": "0.25",
}
"""A number in each unit that exercises ask for."""
LAYERS = ("line", "cell", "payload")
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?) *(\S*)(?: +of +(\S+))?")
_DIGITS = 4


def dimension(unit: str) -> str:
    """The unit in which values are compared: ``"B"`` for ``"kB"``, ``"1"`` for ``"%"``."""
    base = base_of(unit.partition(" of ")[0])
    return "1" if base == "%" else base


def example(unit: str) -> str:
    """A value in the unit that is asked for, as TOML: ``"5000 cell/s"`` in quotes, or a number."""
    written = _EXAMPLES[unit.partition(" of ")[0]]
    return written if unit == "1" else f'"{written} {unit}"'


def asked_in(unit: str) -> str:
    """A number in the unit that is asked for, in words, the same on pages and in messages."""
    of = "without a unit" if unit == "1" else f"with the unit {unit}"
    return f"a number {of}, such as {example(unit)}"


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
        raise ValueError(f"{said!r}; {_accepted(unit)}")
    name = found[2] or "1"
    if name not in SCALES or dimension(name) != wanted:
        raise ValueError(f"{said!r}; {_accepted(unit)}{_bits(name, wanted)}")
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


def _accepted(unit: str) -> str:
    """The expected unit, and the others of its dimension, for messages."""
    wanted, name = dimension(unit), unit.partition(" of ")[0]
    if wanted == "1":
        others = ["0.25" if name == "%" else '"25 %"']
    else:
        known = (one for one in SCALES if dimension(one) == wanted and one != name)
        others = sorted(known, key=lambda one: SCALES[one])
    return f"{asked_in(unit)}, is expected; also accepted: {', '.join(others)}"


def _bits(name: str, wanted: str) -> str:
    is_bits = re.fullmatch("[kMG]?bits?", name)
    return "; 8 bits are a byte" if is_bits and wanted == "B" else ""
