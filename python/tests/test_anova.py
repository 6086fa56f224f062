"""Analysis of variance against worked examples and SciPy."""

import itertools
import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cellway.statistics import (
    Anova,
    analysis_of_variance,
    paired_difference,
    spread,
    two_level_effects,
)
from common import known

BATTERY = [
    [[130, 155, 74, 180], [34, 40, 80, 75], [20, 70, 82, 58]],
    [[150, 188, 159, 126], [136, 122, 106, 115], [25, 70, 58, 45]],
    [[138, 110, 168, 160], [174, 120, 150, 139], [96, 104, 82, 60]],
]
"""Montgomery, Design and Analysis of Experiments, table 5.1: hours by material and temperature."""

BOTTLING = [
    [[[-3, -1], [-1, 0]], [[-1, 0], [1, 1]]],
    [[[0, 1], [2, 1]], [[2, 3], [6, 5]]],
    [[[5, 4], [7, 6]], [[7, 9], [10, 11]]],
]
"""Montgomery, example 5.3: deviation of the fill height by carbonation, pressure and line speed."""

RADAR = [
    [[90, 96, 100, 92], [86, 84, 92, 81]],
    [[102, 106, 105, 96], [87, 90, 97, 80]],
    [[114, 112, 108, 98], [93, 91, 95, 83]],
]
"""Montgomery, example 5.6: detection by clutter and filter; four operators are the blocks."""

CACHES = [[54, 55, 106], [60, 60, 123], [43, 43, 120], [49, 52, 111], [49, 50, 108]]
"""Jain, table 21.2: milliseconds of five workloads with two, one and no caches, once each."""


def squares(found: Anova) -> list[float]:
    return [round(row.sum_of_squares, 2) for row in found.rows]


def degrees(found: Anova) -> list[int]:
    return [row.degrees_of_freedom for row in found.rows]


def fs(found: Anova, digits: int) -> list[float]:
    return [round(row.f, digits) for row in found.effects if row.f is not None]


def from_rounded_f(printed: list[float]) -> object:
    """The book takes p from F as printed, which moves the fourth decimal by up to two."""
    return pytest.approx(printed, abs=2.5e-4)


def plotted(shape: Sequence[int], seed: int = 1) -> "np.typing.NDArray[np.float64]":
    return np.random.default_rng(seed).normal(10.0, 3.0, shape)


def test_battery_life() -> None:
    """Table 5.5: F 7.91, 28.97, 3.56; p 0.0020, below 0.0001, 0.0186."""
    found = analysis_of_variance(["material", "temperature"], BATTERY)
    both = ["material", "temperature", "material × temperature"]
    assert [row.name for row in found.rows] == [*both, "error", "total"]
    assert squares(found) == [10683.72, 39118.72, 9613.78, 18230.75, 77646.97]
    assert degrees(found) == [2, 2, 4, 27, 35]
    assert round(found.error.mean_square, 2) == 675.21
    assert fs(found, 2) == [7.91, 28.97, 3.56]
    assert [row.p for row in found.effects] == pytest.approx([0.0020, 0.0, 0.0186], abs=5e-5)
    assert found.error_is == "replications"


def test_soft_drink_bottling() -> None:
    """Table 5.14, three factors."""
    found = analysis_of_variance("ABC", BOTTLING)
    assert squares(found) == [252.75, 45.38, 22.04, 5.25, 0.58, 1.04, 1.08, 8.50, 336.62]
    assert degrees(found) == [2, 1, 1, 2, 2, 1, 2, 12, 23]
    assert fs(found, 3) == [178.412, 64.059, 31.118, 3.706, 0.412, 1.471, 0.765]
    assert [row.p for row in found.effects[3:]] == from_rounded_f([0.0558, 0.6713, 0.2485, 0.4867])


def test_radar_detection_in_blocks() -> None:
    """Table 5.22: the blocks have 3 degrees of freedom, the error 15."""
    found = analysis_of_variance(["clutter", "filter"], RADAR, blocks=True)
    assert [row.name for row in found.rows[3:]] == ["blocks", "error", "total"]
    assert squares(found) == [335.58, 1066.67, 77.08, 402.17, 166.33, 2047.83]
    assert degrees(found) == [2, 1, 2, 3, 15, 23]
    assert fs(found, 2) == [15.13, 96.19, 3.48]
    assert [row.p for row in found.effects] == from_rounded_f([0.0003, 0.0, 0.0573])
    assert found.error_is == "replications within blocks"


