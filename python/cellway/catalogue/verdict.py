"""Rules by which our numbers are judged: numbers by a tolerance, claims by a range.

A verdict judges the 95 % interval of the mean, not the mean: *agrees* if the whole interval lies in
the accepted range, *undecided* if the interval reaches over an end of it. A number without an
interval is judged by itself.
"""

from collections.abc import Iterable
from enum import StrEnum

from cellway.statistics import Estimate


class Verdict(StrEnum):
    """Verdict on a number or a claim."""

    AGREES = "agrees"
    UNDECIDED = "undecided"
    """The interval reaches over an end of the accepted range."""
    BECAUSE = "differs, because"
    """The interval lies outside, and a reason on record passed its test."""
    DIFFERS = "differs"
    NOT_JUDGED = "not judged"
    """No number was published, or some runs have not finished."""


JUDGED = (Verdict.AGREES, Verdict.UNDECIDED, Verdict.BECAUSE, Verdict.DIFFERS)
"""Verdicts whose counts are always printed."""


def judge(ours: Estimate, least: float | None, most: float | None) -> Verdict:
    """Verdict *agrees*, *undecided* or *differs*, by the place of the interval of `ours`.

    Args:
        ours: the estimate, in the unit of `least` and `most`.
        least: lower end of the accepted range, included; `None` if it is open.
        most: upper end, likewise.
    """
    low, high = ours.interval or (ours.mean, ours.mean)
    if (least is None or least <= low) and (most is None or high <= most):
        return Verdict.AGREES
    if (least is not None and high < least) or (most is not None and most < low):
        return Verdict.DIFFERS
    return Verdict.UNDECIDED


def counts(verdicts: Iterable[Verdict]) -> dict[Verdict, int]:
    """Number of entries with each of the judged verdicts; zeros included."""
    found = list(verdicts)
    return {verdict: found.count(verdict) for verdict in JUDGED}
