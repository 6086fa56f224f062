"""Designs: the combinations of levels that a study runs.

| design | points |
|---|---|
| full | every combination; the last factor changes fastest |
| two_level | every combination of two levels each, in standard order: the first changes fastest |
| fractional | a 2^-p fraction of two_level, chosen by generators such as ``d = a*b*c`` |
| latin_hypercube | every factor's range cut into a part for each point, each part met once |
| sobol | a scrambled Sobol sequence, a power of two of points |
| saltelli | pairs of points of that sequence, and between them each factor changed alone |

Sources: Jain, The Art of Computer Systems Performance Analysis, chapters 17 to 19, for two levels
and fractions; McKay, Beckman and Conover 1979 for the hypercube, Sobol 1967 and Owen 1998 for the
sequence, both by `scipy.stats.qmc`; Saltelli et al. 2010 for the plan.

Designs that sample take any value of a factor that is a range, and one of the levels otherwise.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from cellway.statistics import saltelli_rows
from cellway.study.factors import Factor, Level

Point = tuple[Level, ...]
"""One level per factor, in the order of the factors."""

MAX_RUNS = 100_000
"""Most runs of one study; a larger design has to be sampled."""

MOST_SAMPLES = 65_536
"""Most points of a sampling design."""


@dataclass(frozen=True)
class Design:
    """A way to choose points; `name` is its word in a study file."""

    name = "full"

    def count(self, factors: Sequence[Factor]) -> int:
        """Number of points, without making them."""
        return math.prod(len(factor.levels) for factor in factors)

    def points(self, factors: Sequence[Factor], seed: int) -> list[Point]:
        """The points, in the order in which tables list them."""
        del seed
        return list(product(*(factor.levels for factor in factors)))

    def check(self, factors: Sequence[Factor]) -> None:
        """Refuses factors that this design cannot use.

        Raises:
            ValueError: it cannot use them; the message says why.
        """
        del factors


@dataclass(frozen=True)
class TwoLevel(Design):
    """2^k design: the first level of each factor is -1, the second +1."""

    name = "two_level"

    def points(self, factors: Sequence[Factor], seed: int) -> list[Point]:
        """All combinations of signs in standard order."""
        del seed
        return [tuple(reversed(point)) for point in product(*(f.levels for f in reversed(factors)))]

    def check(self, factors: Sequence[Factor]) -> None:
        """Refuses factors with more or fewer than two levels."""
        for factor in factors:
            if len(factor.levels) != 2:  # noqa: PLR2004
                raise ValueError(
                    f"factor `{factor.name}` has {len(factor.levels)} levels; this design needs two"
                )


@dataclass(frozen=True)
class Fractional(TwoLevel):
    """2^(k-p) design: the sign of each generated factor is the product of the signs of others.

    Attributes:
        generators: for each generated factor its base factors.
    """

    generators: Mapping[str, tuple[str, ...]]
    name = "fractional"

    def count(self, factors: Sequence[Factor]) -> int:
        """2 to the power of the number of factors that are not generated."""
        return 1 << (len(factors) - len(self.generators))

    def points(self, factors: Sequence[Factor], seed: int) -> list[Point]:
        """The signs of the base factors in standard order, those of generated ones computed."""
        del seed
        base = [factor for factor in factors if factor.name not in self.generators]
        signs = (tuple(reversed(row)) for row in product((-1, 1), repeat=len(base)))
        return [
            self._point(factors, dict(zip((f.name for f in base), row, strict=True)))
            for row in signs
        ]

    def _point(self, factors: Sequence[Factor], signs: Mapping[str, int]) -> Point:
        def sign(factor: Factor) -> int:
            words = self.generators.get(factor.name, (factor.name,))
            return math.prod(signs[word] for word in words)

        return tuple(factor.levels[(sign(factor) + 1) // 2] for factor in factors)

    def check(self, factors: Sequence[Factor]) -> None:
        """Checks that factors have two levels, and generators two or more other factors."""
        super().check(factors)
        names = [factor.name for factor in factors]
        if not self.generators:
            raise ValueError("no generators; at least one such as `d = a*b*c` is expected")
        for generated, words in self.generators.items():
            base = [name for name in names if name not in self.generators]
            if generated not in names:
                raise ValueError(
                    f"generator of `{generated}`: no such factor; there are {', '.join(names)}"
                )
            if wrong := [word for word in words if word not in base]:
                accepted = ", ".join(base)
                raise ValueError(
                    f"generator of `{generated}`: `{wrong[0]}` is not accepted; accepted are "
                    f"{accepted}"
                )
            if len(set(words)) < 2 or len(set(words)) != len(words):  # noqa: PLR2004
                raise ValueError(
                    f"generator of `{generated}`: a product of two or more different factors is "
                    "expected"
                )


@dataclass(frozen=True)
class Listed(Design):
    """Points of a table that is no full design.

    Attributes:
        rows: by point, the index of the level of each factor.
    """

    rows: tuple[tuple[int, ...], ...]
    name = "listed"

    def count(self, factors: Sequence[Factor]) -> int:
        """The number of points that are listed."""
        del factors
        return len(self.rows)

    def points(self, factors: Sequence[Factor], seed: int) -> list[Point]:
        """The points in the order of the list."""
        del seed
        return [
            tuple(factor.levels[at] for factor, at in zip(factors, row, strict=True))
            for row in self.rows
        ]


@dataclass(frozen=True)
class LatinHypercube(Design):
    """A number of points such that every part of every factor's range is met once."""

    samples: int
    name = "latin_hypercube"

    def count(self, factors: Sequence[Factor]) -> int:
        """The number of points that was asked for."""
        del factors
        return self.samples

    def points(self, factors: Sequence[Factor], seed: int) -> list[Point]:
        """A random Latin hypercube; the same for the same seed."""
        from scipy.stats import qmc  # noqa: PLC0415

        shares = qmc.LatinHypercube(d=len(factors), rng=seed).random(self.samples)
        return [_sampled(factors, row) for row in shares.tolist()]