def test_caches_with_one_replication() -> None:
    """Table 21.4: caches 12857.2, 95.9 %, F 217.2; workloads 308.4, 2.3, 2.6; errors 236.8, 1.8."""
    found = analysis_of_variance(["workload", "cache"], np.array(CACHES)[..., np.newaxis])
    assert squares(found) == [308.4, 12857.2, 236.8, 13402.4]
    assert degrees(found) == [4, 2, 8, 14]
    assert [round(100 * row.share, 1) for row in found.rows] == [2.3, 95.9, 1.8, 100.0]
    assert fs(found, 1) == [2.6, 217.2]
    assert found.error_is == "the interaction workload × cache, because there is one replication"


@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize("order", [None, 1, 2])
@pytest.mark.parametrize("shape", [(4, 3), (2, 3, 4), (3, 2, 2, 5), (2, 2, 3, 2, 2)])
def test_everything_adds_up(shape: Sequence[int], order: int | None, blocks: bool) -> None:
    names = "ABCD"[: len(shape) - 1]
    found = analysis_of_variance(names, plotted(shape), order=order, blocks=blocks)
    *parts, total = found.rows
    assert math.fsum(row.sum_of_squares for row in parts) == pytest.approx(total.sum_of_squares)
    assert sum(degrees(found)[:-1]) == total.degrees_of_freedom == math.prod(shape) - 1
    assert math.fsum(row.share for row in parts) == pytest.approx(1.0)
    if order is None and blocks:
        assert found.error.degrees_of_freedom == (math.prod(shape[:-1]) - 1) * (shape[-1] - 1)


def test_higher_interactions_go_to_the_error() -> None:
    full = analysis_of_variance("ABC", BOTTLING)
    pairs = analysis_of_variance("ABC", BOTTLING, order=2)
    assert pairs.error.sum_of_squares == pytest.approx(8.5 + full.effects[-1].sum_of_squares)
    assert pairs.error.degrees_of_freedom == 14
    assert [row.name for row in pairs.effects] == ["A", "B", "C", "A × B", "A × C", "B × C"]
    assert pairs.error_is == "replications and interactions of more than 2 factors"
    alone = analysis_of_variance("ABC", np.array(BOTTLING)[..., :1], order=1)
    assert alone.error_is == "interactions of more than 1 factor"


def test_one_factor_is_scipys() -> None:
    y = plotted((4, 6))
    found = analysis_of_variance("A", y).effects[0]
    other = stats.f_oneway(*y)
    assert found.f == pytest.approx(other.statistic)
    assert found.p == pytest.approx(other.pvalue)


def test_two_levels_in_blocks_are_the_paired_t() -> None:
    """F with one degree of freedom is the square of t."""
    y = plotted((2, 7))
    found = analysis_of_variance("A", y, blocks=True).effects[0]
    other = stats.ttest_rel(y[0], y[1])
    assert found.f == pytest.approx(other.statistic**2)
    assert found.p == pytest.approx(other.pvalue)
    difference = paired_difference(y[0].tolist(), y[1].tolist(), 1.0 - other.pvalue)
    assert difference.half_width == pytest.approx(abs(difference.mean))


@pytest.mark.parametrize("blocks", [False, True])
def test_two_levels_split_as_jain_does(blocks: bool) -> None:
    y = plotted((2, 2, 2, 3))
    # In standard order the first factor changes fastest, in an array the last.
    runs = [y[a, b, c].tolist() for c, b, a in itertools.product(range(2), repeat=3)]
    jain = two_level_effects("ABC", runs, blocks=blocks)
    found = analysis_of_variance("ABC", y, blocks=blocks)
    assert [row.name for row in found.effects] == [effect.name for effect in jain.effects]
    for row, effect in zip(found.effects, jain.effects, strict=True):
        assert row.sum_of_squares == pytest.approx(effect.sum_of_squares)
    assert found.error.sum_of_squares == pytest.approx(jain.error)


@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize("constant", [False, True])
def test_without_error_nothing_is_judged(blocks: bool, constant: bool) -> None:
    """An infinite F would call a difference certain, though nothing but the seed was varied."""
    runs = [[[0.1, 0.1], [0.1, 0.1]], [[0.7, 0.7], [0.7, 0.7]]]
    found = analysis_of_variance("AB", runs, blocks=blocks, constant=constant)
    assert {(row.f, row.p) for row in found.rows} == {(None, None)}
    assert found.effects[0].share == pytest.approx(1.0)
    assert found.varying == (0 if constant else 4)
    assert (found.error.degrees_of_freedom == 0) == constant


@pytest.mark.parametrize("blocks", [False, True])
def test_one_point_that_varies_beside_a_constant_one_is_students_t(blocks: bool) -> None:
    """Seven runs against a known number: F is the square of t of one sample, and p its p."""
    y = plotted((2, 7))
    y[0] = 9.0
    (found,) = analysis_of_variance("A", y, blocks=blocks, constant=[True, False]).effects
    other = stats.ttest_1samp(y[1], 9.0)
    assert found.f == pytest.approx(other.statistic**2)
    assert found.p == pytest.approx(other.pvalue)


