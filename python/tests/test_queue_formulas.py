"""Formulas of queues against recursions and solutions that share no code with them."""

import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext

import numpy as np
import pytest

from cellway import TheoryError, schema
from cellway.statistics import estimate
from cellway.theory import (
    CELL_RATES,
    Claim,
    FluidQueue,
    PeriodicQueue,
    PoissonQueue,
    SlottedQueue,
    encapsulated,
    feedback_limits,
    max_min_shares,
)


def lindley(gaps: np.ndarray) -> np.ndarray:
    """Waits of cells with a service time of 1 that arrive so far apart: W' = (W + 1 - gap)+."""
    walk = np.concatenate([[0.0], np.cumsum(1.0 - gaps)])
    return walk - np.minimum.accumulate(walk)


def require_inside(samples: Sequence[float], expected: float) -> None:
    """Fails unless the formula gives a number within the interval of independent samples."""
    found = estimate(samples)
    assert found.interval
    assert found.interval[0] < expected < found.interval[1]


def test_m_d_1_is_the_recursion_of_lindley() -> None:
    generator = np.random.default_rng(1)
    batches = [lindley(generator.exponential(1 / 0.8, 50_000))[500:] for _ in range(20)]
    queue = PoissonQueue(0.8)
    require_inside([batch.mean() for batch in batches], queue.mean_wait())
    for wait in (3.3, 9):
        require_inside([(batch > wait).mean() for batch in batches], queue.wait_above(wait))


def test_n_d_d_1_is_the_recursion_of_lindley_over_phases() -> None:
    """The second of two periods, in which a cell finds what it would find in all later ones."""
    generator = np.random.default_rng(1)
    sources, period = 15, 16.0
    means, above = [], []
    for _ in range(4000):
        phases = np.sort(generator.uniform(0, period, sources))
        waits = lindley(np.diff(np.concatenate([phases, phases + period])))[sources:]
        means.append(float(waits.mean()))
        above.append(float((waits > 3.5).mean()))
    queue = PeriodicQueue(sources, period)
    require_inside(means, queue.mean_wait())
    require_inside(above, queue.wait_above(3.5))


def independent_fluid(sources: int, ratio: float, capacity: float) -> tuple[np.ndarray, ...]:
    """Eigenvalues and weights of P(X > x) by linear algebra alone."""
    states = np.arange(sources + 1)
    generator = np.diag((sources - states[:-1]) * ratio, 1) + np.diag(states[1:].astype(float), -1)
    generator -= np.diag(generator.sum(axis=1))
    values, vectors = np.linalg.eig(generator.T / (states - capacity)[:, None])
    law = np.array([math.comb(sources, on) * ratio**on / (1 + ratio) ** sources for on in states])
    stable = values.real < -1e-9
    overloaded = states > capacity
    modes = vectors.real[:, stable]
    weights = np.linalg.solve(modes[overloaded], -law[overloaded])
    return values.real[stable], -weights * modes.sum(axis=0)


@pytest.mark.parametrize(
    ("sources", "ratio", "capacity"),
    [(1, 0.5, 0.6), (5, 0.4, 2.3), (10, 0.4, 4.5), (20, 1.2, 15.5), (40, 0.4, 13.7)],
)
def test_the_fluid_is_that_of_numerical_eigenvalues(
    sources: int, ratio: float, capacity: float
) -> None:
    rates, weights = independent_fluid(sources, ratio, capacity)
    queue = FluidQueue(sources, peak=1.0, mean_on=1.0, mean_off=1 / ratio, capacity=capacity)
    for content in (0.0, 0.5, 2.0, 8.0):
        expected = float(weights @ np.exp(rates * content))
        assert queue.above(content) == pytest.approx(expected, rel=1e-9)
    assert queue.mean() == pytest.approx(float(weights @ (-1 / rates)), rel=1e-9)
    assert queue.decay() == pytest.approx(-rates.max(), rel=1e-9)


def fluid_in_eighty_digits(sources: int, ratio: str, capacity: str, content: str) -> float:
    """The published sum, without logarithms."""
    up, line, half = Decimal(ratio), Decimal(capacity), Decimal(sources) / 2
    rates = []
    for k in range(sources - int(line)):
        off = half - k
        a = off * off - (half - line) ** 2
        b = 2 * (1 - up) * off * off - sources * (1 + up) * (half - line)
        root = (b * b + 4 * a * (1 + up) ** 2 * (half * half - off * off)).sqrt()
        both = ((-b + root) / (2 * a), (-b - root) / (2 * a))
        side = 2 * (half - line)
        rates.append(next(z for z in both if z < 0 <= (z * side + sources * (1 + up)) * off))
    total = Decimal(0)
    for k, z in enumerate(rates):
        spread = ((z + 1 - up) ** 2 + 4 * up).sqrt()
        first, second = ((up - 1 - z + sign * spread) / (2 * up) for sign in (1, -1))
        weight = (up / (1 + up)) ** sources * (1 - first) ** k * (1 - second) ** (sources - k)
        for other in rates[:k] + rates[k + 1 :]:
            weight *= other / (other - z)
        total += weight * (z * Decimal(content)).exp()
    return float(total)


