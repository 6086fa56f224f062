"""Batch means: an interval from one long run, and the number of independent values it is worth.

Source: Law, Simulation Modeling and Analysis, section 9.5.3; at most 30 batches after B. Schmeiser,
"Batch size effects in the analysis of simulation output", Operations Research 30 (1982). The means
of long batches are nearly independent, and Student's t applies to them.

The length of a batch follows from the integrated autocorrelation time, ``tau = 1 + 2 ·
sum(rho_k)``, by the initial monotone sequence of C. J. Geyer, "Practical Markov chain Monte Carlo",
Statistical Science 7 (1992), section 3.3: sums of neighbouring pairs of autocovariances count until
one is not positive, none as more than the one before. n observations are worth ``n / tau``
independent ones.

Decided here, by coverage (`docs/statistics.md` has it):

- A batch has about 20 tau, and there are 5 to 30 of them: twenty batches whatever the run cover
  less where it is short.
- The standard error is the larger one of two, that of the batch means and
  ``s · sqrt(tau / n)`` of the observations: each is too small now and then, both less often.
- A run without the rare long queue has a low mean, a low deviation and a low tau at once. So the
  error is raised as if tau were longer by one standard error: by A. D. Sokal, "Monte Carlo methods
  in statistical mechanics", Functional Integration (1997), section 3, its relative one is
  ``sqrt(4 M / n)`` for a sum over M lags, here about `WINDOW` tau.
- A run worth fewer than `ENOUGH` values is to be warned of, one worth fewer than `FEWEST` has no
  interval. A check on the batch means themselves, as von Neumann's ratio, has no power: of the
  intervals that miss it passed most. Refusing more would not help: of runs of one length those that
  seem to be worth most are those that have missed the rare long queue.
- Negative correlation counts as none.

Departure: when the observations do not divide evenly, the remainder is left out at the beginning,
where a transient would be, and not at the end. A run that does not vary has no correlation.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cellway.statistics.intervals import CONFIDENCE, Estimate, estimate, student_t
from cellway.statistics.warmup import Truncation, mser5

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST, MOST = 5, 30
"""Fewest and most batches by default."""

BATCH = 20.0
"""Autocorrelation times that a batch should have."""

FEWEST = 20
"""Independent values that a run must be worth to have an interval."""

ENOUGH = 100
"""Independent values below which the coverage of an interval is less than stated."""

TRUNCATED = 10
"""Factor on the limits for a run from which MSER-5 may delete: it deletes long queues, too."""

EXPECTED = ((50, "70 to 96"), (ENOUGH, "80 to 96"))
"""Per cent of intervals that hold, of runs worth less than the number."""

EXPECTED_TRUNCATED = ((100, "50 to 90"), (ENOUGH * TRUNCATED, "70 to 94"))
"""The same behind MSER-5."""

WINDOW = 3.0
"""Autocorrelation times that the sum has which estimates them."""


@dataclass(frozen=True)
class BatchMeans:
    """The mean of one long run.

    Attributes:
        estimate: mean and half-width; its n is the number of batches. It has no half-width if the
            run is too short for one.
        means: of the batches, in order.
        size: observations per batch.
        skipped: observations before the first batch, warm-up included.
        correlation_time: the integrated autocorrelation time, in observations, at least 1.
        warm_up: the deletion by MSER-5; `None` if it was not asked for.
    """

    estimate: Estimate
    means: tuple[float, ...]
    size: int
    skipped: int
    correlation_time: float
    warm_up: Truncation | None = None

    def __str__(self) -> str:
        width = "" if self.estimate.half_width is None else f" ± {self.estimate.half_width:.3g}"
        note = ", all the same" if self.estimate.repeated else self.warning and f", {self.warning}"
        return f"{self.estimate.mean:.4g}{width} ({len(self.means)} batches{note})"

    @property
    def worth(self) -> float:
        """The number of independent values that would give as exact a mean."""
        return len(self.means) * self.size / self.correlation_time

    @property
    def warning(self) -> str:
        """Says that the run is short for an interval; empty where it is long enough."""
        enough = ENOUGH * (1 if self.warm_up is None else TRUNCATED)
        if self.estimate.repeated or self.worth >= enough:
            return ""
        run = f"the run is worth {self.worth:.0f} independent values"
        if self.worth < FEWEST:
            return f"{run}, and an interval needs {FEWEST}"
        bands = EXPECTED if self.warm_up is None else EXPECTED_TRUNCATED
        held = next(held for below, held in bands if self.worth < below)
        return f"{run}: of intervals of 95 % below {enough} expect {held} % to hold"


def batch_means(
    values: Sequence[float],
    batches: int | None = None,
    confidence: float = CONFIDENCE,
    *,
    warm_up: bool = False,
) -> BatchMeans:
    """Mean and half-width of one long run.

    Args:
        values: the observations in their order, equally spaced if they are samples in time.
        batches: number of batches, at least 2; by default 5 to 30, from the correlation.
        confidence: between 0 and 1, exclusive.
        warm_up: true deletes the warm-up by MSER-5 first.

    Raises:
        ValueError: fewer than 2 batches, fewer values than batches, a value that is not finite, a
            confidence out of range, or a warm-up that does not end in the first half of the run.
    """
    truncation = mser5(values) if warm_up else None
    skipped = truncation.require() if truncation else 0
    rest = values[skipped:]
    if batches is not None and batches < 2:  # noqa: PLR2004
        raise ValueError(f"{batches} batches are too few; an interval needs 2")
    least = LEAST if batches is None else batches
    if len(rest) < least:
        raise ValueError(
            f"{len(rest)} observations do not fill {least} batches; take a longer run or fewer "
            "batches"
        )
    if not all(math.isfinite(value) for value in rest):
        raise ValueError("a value is not finite; every observation must be a number")
    covariances = _autocovariances(rest)
    tau = _time(covariances)
    count = batches or round(min(max(len(rest) / tau / BATCH, LEAST), MOST, len(rest)))
    size, remainder = divmod(len(rest), count)
    means = tuple(
        math.fsum(rest[at : at + size]) / size for at in range(remainder, len(rest), size)
    )
    error = math.sqrt(covariances[0] * tau) / len(rest)
    found = estimate(means, confidence, method="batch means")
    if found.half_width is not None:
        larger = max(found.half_width, student_t(count - 1, confidence) * error)
        found = replace(found, half_width=larger * math.sqrt(1.0 + _doubt(len(rest) / tau)))
    made = BatchMeans(found, means, size, skipped + remainder, tau, truncation)
    if made.worth >= FEWEST or found.repeated:
        return made
    return replace(made, estimate=replace(found, half_width=None))


def correlation_time(values: "Sequence[float] | NDArray[np.float64]") -> float:
    """The integrated autocorrelation time in observations, by Geyer's initial monotone sequence.

    Args:
        values: at least two finite numbers, equally spaced.

    Returns:
        A number from 1, which is the time of independent values, and of equal ones.
    """
    return _time(_autocovariances(values))


def worth(values: "Sequence[float] | NDArray[np.float64]") -> float:
    """The number of independent values that would give as exact a mean as these."""
    return len(values) / correlation_time(values)


def _doubt(worth: float) -> float:
    """The standard error of the autocorrelation time, relative to it."""
    return math.sqrt(4.0 * WINDOW / worth)


def _time(covariances: "NDArray[np.float64]") -> float:
    import numpy as np  # noqa: PLC0415

    if covariances[0] == 0.0:
        return 1.0
    paired = len(covariances) // 2 * 2
    sums = np.minimum.accumulate(covariances[0:paired:2] + covariances[1:paired:2])
    ended = np.flatnonzero(sums <= 0.0)
    total = math.fsum(sums[: ended[0] if ended.size else None])
    return max(1.0, float(2.0 * total / covariances[0] - 1.0))


def _autocovariances(values: "Sequence[float] | NDArray[np.float64]") -> "NDArray[np.float64]":
    """Autocovariances of all lags, as sums over pairs, by the Fourier transform."""
    import numpy as np  # noqa: PLC0415

    off = np.asarray(values, dtype=float)
    if off.min() == off.max():
        return np.zeros(len(off))
    off = off - off.mean()
    # Padded to twice the length, so that the end does not wrap around to the beginning.
    spectrum = np.fft.rfft(off, 1 << (2 * len(off) - 1).bit_length())
    return np.fft.irfft(np.abs(spectrum) ** 2)[: len(off)]
