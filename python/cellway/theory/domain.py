"""Checks of the numbers that formulas take: counts and divisors."""

import math

from cellway.errors import TheoryError

MOST = 2**32 - 1
"""Largest count of cells, sources and bytes."""


def whole(name: str, value: object, least: int = 0, most: int = MOST) -> int:
    """Checks that `value` is a whole number of the range, and returns it.

    Raises:
        TheoryError: it is not; the message names the argument and the accepted range.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TheoryError(f"{name} is {value!r}; expected a whole number, {least} to {most}")
    if not math.isfinite(value) or value != int(value) or not least <= value <= most:
        raise TheoryError(f"{name} is {value}; expected a whole number, {least} to {most}")
    return int(value)


def positive(name: str, value: float) -> float:
    """Checks that `value` is above 0 and finite, and returns it.

    Raises:
        TheoryError: it is not.
    """
    if not (value > 0 and math.isfinite(value)):
        raise TheoryError(f"{name} is {value}; expected above 0 and finite")
    return value
