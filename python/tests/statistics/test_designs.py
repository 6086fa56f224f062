"""Effects and analyses of variance against the tables of textbooks."""

import numpy as np
import pytest
from scipy.stats import f_oneway

from cellway.statistics import aliases, anova, resolution, two_level_analysis

# Jain, The Art of Computer Systems Performance Analysis, section 18.1: a workstation's performance in MIPS by
# memory size (4, 16 MB) and cache size (1, 2 kB), three replications each.
CACHE = [[15, 18, 12], [45, 48, 51], [25, 28, 19], [75, 75, 81]]


def test_jains_memory_and_cache_with_replications() -> None:
    found = two_level_analysis(["A", "B"], CACHE, confidence=0.9)
    assert [effect.name for effect in found.effects] == ["mean", "A", "B", "A × B", "error"]
    assert [effect.value for effect in found.effects] == pytest.approx([41.0, 21.5, 9.5, 5.0, None])
    assert [effect.sum_of_squares for effect in found.effects[1:]] == pytest.approx(
        [5547.0, 1083.0, 300.0, 102.0]
    )
    assert found.total == pytest.approx(7032.0)
    assert [round(100 * effect.share, 2) for effect in found.effects[1:]] == [78.88, 15.40, 4.27, 1.45]
    assert found.error_deviation == pytest.approx(3.57, abs=0.005)
    assert found.degrees_of_freedom == 8
    # Intervals (39.08, 42.91), (19.58, 23.41), (7.58, 11.41), (3.08, 6.91): 1.86 times 1.03.
    for effect in found.effects[:4]:
        assert effect.half_width == pytest.approx(1.92, abs=0.006)


def test_jains_memory_and_cache_without_replications() -> None:
    """Section 17.1: 15, 45, 25, 75 MIPS are 40 + 20 A + 10 B + 5 AB; 76, 19 and 5 per cent of the
    variation."""
    found = two_level_analysis(["A", "B"], [[15], [45], [25], [75]])
    assert [effect.value for effect in found.effects] == pytest.approx([40.0, 20.0, 10.0, 5.0])
    assert [round(100 * effect.share) for effect in found.effects[1:]] == [76, 19, 5]
    assert found.total == 2100.0
    assert [effect.half_width for effect in found.effects] == [None] * 4


def test_replications_as_blocks_leave_what_they_share_out_of_the_intervals() -> None:
    """Runs that differ by their chances alone, which they share, have effects without any doubt."""
    chances = np.array([0.0, 5.0, -3.0, 11.0])
    table = np.array([10.0, 20.0, 14.0, 28.0])[:, None] + chances
    independent = two_level_analysis(["A", "B"], table)
    common = two_level_analysis(["A", "B"], table, blocks=True)
    assert common.effect("A").value == independent.effect("A").value == 6.0
    assert common.effect("A").half_width == pytest.approx(0.0, abs=1e-12)
    assert (independent.effect("A").half_width or 0.0) > 3.0
    assert common.effect("error").sum_of_squares == pytest.approx(0.0, abs=1e-9)
    assert common.effect("replications").share + common.effect("A").share < 1.0


def test_effects_put_every_mean_together_again() -> None:
    table = np.random.default_rng(7).normal(size=(8, 3))
    found = two_level_analysis(["a", "b", "c"], table)
    values = {effect.name: effect.value for effect in found.effects}
    for point in range(8):
        signs = {name: 1 if point >> bit & 1 else -1 for bit, name in enumerate("abc")}
        total = sum(
            value * np.prod([signs[word] for word in name.split(" × ")]) if name != "mean" else value
            for name, value in values.items()
            if value is not None
        )
        assert total == pytest.approx(table[point].mean())
    assert sum(effect.sum_of_squares for effect in found.effects) == pytest.approx(found.total)


def test_a_half_fraction_of_four_factors() -> None:
    """Jain, section 19.3: with D = ABC every effect has one alias, and the resolution is IV."""
    generators = {"D": ("A", "B", "C")}
    assert resolution(generators) == 4
    found = aliases(generators, ["A", "B", "C", "D"])
    assert found["A"] == ["B × C × D"]
    assert found["A × B"] == ["C × D"]
    assert found["A × B × C"] == ["D"]


def test_a_quarter_fraction_has_the_words_of_montgomery() -> None:
    """Montgomery, Design and Analysis of Experiments, section 8.3: E = ABC, F = BCD: I = ABCE = BCDF = ADEF,
    resolution IV."""
    generators = {"E": ("A", "B", "C"), "F": ("B", "C", "D")}
    assert resolution(generators) == 4
    assert aliases(generators, list("ABCDEF"))["A × B"] == ["C × E", "A × C × D × F", "B × D × E × F"]


