"""The rules by which ours are judged: numbers by a tolerance, claims by a range.

A verdict is one on the 95 % interval of the mean, not on the mean: it agrees when the whole
interval lies within what is accepted, and is undecided when the interval reaches over an end of it.
A number without an interval is judged by itself.
"""

from collections.abc import Iterable
from enum import StrEnum

from cellway.statistics import Estimate


class Verdict(StrEnum):
    """What a number or a claim comes to."""

    AGREES = "agrees"
    UNDECIDED = "undecided"
    """The interval reaches over an end of what is accepted."""
    BECAUSE = "differs, because"
    """It lies outside, and a reason on record passed its test."""
    DIFFERS = "differs"
    NOT_JUDGED = "not judged"
    """Nothing was published, or not everything was finished."""


JUDGED = (Verdict.AGREES, Verdict.UNDECIDED, Verdict.BECAUSE, Verdict.DIFFERS)
"""The verdicts whose counts are always printed."""


def judge(ours: Estimate, least: float | None, most: float | None) -> Verdict:
    """*agrees*, *undecided* or *differs*, by where the interval of `ours` lies.

    Args:
        ours: the estimate, in the unit of `least` and `most`.
        least: the lower end of what is accepted, included; `None` is open.
        most: the upper end.
    """
    low, high = ours.interval or (ours.mean, ours.mean)
    if (least is None or least <= low) and (most is None or high <= most):
        return Verdict.AGREES
    if (least is not None and high < least) or (most is not None and most < low):
        return Verdict.DIFFERS
    return Verdict.UNDECIDED


def counts(verdicts: Iterable[Verdict]) -> dict[Verdict, int]:
    """How many came to each of the judged verdicts; zeros included."""
    found = list(verdicts)
    return {verdict: found.count(verdict) for verdict in JUDGED}
