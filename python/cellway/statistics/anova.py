"""Analysis of variance of full factorial designs with any number of factors and levels.

Source: Montgomery, Design and Analysis of Experiments, chapter 5 (general factorial design, fixed
effects; 5.6 for blocking); Jain, The Art of Computer Systems Performance Analysis, chapters 20 to
23. For each set S of factors the interaction is what remains of the mean over the other factors
after all smaller effects are subtracted; its sum of squares over all responses has the product of
``levels - 1`` degrees of freedom, and ``F = MS / MS(error)``.

The error is the variation of the replications inside the cells; it includes every interaction of
more factors than `order`. With common random numbers the replications are blocks
with a row of their own, and the error has ``(cells - 1)(r - 1)`` degrees of freedom. One
replication leaves no variation inside the cells: then the highest interaction serves as error, and
the result says so; its F tests hold only if that interaction is zero.

A cell whose runs give one number whatever their seed shows nothing of the error: it is no part of
the error's degrees of freedom. The cells then have unequal variances, and each effect is judged by
an error of its own (`unequal.py`). If all cells are constant, nothing is judged: no F, no p. The
caller says which cells are constant, because rounded measurements coincide by chance.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cellway.statistics.fractions import check_factors, effects, interaction
from cellway.statistics.unequal import TINY, Judge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Source:
    """One row of the table.

    Attributes:
        name: the factors joined by " × ", or blocks, error, total.
        sum_of_squares: in the unit of the response squared.
        degrees_of_freedom: of that sum.
        mean_square: their ratio.
        share: of the total variation, from 0 to 1.
        f: against the error; `None` for blocks, error and total, and where the error does not vary.
        p: probability of such an F, or a greater one, if the effect is zero; `None` without F.
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
        error: the row that the effects are judged against.
        total: all variation about the mean.
        error_is: source of the error, in words.
        cells: number of cells; `varying`: number of those that are not constant.
        share_half_widths: by row, half-width of the 95 % interval of its share; see `jackknife`.
    """

    mean: float
    effects: tuple[Source, ...]
    blocks: Source | None
    error: Source
    total: Source
    error_is: str
    cells: int
    varying: int
    share_half_widths: Mapping[str, float] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[Source, ...]:
        """The table as it is printed."""
        return (*self.effects, *([self.blocks] if self.blocks else []), self.error, self.total)


def analysis_of_variance(
    factors: Sequence[str],
    responses: "ArrayLike",
    *,
    order: int | None = None,
    blocks: bool = False,
    constant: "ArrayLike" = False,
) -> Anova:
    """Splits the variation of a balanced full factorial design.

    Args:
        factors: their names.
        responses: shape (levels of the first factor, …, levels of the last, replications).
        order: interactions of more factors than this are error; all are kept for `None`.
        blocks: true if replication j has the same seeds in every cell (common random numbers).
        constant: shape (levels of the first factor, …, levels of the last), or one for all: true
            if the runs of a cell give one number whatever their seed.

    Raises:
        ValueError: repeated factors, another shape, a factor with one level, an order below 1,
            blocks with one replication, one factor with one replication, or a response that is not
            finite.
    """
    names = check_factors(factors)
    y = _responses(names, responses)
    *levels, r = y.shape
    cells = math.prod(levels)
    if blocks and r == 1:
        raise ValueError("one replication makes no blocks; take two or more")
    kept = _kept(names, order, r)
    mean = float(y.mean())
    varies = _varies(constant, levels)
    varying = int(varies.sum())
    y = y - mean
    total = float((y**2).sum())
    # Equal responses less their mean leave at most a few units in the last place.
    total = _clean(total, y.size * (8.0 * math.ulp(mean)) ** 2)
    floor = TINY * total
    squares = {effect: _clean(_effect_squares(y, names, effect), floor) for effect in kept}
    degrees = {
        effect: math.prod(levels[names.index(name)] - 1 for name in effect) for effect in kept
    }
    between = _clean(_between(y[varies]), floor) if blocks else 0.0
    rest = _clean(total - between - math.fsum(squares.values()), floor)
    free = _inside(varying, r, blocks=blocks) + _pooled(names, levels, kept)
    behind = r - 1 if blocks and varying else 0

    error = _source("error", rest, free, total)
    rows = [_source(interaction(e), squares[e], degrees[e], total) for e in kept]
    if r > 1 and 0 < varying < cells and len(kept) == len(effects(names, len(names))):
        own = [[names.index(name) for name in effect] for effect in kept]
        judges = [Judge.of(y, axes, varies, blocks=blocks) for axes in own]
        said = (
            f"{_error_is(names, order, r, blocks=blocks)} of the {varying} of {cells} points that "
            "vary"
        )
    else:
        judges = [Judge(error.mean_square, degrees[effect], free) for effect in kept]
        said = _error_is(names, order, r, blocks=blocks)
    return Anova(
        mean,
        tuple(_judged(row, judge) for row, judge in zip(rows, judges, strict=True)),
        _source("blocks", between, behind, total) if blocks else None,
        error,
        _source("total", total, sum(degrees.values()) + behind + free, total),
        said,
        cells,
        varying,
    )


def _varies(constant: "ArrayLike", levels: Sequence[int]) -> "NDArray[np.bool_]":
    """True for each cell that is not constant."""
    import numpy as np  # noqa: PLC0415

    return ~np.broadcast_to(np.asarray(constant, dtype=bool), tuple(levels))


def _between(y: "NDArray[np.float64]") -> float:
    """The sum of squares between the replications of cells, a row each."""
    means = y.mean(axis=0) if len(y) else y
    return float(len(y) * ((means - means.mean()) ** 2).sum()) if len(y) else 0.0


def _inside(varying: int, r: int, *, blocks: bool) -> int:
    """Degrees of freedom of replications inside the cells that vary, without those of blocks."""
    return max(varying - 1, 0) * (r - 1) if blocks else varying * (r - 1)


def _pooled(names: Sequence[str], levels: Sequence[int], kept: Sequence[tuple[str, ...]]) -> int:
    """Degrees of freedom of the interactions that have no row of their own."""
    own = sum(math.prod(levels[names.index(name)] - 1 for name in effect) for effect in kept)
    return math.prod(levels) - 1 - own


def _responses(names: Sequence[str], responses: "ArrayLike") -> "NDArray[np.float64]":
    import numpy as np  # noqa: PLC0415

    y = np.asarray(responses, dtype=float)
    if y.ndim != len(names) + 1 or y.size == 0:
        raise ValueError(
            f"responses have one axis for each of {len(names)} factors and a last one for "
            f"replications; these have the shape {y.shape}"
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
        raise ValueError(
            f"order {order} leaves no effect; take 1 for main effects, 2 for pairs too"
        )
    highest = len(names) if order is None else min(order, len(names))
    if r == 1 and highest == len(names):
        if len(names) == 1:
            raise ValueError(
                "one factor with one replication leaves nothing to judge by; replicate"
            )
        highest -= 1
    return effects(names, highest)


def _error_is(names: Sequence[str], order: int | None, r: int, *, blocks: bool) -> str:
    pooled = order is not None and order < len(names)
    higher = f"interactions of more than {order} factor{'' if order == 1 else 's'}"
    if r == 1:
        return (
            higher
            if pooled
            else f"the interaction {interaction(names)}, because there is one replication"
        )
    inside = "replications within blocks" if blocks else "replications"
    return f"{inside} and {higher}" if pooled else inside


def _effect_squares(
    y: "NDArray[np.float64]", names: Sequence[str], effect: tuple[str, ...]
) -> float:
    """The sum of squares of one effect: means over the other axes, centred along its own."""
    own = [names.index(name) for name in effect]
    others = tuple(axis for axis in range(y.ndim) if axis not in own)
    means = y.mean(axis=others, keepdims=True)
    for axis in own:
        means = means - means.mean(axis=axis, keepdims=True)
    return float((means**2).sum() * (y.size / means.size))


def _clean(squares: float, floor: float) -> float:
    return 0.0 if squares <= floor else squares


def _source(name: str, squares: float, degrees: int, total: float) -> Source:
    mean_square = squares / degrees if degrees else 0.0
    return Source(name, squares, degrees, mean_square, squares / total if total else 0.0)


def _judged(source: Source, judge: Judge) -> Source:
    """The row with its F and p."""
    from scipy.special import fdtrc  # noqa: PLC0415

    if not judge.mean_square:
        return source
    f = source.mean_square / judge.mean_square
    p = float(fdtrc(judge.numerator, judge.denominator, f))
    return replace(source, f=f, p=p)
