"""Two-level designs with replications: effects, allocation of variation, intervals.

Source: Jain, The Art of Computer Systems Performance Analysis, chapters 17 (2^k), 18 (2^k r) and 19
(fractions). With signs -1 and +1 the model is ``y = q0 + qA·xA + qB·xB + qAB·xA·xB + … + e``; an
effect is the mean of the responses times its column of signs, half of the change that the factor's
change of level makes. Its sum of squares is ``2^k · r · q^2``. The errors inside the 2^k cells have
``2^k (r - 1)`` degrees of freedom, and every effect the standard deviation ``s_e / sqrt(2^k · r)``.
A cell whose runs give one number whatever their seed shows nothing of errors: with v others there
are ``v (r - 1)`` degrees of freedom, s_e is theirs, and an effect, to which the constant cells
bring no error, has ``s_e · sqrt(v / 2^k) / sqrt(2^k · r)``. Where nothing varies there is no
interval.

With common random numbers replication j has the same seed at every point, so the errors of a
replication depend on each other and Jain's intervals are wrong: the amount that a seed adds to
every point makes those of the effects too wide and that of the mean too narrow. Then replications
are blocks: the contrast of each replication alone is one observation of the effect, these are
independent, and the interval is Student's over r of them with r - 1 degrees of freedom (Law,
chapter 12, treats whole designs as replications in the same way). The variation between
replications is separated from the error; the allocation to effects is the same.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING

from cellway.statistics.fractions import aliases, check_factors, effects, interaction, sign_table
from cellway.statistics.intervals import CONFIDENCE, Estimate, check_confidence, estimate, student_t
from cellway.statistics.repeats import ALL_THE_SAME, DETERMINISTIC, equal

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Effect:
    """One main effect or interaction.

    Attributes:
        name: its factors joined by " × ".
        estimate: the effect and its half-width, in the unit of the response; half the change from
            low to high.
        sum_of_squares: in the unit of the response squared.
        share: of the total variation, from 0 to 1.
        aliases: effects that a fraction cannot separate from it; empty in a full design.
    """

    name: str
    estimate: Estimate
    sum_of_squares: float
    share: float
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class TwoLevel:
    """A two-level design, analysed.

    Attributes:
        mean: q0, the mean of all responses.
        effects: main effects first, then interactions of two, of three …
        total: SST, the variation of the responses about their mean.
        blocks: SS between replications; `None` unless replications are blocks.
        error: SSE, the remaining variation; 0 with one replication.
        degrees_of_freedom: of each interval; 0 where there is none: with one replication, or where
            none of several differs.
        standard_error: s_e, the standard deviation of the errors in the cells that vary; `None`
            where there is no interval, and with blocks, where each effect has its own.
        replications: r.
        confidence: of each interval alone.
    """

    mean: Estimate
    effects: tuple[Effect, ...]
    total: float
    blocks: float | None
    error: float
    degrees_of_freedom: int
    standard_error: float | None
    replications: int
    confidence: float

    @property
    def error_share(self) -> float:
        """The part of the total variation that is error, from 0 to 1."""
        return _share(self.error, self.total)

    @property
    def block_share(self) -> float | None:
        """The fraction of the variation between replications; `None` unless these are blocks."""
        return None if self.blocks is None else _share(self.blocks, self.total)


def two_level_effects(  # noqa: PLR0913
    factors: Sequence[str],
    responses: "ArrayLike",
    confidence: float = CONFIDENCE,
    *,
    blocks: bool = False,
    generators: Mapping[str, Sequence[str]] | None = None,
    constant: Sequence[bool] = (),
    deterministic: bool = False,
) -> TwoLevel:
    """Analyses a 2^k r design, or a 2^(k-p) r fraction.

    Args:
        factors: the factors that are varied fully.
        responses: shape (2^k, r), a row per run in the order of `sign_table`, where the first
            factor changes fastest, and a column per replication; shape (2^k,) is one replication.
        confidence: of each interval, between 0 and 1, exclusive.
        blocks: true if column j has the same seeds in every row (common random numbers).
        generators: the further factors of a fraction, as in `aliases`; fills `Effect.aliases`.
        constant: by row, true if its runs give one number whatever their seed; ``()`` for no such
            row.
        deterministic: true if the runs of each row are known to be identical.

    Raises:
        ValueError: repeated factors, another shape, a response that is not finite, a confidence out
            of range, or blocks with one replication.
    """
    names = check_factors(factors)
    check_confidence(confidence)
    chains = aliases(names, generators).chains if generators else {}
    y = _table(names, responses)
    runs, r = len(y), len(y[0])
    if blocks and r == 1:
        raise ValueError("one replication makes no blocks; take two or more")
    mean, *others = _contrasts(names, y)
    centre = math.fsum(mean) / r
    total = math.fsum((value - centre) ** 2 for row in y for value in row)
    between = runs * math.fsum((value - centre) ** 2 for value in mean) if blocks else None
    error = max(0.0, math.fsum(_squares(row) for row in y) - (between or 0.0))
    varying = runs - sum(constant)
    degrees = (1 if blocks else varying) * (r - 1)
    deviation = half_width = None
    if degrees and error and not blocks:
        deviation = math.sqrt(error / degrees)
        spread = deviation * math.sqrt(varying / runs) / math.sqrt(runs * r)
        half_width = student_t(degrees, confidence) * spread

    def judged(contrast: Sequence[float]) -> Estimate:
        if blocks:
            return estimate(
                contrast, confidence, method="replications as blocks", deterministic=deterministic
            )
        repeated = r > 1 and half_width is None
        without = DETERMINISTIC if deterministic else ALL_THE_SAME
        return Estimate(
            math.fsum(contrast) / r, half_width, r, without if repeated else "pooled error"
        )

    rows = []
    for effect, contrast in zip(effects(names), others, strict=True):
        name, value = interaction(effect), judged(contrast)
        squares = runs * r * value.mean**2
        same = tuple(alias for alias in chains.get(name, ()) if alias != name)
        rows.append(Effect(name, value, squares, _share(squares, total), same))
    return TwoLevel(
        judged(mean), tuple(rows), total, between, error, degrees, deviation, r, confidence
    )


def _contrasts(names: Sequence[str], y: Sequence[Sequence[float]]) -> list[list[float]]:
    """Contrasts of the mean and of each effect, one per replication; the effect is their mean."""
    signs = sign_table(names)
    columns = [
        [math.prod(run[name] for name in effect) for run in signs]
        for effect in [(), *effects(names)]
    ]
    return [
        [math.fsum(map(mul, column, values)) / len(signs) for values in zip(*y, strict=True)]
        for column in columns
    ]


def _squares(values: Sequence[float]) -> float:
    """Sum of squared deviations from the mean; exactly 0 for equal values."""
    if equal(values):
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values)


def _table(names: Sequence[str], responses: "ArrayLike") -> list[list[float]]:
    """Responses, a row per run, as plain numbers: exact sums do not depend on their order."""
    import numpy as np  # noqa: PLC0415

    y = np.asarray(responses, dtype=float)
    y = y[:, np.newaxis] if y.ndim == 1 else y
    runs = 2 ** len(names)
    if y.ndim != 2 or y.shape[0] != runs or y.size == 0:  # noqa: PLR2004
        raise ValueError(
            f"{len(names)} factors at two levels are {runs} runs, so responses have the shape "
            f"({runs}, replications); these have {y.shape}"
        )
    if not np.isfinite(y).all():
        raise ValueError("a response is not finite; every run must give a number")
    table: list[list[float]] = y.tolist()
    return table


def _share(part: float, total: float) -> float:
    return part / total if total else 0.0
