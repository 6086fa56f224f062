"""Rates that a network grants, without a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from cellway import _core
from cellway.theory.domain import whole

PAYLOAD_PART = 48 / 53
"""Payload of a cell."""


@dataclass(frozen=True)
class Claim:
    """Demand of one flow, in the unit of the capacities.

    Attributes:
        links: indices of the links that it passes.
        minimum: guaranteed rate, at least 0.
        maximum: largest rate that it needs; infinite for a greedy flow, which passes a link.
        weight: its growth above `minimum` relative to the others; 0 for no growth.
    """

    links: Sequence[int]
    minimum: float = 0.0
    maximum: float = inf
    weight: float = 1.0


@dataclass(frozen=True)
class Share:
    """Rate that a claim gets, and its limit.

    Attributes:
        rate: in the unit of the capacities.
        bound: the limit: a full link, its maximum, or its minimum for a weight of 0.
        link: the index of the link that is full.
    """

    rate: float
    bound: Literal["link", "max", "min"]
    link: int | None


def max_min_shares(capacities: Sequence[float], claims: Sequence[Claim]) -> tuple[Share, ...]:
    """Max-min fair shares of links, with minimum rates and weights, in the order of the claims.

    Rates above the minimum rates grow in proportion to the weights until a link is full or a claim
    has its maximum. Minimum rates that do not fit are shared max-min themselves.

    Raises:
        TheoryError: a number out of its range.

    Source: Bertsekas and Gallager, Data Networks, section 6.5.2; Vandalore et al., ATM Forum
        98-0408.

    >>> shares = max_min_shares([90, 20], [Claim([0]), Claim([0]), Claim([0, 1]), Claim([1])])
    >>> [share.rate for share in shares]
    [40.0, 40.0, 10.0, 10.0]
    """
    asked = [
        (
            [whole("links", link, 0, len(capacities) - 1) for link in claim.links],
            claim.minimum,
            claim.maximum,
            claim.weight,
        )
        for claim in claims
    ]
    found = _core.max_min_shares(list(capacities), asked)
    return tuple(Share(rate, bound, link) for rate, link, bound in found)


@dataclass(frozen=True)
class FeedbackLimits:
    """Throughputs of sources that are told a varying capacity.

    ψ is the mean time between changes of the capacity over the round trip.

    Attributes:
        mean: INSTCAP and EFFCAP as ψ grows, and as it falls below the measuring interval.
        minimum: EFFCAP with a memory of many stays at a rate, each longer than its averaging
            window.
        independent: INSTCAP with feedback that no longer holds, E[min(R, R')], without buffer or
            retransmission.
    """

    mean: float
    minimum: float
    independent: float


def feedback_limits(
    rates: Sequence[float], probabilities: Sequence[float], payload_part: float = PAYLOAD_PART
) -> FeedbackLimits:
    """Limits of the throughput of sources that are told the varying capacity of a line.

    Args:
        rates: of the line in its states, at least 0, in any unit.
        probabilities: of the states, which add up to 1.
        payload_part: the part of the rate that counts; 48/53 for cells.

    Raises:
        TheoryError: a number out of its range.
        ValueError: not as many probabilities as rates.

    Source: limits of Shakkottai, Kumar, Karnik and Anvekar, IEEE/ACM Transactions on Networking
        9(4), 2001.

    >>> limits = feedback_limits([100, 50], [0.5, 0.5])
    >>> round(limits.mean / 75, 3), round(limits.minimum / 75, 3), round(limits.independent / 75, 3)
    (0.906, 0.604, 0.755)
    """
    if len(rates) != len(probabilities):
        lengths = f"{len(rates)} and {len(probabilities)}"
        raise ValueError(f"rates and probabilities have {lengths} values; expected one of each")
    return FeedbackLimits(*_core.feedback_limits(list(rates), list(probabilities), payload_part))
