"""Batch means: an interval from one long run.

Source: Law, Simulation Modeling and Analysis, section 9.5.3; 10 to 30 batches after B. Schmeiser,
"Batch size effects in the analysis of simulation output", Operations Research 30 (1982). The means
of long batches are nearly independent, and Student's t applies to them.

Whether they are nearly independent is asked with von Neumann's ratio of successive differences in
its normal approximation (G. S. Fishman, "Grouping observations in digital simulation", Management
Science 24 (1978)): with r the lag-1 autocorrelation of k batch means Y,
``C = sqrt((k^2 - 1) / (k - 2)) · (r + e)``, where the ends bring
``e = ((Y_1 - mean)^2 + (Y_k - mean)^2) / (2 · sum((Y_j - mean)^2))``,
is compared with the normal critical value, on one side: only positive correlation makes an interval
too narrow.

Departure: when the observations do not divide evenly, the remainder is left out at the beginning,
where a transient would be, and not at the end. A run that does not vary has no correlation and
passes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cellway.statistics.intervals import CONFIDENCE, Estimate, estimate
from cellway.statistics.warmup import Truncation, mser5

BATCHES = 20
"""Unless asked otherwise; the middle of Schmeiser's range."""

CRITICAL = 1.6448536269514722
"""A standard normal number exceeds it with probability 0.05, as independent batches do."""


@dataclass(frozen=True)
class BatchMeans:
    """The mean of one long run.

    Attributes:
        estimate: mean and half-width; its n is the number of batches.
        means: of the batches, in order.
        size: observations per batch.
        skipped: observations before the first batch, warm-up included.
        lag_1: autocorrelation of neighbouring batch means.
        statistic: von Neumann's, as a standard normal number (C in the header).
        warm_up: what MSER-5 deleted; `None` when it was not asked.
    """

    estimate: Estimate
    means: tuple[float, ...]
    size: int
    skipped: int
    lag_1: float
    statistic: float
    warm_up: Truncation | None = None

    def __str__(self) -> str:
        note = (
            "" if self.independent else f", batches too short: lag-1 correlation {self.lag_1:.2f}"
        )
        width = "" if self.estimate.half_width is None else f" ± {self.estimate.half_width:.3g}"
        note = ", all the same" if self.estimate.repeated else note
        return f"{self.estimate.mean:.4g}{width} ({len(self.means)} batches{note})"

    @property
    def independent(self) -> bool:
        """Whether the batch means pass the check; when not, the half-width is too small."""
        return self.statistic <= CRITICAL


def batch_means(
    values: Sequence[float],
    batches: int = BATCHES,
    confidence: float = CONFIDENCE,
    *,
    warm_up: bool = False,
) -> BatchMeans:
    """Mean and half-width of one long run.

    Args:
        values: the observations in their order, equally spaced if they are samples in time.
        batches: how many, at least 3.
        confidence: between 0 and 1, exclusive.
        warm_up: whether to delete first what MSER-5 says.

    Raises:
        ValueError: fewer than 3 batches, fewer values than batches, a value that is not finite, a
            confidence out of range, or a warm-up that does not end in the first half of the run.
    """
    truncation = mser5(values) if warm_up else None
    skipped = truncation.require() if truncation else 0
    rest = len(values) - skipped
    if batches < 3:  # noqa: PLR2004
        raise ValueError(f"{batches} batches are too few; the check of their independence needs 3")
    if rest < batches:
        raise ValueError(
            f"{rest} observations do not fill {batches} batches; take a longer run or fewer batches"
        )
    size, remainder = divmod(rest, batches)
    skipped += remainder
    means = tuple(
        math.fsum(values[at : at + size]) / size for at in range(skipped, len(values), size)
    )
    found = estimate(means, confidence, method="batch means")
    lag_1, statistic = _correlation(means)
    return BatchMeans(found, means, size, skipped, lag_1, statistic, truncation)


def _correlation(means: Sequence[float]) -> tuple[float, float]:
    """Lag-1 autocorrelation and von Neumann's statistic."""
    count = len(means)
    mean = math.fsum(means) / count
    off = [value - mean for value in means]
    squares = math.fsum(value**2 for value in off)
    if squares == 0.0:
        return 0.0, 0.0
    lag_1 = math.fsum(a * b for a, b in pairwise(off)) / squares
    ends = (off[0] ** 2 + off[-1] ** 2) / (2.0 * squares)
    return lag_1, math.sqrt((count**2 - 1) / (count - 2)) * (lag_1 + ends)
