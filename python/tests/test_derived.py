"""Derived numbers: calculated from rows seed by seed, so that noise which rows share cancels."""

import math
import random
from collections.abc import Mapping, Sequence

import pytest

from cellway import RunError
from cellway.catalogue import Verdict
from cellway.catalogue.calculation import calculate
from cellway.catalogue.rows import derived_result
from cellway.statistics import Estimate, estimate, student_t
from common import known
from judged import derived, paper_of, result, results_of, row


def calculated(value: str, of: Mapping[str, Sequence[float]]) -> tuple[tuple[float, ...], Estimate]:
    """`value` of the rows in capitals, from their values by seed."""
    rows, results = results_of(of)
    number = derived(value, {code.lower(): code for code in of})
    return calculate(number, paper_of(rows, number), results)


def test_noise_that_two_rows_share_cancels() -> None:
    """b = a + 1 but for noise of a tenth of a's: the difference is known ten times as well.

    Seed by seed the half-width is that of the tenth. With the rows apart it would be about 14 times
    as large.
    """
    generator = random.Random(5)
    shared = [generator.gauss(50.0, 5.0) for _ in range(20)]
    own = [generator.gauss(1.0, 0.5) for _ in range(20)]
    both = [a + b for a, b in zip(shared, own, strict=True)]
    values, ours = calculated("b - a", {"A": shared, "B": both})
    assert values == pytest.approx(own)
    assert ours.half_width == pytest.approx(estimate(own).half_width)
    apart = math.hypot(*(known(estimate(one).half_width) for one in (shared, both)))
    assert known(ours.half_width) < apart / 5


def test_the_interval_of_a_quotient_is_that_of_quotients() -> None:
    """10/2, 12/3, 9/1 are 5, 4, 9: mean 6, s = sqrt(7), half-width 4.303 sqrt(7/3), not 31/6."""
    values, ours = calculated("a / b", {"A": [10.0, 12.0, 9.0], "B": [2.0, 3.0, 1.0]})
    assert values == (5.0, 4.0, 9.0)
    assert ours.mean == 6.0
    assert ours.half_width == pytest.approx(student_t(2) * (7 / 3) ** 0.5)


def test_rows_with_different_numbers_of_replications_use_the_seeds_that_they_share() -> None:
    values, _ = calculated("a + b", {"A": [1.0, 2.0, 3.0, 400.0], "B": [1.0, 1.0, 2.0]})
    assert values == (2.0, 3.0, 5.0)


def test_a_single_value_is_for_all_seeds() -> None:
    """Such as a ceiling, which needs no run."""
    values, _ = calculated("a / b", {"A": [1.0, 2.0, 3.0], "B": [10.0]})
    assert values == pytest.approx((0.1, 0.2, 0.3))


def test_what_follows_from_deterministic_rows_is_deterministic() -> None:
    rows = [row("A"), row("B"), row("C")]
    results = {
        "A": result(rows[0], [2.0, 2.0], deterministic=True),
        "B": result(rows[1], [5.0]),
        "C": result(rows[2], [1.0, 1.0]),
    }
    for value, settled in (("a + b", True), ("a + c", False), ("b + c", False), ("b", False)):
        names = {name: name.upper() for name in value.split(" + ")}
        total = derived(value, names)
        _, ours = calculate(total, paper_of(rows, total), results)
        assert ours.half_width is None
        assert ours.deterministic is settled


def test_a_published_number_follows_a_dot() -> None:
    rows = [row("A", published=4.0)]
    excess = derived("(a - a.simulated) / a.simulated", {"a": "A"})
    results = {"A": result(rows[0], [5.0, 6.0])}
    assert calculate(excess, paper_of(rows, excess), results)[0] == (0.25, 0.5)


def test_a_derived_number_is_judged_by_its_own_interval() -> None:
    """a / b is 2 whatever the seed; neither row is known better than to a third."""
    rows, results = results_of({"A": [2.0, 4.0, 6.0], "B": [1.0, 2.0, 3.0]})
    for published, verdict in ((2.1, Verdict.AGREES), (2.5, Verdict.DIFFERS)):
        quotient = derived("a / b", {"a": "A", "b": "B"}, published)
        found = derived_result(quotient, paper_of(rows, quotient), results)
        assert found.verdict is verdict
        assert found.difference == pytest.approx(2.0 / published - 1.0)


def test_a_zero_divisor_is_reported_with_the_seed_and_the_numbers() -> None:
    with pytest.raises(RunError, match=r"^D: a / b of seed 2 has no finite value: a = 2, b = 0$"):
        calculated("a / b", {"A": [1.0, 2.0], "B": [1.0, 0.0]})
