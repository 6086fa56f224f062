"""Intervals against printed tables and worked examples."""

import math

import pytest

from cellway.statistics import (
    ALL_THE_SAME,
    DETERMINISTIC,
    Estimate,
    bonferroni,
    estimate,
    repeat_each_other,
    student_t,
)
from common import known

# Student's t, two-sided; NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2.
TABLE = [
    (1, 0.90, 6.314),
    (1, 0.95, 12.706),
    (2, 0.95, 4.303),
    (4, 0.99, 4.604),
    (9, 0.95, 2.262),
    (19, 0.95, 2.093),
    (29, 0.99, 2.756),
    (100, 0.95, 1.984),
]


@pytest.mark.parametrize(("degrees", "confidence", "value"), TABLE)
def test_students_t_is_that_of_the_printed_table(
    degrees: int, confidence: float, value: float
) -> None:
    assert student_t(degrees, confidence) == pytest.approx(value, abs=5e-4)


def test_an_interval_worked_in_a_textbook() -> None:
    """Law and Kelton, Simulation Modeling and Analysis, chapter 4: ten values, 1.34 ± 0.24."""
    values = [1.20, 1.50, 1.68, 1.89, 0.95, 1.49, 1.58, 1.55, 0.50, 1.09]
    found = estimate(values, confidence=0.9)
    assert found.n == 10
    assert round(found.mean, 2) == 1.34
    assert round(known(found.half_width), 2) == 0.24
    assert str(found) == "1.343 ± 0.237 (n=10)"


def test_two_values_by_hand() -> None:
    """Mean 3; s = sqrt(2); half-width 12.706 · sqrt(2) / sqrt(2)."""
    found = estimate([2.0, 4.0])
    assert found.mean == 3.0
    assert found.half_width == pytest.approx(12.706, abs=5e-4)


def test_one_value_has_no_interval() -> None:
    assert estimate([7.0]) == Estimate(7.0, None, 1)
    assert str(estimate([7.0])) == "7 (single run)"
    assert estimate([7.0]).interval is None
    assert estimate([7.0]).relative_half_width is None


def test_every_number_says_how_it_was_found() -> None:
    assert estimate([2.0, 4.0]).method == "Student t"


@pytest.mark.parametrize(
    ("mean", "half_width", "relative"),
    [(-20.0, 1.0, 0.05), (0.0, 1.0, math.inf)],
)
def test_the_half_width_relative_to_the_mean(
    mean: float, half_width: float, relative: float
) -> None:
    assert Estimate(mean, half_width, 2).relative_half_width == relative


def test_ten_intervals_of_99_per_cent_hold_together_with_90() -> None:
    """Law, section 9.7: ten intervals of 99 per cent each; all hold with at least 90 per cent."""
    assert bonferroni(0.90, 10) == pytest.approx(0.99)
    assert bonferroni(0.95, 1) == pytest.approx(0.95)


def test_the_order_of_the_values_does_not_matter() -> None:
    values = [0.1, 1e9, -0.7, 3.3e-5, 12.0, -1e9]
    assert estimate(values) == estimate(values[::-1]) == estimate(sorted(values))


def test_values_that_do_not_vary_have_no_interval_and_say_why() -> None:
    """The mean of ten times 0.1 is 0.1, not its neighbour."""
    assert estimate([0.1] * 10) == Estimate(0.1, None, 10, ALL_THE_SAME)
    assert str(estimate([0.1] * 10)) == "0.1 (n=10, all the same)"
    one = estimate([0.1] * 10, deterministic=True)
    assert (one.half_width, one.relative_half_width, one.interval) == (None, None, None)
    assert one.method == DETERMINISTIC == "deterministic: the seed changes nothing here"
    assert str(one) == "0.1 (n=10, deterministic)"


def test_runs_repeat_each_other_when_two_or_more_agree_in_everything() -> None:
    assert repeat_each_other(["a", "a"])
    assert not repeat_each_other(["a", "a", "b"])
    assert not repeat_each_other(["a"])
    assert not repeat_each_other([])


def test_summing_loses_nothing() -> None:
    assert estimate([1e16, 1.0, -1e16, 1.0]).mean == 0.5


@pytest.mark.parametrize(
    ("values", "confidence"),
    [([], 0.95), ([1.0, math.nan], 0.95), ([math.inf], 0.95), ([1.0], 0.0), ([1.0], 1.0)],
)
def test_what_has_no_mean_or_interval_is_refused(values: list[float], confidence: float) -> None:
    with pytest.raises(ValueError, match=r"no values|not finite|out of range"):
        estimate(values, confidence)
