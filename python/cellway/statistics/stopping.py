"""Stopping rule for replications: one relative half-width for several responses at once.

Source: Law, Simulation Modeling and Analysis, section 9.4.1 (sequential procedure for a relative
error) and 9.7 (several measures of performance): replicate until ``half-width <= target · |mean|``
for each of m responses, each interval with confidence ``1 - alpha / m``, so that all hold together
with ``1 - alpha``. The number asked for next is the usual
``n · (half-width / target half-width)^2``.

Departures: the criterion is the printed half-width over the mean, not Law's
``target / (1 + target)``, so that a reader can check it; the relative error is then at most
``target / (1 - target)``. At most twice as many replications are asked for at a time, because a
variance from few replications is uncertain.

A response that is the same in all replications so far has no interval and does not count: the
others decide. If there are no others, replicating ends with the least number, and the outcome is
not that the means are exact but that nothing varies. A user who waits for a rare event raises the
least number.

A decision depends on the samples alone, not on their order: the order in which workers finish does
not matter. A driver that runs replications in parallel must ask after complete
numbers of them, not after the first ones to finish.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cellway.statistics.intervals import (
    CONFIDENCE,
    Estimate,
    bonferroni,
    check_confidence,
    estimate,
)


class Outcome(StrEnum):
    """Next step of the rule."""

    ENOUGH = "enough"
    UNVARIED = "nothing varies"
    """No response differs between replications: more would show nothing, and no mean is exact."""
    MORE = "more"
    AT_MOST = "stopped at most"
    """The most replications allowed did not reach the precision."""


@dataclass(frozen=True)
class Precision:
    """Precision that every response must reach.

    Attributes:
        relative_half_width: the target, as a share of the mean; positive.
        min: replications before the first decision, at least 2.
        max: replications after which the rule gives up, not below `min`.
        confidence: that all intervals hold together.

    Raises:
        ValueError: a number out of its range.
    """

    relative_half_width: float
    min: int = 5
    max: int = 100
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        if not 0.0 < self.relative_half_width < math.inf:
            raise ValueError(
                f"relative half-width {self.relative_half_width} is out of range; it is positive"
            )
        if self.min < 2:  # noqa: PLR2004
            raise ValueError(f"at least {self.min} replications give no interval; take 2 or more")
        if self.max < self.min:
            raise ValueError(f"at most {self.max} replications are fewer than at least {self.min}")
        check_confidence(self.confidence)


@dataclass(frozen=True)
class Decision:
    """Judgement of the replications so far.

    Attributes:
        outcome: the next step.
        replications: their number so far.
        suggested: the total number to run before asking again; `replications` unless `outcome` is
            MORE.
        estimates: by response, each with the confidence `confidence`.
        confidence: of each interval, so that all hold together.
        missed: the responses that are not yet precise enough, in the order of the samples.
    """

    outcome: Outcome
    replications: int
    suggested: int
    estimates: Mapping[str, Estimate]
    confidence: float
    missed: tuple[str, ...]


def decide(samples: Mapping[str, Sequence[float]], precision: Precision) -> Decision:
    """Judges the replications so far.

    Args:
        samples: one number per replication for each response, equally many.
        precision: the precision to reach.

    Raises:
        ValueError: no response, none or unequal numbers of replications, or a value that is not
            finite.
    """
    count = _count(samples)
    confidence = bonferroni(precision.confidence, len(samples))
    estimates = {
        name: estimate(values, confidence, method=_method(len(samples)))
        for name, values in samples.items()
    }
    target = precision.relative_half_width
    missed = tuple(name for name, found in estimates.items() if not _precise(found, target))
    if not missed and count >= precision.min:
        varies = any(not found.repeated for found in estimates.values())
        outcome = Outcome.ENOUGH if varies else Outcome.UNVARIED
        return Decision(outcome, count, count, estimates, confidence, ())
    if count >= precision.max:
        return Decision(Outcome.AT_MOST, count, count, estimates, confidence, missed)
    needed = max((_needed(estimates[name], target) for name in missed), default=0.0)
    # The guess is at most twice as many, and at most the number allowed; it is at least one more.
    suggested = math.ceil(min(max(needed, count + 1), 2 * count))
    suggested = min(max(suggested, precision.min), precision.max)
    return Decision(Outcome.MORE, count, suggested, estimates, confidence, missed)


def _count(samples: Mapping[str, Sequence[float]]) -> int:
    """The number of replications."""
    if not samples:
        raise ValueError("no responses; name at least one")
    counts = {name: len(values) for name, values in samples.items()}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{name}: {count}" for name, count in counts.items())
        raise ValueError(
            f"every response has one value per replication, but the numbers differ ({listed})"
        )
    return next(iter(counts.values()))


def _method(responses: int) -> str:
    return "Student t" if responses == 1 else f"Student t, Bonferroni over {responses}"


def _precise(found: Estimate, target: float) -> bool:
    relative = found.relative_half_width
    return found.repeated or (relative is not None and relative <= target)


def _needed(found: Estimate, target: float) -> float:
    """Number of replications that would suffice if mean and variance stayed as they are."""
    relative = found.relative_half_width
    return math.inf if relative is None else found.n * (relative / target) ** 2
