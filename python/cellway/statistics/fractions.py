"""Fractions of two-level designs: the effects that cannot be separated.

Source: Jain, The Art of Computer Systems Performance Analysis, chapter 19; Montgomery, Design and
Analysis of Experiments, chapter 8. In a 2^(k-p) design p factors are given the signs of
interactions of the others; the products of these generators are the words of the defining relation,
an effect times each word is an alias of it, and the length of the shortest word is the resolution.
Generators have a positive sign: the principal fraction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

JOIN = " × "
"""Separator between the factors of an interaction."""


@dataclass(frozen=True)
class Aliases:
    """Alias structure of a fraction: the effects that it confounds.

    Attributes:
        words: of the defining relation: sets of factors whose product of signs is +1 in every run;
            shortest first.
        resolution: length of the shortest word; the number of factors plus one without generators.
        chains: effects that are the same column, by the effect of the base factors, which need not
            be the first in its chain; lowest order first. The mean is not among them: its aliases
            are the words.
    """

    words: tuple[str, ...]
    resolution: int
    chains: Mapping[str, tuple[str, ...]]


def aliases(base: Sequence[str], generators: Mapping[str, Sequence[str]]) -> Aliases:
    """The alias structure of a 2^(k-p) design.

    Args:
        base: the k - p factors that are varied fully.
        generators: for each of the p other factors, the base factors whose product gives its signs:
            ``{"D": ["A", "B", "C"]}`` is D = ABC.

    Raises:
        ValueError: no or repeated factors, or a generator that is not a product of two or more base
            factors.
    """
    names = check_factors([*base, *generators])
    _check_generators(base, generators)
    generating = [_mask(names, [added, *product]) for added, product in generators.items()]
    words = sorted(_products(generating)[1:], key=_order)
    chains = {}
    for effect in effects(base):
        same = sorted((_mask(names, effect) ^ word for word in [0, *words]), key=_order)
        chains[interaction(effect)] = tuple(_name(names, mask) for mask in same)
    resolution = words[0].bit_count() if words else len(names) + 1
    return Aliases(tuple(_name(names, word) for word in words), resolution, chains)


def sign_table(
    base: Sequence[str], generators: Mapping[str, Sequence[str]] | None = None
) -> tuple[dict[str, int], ...]:
    """The runs of a two-level design in standard (Yates) order, with -1 or +1 per factor.

    The first factor changes fastest: (-1, -1), (+1, -1), (-1, +1), (+1, +1) for two.

    Args:
        base: the factors that are varied fully.
        generators: as in `aliases`; none gives the full factorial.

    Raises:
        ValueError: as in `aliases`.
    """
    generators = generators or {}
    check_factors([*base, *generators])
    _check_generators(base, generators)
    runs = []
    for number in range(2 ** len(base)):
        run = {factor: 1 if number >> place & 1 else -1 for place, factor in enumerate(base)}
        for added, product in generators.items():
            run[added] = -1 if sum(run[factor] < 0 for factor in product) % 2 else 1
        runs.append(run)
    return tuple(runs)


def effects(factors: Sequence[str], order: int | None = None) -> list[tuple[str, ...]]:
    """Main effects, then interactions of two, of three …, up to `order` factors (`None`: all)."""
    highest = len(factors) if order is None else min(order, len(factors))
    return [effect for size in range(1, highest + 1) for effect in combinations(factors, size)]


def interaction(factors: Sequence[str]) -> str:
    """Name of an effect."""
    return JOIN.join(factors)


def check_factors(factors: Sequence[str]) -> list[str]:
    """The factors, if all are different.

    Raises:
        ValueError: none, or one twice.
    """
    names = list(factors)
    if not names:
        raise ValueError("no factors; name at least one")
    if twice := [name for at, name in enumerate(names) if name in names[:at]]:
        raise ValueError(f"factor {twice[0]!r} is named twice")
    return names


def _check_generators(base: Sequence[str], generators: Mapping[str, Sequence[str]]) -> None:
    for added, product in generators.items():
        if unknown := [factor for factor in product if factor not in base]:
            raise ValueError(
                f"generator of {added!r}: {unknown[0]!r} is no base factor ({', '.join(base)})"
            )
        if len(set(product)) < 2 or len(set(product)) < len(product):  # noqa: PLR2004
            raise ValueError(f"generator of {added!r}: give two or more different base factors")


def _products(words: Sequence[int]) -> list[int]:
    """All products of the words, the empty one first; a factor times itself vanishes."""
    products = [0]
    for word in words:
        products += [product ^ word for product in products]
    return products


def _mask(names: Sequence[str], factors: Sequence[str]) -> int:
    return sum(1 << names.index(factor) for factor in factors)


def _factors(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def _name(names: Sequence[str], mask: int) -> str:
    return interaction([names[place] for place in _factors(mask)])


def _order(mask: int) -> tuple[int, list[int]]:
    """Order of effects: fewer factors first, then as the factors were named."""
    return mask.bit_count(), _factors(mask)
