"""Analysis of variance of full factorial designs with any number of factors and levels.

Source: Montgomery, Design and Analysis of Experiments, chapter 5 (general factorial design, fixed effects;
5.6 for blocking); Jain, The Art of Computer Systems Performance Analysis, chapters 20 to 23. For each set S
of factors the interaction is what remains of the mean over the other factors after all smaller effects are
taken off; its sum of squares over all responses has the product of ``levels - 1`` degrees of freedom, and
``F = MS / MS(error)``.

What serves as error: the variation of the replications inside the cells; to it goes every interaction of more
factors than `order`. With common random numbers the replications are blocks with a row of their own, and the
error has ``(cells - 1)(r - 1)`` degrees of freedom. One replication leaves no variation inside the cells:
then the highest interaction serves as error, and the result says so; its F tests hold only if that
interaction is nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cellway.statistics.fractions import check_factors, effects, interaction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

TINY = 1e-13
"""A sum of squares below this share of the total is rounding, and counts as 0."""


@dataclass(frozen=True)
class Source:
    """One row of the table.

    Attributes:
        name: the factors joined by " × ", or blocks, error, total.
        sum_of_squares: in the unit of the response squared.
        degrees_of_freedom: of that sum.
        mean_square: their ratio.
        share: of the total variation, from 0 to 1.
        f: against the error; `None` for blocks, error and total, and where neither varies.
        p: probability of such an F, or a greater one, when the effect is nothing; `None` without F.
    """

    name: str
    sum_of_squares: float
    degrees_of_freedom: int
    mean_square: float
    share: float
    f: float | None = None
    p: float | None = None


@dataclass(frozen=True)
class Anova:
    """An analysis of variance.

    Attributes:
        mean: of all responses.
        effects: main effects first, then interactions of two, of three …
        blocks: between replications; `None` unless these are blocks.
        error: what the effects are judged against.
        total: all variation about the mean.
        error_is: in words, what serves as error.
    """

    mean: float
    effects: tuple[Source, ...]
    blocks: Source | None
    error: Source
    total: Source
    error_is: str

    @property
    def rows(self) -> tuple[Source, ...]:
        """The table as it is printed."""
        return (*self.effects, *([self.blocks] if self.blocks else []), self.error, self.total)


def analysis_of_variance(
    factors: Sequence[str], responses: "ArrayLike", *, order: int | None = None, blocks: bool = False
) -> Anova:
    """Splits the variation of a balanced full factorial design.

    Args:
        factors: their names.
        responses: shape (levels of the first factor, …, levels of the last, replications).
        order: interactions of more factors than this are error; all are kept for `None`.
        blocks: whether replication j has the same seeds in every cell (common random numbers).

    Raises:
        ValueError: repeated factors, another shape, a factor with one level, an order below 1, blocks with
            one replication, one factor with one replication, or a response that is not finite.
    """
    names = check_factors(factors)
    y = _responses(names, responses)
    *levels, r = y.shape
    cells = math.prod(levels)
    if blocks and r == 1:
        raise ValueError("one replication makes no blocks; take two or more")
    kept = _kept(names, order, r)
    mean = float(y.mean())
    y = y - mean
    total = float((y**2).sum())
    # What is left of equal responses when their mean is taken off is at most a few units in the last place.
    total = _clean(total, y.size * (8.0 * math.ulp(mean)) ** 2)
    floor = TINY * total
    squares = {effect: _clean(_effect_squares(y, names, effect), floor) for effect in kept}
    degrees = {effect: math.prod(levels[names.index(name)] - 1 for name in effect) for effect in kept}
    ends = y.mean(axis=tuple(range(len(names))))
    between = _clean(float(cells * ((ends - ends.mean()) ** 2).sum()), floor) if blocks else 0.0
    rest = _clean(total - between - math.fsum(squares.values()), floor)
    free = cells * r - 1 - (r - 1 if blocks else 0) - sum(degrees.values())

    error = _source("error", rest, free, total)
    rows = tuple(_judged(_source(interaction(e), squares[e], degrees[e], total), error) for e in kept)
    return Anova(
        mean,
        rows,
        _source("blocks", between, r - 1, total) if blocks else None,
        error,
        _source("total", total, cells * r - 1, total),
        _error_is(names, order, r, blocks=blocks),
    )


def _responses(names: Sequence[str], responses: "ArrayLike") -> "NDArray[np.float64]":
    import numpy as np  # noqa: PLC0415

    y = np.asarray(responses, dtype=float)
    if y.ndim != len(names) + 1 or y.size == 0:
        raise ValueError(
            f"responses have one axis for each of {len(names)} factors and a last one for replications; "
            f"these have the shape {y.shape}"
        )
    for name, levels in zip(names, y.shape, strict=False):
        if levels == 1:
            raise ValueError(f"factor {name!r} has one level; an effect needs two or more")
    if not np.isfinite(y).all():
        raise ValueError("a response is not finite; every run must give a number")
    return y


def _kept(names: Sequence[str], order: int | None, r: int) -> list[tuple[str, ...]]:
    """The effects with rows of their own."""
    if order is not None and order < 1:
        raise ValueError(f"order {order} leaves no effect; take 1 for main effects, 2 for pairs too")
    highest = len(names) if order is None else min(order, len(names))
    if r == 1 and highest == len(names):
        if len(names) == 1:
            raise ValueError("one factor with one replication leaves nothing to judge by; replicate")
        highest -= 1
    return effects(names, highest)


def _error_is(names: Sequence[str], order: int | None, r: int, *, blocks: bool) -> str:
    pooled = order is not None and order < len(names)
    higher = f"interactions of more than {order} factor{'' if order == 1 else 's'}"
    if r == 1:
        return higher if pooled else f"the interaction {interaction(names)}, because there is one replication"
    inside = "replications within blocks" if blocks else "replications"
    return f"{inside} and {higher}" if pooled else inside


def _effect_squares(y: "NDArray[np.float64]", names: Sequence[str], effect: tuple[str, ...]) -> float:
    """The sum of squares of one effect: means over all other axes, centred along each of its own."""
    own = [names.index(name) for name in effect]
    others = tuple(axis for axis in range(y.ndim) if axis not in own)
    means = y.mean(axis=others, keepdims=True)
    for axis in own:
        means = means - means.mean(axis=axis, keepdims=True)
    return float((means**2).sum() * (y.size / means.size))


def _clean(squares: float, floor: float) -> float:
    return 0.0 if squares <= floor else squares


def _source(name: str, squares: float, degrees: int, total: float) -> Source:
    return Source(name, squares, degrees, squares / degrees, squares / total if total else 0.0)


def _judged(source: Source, error: Source) -> Source:
    """The row with its F and p."""
    from scipy.special import fdtrc  # noqa: PLC0415

    if error.mean_square:
        f = source.mean_square / error.mean_square
    elif source.mean_square:
        f = math.inf
    else:
        return source
    p = float(fdtrc(source.degrees_of_freedom, error.degrees_of_freedom, f))
    return Source(
        source.name, source.sum_of_squares, source.degrees_of_freedom, source.mean_square, source.share, f, p
    )
