"""Sensitivity indices: shares of the variance of a response that factors cause, by Saltelli's plan.

The first index of a factor is the share that it causes alone; its total index adds all interactions
with others, so that a factor whose total index is about 0 may be fixed. Sources: I. M. Sobol,
"Global sensitivity indices for nonlinear mathematical models", Mathematics and Computers in
Simulation 55 (2001); A. Saltelli et al., "Variance based sensitivity analysis of model output",
Computer Physics Communications 181 (2010), for the plan and both estimators. The computation is
that of SALib, with intervals by bootstrap.

For each row of two matrices A and B of independent points the plan has the row of A, that row with
each factor in turn taken from B, and the row of B: N (k + 2) points for k factors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cellway.statistics.intervals import CONFIDENCE, check_confidence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 500
"""Samples of the bootstrap."""


@dataclass(frozen=True)
class Indices:
    """Sensitivity of a response to one factor.

    Attributes:
        name: of the factor.
        first: first index, 1.
        first_half_width: of its 95 % interval.
        total: total index, 1.
        total_half_width: of its 95 % interval.
    """

    name: str
    first: float
    first_half_width: float
    total: float
    total_half_width: float


def saltelli_rows(shares: Sequence[Sequence[float]]) -> list[list[float]]:
    """The points of the plan from rows that have A in their first half and B in their second."""
    rows = []
    for row in shares:
        half = len(row) // 2
        a, b = list(row[:half]), list(row[half:])
        rows += [a, *([*a[:at], b[at], *a[at + 1 :]] for at in range(half)), b]
    return rows


def sensitivity_indices(
    names: Sequence[str], values: "NDArray[np.float64]", confidence: float = CONFIDENCE
) -> list[Indices]:
    """Indices of all factors, in their order.

    Args:
        names: of the factors.
        values: the response at the points of `saltelli_rows`, in their order; not all the same.
        confidence: of each interval alone.

    Raises:
        ImportError: SALib is not installed.
        ValueError: another number of values, all the same, or a confidence out of range.
    """
    from SALib.analyze import sobol  # noqa: PLC0415 - with pandas, and optional

    check_confidence(confidence)
    if len(values) % (len(names) + 2):
        raise ValueError(
            f"{len(values)} values; a multiple of {len(names) + 2} is expected for {len(names)} "
            "factors"
        )
    if values.min() == values.max():
        raise ValueError("all values are the same; there is no variance to share")
    problem = {"num_vars": len(names), "names": list(names), "bounds": [[0, 1]] * len(names)}
    found = sobol.analyze(
        problem,
        values,
        calc_second_order=False,
        num_resamples=RESAMPLES,
        conf_level=confidence,
        seed=1,
    )
    columns = (found[key].tolist() for key in ("S1", "S1_conf", "ST", "ST_conf"))
    return [Indices(name, *row) for name, *row in zip(names, *columns, strict=True)]
