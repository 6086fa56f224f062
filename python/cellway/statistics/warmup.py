"""Where the warm-up of one long run ends: MSER-5.

The series is cut into batches of five; of all numbers of batches that could be deleted at the beginning, the
one is taken that makes the mean of the rest most certain, by the statistic ``sum (x - mean)^2 / n^2`` over
the n batches that remain.

Source: White, Cobb and Spratt, A Comparison of Five Steady-State Truncation Heuristics for Simulation,
Winter Simulation Conference 2000. Of equal minima the first counts. The last five batches cannot be deleted:
the statistic of a handful of batches is small by chance. A minimum in the second half says that the run is
too short, and is refused.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

BATCH = 5
KEPT = 5
"""Batches at the end that are never deleted."""


@dataclass(frozen=True)
class Truncation:
    """How much of a run is warm-up.

    Attributes:
        observations: to delete at the beginning, a multiple of 5.
        length: observations of the whole run.
        statistic: the smallest value of the MSER statistic, in the square of the data's unit.
    """

    observations: int
    length: int
    statistic: float

    @property
    def share(self) -> float:
        """Of the run that is deleted."""
        return self.observations / self.length

    @property
    def accepted(self) -> bool:
        """Whether the warm-up ends in the first half."""
        return 2 * self.observations <= self.length


def mser5(values: "Sequence[float] | NDArray[np.float64]") -> Truncation:
    """How many of `values`, equally spaced in time, to delete as warm-up.

    Raises:
        ValueError: fewer than 50 values, or one that is not finite.
    """
    import numpy as np  # noqa: PLC0415

    series = np.asarray(values, dtype=float)
    if len(series) < 2 * BATCH * KEPT:
        raise ValueError(f"{len(series)} values; MSER-5 needs at least {2 * BATCH * KEPT}")
    if not np.isfinite(series).all():
        raise ValueError("a value is not finite; MSER-5 needs numbers")
    count = len(series) // BATCH
    batches = series[: count * BATCH].reshape(count, BATCH).mean(axis=1)
    # From the end: sums over what remains when d batches are deleted, around the mean of all for exactness.
    centred = (batches - batches.mean())[::-1]
    left = np.arange(1, count + 1)
    squares = np.cumsum(centred**2) - np.cumsum(centred) ** 2 / left
    statistic = (np.maximum(squares, 0.0) / left**2)[::-1][: count - KEPT]
    deleted = int(np.argmin(statistic))
    return Truncation(deleted * BATCH, len(series), float(statistic[deleted]))
