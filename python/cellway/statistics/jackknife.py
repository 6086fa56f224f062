"""Intervals of shares of the variation, by leaving out groups of replications.

Source: J. W. Tukey 1958, as in Efron and Tibshirani, An Introduction to the Bootstrap, chapter 11;
with more than `GROUPS` replications the delete-a-group form of P. S. Kott, Journal of Official
Statistics 17 (2001). The variance of a share is ``(G - 1) / G · Σ (share without g - mean)²`` over
G groups, and the interval is that of Student's t with G - 1 degrees of freedom. With few
replications it is rough; a share near 0 or 1 has a skewed distribution.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from cellway.statistics.intervals import CONFIDENCE, student_t

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GROUPS = 20
"""Most groups; there are as many analyses."""
LEAST = 3
"""Fewest replications, so that two remain."""


def jackknife_half_widths(
    table: "NDArray[np.float64]",
    shares: "Callable[[NDArray[np.float64]], Mapping[str, float]]",
    confidence: float = CONFIDENCE,
) -> dict[str, float]:
    """Half-width of each share that `shares` gives of a table; none with fewer than 3 replications.

    Args:
        table: replications along its last axis.
        shares: shares by name, of a table with fewer replications.
        confidence: of each interval alone.
    """
    import numpy as np  # noqa: PLC0415

    count = table.shape[-1]
    if count < LEAST:
        return {}
    groups = np.array_split(np.arange(count), min(count, GROUPS))
    without = [shares(np.delete(table, group, axis=-1)) for group in groups]
    return {name: _half_width([one[name] for one in without], confidence) for name in without[0]}


def _half_width(values: Sequence[float], confidence: float) -> float:
    count = len(values)
    mean = math.fsum(values) / count
    squares = math.fsum((value - mean) ** 2 for value in values)
    return student_t(count - 1, confidence) * math.sqrt((count - 1) / count * squares)
