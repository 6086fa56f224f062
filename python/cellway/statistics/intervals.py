"""Means over independent values, with confidence intervals.

Source: any text on simulation output, e.g. Law, Simulation Modeling and Analysis, section 4.5.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cellway.statistics.repeats import ALL_THE_SAME, DETERMINISTIC, IN_SHORT, equal

CONFIDENCE = 0.95
"""Confidence of every interval that cellway prints."""
_OF_LOGARITHMS = " of logarithms"


@dataclass(frozen=True)
class Estimate:
    """A number with its interval, and how both were found.

    Attributes:
        mean: the estimate, in the unit of the data.
        half_width: of the confidence interval, same unit; `None` where the data allow none: a
            single value, or several that are all the same.
        n: number of values behind it: replications, pairs or batches; for a difference by Welch's
            t, the replications of both.
        method: the method of the half-width, or, if all values are the same, the reason why there
            is none: `DETERMINISTIC` or `ALL_THE_SAME` of `cellway.statistics.repeats`.
        factor: for a geometric mean or a ratio: the interval is from ``mean / factor`` to
            ``mean · factor``, and `half_width` its larger side.
        left_out: of a difference by pairs the runs that have no partner.
        warning: why fewer such intervals hold than they say, and how many; empty for none.
    """

    mean: float
    half_width: float | None
    n: int
    method: str = "Student t"
    left_out: int = 0
    factor: float | None = None
    warning: str = ""

    def __str__(self) -> str:
        if self.n == 1 and not self.repeated:
            return f"{self.mean:.4g} (single run)"
        return f"{self.mean:.4g}{self.width()} (n={self.counted})"

    def width(self, digits: int = 3) -> str:
        """Text of the half-width: ``" ± 0.5"``, for a geometric mean ``" ×/÷ 1.1"``, or empty."""
        if self.factor is not None:
            return f" ×/÷ {self.factor:.{digits}g}"
        return "" if self.half_width is None else f" ± {self.half_width:.{digits}g}"

    @property
    def counted(self) -> str:
        """The number of values, with a word if they are all the same: ``"10, deterministic"``."""
        return f"{self.n}, {IN_SHORT[self.method]}" if self.repeated else str(self.n)

    @property
    def repeated(self) -> bool:
        """True if there is no interval because the runs, or their numbers, repeat each other."""
        return self.method in IN_SHORT

    @property
    def deterministic(self) -> bool:
        """True if the runs behind it are identical."""
        return self.method == DETERMINISTIC

    @property
    def interval(self) -> tuple[float, float] | None:
        """Lower and upper end of the interval; `None` without a half-width."""
        if self.half_width is None:
            return None
        if self.factor is not None:
            return self.mean / self.factor, self.mean * self.factor
        return self.mean - self.half_width, self.mean + self.half_width

    @property
    def low(self) -> float | None:
        """Lower end of the interval, in the unit of the data; `None` without a half-width."""
        return None if self.interval is None else self.interval[0]

    @property
    def high(self) -> float | None:
        """Upper end of the interval, in the unit of the data; `None` without a half-width."""
        return None if self.interval is None else self.interval[1]

    @property
    def relative_half_width(self) -> float | None:
        """Ratio ``half_width / |mean|``, infinite for a mean of 0; `None` without a half-width."""
        if self.half_width is None:
            return None
        return self.half_width / abs(self.mean) if self.mean else math.inf


def estimate(
    values: Sequence[float],
    confidence: float = CONFIDENCE,
    *,
    method: str = "Student t",
    deterministic: bool = False,
) -> Estimate:
    """Mean and Student-t half-width, ``t(n-1, (1+confidence)/2) · s / sqrt(n)``.

    The sums are exact before they are rounded, so the order of the values does not matter. Values
    that are all the same have no half-width.

    Args:
        values: one number per independent replication, at least one.
        confidence: between 0 and 1, exclusive.
        method: the name of the method in the result.
        deterministic: true if the runs behind the values are known to be identical.

    Raises:
        ValueError: no values, a value that is not finite, or a confidence out of range.
    """
    if not len(values):
        raise ValueError("no values; a mean needs at least one")
    if not all(math.isfinite(value) for value in values):
        raise ValueError("a value is not finite; every replication must give a number")
    check_confidence(confidence)
    n = len(values)
    mean = math.fsum(values) / n
    if n == 1:
        return Estimate(mean, None, 1, DETERMINISTIC if deterministic else method)
    if equal(values):
        # The rounded mean of equal values may differ from them in the last bit, like a deviation.
        return Estimate(values[0], None, n, DETERMINISTIC if deterministic else ALL_THE_SAME)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1))
    return Estimate(mean, student_t(n - 1, confidence) * deviation / math.sqrt(n), n, method)


def exponential(found: Estimate) -> Estimate:
    """Converts an estimate of logarithms: a mean to a geometric mean, a difference to a ratio.

    Source: Montgomery, Design and Analysis of Experiments, section 15.1: where the deviation grows
    with the mean, the logarithms have one deviation.
    """
    mean = math.exp(found.mean)
    if found.half_width is None:
        return replace(found, mean=mean)
    factor = math.exp(found.half_width)
    method = f"{found.method}{_OF_LOGARITHMS}"
    return replace(found, mean=mean, half_width=mean * (factor - 1.0), factor=factor, method=method)


def logarithmic(found: Estimate) -> Estimate:
    """Estimate of logarithms that `exponential` converts to `found`, a ratio."""
    width = None if found.factor is None else math.log(found.factor)
    method = found.method.removesuffix(_OF_LOGARITHMS)
    return replace(found, mean=math.log(found.mean), half_width=width, factor=None, method=method)


def student_t(degrees_of_freedom: float, confidence: float = CONFIDENCE) -> float:
    """The two-sided critical value of Student's t: ``P(|T| <= t) = confidence``."""
    from scipy.special import stdtrit  # noqa: PLC0415

    return float(stdtrit(degrees_of_freedom, (1.0 + confidence) / 2.0))


def bonferroni(confidence: float, intervals: int) -> float:
    """The confidence of each of `intervals` so that all hold together with `confidence`.

    Source: Law, section 9.7: ``1 - alpha / m`` for each of m intervals, whatever their dependence.

    Raises:
        ValueError: a confidence out of range.
    """
    check_confidence(confidence)
    return 1.0 - (1.0 - confidence) / intervals


def check_confidence(confidence: float) -> None:
    """Refuses a number that is no confidence.

    Raises:
        ValueError: not between 0 and 1, exclusive.
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence {confidence} is out of range; it lies between 0 and 1")
