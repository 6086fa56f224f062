"""Numbers of a summary and of `explain` by path, with unit and meaning, as the simulator says."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cellway import _core
from cellway.runs.quantity import EXPLAIN, fits
from cellway.text.units import UNITS, base_of

PLACES = ("NAME", "WORD", "NUMBER")
"""Parts of a listed path that stand for any name, a word of the language, a number."""
_ALSO = {"1": ("%",), "cell": ("packet",)}


class Number(NamedTuple):
    """A number's base unit, empty for counts and for numbers that differ in it, and its meaning."""

    unit: str
    meaning: str


def numbers() -> dict[str, Number]:
    """Every number of a summary by path, with PLACES."""
    return {path: Number(unit, meaning) for path, unit, meaning in _core.summary_numbers()}


def explained_numbers() -> dict[str, Number]:
    """Every number of `explain` by path, with PLACES and the prefix that a quantity has."""
    rows = _core.explained_numbers()
    return {f"{EXPLAIN}{path}": Number(unit, meaning) for path, unit, meaning in rows}


def units_of(path: str, *, explained: bool = False) -> tuple[str, ...]:
    """Units that the number at `path` can be in, its own first; empty if that is unknown.

    Where `*` stands for several numbers, they have a unit if it is the same for all. A distribution
    has that of its mean.
    """
    asked = (f"{EXPLAIN}{path}" if explained else path).split(".")
    listed = (explained_numbers() if explained else numbers()).items()
    found = _units(asked, listed) or _units([*asked, "mean"], listed)
    unit = found[0] if len(found) == 1 else ""
    return (*(name for name in UNITS if base_of(name) == unit), *_ALSO.get(unit, ()))


def _units(asked: Sequence[str], listed: Iterable[tuple[str, Number]]) -> list[str]:
    return list({number.unit for one, number in listed if _is_one_of(asked, one.split("."))})


def _is_one_of(asked: Sequence[str], listed: Sequence[str]) -> bool:
    """True if `asked` can name the number at `listed`; a name has one part or more."""
    if not listed or not asked:
        return not listed and not asked
    if listed[0] in PLACES:
        return any(_is_one_of(asked[at:], listed[1:]) for at in range(1, len(asked) + 1))
    return fits(asked[0], listed[0]) and _is_one_of(asked[1:], listed[1:])
