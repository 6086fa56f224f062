"""Analysis of variance of full factorial designs: how much of the variation each factor explains.

Source: Montgomery, Design and Analysis of Experiments, chapter 5; Jain, The Art of Computer Systems
Performance Analysis, chapters 20 to 22. The design is balanced: every combination of levels has equally many
runs. Without replications the highest interaction serves as error. With common random numbers replications
are blocks with a row of their own (Montgomery, section 5.6).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from cellway.statistics.two_level import ERROR, REPLICATIONS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

TOTAL = "total"


@dataclass(frozen=True)
class Source:
    """A row of the table.

    Attributes:
        source: factors joined by `` × ``, or ``"replications"``, ``"error"``, ``"total"``.
        sum_of_squares: in the square of the response's unit.
        degrees_of_freedom: of it.
        mean_square: their quotient; `None` for the total.
        f: mean square over that of the error; `None` where there is nothing to test.
        p: the chance of such an `f` or a larger one without any effect.
        share: of the total variation, 0 to 1.
    """

    source: str
    sum_of_squares: float
    degrees_of_freedom: int
    mean_square: float | None
    f: float | None
    p: float | None
    share: float


@dataclass(frozen=True)
class Anova:
    """The table.

    Attributes:
        rows: factors, interactions, replications if they are blocks, error, total.
        error_is: what the error is made of: ``"replications"`` or the interactions that are pooled into it.
    """

    rows: tuple[Source, ...]
    error_is: str

    def row(self, source: str) -> Source:
        """The row called `source`.

        Raises:
            KeyError: there is none.
        """
        for found in self.rows:
            if found.source == source:
                return found
        raise KeyError(source)


def anova(
    names: Sequence[str], responses: "ArrayLike", *, blocks: bool = False, order: int | None = None
) -> Anova:
    """Analysis of variance of a balanced full factorial design.

    Args:
        names: of the factors.
        responses: shape (levels of factor 1, …, levels of factor n, r).
        blocks: whether replication j has the same chances at all points.
        order: the highest interaction that has a row; higher ones go into the error. All by default; with one
            replication all but the highest.

    Raises:
        ValueError: another shape, values that are not finite, or no degrees of freedom left for the error.
    """
    import numpy as np  # noqa: PLC0415

    table = np.asarray(responses, dtype=float)
    if table.ndim != len(names) + 1:
        raise ValueError(
            f"responses of shape {table.shape}; an axis per factor and one for replications is needed"
        )
    if not np.isfinite(table).all():
        raise ValueError("a response is not finite; every run must give a number")
    n, replications = len(names), table.shape[-1]
    highest = min(order or n, n if replications > 1 else n - 1)
    total = float(((table - table.mean()) ** 2).sum())
    explained = _interactions(table, names, highest)
    if blocks and replications > 1:
        means = table.mean(axis=tuple(range(n)))
        between = float(table[..., 0].size * ((means - table.mean()) ** 2).sum())
        explained.append((REPLICATIONS, between, replications - 1))
    degrees = table.size - 1 - sum(d for _, _, d in explained)
    if degrees < 1:
        raise ValueError("nothing is left for the error; more replications, or a lower order, are needed")
    error = max(total - sum(square for _, square, _ in explained), 0.0)
    rows = [_tested(row, (error, degrees), total) for row in explained]
    rows.append(Source(ERROR, error, degrees, error / degrees, None, None, _share(error, total)))
    rows.append(Source(TOTAL, total, table.size - 1, None, None, None, _share(total, total)))
    pooled = f"interactions of more than {highest} factors" if highest < n else ""
    parts = [part for part in (REPLICATIONS if replications > 1 else "", pooled) if part]
    return Anova(tuple(rows), " and ".join(parts))


def _interactions(
    table: "NDArray[np.float64]", names: Sequence[str], highest: int
) -> list[tuple[str, float, int]]:
    """Sums of squares and degrees of freedom of main effects and interactions up to an order."""
    n = len(names)
    effects: dict[tuple[int, ...], NDArray[np.float64]] = {(): table.mean(keepdims=True)}
    found = []
    for size in range(1, highest + 1):
        for chosen in combinations(range(n), size):
            others = tuple(axis for axis in range(n + 1) if axis not in chosen)
            lower = sum(effects[part] for k in range(size) for part in combinations(chosen, k))
            effect = table.mean(axis=others, keepdims=True) - lower
            effects[chosen] = effect
            square = float((effect**2).sum() * table.size / effect.size)
            degrees = 1
            for axis in chosen:
                degrees *= table.shape[axis] - 1
            found.append((" × ".join(names[axis] for axis in chosen), square, degrees))
    return found


def _tested(row: tuple[str, float, int], error: tuple[float, int], total: float) -> Source:
    from scipy.special import fdtrc  # noqa: PLC0415

    name, square, degrees = row
    mean = square / degrees if degrees else 0.0
    error_mean = error[0] / error[1]
    f = mean / error_mean if degrees and error_mean > 0.0 else None
    p = None if f is None else float(fdtrc(degrees, error[1], f))
    return Source(name, square, degrees, mean, f, p, _share(square, total))


def _share(part: float, total: float) -> float:
    return part / total if total > 0.0 else 0.0
