"""An interval from one long run: means of consecutive batches, treated as independent if they pass for it.

Source: Law, Simulation Modeling and Analysis, section 9.5.3; Schmeiser, Batch Size Effects in the Analysis
of Simulation Output, Operations Research 30, 1982: 10 to 30 batches. Independence is checked by the lag-1
autocorrelation of the batch means against von Neumann's ratio: with b independent batches it is nearly
normal with variance (b - 2) / (b² - 1) (Fishman, Principles of Discrete Event Simulation, 1978), and only
positive correlation, which makes intervals too narrow, fails.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cellway.statistics.intervals import CONFIDENCE, Estimate, estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCHES = 20


@dataclass(frozen=True)
class BatchMeans:
    """A mean with an interval from one run.

    Attributes:
        estimate: over the batch means.
        batches: how many, and `size` observations in each; what is left over at the beginning is not used.
        size: see `batches`.
        lag_1: autocorrelation of neighbouring batch means, -1 to 1.
        independent: whether `lag_1` can be told from no correlation at all; if not so, the run is too short.
    """

    estimate: Estimate
    batches: int
    size: int
    lag_1: float
    independent: bool


def batch_means(
    values: "Sequence[float] | NDArray[np.float64]", batches: int = BATCHES, confidence: float = CONFIDENCE
) -> BatchMeans:
    """The mean of `values`, which are in order and past their warm-up.

    Raises:
        ValueError: fewer than 5 batches, fewer values than batches, or a value that is not finite.
    """
    import numpy as np  # noqa: PLC0415

    series = np.asarray(values, dtype=float)
    if batches < 5:  # noqa: PLR2004
        raise ValueError(f"{batches} batches; at least 5 are needed")
    size = len(series) // batches
    if size < 1:
        raise ValueError(f"{len(series)} values; at least one per batch, {batches}, is needed")
    means = series[len(series) - size * batches :].reshape(batches, size).mean(axis=1)
    found = estimate(means.tolist(), confidence)
    correlation = lag_1(means.tolist())
    limit = _one_sided(confidence) * math.sqrt((batches - 2.0) / (batches * batches - 1.0))
    told = Estimate(found.mean, found.half_width, 1, f"{batches} batch means")
    return BatchMeans(told, batches, size, correlation, correlation <= limit)


def lag_1(values: Sequence[float]) -> float:
    """Autocorrelation of neighbours, from von Neumann's ratio; 0 for values that do not vary.

    ``1 - sum (x[i+1] - x[i])² / (2 sum (x[i] - mean)²)``; source: Fishman 1978.
    """
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    if squares == 0.0:
        return 0.0
    steps = math.fsum((after - before) ** 2 for before, after in pairwise(values))
    return 1.0 - steps / (2.0 * squares)


def _one_sided(confidence: float) -> float:
    from scipy.special import ndtri  # noqa: PLC0415

    return float(ndtri(confidence))