def test_constant_points_have_no_part_in_the_errors_degrees_of_freedom() -> None:
    """Three of six points vary, with five replications: 3 · 4; blocks take 4 of them."""
    y = plotted((2, 3, 5))
    y[0] = 9.0
    constant = [[True] * 3, [False] * 3]
    found = analysis_of_variance("AB", y, constant=constant)
    inside = float(((y[1] - y[1].mean(axis=-1, keepdims=True)) ** 2).sum())
    assert (found.error.degrees_of_freedom, found.total.degrees_of_freedom) == (12, 5 + 12)
    assert found.error.mean_square == pytest.approx(inside / 12)
    assert found.error_is == "replications of the 3 of 6 points that vary"
    blocked = analysis_of_variance("AB", y, blocks=True, constant=constant)
    assert (known(blocked.blocks).degrees_of_freedom, blocked.error.degrees_of_freedom) == (4, 8)
    assert math.fsum(row.sum_of_squares for row in blocked.rows[:-1]) == pytest.approx(
        blocked.total.sum_of_squares
    )


@pytest.mark.parametrize("blocks", [False, True])
def test_beside_constant_points_p_is_not_too_small(blocks: bool) -> None:
    """No effect in 500 draws: 5 per cent of p below 0.05 are 25 ± 15 (three deviations).

    Without knowing that half of the points are constant, 15 per cent are, with blocks.
    """
    draw = np.random.default_rng(7)
    constant = np.array([[True] * 3, [False] * 3])
    below = 0
    for _ in range(500):
        y = draw.normal(0.0, 1.0, (2, 3, 6)) + (draw.normal(0.0, 0.7, 6) if blocks else 0.0)
        y[constant] = 0.0
        found = analysis_of_variance("AB", y, blocks=blocks, constant=constant)
        below += known(found.effects[0].p) < 0.05
    assert 10 <= below <= 40


def test_all_points_varying_is_the_textbooks_analysis() -> None:
    none = np.zeros((3, 3), bool)
    assert analysis_of_variance("AB", BATTERY, constant=none) == analysis_of_variance("AB", BATTERY)


def test_a_large_mean_hides_nothing() -> None:
    near = analysis_of_variance("AB", BATTERY)
    far = analysis_of_variance("AB", np.array(BATTERY) + 1e9)
    for a, b in zip(near.rows, far.rows, strict=True):
        assert a.sum_of_squares == pytest.approx(b.sum_of_squares)


def test_equal_responses_are_not_judged() -> None:
    found = analysis_of_variance("AB", np.full((3, 2, 2), 0.1), blocks=True)
    assert {row.sum_of_squares for row in found.rows} == {0.0}
    assert {row.f for row in found.rows} == {None}


def test_under_no_effect_p_is_uniform() -> None:
    """400 draws: the maximum gap of the distributions is below Kolmogorov's 1 per cent value."""
    draw = random.Random(11)
    p = []
    for _ in range(400):
        y = [[[draw.gauss(0, 1) for _ in range(3)] for _ in range(2)] for _ in range(3)]
        p.append(analysis_of_variance("AB", y).effects[2].p)
    assert stats.kstest(p, "uniform").statistic < 1.628 / math.sqrt(400)


@pytest.mark.parametrize(
    ("factors", "y", "asked", "message"),
    [
        ("AB", np.ones((3, 2)), {}, r"each of 2 factors .* the shape \(3, 2\)"),
        ("AB", np.ones((3, 2, 0)), {}, "shape"),
        ("AB", np.ones((3, 1, 2)), {}, "factor 'B' has one level"),
        ("AB", np.ones((3, 2, 2)), {"order": 0}, "order 0 leaves no effect"),
        ("AB", np.ones((3, 2, 1)), {"blocks": True}, "one replication makes no blocks"),
        ("A", [[1.0], [2.0]], {}, "nothing to judge by; replicate"),
        ("A", [[1.0, math.nan], [2.0, 3.0]], {}, "not finite"),
    ],
)
def test_what_is_no_design(factors: str, y: Any, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        analysis_of_variance(factors, y, **asked)


def test_bartletts_test_is_that_of_scipy() -> None:
    """And says nothing of points that do not vary, or of fewer than two that do."""
    cells = plotted([5, 4])
    found = known(spread(cells, [False] * 5))
    assert found.p == pytest.approx(stats.bartlett(*cells).pvalue)
    assert not found.is_unlike
    cells[2] *= 100.0
    other = known(spread(cells, [True, False, False, False, False]))
    assert other.p == pytest.approx(stats.bartlett(*cells[1:]).pvalue)
    assert other.is_unlike
    assert other.most == pytest.approx(cells[2].std(ddof=1))
    assert spread(cells, [True, True, True, True, False]) is None
    assert spread(cells[:, :1], [False] * 5) is None
