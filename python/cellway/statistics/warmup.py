"""MSER-5: the part at the beginning of a run to delete.

Source: K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state truncation
heuristics for simulation", Winter Simulation Conference 2000; W. W. Franklin, K. P. White,
"Stationarity tests and MSER-5", Winter Simulation Conference 2008. The series is cut into k batches
of five; deleting the first d of them leaves batch means whose squared standard error is
``sum((Z_j - mean)^2) / (k - d)^2``, j = d+1 .. k; the d with the smallest is taken.

Decisions that the sources leave open:

- The last five batches are never cut into: a few values that happen to lie together would win
  (K. Hoad, S. Robinson, R. Davies, "Automating warm-up length estimation", Winter Simulation
  Conference 2008).
- Among equal minima the smallest d wins: nothing is deleted without a reason. Sums are built so
  that a stretch of equal values has a statistic of exactly zero.
- A minimum beyond the middle of the run is no answer but a sign that the run is too short (same
  paper). Exactly the middle is accepted.
- Values after the last whole batch take no part in the choice; they are not deleted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

BATCH = 5
"""Values per batch; the 5 of MSER-5."""

TAIL = 5
"""Batches at the end that always remain."""

MIN_TOTAL = BATCH * 2 * TAIL
"""Values that a run must have, so that every truncation up to the middle is a candidate."""


@dataclass(frozen=True)
class Truncation:
    """Result of MSER-5 for a run.

    Attributes:
        observations: to delete at the beginning, a multiple of 5.
        total: number of observations of the run.
        batches: the batch means.
        statistic: for 0, 1, 2 … batches deleted, the squared standard error of what remains, in the
            unit of the data squared.
        accepted: true if `observations` lie in the first half of the run.
    """

    observations: int
    total: int
    batches: tuple[float, ...]
    statistic: tuple[float, ...]
    accepted: bool

    def __str__(self) -> str:
        deleted = f"{self.observations} of {self.total} observations ({self.share:.1%}) by MSER-5"
        return (
            f"warm-up {deleted}"
            if self.accepted
            else f"no warm-up found: MSER-5 would delete {deleted}"
        )

    @property
    def share(self) -> float:
        """The deleted part of the run, from 0 to 1."""
        return self.observations / self.total

    def require(self) -> int:
        """The number of observations to delete.

        Raises:
            ValueError: the minimum lies in the second half of the run.
        """
        if not self.accepted:
            raise ValueError(
                f"the run is too short for its warm-up: MSER-5 would delete {self.observations} of "
                f"{self.total} observations, more than half; make the run longer or give the "
                "warm-up yourself"
            )
        return self.observations


def mser5(values: Sequence[float]) -> Truncation:
    """Finds the warm-up of one run.

    Args:
        values: the observations in their order, at least 50, equally spaced if they are samples in
            time.

    Raises:
        ValueError: too few values, or one that is not finite.
    """
    total = len(values)
    if total < MIN_TOTAL:
        raise ValueError(
            f"{total} observations are too few for MSER-5; it needs at least {MIN_TOTAL}"
        )
    if not all(math.isfinite(value) for value in values):
        raise ValueError("a value is not finite; MSER-5 needs a number at every observation")
    count = total // BATCH
    batches = tuple(math.fsum(values[BATCH * i : BATCH * (i + 1)]) / BATCH for i in range(count))
    statistic = _statistics(batches)[: count - TAIL + 1]
    deleted = statistic.index(min(statistic))
    return Truncation(BATCH * deleted, total, batches, statistic, accepted=2 * deleted <= count)


def _statistics(batches: Sequence[float]) -> tuple[float, ...]:
    """Statistic of each suffix, by Welford's update from the end; zero for equal values."""
    found = []
    mean = squares = 0.0
    for size, batch in enumerate(reversed(batches), start=1):
        off = batch - mean
        mean += off / size
        squares += off * (batch - mean)
        found.append(squares / size**2)
    return tuple(reversed(found))
