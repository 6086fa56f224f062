"""Checks that a criterion of a claim can fail, as far as that can be told without a run."""

import math
import random
from collections.abc import Mapping

from cellway.catalogue.calculation import published_part
from cellway.catalogue.expression import Named
from cellway.catalogue.published import Claim, Paper

DRAWS = 400
"""Sets of numbers that are tried in place of ours."""
_DECADES = 6.0


def criterion_fault(claim: Claim, paper: Paper) -> str | None:
    """Reason why a judgement of `claim` would say nothing; `None` if none is found.

    A published number is to be judged from both sides, unless it is 0 or the end itself, as of "at
    most". And some positive numbers in place of ours must lie outside the range: an expression of
    constants, or a largest over a least that may be 1 and more, agrees whatever runs give.
    """
    expected = claim.expected
    if not expected.judged:
        return None
    if not any(_is_ours(named, claim, paper) for named in claim.value.names):
        return "no number of ours is in `value`: nothing that runs give can make it fail"
    ends = (expected.min, expected.max)
    if claim.published and None in ends and claim.published not in ends:
        return (
            f"the sentence gives {claim.published:g}, and the range has one end; a number is "
            "judged from both sides, or not: `judged = false`"
        )
    if _always_inside(claim, paper):
        return (
            f"no numbers make `{claim.value.text}` leave the range, {expected}; a criterion that "
            "can fail is accepted, or `judged = false`"
        )
    return None


def _is_ours(named: Named, claim: Claim, paper: Paper) -> bool:
    return named.part is None or paper.study(claim.names[named.name]) is not None


def _always_inside(claim: Claim, paper: Paper) -> bool:
    stream = random.Random(claim.value.text)  # noqa: S311
    spreads = (0.1, math.inf)
    found = [
        _inside(claim, _numbers(claim, paper, stream, spreads[draw % 2])) for draw in range(DRAWS)
    ]
    return True in found and False not in found


def _numbers(
    claim: Claim, paper: Paper, stream: random.Random, spread: float
) -> Mapping[Named, float]:
    """Positive numbers in place of ours, this part around a common one; published ones as are."""
    middle = 10.0 ** stream.uniform(-_DECADES, _DECADES)

    def drawn() -> float:
        if math.isinf(spread):
            return float(10.0 ** stream.uniform(-_DECADES, _DECADES))
        return float(middle * stream.uniform(1.0 - spread, 1.0 + spread))

    return {
        named: drawn() if _is_ours(named, claim, paper) else published_part(paper, claim, named)
        for named in claim.value.names
    }


def _inside(claim: Claim, numbers: Mapping[Named, float]) -> bool | None:
    """True if the value lies in the range; `None` if there is no value."""
    try:
        value = claim.value.value(numbers.__getitem__)
    except (ZeroDivisionError, OverflowError):
        return None
    least, most = claim.expected.min, claim.expected.max
    return (least is None or least <= value) and (most is None or value <= most)