@dataclass(frozen=True)
class Sobol(LatinHypercube):
    """A scrambled Sobol sequence, which fills the space more evenly than chance."""

    name = "sobol"

    def points(self, factors: Sequence[Factor], seed: int) -> list[Point]:
        """The first points of the sequence; the same for the same seed."""
        from scipy.stats import qmc  # noqa: PLC0415

        shares = qmc.Sobol(d=len(factors), scramble=True, rng=seed).random_base2(
            self.samples.bit_length() - 1
        )
        return [_sampled(factors, row) for row in shares.tolist()]

    def check(self, factors: Sequence[Factor]) -> None:
        """A power of two: other lengths lose the balance of the sequence."""
        del factors
        if self.samples & (self.samples - 1):
            below = 1 << (self.samples.bit_length() - 1)
            raise ValueError(
                f"{self.samples} points; a power of two is expected, such as {below} or {2 * below}"
            )


@dataclass(frozen=True)
class Saltelli(Sobol):
    """The plan of sensitivity indices: `samples` rows of k + 2 points for k factors."""

    name = "saltelli"

    def count(self, factors: Sequence[Factor]) -> int:
        """Number of points of all rows."""
        return self.samples * (len(factors) + 2)

    def points(self, factors: Sequence[Factor], seed: int) -> list[Point]:
        """Rows of `cellway.statistics.saltelli_rows`; the same for the same seed."""
        from scipy.stats import qmc  # noqa: PLC0415

        sequence = qmc.Sobol(d=2 * len(factors), scramble=True, rng=seed)
        shares = sequence.random_base2(self.samples.bit_length() - 1).tolist()
        return [_sampled(factors, row) for row in saltelli_rows(shares)]

    def check(self, factors: Sequence[Factor]) -> None:
        """A power of two, and several factors to share the variance."""
        super().check(factors)
        if len(factors) < 2:  # noqa: PLR2004
            raise ValueError(f"{len(factors)} factors; two or more are expected")


def _sampled(factors: Sequence[Factor], shares: Sequence[float]) -> Point:
    return tuple(factor.sampled(share) for factor, share in zip(factors, shares, strict=True))
