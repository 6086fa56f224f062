"""Reductions of a time series by hand and against NumPy; the fairness index, its paper."""

import math
import random

import numpy as np
import pytest

from cellway.statistics import jain_index, reduce_series, stretch_means
from cellway.statistics.reductions import REDUCTIONS

TIMES = [0.0, 1.0, 3.0, 4.0]
QUEUE = [0.0, 2.0, 1.0, 5.0]
"""A queue of 0 for a second, 2 for two, 1 for one, then 5."""


@pytest.mark.parametrize(
    ("how", "whole", "inside"),
    [
        ("mean", 2.0, 1.5),
        ("max", 5.0, 2.0),
        ("min", 0.0, 1.0),
        ("first", 0.0, 2.0),
        ("last", 5.0, 1.0),
        ("sum", 8.0, 3.0),
    ],
)
def test_the_whole_series_and_a_window_with_the_samples_at_its_ends(
    how: str, whole: float, inside: float
) -> None:
    assert reduce_series(TIMES, QUEUE, how) == whole
    assert reduce_series(TIMES, QUEUE, how, window=(1.0, 3.0)) == inside


@pytest.mark.parametrize(
    ("window", "area", "length"),
    [
        ((0.0, 4.0), 0 + 4 + 1, 4),
        ((2.0, 3.5), 2 + 0.5, 1.5),
        ((1.5, 2.0), 1, 0.5),
        ((3.0, 6.0), 1 + 10, 3),
        ((10.0, 12.0), 10, 2),
        ((-5.0, 2.0), 2, 2),
    ],
)
def test_a_value_holds_until_the_next_sample(
    window: tuple[float, float], area: float, length: float
) -> None:
    assert reduce_series(TIMES, QUEUE, "time_mean", window=window) == pytest.approx(area / length)


def test_equal_stretches_have_the_mean_of_the_whole() -> None:
    found = stretch_means(TIMES, [1.0, 4.0, 2.0, 5.0], 3, (0.5, 5.0))
    assert found == pytest.approx(
        [(0.5 * 1 + 1 * 4) / 1.5, (1 * 4 + 0.5 * 2) / 1.5, (0.5 * 2 + 5) / 1.5]
    )


def test_at_one_instant_the_time_mean_is_the_value_that_holds() -> None:
    assert reduce_series(TIMES, QUEUE, "time_mean", window=(2.0, 2.0)) == 2.0
    assert reduce_series([1.0], [7.0], "time_mean") == 7.0
    assert reduce_series(TIMES, QUEUE, "time_mean") == 1.25
    assert reduce_series([1.0, 1.0], [7.0, 8.0], "time_mean") == 8.0


def test_of_samples_at_one_instant_the_last_holds() -> None:
    assert reduce_series([0.0, 1.0, 1.0, 2.0], [4.0, 100.0, 6.0, 0.0], "time_mean") == 5.0


def test_more_samples_of_the_same_step_function_change_no_time_mean() -> None:
    fine = [i / 8 for i in range(33)]
    held = [QUEUE[max(k for k, t in enumerate(TIMES) if t <= at)] for at in fine]
    window = (0.3, 3.7)
    assert reduce_series(fine, held, "time_mean", window=window) == pytest.approx(
        reduce_series(TIMES, QUEUE, "time_mean", window=window)
    )


@pytest.mark.parametrize("p", [0.0, 0.05, 0.25, 0.5, 0.9, 0.99, 1.0])
@pytest.mark.parametrize("count", [1, 2, 7, 100])
def test_a_quantile_is_numpys(count: int, p: float) -> None:
    draw = random.Random(count)
    values = [draw.expovariate(1.0) for _ in range(count)]
    found = reduce_series(list(range(count)), values, "quantile", p=p)
    assert found == pytest.approx(float(np.quantile(values, p)))


def test_the_number_is_a_plain_one() -> None:
    for how in set(REDUCTIONS) - {"quantile"}:
        assert type(reduce_series(np.array(TIMES), np.array(QUEUE), how)) is float


@pytest.mark.parametrize(
    ("how", "window", "p", "message"),
    [
        ("median", None, None, "no reduction 'median'; there are mean, time_mean, max"),
        ("quantile", None, None, "a quantile needs p"),
        ("quantile", None, 1.5, "p = 1.5 is out of range"),
        ("mean", None, 0.5, "'mean' takes none"),
        ("mean", (3.0, 1.0), None, r"the window \[3, 1\] ends before it starts"),
        ("mean", (math.nan, 1.0), None, "ends before it starts"),
        ("mean", (1.5, 2.5), None, r"no samples in the window \[1.5, 2.5\]"),
        ("sum", (1.5, 2.5), None, "no samples"),
        ("time_mean", (-3.0, -1.0), None, "no samples in the window"),
    ],
)
def test_what_cannot_be_asked(
    how: str, window: tuple[float, float] | None, p: float | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        reduce_series(TIMES, QUEUE, how, window=window, p=p)


@pytest.mark.parametrize(
    ("times", "values", "message"),
    [
        ([], [], "^no samples$"),
        ([0.0, 1.0], [1.0], "2 times and 1 values"),
        ([1.0, 0.0], [1.0, 2.0], "times decrease"),
        ([0.0, math.inf], [1.0, 2.0], "not finite"),
        ([0.0, 1.0], [1.0, math.nan], "not finite"),
    ],
)
@pytest.mark.parametrize("how", ["mean", "time_mean"])
def test_what_is_no_series(times: list[float], values: list[float], message: str, how: str) -> None:
    with pytest.raises(ValueError, match=message):
        reduce_series(times, values, how)


def test_a_fifth_of_the_users_is_a_fairness_of_a_fifth() -> None:
    """Jain, Chiu, Hawe, section 4: 20 dollars among 100 persons, one each to 20 of them."""
    assert jain_index([1.0] * 20 + [0.0] * 80) == pytest.approx(0.2)


def test_fairness_of_three_sources() -> None:
    """R. Jain, lectures on ATM: 50, 30, 50 where 50, 10, 10 would be fair: 9² / (3 · 35) = 0.77."""
    assert jain_index([50 / 50, 30 / 10, 50 / 10]) == pytest.approx(0.77, abs=0.005)


def test_equal_shares_are_fair_in_any_unit() -> None:
    assert jain_index([0.1] * 7) == 1.0
    assert jain_index([3e200, 1e200]) == pytest.approx(jain_index([3.0, 1.0])) == pytest.approx(0.8)


def test_fairness_of_nothing_is_undefined() -> None:
    """0/0: flows that all collapse are not the fairest of all."""
    assert jain_index([0.0, 0.0]) is None
    assert jain_index([0.0, 5e-324]) == pytest.approx(0.5)


@pytest.mark.parametrize("values", [[], [1.0, -1.0], [math.nan], [math.inf, 1.0]])
def test_what_is_no_allocation(values: list[float]) -> None:
    with pytest.raises(ValueError, match=r"no values|negative or not finite"):
        jain_index(values)
