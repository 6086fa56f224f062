"""The rules by which our numbers are judged: rows by a tolerance, claims by a range."""

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What a row or a claim comes to."""

    AGREES = "agrees"
    BECAUSE = "differs, because"
    DIFFERS = "differs"
    NOT_JUDGED = "not judged"
    """Nothing was published, or not everything was finished."""


JUDGED = (Verdict.AGREES, Verdict.BECAUSE, Verdict.DIFFERS)
"""The verdicts whose counts are always printed."""


def judge(mean: float, published: float | None, relative: float, *, explained: bool = False) -> Verdict:
    """*agrees* iff ``|mean - published| <= relative * |published|``.

    Args:
        mean: ours, over all replications, in the unit of `published`.
        published: the paper's number; `None` is not judged.
        relative: the tolerance as a share of `published`, fixed before the run.
        explained: whether a reason for a difference is kept beside the row.
    """
    if published is None:
        return Verdict.NOT_JUDGED
    if abs(mean - published) <= relative * abs(published):
        return Verdict.AGREES
    return Verdict.BECAUSE if explained else Verdict.DIFFERS


def judge_range(mean: float, least: float | None, most: float | None, *, explained: bool = False) -> Verdict:
    """*agrees* iff ``least <= mean <= most``; `None` is an open end.

    Args:
        mean: ours, in the unit of `least` and `most`.
        least: the lower end, fixed before the run.
        most: the upper end.
        explained: whether a reason for a difference is kept beside the claim.
    """
    if (least is None or least <= mean) and (most is None or mean <= most):
        return Verdict.AGREES
    return Verdict.BECAUSE if explained else Verdict.DIFFERS


def counts(verdicts: Iterable[Verdict]) -> dict[Verdict, int]:
    """How many rows and claims came to each of the three verdicts; zeros included."""
    found = list(verdicts)
    return {verdict: found.count(verdict) for verdict in JUDGED}
