"""Means over independent replications and how far they can be trusted."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95
"""The confidence of every interval that cellway prints."""

STUDENT_T = "Student t"


@dataclass(frozen=True)
class Estimate:
    """A mean and how exact it is.

    Attributes:
        mean: arithmetic mean, in the unit of the data.
        half_width: of the confidence interval, same unit; `None` for a single run.
        n: number of independent replications.
        method: how the half-width was found.
    """

    mean: float
    half_width: float | None
    n: int
    method: str = STUDENT_T

    @property
    def relative_half_width(self) -> float | None:
        """Half-width over mean; infinite when only the mean is 0, `None` for a single run."""
        if self.half_width is None:
            return None
        if self.half_width == 0.0:
            return 0.0
        return self.half_width / abs(self.mean) if self.mean else math.inf

    def __str__(self) -> str:
        if self.half_width is None:
            return f"{self.mean:.4g} (single run)"
        return f"{self.mean:.4g} ± {self.half_width:.3g} (n={self.n})"


def estimate(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """Mean and Student-t half-width, ``t(n-1, (1+confidence)/2) · s / sqrt(n)``.

    Source: any text on simulation output, e.g. Law, Simulation Modeling and Analysis, section 4.5.

    Args:
        values: one number per independent replication, at least one.
        confidence: between 0 and 1, exclusive.

    Raises:
        ValueError: no values, a value that is not finite, or a confidence out of range.
    """
    if not values:
        raise ValueError("no values; a mean needs at least one")
    if not all(math.isfinite(value) for value in values):
        raise ValueError("a value is not finite; every replication must give a number")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence {confidence} is out of range; it lies between 0 and 1")
    n = len(values)
    mean = math.fsum(values) / n
    if n == 1:
        return Estimate(mean, None, 1)
    if min(values) == max(values):
        return Estimate(values[0], 0.0, n)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1))
    return Estimate(mean, student_t(n - 1, confidence) * deviation / math.sqrt(n), n)


def student_t(degrees_of_freedom: int, confidence: float = CONFIDENCE) -> float:
    """The two-sided critical value of Student's t: ``P(|T| <= t) = confidence``."""
    from scipy.special import stdtrit  # noqa: PLC0415

    return float(stdtrit(degrees_of_freedom, (1.0 + confidence) / 2.0))