@pytest.mark.parametrize(
    ("ratio", "capacity"), [("0.4", "61.4"), ("0.4", "171.4"), ("2", "140.3"), ("0.1", "19.2")]
)
def test_two_hundred_sources_leave_ten_digits(ratio: str, capacity: str) -> None:
    queue = FluidQueue(199, 1.0, 1.0, 1 / float(ratio), float(capacity))
    for content in ("0", "0.1", "1"):
        with localcontext(prec=80):
            expected = fluid_in_eighty_digits(199, ratio, capacity, content)
        assert queue.above(float(content)) == pytest.approx(expected, rel=1e-10)


def test_units_of_the_fluid_scale() -> None:
    small = FluidQueue(10, peak=1.0, mean_on=1.0, mean_off=2.5, capacity=4.5)
    large = FluidQueue(10, peak=2e6, mean_on=0.1, mean_off=0.25, capacity=9e6)
    assert large.quantile(0.999) == pytest.approx(2e5 * small.quantile(0.999))
    assert large.mean() == pytest.approx(2e5 * small.mean())
    assert large.above(large.quantile(0.999)) == pytest.approx(0.001)


def test_a_slotted_output_is_its_own_chain() -> None:
    generator = np.random.default_rng(1)
    arrivals = generator.binomial(8, 0.8 / 8, (20, 50_000))
    means, above = [], []
    for batch in arrivals:
        walk = np.concatenate([[0], np.cumsum(batch - 1)])
        queue = (walk - np.minimum.accumulate(walk))[500:]
        means.append(float(queue.mean()))
        above.append(float((queue > 5).mean()))
    expected = SlottedQueue(0.8, 8)
    require_inside(means, 0.8 * expected.mean_wait())
    require_inside(above, expected.queue_above(5))


def test_cell_rates_of_lines_are_those_of_the_scenario_language() -> None:
    said = {line["name"]: line.get("cell_bits_per_second") for line in schema()["lines"]}
    for name, rate in CELL_RATES.items():
        assert said[name] == pytest.approx(rate, rel=1e-8)


def test_refusals_name_the_number_and_what_would_be_accepted() -> None:
    with pytest.raises(TheoryError, match=r"^load is 1; expected above 0 and below 1$"):
        PoissonQueue(1.0)
    with pytest.raises(TheoryError, match=r"^period is 15; expected above the number of sources"):
        PeriodicQueue(15, 15)
    with pytest.raises(TheoryError, match=r"^capacity is 1; expected above the mean rate"):
        FluidQueue(10, 1.0, 1.0, 2.5, 1.0)
    with pytest.raises(ValueError, match=r"no encapsulation \"atm\"; expected aal5_vc, aal5_llc"):
        encapsulated("atm", 1460)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="have 2 and 1 values; expected one of each"):
        feedback_limits([1, 2], [1])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda: PoissonQueue(0.5).loss(-1), "places is -1; expected a whole number, 1 to"),
        (lambda: PoissonQueue(0.5).number_above(-1), "cells is -1; expected a whole number, 0 to"),
        (lambda: PeriodicQueue(-3, 4.0), "sources is -3; expected a whole number, 1 to"),
        (lambda: PeriodicQueue(2.5, 4.0), "sources is 2.5; expected"),  # type: ignore[arg-type]
        (lambda: SlottedQueue(0.5, -1), "inputs is -1; expected a whole number, 1 to"),
        (lambda: SlottedQueue(0.5, 4).loss(-1), "places is -1; expected"),
        (lambda: SlottedQueue(0.5, 4).queue_above(2**40), "cells is 1099511627776; expected"),
        (lambda: FluidQueue(-1, 1.0, 1.0, 1.0, 1.0), "sources is -1; expected"),
        (lambda: FluidQueue(10, 1.0, 1.0, 0.0, 4.0), "mean_off is 0.0; expected above 0"),
        (lambda: encapsulated("aal5_llc", -1), "segment is -1; expected a whole number, 1 to"),
        (lambda: max_min_shares([1.0], [Claim([-1])]), "links is -1; expected"),
        (lambda: max_min_shares([1.0], [Claim([1])]), "links is 1; expected"),
    ],
)
def test_a_count_out_of_its_range_is_named(asked: Callable[[], object], said: str) -> None:
    """Negative counts were an OverflowError that named nothing."""
    with pytest.raises(TheoryError, match=re.escape(said)):
        asked()
