"""Numbers of a summary by path, with their units, as the simulator declares them."""

from collections.abc import Sequence

from cellway import _core
from cellway.runs.quantity import fits
from cellway.text.units import UNITS, base_of

PLACES = ("NAME", "WORD", "NUMBER")
"""Parts of a listed path that stand for any name, a word of the language, a number."""
_ALSO = {"1": ("%",), "cell": ("packet",)}
_EXPLAINED = {
    "_bits_per_second": "bit/s",
    "_cells_per_second": "cell/s",
    "_seconds": "s",
    "_bytes": "B",
    "_queue": "cell",
    "_s": "s",
    "utilisation": "1",
}
"""Base units by the ending of a path of `explain`."""


def numbers() -> dict[str, str]:
    """The base unit of every number of a summary by path, with PLACES; empty for counts."""
    return {path: unit for path, unit, _ in _core.summary_numbers()}


def units_of(path: str, *, explained: bool = False) -> tuple[str, ...]:
    """Units that the number at `path` can be in, its own first; empty if that is unknown.

    Where `*` stands for several numbers, they have a unit if it is the same for all.
    """
    if explained:
        found = [unit for ending, unit in _EXPLAINED.items() if path.endswith(ending)][:1]
    else:
        asked = path.split(".")
        listed = numbers().items()
        found = list({unit for one, unit in listed if _is_one_of(asked, one.split("."))})
    unit = found[0] if len(found) == 1 else ""
    return (*(name for name in UNITS if base_of(name) == unit), *_ALSO.get(unit, ()))


def _is_one_of(asked: Sequence[str], listed: Sequence[str]) -> bool:
    """True if `asked` can name the number at `listed`; a name has one part or more."""
    if not listed or not asked:
        return not listed and not asked
    if listed[0] in PLACES:
        return any(_is_one_of(asked[at:], listed[1:]) for at in range(1, len(asked) + 1))
    return fits(asked[0], listed[0]) and _is_one_of(asked[1:], listed[1:])
