"""Paired comparison against a worked example and SciPy."""

import random

import pytest
from scipy import stats

from cellway.statistics import (
    compare_to_first,
    difference,
    estimate,
    paired_difference,
    unpaired_difference,
)
from common import known

FIRST = [5.4, 16.6, 0.6, 1.4, 0.6, 7.3]
SECOND = [19.1, 3.5, 3.4, 2.5, 3.6, 1.7]


def test_six_pairs_of_a_textbook() -> None:
    """Jain, example 13.5: differences -13.7, 13.1, -2.8, -1.1, -3.0, 5.6; 90 %: (-7.75, 7.11)."""
    found = paired_difference(FIRST, SECOND, 0.9)
    assert round(found.mean, 2) == -0.32
    # The book rounds the mean to -0.32 before it adds 7.43.
    assert found.interval == pytest.approx((-7.75, 7.11), abs=0.01)
    assert round(known(found.half_width), 2) == 7.43
    assert (found.n, found.method) == (6, "paired t")


def test_scipy_agrees() -> None:
    found = paired_difference(FIRST, SECOND, 0.9).interval
    other = stats.ttest_rel(FIRST, SECOND).confidence_interval(0.9)
    assert found == pytest.approx((other.low, other.high))


def test_the_first_is_what_the_others_are_compared_with() -> None:
    """One comparison needs no correction."""
    found = compare_to_first({"b": SECOND, "a": FIRST}, 0.9)
    assert found == {"a": paired_difference(FIRST, SECOND, 0.9)}


def test_three_comparisons_share_the_risk() -> None:
    columns = {"base": FIRST, "x": SECOND, "y": FIRST[::-1], "z": SECOND[::-1]}
    found = compare_to_first(columns, 0.94)
    assert list(found) == ["x", "y", "z"]
    for name, comparison in found.items():
        alone = paired_difference(columns[name], FIRST, 0.98)
        assert comparison.mean == alone.mean
        assert comparison.half_width == pytest.approx(alone.half_width)
        assert comparison.method == "paired t, Bonferroni over 3"


def test_what_both_share_cancels() -> None:
    draw = random.Random(1)
    shared = [draw.gauss(0.0, 100.0) for _ in range(20)]
    noise = [draw.gauss(0.0, 1.0) for _ in range(20)]
    first = [a + b for a, b in zip(shared, noise, strict=True)]
    found = paired_difference(first, shared)
    assert found.half_width == pytest.approx(estimate(noise).half_width)


def test_one_pair_has_no_interval() -> None:
    assert paired_difference([3.0], [1.0]).half_width is None


def test_what_does_not_pair_is_refused() -> None:
    said = "2 and 1 values do not pair; run both with the same seeds"
    with pytest.raises(ValueError, match=said):
        paired_difference([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="at least two alternatives"):
        compare_to_first({"only": [1.0]})


def test_two_deterministic_alternatives_differ_exactly_and_leave_the_confidence_to_the_others() -> (
    None
):
    columns = {"tail": [5.0] * 4, "epd": [7.0] * 4, "red": [6.0, 7.5, 6.5, 8.0]}
    found = compare_to_first(columns, deterministic=["tail", "epd"])
    epd = found["epd"]
    assert (epd.mean, epd.half_width, epd.deterministic) == (2.0, None, True)
    assert found["red"] == paired_difference(columns["red"], columns["tail"])


def test_pairs_that_all_differ_alike_have_no_interval_though_their_runs_vary() -> None:
    found = paired_difference([1.0, 2.0, 4.0], [0.0, 1.0, 3.0])
    assert (found.mean, found.half_width) == (1.0, None)
    assert (found.deterministic, found.repeated) == (False, True)


def test_scipy_agrees_on_all_values_of_unequal_numbers() -> None:
    found = unpaired_difference(FIRST, SECOND[:4], 0.9)
    other = stats.ttest_ind(FIRST, SECOND[:4], equal_var=False).confidence_interval(0.9)
    assert found.interval == pytest.approx((other.low, other.high))
    assert (found.n, found.method) == (10, "Welch t")


def test_pairs_count_down_to_half_of_the_replications_and_below_all_do() -> None:
    """Five of forty once stood for all: -7.9 ± 12 where the means differ by 2.2."""
    draw = random.Random(2)
    many = [draw.gauss(10.0, 1.0) for _ in range(12)]
    half = difference(many, SECOND)
    assert (half.n, half.left_out, half.method) == (6, 6, "paired t")
    assert half.mean == paired_difference(many[:6], SECOND).mean
    few = difference(many, SECOND[:5])
    assert (few.n, few.left_out) == (17, 0)
    assert few == unpaired_difference(many, SECOND[:5])
    assert few.mean == pytest.approx(estimate(many).mean - estimate(SECOND[:5]).mean)


def test_a_replication_without_a_number_has_no_partner() -> None:
    found = difference([1.0, None, 3.0, 5.0], [0.0, 1.0, 1.0, None])
    assert (found.mean, found.n, found.left_out) == (1.5, 2, 2)


def test_two_that_do_not_vary_differ_without_an_interval() -> None:
    """One that does not vary beside one that does leaves the error of the other: Student's t."""
    assert unpaired_difference([3.0] * 4, [1.0] * 9).half_width is None
    found = unpaired_difference([3.0] * 4, SECOND)
    assert found.half_width == pytest.approx(estimate(SECOND).half_width)
    with pytest.raises(ValueError, match="needs two of each"):
        unpaired_difference([1.0], SECOND)
