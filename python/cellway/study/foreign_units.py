"""Units of the columns of another tool's table: those of study files and of the scenario language.

The unit of a response is one of study files, `cellway.text.units.UNITS`, or as there a name such as
``{ name = "octet" }``, which is not converted. The unit of levels is one of the scenario language,
for rates with the layer: ``Mbit/s of line``.
"""

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path

from cellway.errors import StudyError
from cellway.text.nearest import did_you_mean
from cellway.text.units import SCALES, UNITS

_OF_LEVELS = (*SCALES, "ps", "min", "h", "d", "m", "km")
_LAYERS = ("line", "cell", "payload")


def units_of_columns(
    file: Path, responses: Collection[str], units: Mapping[str, str]
) -> dict[str, str]:
    """The unit of each column: of `responses` as study files have it, of others as levels have it.

    Raises:
        StudyError: a unit that there is not; the message has the file, the column, the units that
            are accepted, and the most similar.
    """
    return {
        column: _of_response(file, column, unit)
        if column in responses
        else _of_levels(file, column, unit)
        for column, unit in units.items()
    }


def _of_response(file: Path, column: str, unit: str) -> str:
    if unit.startswith("{"):
        return _name(file, column, unit)
    if unit not in UNITS:
        accepted = f'one of {", ".join(UNITS)} is expected, or {{ name = "{unit}" }}, which is not '
        raise StudyError(f"{_unknown(file, column, unit, 'responses', UNITS)}; {accepted}converted")
    return unit


def _name(file: Path, column: str, unit: str) -> str:
    """The name in ``{ name = "octet" }``."""
    try:
        given = tomllib.loads(f"unit = {unit}")["unit"]
    except tomllib.TOMLDecodeError:
        given = None
    match given:
        case {"name": str(name), **others} if name and not others:
            if name in UNITS:
                raise StudyError(
                    f"{file}: column {column!r}: numbers are converted to {name}; {name} alone is "
                    "expected as its unit"
                )
            return name
        case _:
            raise StudyError(
                f"{file}: column {column!r}: its unit is {unit}; a unit or "
                '{ name = "octet" } is expected'
            )


def _of_levels(file: Path, column: str, unit: str) -> str:
    name, _, layer = unit.partition(" of ")
    is_known = name in _OF_LEVELS and (not layer or (name.endswith("/s") and layer in _LAYERS))
    if not is_known:
        accepted = f"one of {', '.join(_OF_LEVELS)} is expected, or no unit"
        raise StudyError(f"{_unknown(file, column, unit, 'levels', _OF_LEVELS)}; {accepted}")
    return unit


def _unknown(file: Path, column: str, unit: str, of: str, known: Collection[str]) -> str:
    return f"{file}: column {column!r}: {unit!r} is no unit of {of}{_hint(unit, known)}"


def _hint(unit: str, known: Collection[str]) -> str:
    """The most similar unit; none for another multiple of a known one, or of bytes."""
    alike = {_plain(one): one for one in known}
    if unit in SCALES or "B/s" in unit:
        return ""
    if _plain(unit) in alike:
        return f"; did you mean {alike[_plain(unit)]}?"
    return did_you_mean(unit, known)


def _plain(unit: str) -> str:
    """A unit as most programs spell it: ``mbps`` for ``Mbit/s``."""
    small = unit.casefold().replace("μ", "u").replace("µ", "u")
    return small.replace("bit/s", "bps").replace("b/s", "bps")
