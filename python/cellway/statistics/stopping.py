"""How many replications are enough: until the means of all responses are as exact as asked for.

Each response is judged at confidence 1 - alpha/m, so that the m intervals hold together (Bonferroni; Law,
Simulation Modeling and Analysis, sections 9.4.1 and 9.7). While one is too wide, the number that would do if
its spread stayed the same is asked for, ``n (h / target)²``, at most twice as many at once. The rule looks
at nothing but the numbers so far: neither the order in which runs finish nor the number of workers changes
what it says.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cellway.statistics.intervals import CONFIDENCE, Estimate, estimate


@dataclass(frozen=True)
class Precision:
    """How exact means must become.

    Attributes:
        relative_half_width: half-width over mean, at most; above 0.
        least: replications in any case, at least 2; `most`: replications at most.
        most: see `least`.
        confidence: of all responses together.
    """

    relative_half_width: float
    least: int = 5
    most: int = 100
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        if not 0.0 < self.relative_half_width < math.inf:
            raise ValueError(f"relative half-width {self.relative_half_width}; above 0 is accepted")
        if not 2 <= self.least <= self.most:  # noqa: PLR2004
            raise ValueError(
                f"{self.least} to {self.most} replications; 2 or more, and from less to more, is accepted"
            )


@dataclass(frozen=True)
class Decision:
    """What the rule says.

    Attributes:
        replications: how many there should be; as many as there are, when they are enough or the most.
        reached: whether every response is as exact as asked for.
        estimates: by response, each at the confidence that makes them hold together.
    """

    replications: int
    reached: bool
    estimates: Mapping[str, Estimate]


def decide(samples: Mapping[str, Sequence[float]], precision: Precision) -> Decision:
    """Whether `samples`, per response one number per replication, are enough.

    Raises:
        ValueError: no responses, fewer than two replications, or not equally many of all.
    """
    counts = {len(values) for values in samples.values()}
    if len(counts) != 1 or min(counts) < 2:  # noqa: PLR2004
        raise ValueError("two or more replications of every response, equally many, are needed")
    (n,) = counts
    each = 1.0 - (1.0 - precision.confidence) / len(samples)
    found = {name: estimate(values, each) for name, values in samples.items()}
    widest = max(known.relative_half_width or 0.0 for known in found.values())
    reached = widest <= precision.relative_half_width
    if reached or n >= precision.most:
        return Decision(n, reached, found)
    ratio = widest / precision.relative_half_width
    wanted = 2 * n if ratio > math.sqrt(2.0) else math.ceil(n * ratio * ratio)
    return Decision(min(max(wanted, n + 1), precision.most), reached, found)
