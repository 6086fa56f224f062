"""Batch means, and how many independent values a run is worth."""

import math
import random

import pytest

from cellway.statistics import batch_means, correlation_time, estimate, student_t
from cellway.statistics.batches import _autocovariances
from common import known


def autoregressive(length: int, coefficient: float, seed: int = 1) -> list[float]:
    draw = random.Random(seed)
    values, last = [], 0.0
    for _ in range(length):
        last = coefficient * last + draw.gauss(0.0, 1.0)
        values.append(10.0 + last)
    return values


@pytest.mark.parametrize("coefficient", [0.0, 0.5, 0.95])
def test_the_correlation_time_of_an_autoregressive_process(coefficient: float) -> None:
    """1 + 2 · (c + c² + …) = (1 + c) / (1 - c): 1, 3, and 39."""
    found = correlation_time(autoregressive(100_000, coefficient))
    assert found == pytest.approx((1.0 + coefficient) / (1.0 - coefficient), rel=0.1)


def test_the_correlation_time_of_six_values_by_hand() -> None:
    """1, 2, 3, 3, 2, 1: off the mean -1, 0, 1, 1, 0, -1, squares 4.

    Lags 1 to 5: 0 + 0 + 1 + 0 + 0, -1 + 0 + 0 - 1, -1 + 0 - 1, 0 + 0, 1. Pairs 4 + 1, then
    -2 - 2, which ends it: 2 · 5 / 4 - 1.
    """
    values = [1.0, 2.0, 3.0, 3.0, 2.0, 1.0]
    assert _autocovariances(values) == pytest.approx([4, 1, -2, -2, 0, 1])
    assert correlation_time(values) == pytest.approx(1.5)


def test_alternating_values_count_as_independent() -> None:
    assert correlation_time([1.0, 2.0] * 100) == 1.0


def test_eight_values_in_four_batches_by_hand() -> None:
    """Means 2, 4, 3, 7: mean 4, deviations -2, 0, -1, 3, squares 14.

    Off the mean of all the squares are 34, neighbours 11, then -4 and -6: a correlation time of
    2 · 45 / 34 - 1 = 1.65.
    """
    found = batch_means([1, 3, 4, 4, 2, 4, 6, 8], 4)
    assert (found.means, found.size) == ((2, 4, 3, 7), 2)
    single = found.estimate
    assert (single.mean, single.half_width, single.n) == (4.0, None, 4)
    assert single.method == "batch means"
    worth = "the run is worth 5 independent values, and an interval needs 20"
    assert str(found) == f"4 (4 batches, {worth})"


def test_the_remainder_is_left_out_at_the_beginning() -> None:
    found = batch_means([100.0, 100.0, 1, 3, 4, 4, 2, 4], 3)
    assert found.skipped == 2
    assert found.means == (2, 4, 3)


def test_the_interval_is_that_of_the_batches_or_of_the_observations_if_that_is_wider() -> None:
    """Raised by one standard error of the correlation time, which is itself estimated."""
    values = autoregressive(10_000, 0.9)
    for batches in (2, 5, 13, 30):
        found = batch_means(values, batches)
        deviation = math.sqrt(math.fsum((value - found.estimate.mean) ** 2 for value in values))
        error = deviation * math.sqrt(found.correlation_time) / len(values)
        of_batches = known(estimate(found.means).half_width)
        raised = math.sqrt(1.0 + math.sqrt(12.0 * found.correlation_time / len(values)))
        assert found.estimate.half_width == pytest.approx(
            max(of_batches, student_t(batches - 1) * error) * raised, rel=1e-3
        )


@pytest.mark.parametrize(("length", "batches"), [(400, 5), (8_000, 10), (50_000, 30)])
def test_batches_are_twenty_correlation_times_and_five_to_thirty(length: int, batches: int) -> None:
    """A time of 39: 400 values are worth 10 independent ones, 8000 are worth 205."""
    found = batch_means(autoregressive(length, 0.95))
    assert abs(len(found.means) - batches) <= (3 if batches == 10 else 0)


def test_a_short_run_has_no_interval_and_one_not_long_is_warned_of() -> None:
    """Twenty batches of each of them once passed for independent more often than not."""
    values = autoregressive(10_000, 0.95)
    short, medium = batch_means(values[:400]), batch_means(values[:2000])
    assert short.estimate.half_width is None
    assert "independent values, and an interval needs 20" in short.warning
    assert medium.estimate.half_width is not None
    assert "of intervals of 95 % below 100 expect 70 to 96 % to hold" in str(medium)
    assert not batch_means(values).warning
    assert "below 1000 expect 70 to 94 %" in batch_means(values, warm_up=True).warning


def test_a_run_that_does_not_vary_is_its_value() -> None:
    found = batch_means([0.1] * 100)
    assert (found.estimate.mean, found.correlation_time, found.warning) == (0.1, 1.0, "")
    assert found.estimate.half_width is None
    assert str(found) == "0.1 (5 batches, all the same)"


def test_the_warm_up_is_first() -> None:
    """203 values: 40 of transient go, 163 remain, 3 too many for 8 batches of 20."""
    found = batch_means([50.0] * 40 + [1.0, 3.0] * 81 + [1.0], warm_up=True)
    assert known(found.warm_up).observations == 40
    assert (found.skipped, found.size, len(found.means)) == (43, 20, 8)
    assert found.estimate.mean == 2.0


def test_a_warm_up_without_end_is_refused() -> None:
    with pytest.raises(ValueError, match="too short for its warm-up"):
        batch_means([float(i) for i in range(200)], warm_up=True)


@pytest.mark.parametrize(
    ("values", "batches", "message"),
    [
        ([1.0] * 100, 1, "1 batches are too few"),
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
    half_width = estimate(found.means).half_width
    assert half_width == pytest.approx(2.776 * math.sqrt(4725.7 / 4 / 5), abs=0.01)


def test_michelsons_single_values_have_the_certified_mean_deviation_and_autocorrelation() -> None:
    """NIST reference data set Michelso: 299.8524, 0.0790105478190518, 0.535199668621283."""
    values = [299.0 + float(word) / 1000.0 for word in MICHELSON.split()]
    found = batch_means(values, 100)
    assert found.estimate.mean == pytest.approx(299.8524, rel=1e-14)
    covariances = _autocovariances(values)
    assert math.sqrt(covariances[0] / 99) == pytest.approx(0.0790105478190518, rel=1e-10)
    assert covariances[1] / covariances[0] == pytest.approx(0.535199668621283, rel=1e-9)


@pytest.mark.parametrize("level", [1.2, 1_000_000.2, 10_000_000.2])
def test_the_certified_autocorrelation_of_alternating_values(level: float) -> None:
    """NIST reference data sets NumAcc2 to NumAcc4: s = 0.1, lag-1 -0.999, at every level."""
    values = [level] + [level - 0.1, level + 0.1] * 500
    found = batch_means(values, 1001)
    assert found.estimate.mean == pytest.approx(level, rel=1e-14)
    assert found.estimate.half_width == pytest.approx(
        student_t(1000) * 0.1 / math.sqrt(1001) * math.sqrt(1.0 + math.sqrt(12.0 / 1001)), rel=1e-7
    )
    covariances = _autocovariances(values)
    assert covariances[1] / covariances[0] == pytest.approx(-0.999, rel=1e-7)