# Montgomery, Design and Analysis of Experiments, example 5.1: life of a battery in hours, by material (3) and
# temperature (15, 70, 125 degrees Fahrenheit), four of each.
BATTERY = [
    [[130, 155, 74, 180], [34, 40, 80, 75], [20, 70, 82, 58]],
    [[150, 188, 159, 126], [136, 122, 106, 115], [25, 70, 58, 45]],
    [[138, 110, 168, 160], [174, 120, 150, 139], [96, 104, 82, 60]],
]


def test_montgomerys_battery() -> None:
    found = anova(["material", "temperature"], BATTERY)
    rows = {row.source: row for row in found.rows}
    assert rows["material"].sum_of_squares == pytest.approx(10_683.72, abs=0.005)
    assert rows["temperature"].sum_of_squares == pytest.approx(39_118.72, abs=0.005)
    assert rows["material × temperature"].sum_of_squares == pytest.approx(9_613.78, abs=0.005)
    assert rows["error"].sum_of_squares == pytest.approx(18_230.75, abs=0.005)
    assert rows["total"].sum_of_squares == pytest.approx(77_646.97, abs=0.005)
    assert [row.degrees_of_freedom for row in found.rows] == [2, 2, 4, 27, 35]
    assert [round(row.f, 2) for row in found.rows if row.f is not None] == [7.91, 28.97, 3.56]
    assert [round(row.p, 4) for row in found.rows[:3] if row.p is not None] == [0.0020, 0.0000, 0.0186]


# Montgomery, example 5.3: deviation of the fill height of bottles, by carbonation (10, 12, 14 %), pressure
# (25, 30 psi) and line speed (200, 250 bottles a minute), two of each.
BOTTLES = [
    [[[-3, -1], [-1, 0]], [[-1, 0], [1, 1]]],
    [[[0, 1], [2, 1]], [[2, 3], [6, 5]]],
    [[[5, 4], [7, 6]], [[7, 9], [10, 11]]],
]


def test_montgomerys_bottles_with_three_factors() -> None:
    found = anova(["carbonation", "pressure", "speed"], BOTTLES)
    squares = [round(row.sum_of_squares, 3) for row in found.rows]
    assert squares == [252.75, 45.375, 22.042, 5.25, 0.583, 1.042, 1.083, 8.5, 336.625]
    assert [row.degrees_of_freedom for row in found.rows] == [2, 1, 1, 2, 2, 1, 2, 12, 23]
    tested = [round(row.f, 3) for row in found.rows if row.f is not None]
    assert tested == [178.412, 64.059, 31.118, 3.706, 0.412, 1.471, 0.765]


def test_without_replications_the_highest_interaction_is_the_error() -> None:
    table = np.array(BATTERY, dtype=float).mean(axis=2, keepdims=True)
    found = anova(["material", "temperature"], table)
    assert found.error_is == "interactions of more than 1 factors"
    assert found.row("error").sum_of_squares == pytest.approx(9_613.78 / 4, abs=0.005)
    assert found.row("error").degrees_of_freedom == 4


def test_blocks_take_their_part_out_of_the_error() -> None:
    """Montgomery, section 5.6: with blocks the error of a two-factor design has (ab - 1)(n - 1) degrees of
    freedom."""
    found = anova(["material", "temperature"], BATTERY, blocks=True)
    plain = anova(["material", "temperature"], BATTERY)
    assert found.row("error").degrees_of_freedom == 8 * 3
    both = found.row("error").sum_of_squares + found.row("replications").sum_of_squares
    assert both == pytest.approx(plain.row("error").sum_of_squares)


def test_one_factor_is_what_scipy_says() -> None:
    table = np.random.default_rng(3).normal(size=(4, 6))
    expected = f_oneway(*table)
    row = anova(["x"], table).rows[0]
    assert row.f == pytest.approx(expected.statistic)
    assert row.p == pytest.approx(expected.pvalue)


def test_shapes_that_fit_no_design_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\(4, r\) is needed"):
        two_level_analysis(["A", "B"], [[1.0], [2.0]])
    with pytest.raises(ValueError, match="an axis per factor"):
        anova(["A", "B"], [[1.0], [2.0]])
    with pytest.raises(ValueError, match="nothing is left for the error"):
        anova(["A"], [[1.0]])
