"""Unequal errors of the points of a design: their spread, and the error of each effect.

Source: G. E. P. Box, "Some theorems on quadratic forms applied in the study of analysis of variance
problems", Annals of Mathematical Statistics 25 (1954): with unequal or dependent errors the mean
square of an effect is on average ``tr(P S) / d``, where S has the covariances of the errors of the
points, P projects on the effect and d is its degrees of freedom; and F has about the distribution
with ``e d`` degrees of freedom above, ``e = tr(P S)^2 / (d tr((P S)^2))``. S. W. Greenhouse, S.
Geisser, "On methods in the analysis of profile data", Psychometrika 24 (1959), take S from the
data.

Independent seeds: S is diagonal; the points that vary are taken to vary alike, the others have 0,
and v points that vary with r replications give ``v (r - 1)`` degrees of freedom below. Common
seeds: S is the covariance between points over the replications, so that the error of an effect is
its interaction with the replications and has ``e d (r - 1)``. With two points F is the square of
Student's t of their difference in both cases.

Bartlett's test decides if points that vary have one variance (M. S. Bartlett, "Properties of
sufficiency and statistical tests", Proceedings of the Royal Society A 160, 1937): if not, the
pooled error is that of the points that vary most.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TINY = 1e-13
"""Share of the total below which a sum of squares is rounding, and counts as 0."""


UNLIKE = 0.001
"""Largest p of Bartlett's test at which variances count as unequal."""


@dataclass(frozen=True)
class Spread:
    """Standard deviations within the points that vary.

    Attributes:
        least: the smallest, in the unit of the response; `most`: the largest.
        p: probability that equal variances are as unlike, by Bartlett's test.
    """

    least: float
    most: float
    p: float

    @property
    def is_unlike(self) -> bool:
        """True if one error cannot stand for all points."""
        return self.p < UNLIKE


def spread(responses: "NDArray[np.float64]", constant: Sequence[bool]) -> Spread | None:
    """Spread of the standard deviations of points; `None` for fewer than two that vary.

    Args:
        responses: shape (points, replications).
        constant: by point, true if its runs give one number whatever their seed.
    """
    from scipy.special import chdtrc  # noqa: PLC0415

    free = responses.shape[1] - 1
    varying = [row for row, same in zip(responses, constant, strict=True) if not same]
    if free < 1 or len(varying) < 2:  # noqa: PLR2004
        return None
    variances = [float(row.var(ddof=1)) for row in varying]
    ends = math.sqrt(min(variances)), math.sqrt(max(variances))
    if not ends[0]:
        return Spread(*ends, 0.0)
    count = len(variances)
    pooled = math.log(math.fsum(variances) / count)
    off = free * math.fsum(pooled - math.log(one) for one in variances)
    correction = 1.0 + (count + 1) / (3.0 * count * free)
    return Spread(*ends, float(chdtrc(count - 1, off / correction)))


@dataclass(frozen=True)
class Judge:
    """The error of one effect.

    Attributes:
        mean_square: the divisor of the mean square of the effect; 0 if nothing can be judged.
        numerator: degrees of freedom of F above, not always whole; `denominator`: below.
    """

    mean_square: float
    numerator: float
    denominator: float

    @classmethod
    def of(
        cls,
        y: "NDArray[np.float64]",
        own: Sequence[int],
        varies: "NDArray[np.bool_]",
        *,
        blocks: bool,
    ) -> "Judge":
        """Error of the effect of the factors with the axes `own`.

        Args:
            y: the responses less their mean, one axis per factor and a last one for at least two
                replications.
            own: axes of `y`, at least one.
            varies: by cell, true if its runs differ.
            blocks: true if replication j has the same seeds in every cell.
        """
        d = math.prod(y.shape[axis] - 1 for axis in own)
        trace, of_square = _of_blocks(y, own) if blocks else _of_cells(y, own, varies)
        if trace <= TINY * float((y**2).sum()):
            return cls(0.0, d, 0.0)
        part = trace**2 / (d * of_square)
        r = y.shape[-1]
        below = part * d * (r - 1) if blocks else float(varies.sum() * (r - 1))
        return cls(trace / d, part * d, below)


def _of_blocks(y: "NDArray[np.float64]", own: Sequence[int]) -> tuple[float, float]:
    """Traces of P S and of its square, S from the replications of all points."""
    *levels, r = y.shape
    others = tuple(axis for axis in range(len(levels)) if axis not in own)
    means = y.mean(axis=others, keepdims=True)
    for axis in (*own, len(levels)):
        means = means - means.mean(axis=axis, keepdims=True)
    columns = means.reshape(-1, r)
    # Sums over the replications, which are fewer than the points, have the same traces.
    sums = columns.T @ columns * (math.prod(levels) / len(columns) / (r - 1))
    return float(sums.trace()), float((sums**2).sum())


def _of_cells(
    y: "NDArray[np.float64]", own: Sequence[int], varies: "NDArray[np.bool_]"
) -> tuple[float, float]:
    """Traces of P S and of its square, where S has one variance for all points that vary."""
    *levels, _ = y.shape
    others = tuple(axis for axis in range(len(levels)) if axis not in own)
    one = float(y.var(axis=-1, ddof=1)[varies].mean()) if varies.any() else 0.0
    weights = (one * varies).mean(axis=others, keepdims=True)
    # The squared entries of the matrix that centres an axis of n levels: (1 - 1/n)² beside 1/n².
    spread = weights
    kept = 1.0
    for axis in own:
        n = levels[axis]
        kept *= 1.0 - 1.0 / n
        spread = (1.0 - 2.0 / n) * spread + spread.sum(axis=axis, keepdims=True) / n**2
    return float(weights.sum() * kept), float((weights * spread).sum())
