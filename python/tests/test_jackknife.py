"""Intervals of shares of the variation: exact for means, and coverage for shares."""

import numpy as np
import pytest

from cellway.statistics import analysis_of_variance, estimate, jackknife_half_widths
from common import known


def test_the_jackknife_of_a_mean_is_students_interval() -> None:
    """Leaving one out of n changes a mean by (mean - value) / (n - 1): the variance is s² / n."""
    values = np.array([[1.20, 1.50, 1.68, 1.89, 0.95, 1.49, 1.58, 1.55, 0.50, 1.09]])
    found = jackknife_half_widths(values, lambda table: {"mean": float(table.mean())})
    assert found["mean"] == pytest.approx(known(estimate(values[0].tolist()).half_width))


def test_many_replications_are_left_out_in_groups() -> None:
    values = np.random.default_rng(1).normal(size=(1, 1000))
    asked: list[int] = []

    def mean(table: "np.ndarray") -> dict[str, float]:
        asked.append(table.shape[-1])
        return {"mean": float(table.mean())}

    found = jackknife_half_widths(values, mean)
    assert asked == [950] * 20
    assert found["mean"] == pytest.approx(known(estimate(values[0].tolist()).half_width), rel=0.3)


def test_two_replications_have_no_interval() -> None:
    assert jackknife_half_widths(np.ones((3, 2)), lambda _: {"x": 1.0}) == {}


def test_shares_are_covered_in_about_95_of_100_studies() -> None:
    """Two factors of three levels with known effects, ten replications, deviations of 1.

    The shares are those of the expected sums of squares: r b Σα² + (a - 1) σ² for a factor.
    """
    first, second = np.array([-1.0, 0.0, 1.0]), np.array([-0.5, 0.2, 0.3])
    count = 10
    sums = [count * 3 * float((one**2).sum()) + 2 for one in (first, second)]
    truth = sums[0] / (sum(sums) + 4 + 9 * (count - 1))

    def shares(table: "np.ndarray") -> dict[str, float]:
        rows = analysis_of_variance(["a", "b"], table).rows
        return {row.name: row.share for row in rows}

    chance, held = np.random.default_rng(1996), 0
    for _ in range(300):
        means = first[:, None, None] + second[None, :, None]
        table = means + chance.normal(size=(3, 3, count))
        width = jackknife_half_widths(table, shares)["a"]
        held += abs(shares(table)["a"] - truth) <= width
    assert 0.91 * 300 <= held <= 0.99 * 300
