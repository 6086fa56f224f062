"""What numbers formulas take: counts and divisors, before they are handed on."""

import math

from cellway.errors import TheoryError

MOST = 2**32 - 1
"""Cells, sources and bytes are counted to this."""


def whole(name: str, value: object, least: int = 0, most: int = MOST) -> int:
    """`value`, a whole number of the range.

    Raises:
        TheoryError: it is none; the message names the argument and what is expected.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TheoryError(f"{name} is {value!r}; expected a whole number, {least} to {most}")
    if not math.isfinite(value) or value != int(value) or not least <= value <= most:
        raise TheoryError(f"{name} is {value}; expected a whole number, {least} to {most}")
    return int(value)


def positive(name: str, value: float) -> float:
    """`value`, above 0 and finite.

    Raises:
        TheoryError: it is not.
    """
    if not (value > 0 and math.isfinite(value)):
        raise TheoryError(f"{name} is {value}; expected above 0 and finite")
    return value
