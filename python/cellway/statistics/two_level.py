"""Effects of factors at two levels each: 2^k designs with r replications, and fractions of them.

Source: Jain, The Art of Computer Systems Performance Analysis, chapters 17 (2^k), 18 (2^k r) and 19
(2^(k-p)). An effect is half the change of the response from the first level of a factor to its second; the
variation is the sum of squares around the mean.

With common random numbers the runs of one replication are not independent of each other. Replications are
then taken as blocks: each gives an estimate of every effect of its own, and the interval is Student's t over
these.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from cellway.statistics.intervals import CONFIDENCE, student_t

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

MEAN = "mean"
ERROR = "error"
REPLICATIONS = "replications"


@dataclass(frozen=True)
class Effect:
    """What a factor, or several together, do.

    Attributes:
        name: of the factors, joined by `` × ``; ``"mean"``, ``"error"`` or ``"replications"``.
        value: the effect, in the unit of the response; `None` for errors and replications.
        half_width: of its interval; `None` with a single replication.
        sum_of_squares: its part of the variation; 0 for the mean.
        share: of the total variation, 0 to 1.
    """

    name: str
    value: float | None
    half_width: float | None
    sum_of_squares: float
    share: float


@dataclass(frozen=True)
class TwoLevelAnalysis:
    """The effects table.

    Attributes:
        effects: the mean, the factors, their interactions in standard order, and what chance does.
        total: sum of squares around the mean.
        error_deviation: standard deviation of errors; `None` with a single replication or with blocks.
        degrees_of_freedom: of the intervals; 0 with a single replication.
    """

    effects: tuple[Effect, ...]
    total: float
    error_deviation: float | None
    degrees_of_freedom: int

    def effect(self, name: str) -> Effect:
        """The effect called `name`.

        Raises:
            KeyError: there is none.
        """
        for found in self.effects:
            if found.name == name:
                return found
        raise KeyError(name)


def two_level_analysis(
    names: Sequence[str], responses: "ArrayLike", *, blocks: bool = False, confidence: float = CONFIDENCE
) -> TwoLevelAnalysis:
    """Effects of k factors from 2^k points with r replications each.

    Args:
        names: of the factors; of a fraction its k-p base factors, whose effects stand for their aliases, too.
        responses: shape (2^k, r); the points in standard order, the first factor changing fastest.
        blocks: whether replication j has the same chances at all points.
        confidence: of each interval.

    Raises:
        ValueError: another shape, or values that are not finite.
    """
    import numpy as np  # noqa: PLC0415

    table = np.asarray(responses, dtype=float)
    if table.ndim != 2 or table.shape[0] != 1 << len(names) or table.shape[1] < 1:  # noqa: PLR2004
        raise ValueError(
            f"responses of shape {table.shape}; ({1 << len(names)}, r) is needed for {len(names)} factors"
        )
    if not np.isfinite(table).all():
        raise ValueError("a response is not finite; every run must give a number")
    points, replications = table.shape
    signs = sign_table(len(names))
    values = signs.T @ table.mean(axis=1) / points
    squares = points * replications * values**2
    total = float(((table - table.mean()) ** 2).sum())
    widths, deviation, degrees = _widths(table, signs, confidence, blocks=blocks)
    share = (lambda part: part / total) if total > 0.0 else (lambda _part: 0.0)
    found = [Effect(MEAN, float(values[0]), widths[0], 0.0, 0.0)]
    for column, words in enumerate(_standard_order(names), start=1):
        part = float(squares[column])
        found.append(Effect(" × ".join(words), float(values[column]), widths[column], part, share(part)))
    for name, part in _chance(table, blocks=blocks):
        found.append(Effect(name, None, None, part, share(part)))
    return TwoLevelAnalysis(tuple(found), total, deviation, degrees)


def sign_table(factors: int) -> "NDArray[np.float64]":
    """Shape (2^k, 2^k): points in standard order down; mean, A, B, AB, C, AC, … across."""
    import numpy as np  # noqa: PLC0415

    table = np.ones((1, 1))
    for _ in range(factors):
        table = np.block([[table, -table], [table, table]])
    return table


def _standard_order(names: Sequence[str]) -> list[tuple[str, ...]]:
    """The factors of each column: A, B, AB, C, AC, BC, ABC and so on."""
    return [
        tuple(name for bit, name in enumerate(names) if column >> bit & 1)
        for column in range(1, 1 << len(names))
    ]


def _widths(
    table: "NDArray[np.float64]", signs: "NDArray[np.float64]", confidence: float, *, blocks: bool
) -> tuple[list[float | None], float | None, int]:
    """Half-widths of all effects, the deviation of errors and the degrees of freedom."""
    points, replications = table.shape
    if replications == 1:
        return [None] * points, None, 0
    if blocks:
        each = signs.T @ table / points
        spread = each.std(axis=1, ddof=1) / math.sqrt(replications)
        degrees = replications - 1
        return [float(s) * student_t(degrees, confidence) for s in spread], None, degrees
    degrees = points * (replications - 1)
    errors = float(((table - table.mean(axis=1, keepdims=True)) ** 2).sum())
    deviation = math.sqrt(errors / degrees)
    width = student_t(degrees, confidence) * deviation / math.sqrt(points * replications)
    return [width] * points, deviation, degrees


def _chance(table: "NDArray[np.float64]", *, blocks: bool) -> list[tuple[str, float]]:
    """Sums of squares of what is no factor."""
    if table.shape[1] == 1:
        return []
    errors = float(((table - table.mean(axis=1, keepdims=True)) ** 2).sum())
    if not blocks:
        return [(ERROR, errors)]
    between = float(table.shape[0] * ((table.mean(axis=0) - table.mean()) ** 2).sum())
    return [(REPLICATIONS, between), (ERROR, max(errors - between, 0.0))]


def aliases(generators: Mapping[str, Sequence[str]], names: Sequence[str]) -> dict[str, list[str]]:
    """For each effect of the base factors, the effects that a fraction cannot tell from it.

    Args:
        generators: for each generated factor the base factors whose product it is.
        names: of all factors.
    """
    words = [frozenset({generated, *product}) for generated, product in generators.items()]
    defining = [_product(chosen) for size in range(1, len(words) + 1) for chosen in combinations(words, size)]
    base = [name for name in names if name not in generators]
    found = {}
    for effect in _standard_order(base):
        others = sorted(
            (_product([frozenset(effect), word]) for word in defining),
            key=lambda word: (len(word), sorted(word)),
        )
        found[_called(effect, names)] = [_called(word, names) for word in others]
    return found


def resolution(generators: Mapping[str, Sequence[str]]) -> int:
    """The length of the shortest word of the defining relation; with 5 no two-factor effects are confused."""
    words = [frozenset({generated, *product}) for generated, product in generators.items()]
    return min(
        len(_product(chosen)) for size in range(1, len(words) + 1) for chosen in combinations(words, size)
    )


def _product(words: Sequence[frozenset[str]]) -> frozenset[str]:
    """Of signs: what occurs twice is gone."""
    found: frozenset[str] = frozenset()
    for word in words:
        found ^= word
    return found


def _called(word: Sequence[str] | frozenset[str], names: Sequence[str]) -> str:
    return " × ".join(name for name in names if name in word) or MEAN
