"""Two-level designs against Jain's worked examples, Computer Systems Performance Analysis."""

import itertools
import math
import random

import numpy as np
import pytest

from cellway.statistics import TwoLevel, estimate, paired_difference, sign_table, two_level_effects
from cellway.statistics.fractions import effects
from common import known

FACTORS = ["memory", "cache"]

REPLICATED = [[15, 18, 12], [45, 48, 51], [25, 28, 19], [75, 75, 81]]
"""Example 18.1: MIPS of a workstation, in standard order."""


def values(found: TwoLevel) -> list[float]:
    return [effect.estimate.mean for effect in found.effects]


def names(found: TwoLevel) -> list[str]:
    return [effect.name for effect in found.effects]


def shares(found: TwoLevel, digits: int) -> list[float]:
    """In per cent."""
    return [round(100 * effect.share, digits) for effect in found.effects]


def plotted(runs: int, replications: int, seed: int = 1) -> list[list[float]]:
    draw = random.Random(seed)
    return [[draw.gauss(10.0, 3.0) for _ in range(replications)] for _ in range(runs)]


def test_two_factors_without_replication() -> None:
    """Examples 17.1 and 17.2: y = 40 + 20 xA + 10 xB + 5 xA xB; 76, 19 and 5 per cent of 2100.

    One replication has no error and no intervals.
    """
    found = two_level_effects(FACTORS, [15, 45, 25, 75])
    assert found.mean.mean == 40
    assert values(found) == [20, 10, 5]
    assert names(found) == ["memory", "cache", "memory × cache"]
    assert [effect.sum_of_squares for effect in found.effects] == [1600, 400, 100]
    assert found.total == 2100
    assert shares(found, 0) == [76, 19, 5]
    assert (found.error, found.degrees_of_freedom, found.standard_error) == (0.0, 0, None)
    assert all(effect.estimate.half_width is None for effect in found.effects)


def test_three_factors_without_replication() -> None:
    """Section 17.5: memory, cache, processors; 18, 4, 71, 4, 1, 2 and 0 per cent of 4512."""
    found = two_level_effects("ABC", [14, 22, 10, 34, 46, 58, 50, 86])
    assert found.mean.mean == 40
    assert names(found) == ["A", "B", "C", "A × B", "A × C", "B × C", "A × B × C"]
    assert values(found) == [10, 5, 20, 5, 2, 3, 1]
    assert found.total == 4512
    assert shares(found, 0) == [18, 4, 71, 4, 1, 2, 0]


def test_three_replications() -> None:
    """Examples 18.1 to 18.3: effects 41, 21.5, 9.5, 5 and where the variation comes from."""
    found = two_level_effects(FACTORS, REPLICATED, 0.9)
    assert found.mean.mean == 41
    assert values(found) == [21.5, 9.5, 5]
    assert [effect.sum_of_squares for effect in found.effects] == [5547, 1083, 300]
    assert (found.error, found.total) == (102, 7032)
    assert shares(found, 2) == [78.88, 15.40, 4.27]
    assert round(100 * found.error_share, 2) == 1.45
    assert found.block_share is None


def test_their_intervals() -> None:
    """Example 18.4: s_e = 3.57, s_q = 1.03, t = 1.86; the book adds the rounded 1.92."""
    found = two_level_effects(FACTORS, REPLICATED, 0.9)
    error = known(found.standard_error)
    assert (round(error, 2), round(error / math.sqrt(12), 2)) == (3.57, 1.03)
    assert found.degrees_of_freedom == 8
    printed = [(39.08, 42.91), (19.58, 23.41), (7.58, 11.41), (3.08, 6.91)]
    for number, ends in zip(
        [found.mean, *(e.estimate for e in found.effects)], printed, strict=True
    ):
        assert number.interval == pytest.approx(ends, abs=0.011)
        assert (number.n, number.method) == (3, "pooled error")


def test_a_saturated_fraction() -> None:
    """Example 19.1: seven factors in eight runs; column sums 317, 101, 35, 109, 43, 1, 47, 3."""
    generators = {"D": "AB", "E": "AC", "F": "BC", "G": "ABC"}
    found = two_level_effects("ABC", [20, 35, 7, 42, 36, 50, 45, 82], generators=generators)
    assert found.mean.mean == 317 / 8
    assert values(found) == [101 / 8, 35 / 8, 109 / 8, 43 / 8, 1 / 8, 47 / 8, 3 / 8]
    assert [shares(found, 2)[at] for at in (0, 2, 3, 6)] == [37.26, 43.40, 6.75, 0.03]
    aliases = [effect.aliases[0] for effect in found.effects]
    assert aliases == ["B × D", "A × D", "A × E", "D", "E", "F", "G"]


