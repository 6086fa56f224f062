"""Warm-up, batch means, stopping and pairs: worked by hand or in textbooks."""

import math

import numpy as np
import pytest

from cellway.statistics import (
    Precision,
    batch_means,
    compare_to_first,
    decide,
    lag_1,
    mser5,
    paired_difference,
    reduce_series,
    student_t,
)


def by_definition(batches: list[float], kept: int) -> tuple[int, float]:
    """MSER as it is written: the statistic of every truncation, one after the other."""
    found = []
    for deleted in range(len(batches) - kept):
        rest = batches[deleted:]
        mean = math.fsum(rest) / len(rest)
        found.append(math.fsum((value - mean) ** 2 for value in rest) / len(rest) ** 2)
    return found.index(min(found)), min(found)


def test_a_step_is_deleted_and_nothing_else() -> None:
    """Four batches at 100, then 1 and 3 in turn. Deleting d batches of 24 leaves 24 - d around their mean; 4
    is the least."""
    values = [100.0] * 20 + [1.0, 3.0] * 50
    found = mser5(values)
    assert found.observations == 20
    assert found.share == pytest.approx(1 / 6)
    assert found.accepted
    # Batches of five of 1, 3, 1, … are 1.8 and 2.2 in turn: twenty of them, each 0.2 from their mean.
    assert found.statistic == pytest.approx(20 * 0.2**2 / 20**2)


def test_the_statistic_is_its_definition() -> None:
    chance = np.random.default_rng(2000)
    series = 50.0 * np.exp(-np.arange(600) / 40.0) + chance.normal(size=600)
    deleted, statistic = by_definition(series.reshape(-1, 5).mean(axis=1).tolist(), kept=5)
    found = mser5(series)
    assert found.observations == 5 * deleted
    assert found.statistic == pytest.approx(statistic, rel=1e-9)
    assert 60 <= found.observations <= 250


def test_a_run_that_never_settles_is_refused() -> None:
    assert not mser5(np.arange(500.0)).accepted
    with pytest.raises(ValueError, match="at least 50"):
        mser5([1.0] * 49)


def test_lag_1_by_hand() -> None:
    """1, 2, 4, 5 around 3: steps 1, 4, 1; squares 4, 1, 1, 4: 1 - 6/20."""
    assert lag_1([1.0, 2.0, 4.0, 5.0]) == pytest.approx(0.7)
    assert lag_1([3.0, 3.0, 3.0]) == 0.0


def test_batch_means_by_hand() -> None:
    """Eleven values in five batches of two: the first is left over; means 2, 4, 6, 4, 4: 4 ± 2.776 ·
    sqrt(2/5)."""
    found = batch_means([99, 1, 3, 4, 4, 5, 7, 4, 4, 3, 5], batches=5)
    assert (found.batches, found.size) == (5, 2)
    assert found.estimate.mean == 4.0
    assert found.estimate.half_width == pytest.approx(2.776 * math.sqrt(2.0 / 5.0), abs=1e-3)
    assert found.estimate.method == "5 batch means"
    assert found.estimate.n == 1


def test_correlated_batches_are_found_out() -> None:
    chance = np.random.default_rng(1)
    noise = chance.normal(size=2000)
    walk = np.cumsum(noise)
    assert batch_means(noise).independent
    assert not batch_means(walk).independent


def test_jains_paired_measurements() -> None:
    """Jain, The Art of Computer Systems Performance Analysis, example 13.7: six workloads on two systems; 90
    %: -0.32 ± 7.43."""
    a = [5.4, 16.6, 0.6, 1.4, 0.6, 7.3]
    b = [19.1, 3.5, 3.4, 2.5, 3.6, 1.7]
    found = paired_difference(b, a, confidence=0.9)
    assert round(found.mean, 2) == -0.32
    assert found.half_width is not None
    assert found.half_width == pytest.approx(2.015 * 9.03 / math.sqrt(6), abs=0.01)
    assert (found.mean - found.half_width, found.mean + found.half_width) == pytest.approx(
        (-7.75, 7.11), abs=0.01
    )
    assert found.method == "paired t"


def test_several_comparisons_hold_together() -> None:
    """Bonferroni: with two comparisons at 95 % each is at 97.5 %."""
    columns = {"tail": [1.0, 2.0, 3.0], "ppd": [2.0, 3.5, 3.5], "epd": [2.0, 2.0, 5.0]}
    found = compare_to_first(columns)
    assert list(found) == ["ppd", "epd"]
    alone = paired_difference(columns["tail"], columns["ppd"])
    assert alone.half_width is not None
    assert found["ppd"].half_width == pytest.approx(
        alone.half_width * student_t(2, 0.975) / student_t(2, 0.95)
    )


def test_two_responses_are_judged_together() -> None:
    """10 ± t · s/sqrt(n): the wider of two decides, at 97.5 % each."""
    samples = {"exact": [10.0, 10.0, 10.0, 10.0], "wide": [8.0, 12.0, 9.0, 11.0]}
    found = decide(samples, Precision(0.05, least=4, most=1000))
    half_width = student_t(3, 0.975) * math.sqrt(10.0 / 3.0) / 2.0
    assert found.estimates["wide"].half_width == pytest.approx(half_width)
    assert not found.reached
    assert found.replications == 8


@pytest.mark.parametrize(
    ("rule", "replications", "reached"),
    [
        (Precision(0.5, least=2), 4, True),
        (Precision(0.25, least=2, most=100), 6, False),
        (Precision(0.001, least=2, most=5), 5, False),
        (Precision(0.001, least=2, most=4), 4, False),
    ],
)
def test_the_rule_asks_for_what_would_do_but_for_no_more_than_twice_as_many(
    rule: Precision, replications: int, reached: bool
) -> None:
    """8, 12, 9, 11: 10 ± 2.905 at 95 %; for 25 per cent 4 · (2.905/2.5)² = 5.4."""
    found = decide({"throughput": [8.0, 12.0, 9.0, 11.0]}, rule)
    assert (found.replications, found.reached) == (replications, reached)


def test_reductions_of_a_series() -> None:
    time = np.array([0.0, 1.0, 3.0, 4.0])
    value = np.array([2.0, 4.0, np.nan, 8.0])
    expected = {"mean": 14 / 3, "max": 8.0, "min": 2.0, "first": 2.0, "last": 8.0, "sum": 14.0}
    assert {how: reduce_series(time, value, how) for how in expected} == pytest.approx(expected)
    # 2 for one second, 4 for three.
    assert reduce_series(time, value, "time_mean") == pytest.approx((2.0 + 3 * 4.0) / 4.0)
    assert reduce_series(time, value, "quantile", 0.5) == 4.0
    assert reduce_series(time[2:3], value[2:3], "mean") is None
