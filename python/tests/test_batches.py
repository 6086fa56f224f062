"""Batch means, and the check of their independence against the printed table of von Neumann's ratio."""

import math
import random
from itertools import pairwise

import pytest

from cellway.statistics import batch_means, estimate, student_t
from cellway.statistics.batches import CRITICAL

# J. von Neumann's ratio of the sum of squared successive differences to that of squared deviations, 5 per
# cent, by the number of values; smaller is correlated. B. I. Hart, Annals of Mathematical Statistics 13
# (1942), as printed in J. B. Wijngaard et al., International Journal of Climatology 23 (2003).
RATIO = {20: 1.30, 30: 1.42, 40: 1.49, 50: 1.54, 70: 1.61, 100: 1.67}


def autoregressive(length: int, coefficient: float, seed: int = 1) -> list[float]:
    draw = random.Random(seed)
    values, last = [], 0.0
    for _ in range(length):
        last = coefficient * last + draw.gauss(0.0, 1.0)
        values.append(10.0 + last)
    return values


@pytest.mark.parametrize(("count", "printed"), RATIO.items())
def test_the_critical_value_is_that_of_von_neumanns_table(count: int, printed: float) -> None:
    """The statistic is (1 - ratio / 2) · sqrt((k² - 1) / (k - 2))."""
    ratio = 2.0 * (1.0 - CRITICAL / math.sqrt((count**2 - 1) / (count - 2)))
    assert round(ratio, 2) == printed


def test_the_statistic_is_von_neumanns_ratio() -> None:
    found = batch_means(autoregressive(2000, 0.5), 25)
    mean = math.fsum(found.means) / 25
    successive = math.fsum((b - a) ** 2 for a, b in pairwise(found.means))
    ratio = successive / math.fsum((value - mean) ** 2 for value in found.means)
    assert found.statistic == pytest.approx((1.0 - ratio / 2.0) * math.sqrt(624 / 23))


def test_eight_values_in_four_batches_by_hand() -> None:
    """Means 2, 4, 3, 7: mean 4, deviations -2, 0, -1, 3, squares 14, lag-1 products 0 + 0 - 3."""
    found = batch_means([1, 3, 4, 4, 2, 4, 6, 8], 4)
    assert found.means == (2, 4, 3, 7)
    assert found.size == 2
    assert found.estimate.mean == 4.0
    assert found.estimate.n == 4
    assert found.estimate.method == "batch means"
    assert found.estimate.half_width == pytest.approx(student_t(3) * math.sqrt(14 / 3 / 4))
    assert found.lag_1 == pytest.approx(-3 / 14)
    assert found.statistic == pytest.approx(math.sqrt(15 / 2) * (-3 / 14 + 13 / 28))
    assert found.independent
    assert str(found) == "4 ± 3.44 (4 batches)"


def test_the_remainder_is_left_out_at_the_beginning() -> None:
    found = batch_means([100.0, 100.0, 1, 3, 4, 4, 2, 4], 3)
    assert found.skipped == 2
    assert found.means == (2, 4, 3)


def test_one_value_per_batch_is_the_ordinary_interval() -> None:
    values = [1.20, 1.50, 1.68, 1.89, 0.95, 1.49, 1.58, 1.55, 0.50, 1.09]
    found = batch_means(values, 10, 0.9).estimate
    assert (found.mean, found.half_width) == (estimate(values, 0.9).mean, estimate(values, 0.9).half_width)


def test_short_batches_of_a_correlated_run_fail_and_long_ones_pass() -> None:
    values = autoregressive(20_000, 0.95)
    short = batch_means(values[:400], 40)
    assert not short.independent
    assert "batches too short: lag-1 correlation" in str(short)
    assert batch_means(values, 20).independent


def test_falling_batch_means_are_no_reason_to_refuse() -> None:
    """Alternating means make the interval too wide, not too narrow."""
    found = batch_means([1.0, 2.0] * 10, 20)
    assert found.lag_1 < -0.9
    assert found.independent


def test_independent_values_fail_as_often_as_stated() -> None:
    """5 per cent of 2000 is 100, with a standard deviation of 9.7; three of them either way."""
    draw = random.Random(3)
    fails = sum(not batch_means([draw.gauss(0, 1) for _ in range(30)], 30).independent for _ in range(2000))
    assert abs(fails - 100) <= 30


def test_a_run_that_does_not_vary_is_its_value() -> None:
    found = batch_means([0.1] * 100)
    assert (found.estimate.mean, found.lag_1, found.independent) == (0.1, 0.0, True)
    assert found.estimate.half_width == pytest.approx(0.0, abs=1e-15)


def test_the_warm_up_goes_first() -> None:
    """203 values: 40 of transient go, 163 remain, 3 too many for 20 batches of 8."""
    found = batch_means([50.0] * 40 + [1.0, 3.0] * 81 + [1.0], warm_up=True)
    assert found.warm_up is not None
    assert found.warm_up.observations == 40
    assert (found.skipped, found.size) == (43, 8)
    assert found.estimate.mean == 2.0


def test_a_warm_up_without_end_is_refused() -> None:
    with pytest.raises(ValueError, match="too short for its warm-up"):
        batch_means([float(i) for i in range(200)], warm_up=True)


@pytest.mark.parametrize(
    ("values", "batches", "told"),
    [
        ([1.0] * 100, 2, "2 batches are too few"),
        ([1.0] * 19, 20, "19 observations do not fill 20 batches"),
        ([math.inf] * 40, 20, "not finite"),
    ],
)
def test_what_makes_no_batches_is_refused(values: list[float], batches: int, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        batch_means(values, batches)