@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize(("factors", "replications"), [("A", 4), ("AB", 3), ("ABCD", 2)])
def test_variation_adds_up_and_effects_give_the_cells_back(
    factors: str, replications: int, blocks: bool
) -> None:
    y = plotted(2 ** len(factors), replications)
    found = two_level_effects(factors, y, blocks=blocks)
    parts = [effect.sum_of_squares for effect in found.effects]
    assert math.fsum([*parts, found.error, found.blocks or 0.0]) == pytest.approx(found.total)
    parts = [effect.share for effect in found.effects]
    assert math.fsum([*parts, found.error_share, found.block_share or 0.0]) == pytest.approx(1.0)
    for run, row in zip(sign_table(factors), y, strict=True):
        model = found.mean.mean + math.fsum(
            value * math.prod(run[name] for name in effect)
            for effect, value in zip(effects(factors), values(found), strict=True)
        )
        assert model == pytest.approx(math.fsum(row) / replications)


def test_blocks_of_one_factor_are_the_paired_t() -> None:
    """Jain, example 13.5, whose 90 per cent interval (-7.75, 7.11) is that of twice the effect."""
    low, high = [19.1, 3.5, 3.4, 2.5, 3.6, 1.7], [5.4, 16.6, 0.6, 1.4, 0.6, 7.3]
    found = two_level_effects(["system"], [low, high], 0.9, blocks=True)
    pairs = paired_difference(high, low, 0.9)
    effect = found.effects[0].estimate
    assert effect.mean == pytest.approx(pairs.mean / 2)
    assert effect.half_width == pytest.approx(known(pairs.half_width) / 2)
    assert (found.degrees_of_freedom, effect.n, effect.method) == (5, 6, "replications as blocks")


def test_what_a_replication_adds_to_every_run_widens_no_effect() -> None:
    noise = np.array(plotted(4, 5))
    shared = np.array([100.0, -50.0, 30.0, 0.0, 7.0])
    quiet = two_level_effects(FACTORS, noise, blocks=True)
    loud = two_level_effects(FACTORS, noise + shared, blocks=True)
    pooled = two_level_effects(FACTORS, noise + shared)
    for a, b in zip(quiet.effects, loud.effects, strict=True):
        assert a.estimate.half_width == pytest.approx(b.estimate.half_width)
    assert quiet.error == pytest.approx(loud.error)
    assert known(loud.block_share) > 0.9
    wide, narrow = (one.effects[0].estimate.half_width for one in (pooled, loud))
    assert known(wide) > 10 * known(narrow)
    # The mean is the other way round: every run of a replication shares the seed's part.
    assert known(loud.mean.half_width) > known(pooled.mean.half_width)


def test_the_order_of_the_replications_does_not_matter() -> None:
    y = np.array(plotted(4, 3))
    for order in itertools.permutations(range(3)):
        found = two_level_effects(FACTORS, y[:, list(order)], blocks=True)
        assert found.effects == two_level_effects(FACTORS, y, blocks=True).effects


def test_responses_that_do_not_vary_have_no_shares() -> None:
    found = two_level_effects(FACTORS, [[3.0, 3.0]] * 4)
    assert [effect.share for effect in found.effects] == [0.0, 0.0, 0.0]
    assert found.error_share == 0.0


@pytest.mark.parametrize(
    ("responses", "blocks", "message"),
    [
        ([1.0, 2.0, 3.0], False, r"shape \(4, replications\); these have \(3, 1\)"),
        ([[[1.0]]], False, "shape"),
        ([[], [], [], []], False, "shape"),
        ([1.0, 2.0, 3.0, math.nan], False, "not finite"),
        ([1.0, 2.0, 3.0, 4.0], True, "one replication makes no blocks"),
    ],
)
def test_responses_that_make_no_design(responses: list[float], blocks: bool, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        two_level_effects(FACTORS, responses, blocks=blocks)


def test_constant_cells_bring_no_error_and_no_degrees_of_freedom() -> None:
    """One factor, one level constant: half the difference of a mean and a known number."""
    runs = [[4.0] * 6, plotted(1, 6)[0]]
    (effect,) = two_level_effects("A", runs, constant=[True, False]).effects
    alone = estimate([(value - 4.0) / 2.0 for value in runs[1]])
    assert effect.estimate.mean == pytest.approx(alone.mean)
    assert effect.estimate.half_width == pytest.approx(alone.half_width)


@pytest.mark.parametrize("blocks", [False, True])
def test_where_all_cells_are_constant_no_effect_has_an_interval(blocks: bool) -> None:
    found = two_level_effects("A", [[0.1] * 3, [0.7] * 3], blocks=blocks, constant=[True, True])
    assert {one.half_width for one in (found.mean, found.effects[0].estimate)} == {None}
    assert found.effects[0].estimate.mean == pytest.approx(0.3)
    assert found.error == 0.0
