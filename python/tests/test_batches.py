"""Batch means, and their independence against the printed table of von Neumann's ratio."""

import math
import random
from itertools import pairwise

import pytest

from cellway.statistics import batch_means, estimate, student_t
from cellway.statistics.batches import CRITICAL

# J. von Neumann's ratio of the sum of squared successive differences to that of squared deviations,
# 5 per cent, by the number of values; smaller is correlated. B. I. Hart, Annals of Mathematical
# Statistics 13 (1942), as printed in J. B. Wijngaard et al., International Journal of Climatology
# 23 (2003).
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
    assert (found.mean, found.half_width) == (
        estimate(values, 0.9).mean,
        estimate(values, 0.9).half_width,
    )


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
    fails = sum(
        not batch_means([draw.gauss(0, 1) for _ in range(30)], 30).independent for _ in range(2000)
    )
    assert abs(fails - 100) <= 30


def test_a_run_that_does_not_vary_is_its_value() -> None:
    found = batch_means([0.1] * 100)
    assert (found.estimate.mean, found.lag_1, found.independent) == (0.1, 0.0, True)
    assert found.estimate.half_width is None
    assert str(found) == "0.1 (20 batches, all the same)"


def test_the_warm_up_is_first() -> None:
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
    ("values", "batches", "message"),
    [
        ([1.0] * 100, 2, "2 batches are too few"),
        ([1.0] * 19, 20, "19 observations do not fill 20 batches"),
        ([math.inf] * 40, 20, "not finite"),
    ],
)
def test_what_makes_no_batches_is_refused(values: list[float], batches: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        batch_means(values, batches)


# A. A. Michelson's hundred measurements of the speed of light in 1879, in km/s above 299 000, in
# the order in which they were made: five experiments of twenty. S. M. Stigler, "Do robust
# estimators work with real data?", Annals of Statistics 5 (1977).
MICHELSON = """\
850 740 900 1070 930 850 950 980 980 880 1000 980 930 650 760 810 1000 1000 960 960
960 940 960 940 880 800 850 880 900 840 830 790 810 880 880 830 800 790 760 800
880 880 880 860 720 720 620 860 970 950 880 910 850 870 840 840 850 840 840 840
890 810 810 820 800 770 760 740 750 760 910 920 890 860 880 720 840 850 850 780
890 840 780 810 760 810 790 810 820 850 870 870 810 740 810 940 950 800 810 870"""


def test_michelsons_experiments_are_five_batches() -> None:
    """The means of his experiments: 909, 856, 845, 820.5, 831.5, mean 852.4 (Stigler 1977).

    Around it 56.6, 3.6, -7.4, -31.9 and -20.9, of squares 4725.7: s = 34.37, and 2.776 · 34.37 /
    sqrt(5).
    """
    values = [float(word) for word in MICHELSON.split()]
    found = batch_means(values, 5)
    assert found.means == (909.0, 856.0, 845.0, 820.5, 831.5)
    assert found.size == 20
    assert found.estimate.mean == pytest.approx(852.4)
    assert found.estimate.half_width == pytest.approx(2.776 * math.sqrt(4725.7 / 4 / 5), abs=0.01)


def test_michelsons_single_values_have_the_certified_mean_deviation_and_autocorrelation() -> None:
    """NIST reference data set Michelso: 299.8524, 0.0790105478190518, 0.535199668621283."""
    values = [299.0 + float(word) / 1000.0 for word in MICHELSON.split()]
    found = batch_means(values, 100)
    assert found.estimate.mean == pytest.approx(299.8524, rel=1e-14)
    deviation = 0.0790105478190518
    assert found.estimate.half_width == pytest.approx(student_t(99) * deviation / 10.0, rel=1e-10)
    assert found.lag_1 == pytest.approx(0.535199668621283, rel=1e-9)
    assert not found.independent


@pytest.mark.parametrize("level", [1.2, 1_000_000.2, 10_000_000.2])
def test_the_certified_autocorrelation_of_alternating_values(level: float) -> None:
    """NIST reference data sets NumAcc2 to NumAcc4: s = 0.1, lag-1 -0.999, at every level."""
    values = [level] + [level - 0.1, level + 0.1] * 500
    found = batch_means(values, 1001)
    assert found.estimate.mean == pytest.approx(level, rel=1e-14)
    assert found.estimate.half_width == pytest.approx(
        student_t(1000) * 0.1 / math.sqrt(1001), rel=1e-7
    )
    assert found.lag_1 == pytest.approx(-0.999, rel=1e-7)
