"""Sequential stopping against worked examples and its own bounds."""

import math
import random

import pytest

from cellway.statistics import Outcome, Precision, decide, estimate
from common import known

LAW = [1.20, 1.50, 1.68, 1.89, 0.95, 1.49, 1.58, 1.55, 0.50, 1.09]
"""Law and Kelton, chapter 4: 1.34 ± 0.24 at 90 per cent, 17.7 per cent of the mean."""


def spread(count: int, half_width: float, mean: float) -> list[float]:
    """`count` values, an even number, whose 95 per cent interval is mean ± half_width."""
    width = known(estimate([-1.0, 1.0] * (count // 2)).half_width)
    return [mean + sign * half_width / width for sign in [-1.0, 1.0] * (count // 2)]


def test_a_third_of_the_half_width_takes_nine_times_as_many() -> None:
    """M. D. Rossetti, Simulation Modeling and Arena, chapter 5: 32 · (0.06 / 0.02)² = 288.

    Reached in steps of at most double.
    """
    values = spread(32, 0.06, 1.0)
    found = decide({"delay": values}, Precision(0.02, max=1000))
    assert found.outcome is Outcome.MORE
    assert found.suggested == 64
    estimated = known(found.estimates["delay"].relative_half_width)
    assert 32 * (estimated / 0.02) ** 2 == pytest.approx(288)


def test_ten_replications_of_a_textbook() -> None:
    """0.2371 / 1.343 = 0.1766: enough for 18 %; for 15 % 10 · (0.1766 / 0.15)² = 13.9."""
    assert decide({"delay": LAW}, Precision(0.18, confidence=0.9)).outcome is Outcome.ENOUGH
    found = decide({"delay": LAW}, Precision(0.15, confidence=0.9))
    assert (found.outcome, found.replications, found.suggested) == (Outcome.MORE, 10, 14)
    assert found.missed == ("delay",)
    assert found.estimates["delay"].method == "Student t"


def test_two_responses_share_the_risk() -> None:
    found = decide({"delay": LAW, "other": LAW}, Precision(0.18, confidence=0.9))
    assert found.confidence == pytest.approx(0.95)
    assert found.outcome is Outcome.MORE
    assert found.estimates["delay"].half_width == estimate(LAW, found.confidence).half_width
    assert found.estimates["other"].method == "Student t, Bonferroni over 2"


def test_the_worst_response_decides() -> None:
    samples = {"steady": [5.0] * 10, "delay": LAW}
    found = decide(samples, Precision(0.15, confidence=0.9))
    alone = decide({"delay": LAW}, Precision(0.15, confidence=0.95))
    assert found.missed == ("delay",)
    assert found.suggested == alone.suggested


def test_the_order_of_the_workers_does_not_matter() -> None:
    shuffled = LAW.copy()
    random.Random(5).shuffle(shuffled)
    assert decide({"delay": LAW}, Precision(0.15)) == decide({"delay": shuffled}, Precision(0.15))


SAME = [5.0, 5.0, 5.0]


@pytest.mark.parametrize(
    ("values", "rule", "outcome", "suggested"),
    [
        pytest.param([5.0], Precision(0.1, min=7), Outcome.MORE, 7, id="a single run"),
        pytest.param(LAW, Precision(0.01, min=5, max=10), Outcome.AT_MOST, 10, id="at the maximum"),
        pytest.param(LAW, Precision(0.01, max=12), Outcome.MORE, 12, id="bounded by the maximum"),
        pytest.param([-1.0, 1.0] * 4, Precision(0.1), Outcome.MORE, 16, id="a mean of zero"),
        # 32 · (0.025 / 0.02)² = 50.
        pytest.param(spread(32, 0.02499, 1.0), Precision(0.02), Outcome.MORE, 50, id="a square"),
        pytest.param(LAW, Precision(0.18, 5, 10, 0.9), Outcome.ENOUGH, 10, id="at last enough"),
        # Three equal runs are no proof of an exact mean; nor would more of them be.
        pytest.param(SAME, Precision(0.1, min=3), Outcome.UNVARIED, 3, id="nothing varies"),
        pytest.param(SAME, Precision(0.1, min=5), Outcome.MORE, 5, id="fewer than the minimum"),
    ],
)
def test_one_response_alone(
    values: list[float], rule: Precision, outcome: Outcome, suggested: int
) -> None:
    found = decide({"delay": values}, rule)
    assert (found.outcome, found.suggested) == (outcome, suggested)
    enough = outcome is Outcome.ENOUGH or values is SAME
    assert found.missed == (() if enough else ("delay",))


def test_a_response_that_does_not_vary_leaves_the_decision_to_the_others() -> None:
    still = {"losses": [0.0] * 10, "delay": LAW}
    assert decide(still, Precision(0.3, confidence=0.9)).outcome is Outcome.ENOUGH
    assert decide(still, Precision(0.1, confidence=0.9)).missed == ("delay",)


@pytest.mark.parametrize("seed", range(5))
def test_asking_and_running_ends_within_the_bounds(seed: int) -> None:
    draw = random.Random(seed)
    values = [draw.expovariate(1.0) for _ in range(400)]
    asked, count, wanted = 0, 5, Precision(0.2, min=5, max=400)
    while (found := decide({"delay": values[:count]}, wanted)).outcome is Outcome.MORE:
        assert count < found.suggested <= min(2 * count, 400)
        count, asked = found.suggested, asked + 1
    assert found.outcome is Outcome.ENOUGH
    assert asked > 0


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ({}, "no responses"),
        ({"a": [1.0, 2.0], "b": [1.0]}, r"numbers differ \(a: 2, b: 1\)"),
        ({"a": []}, "no values"),
        ({"a": [1.0, math.nan]}, "not finite"),
    ],
)
def test_samples_that_cannot_be_judged(samples: dict[str, list[float]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decide(samples, Precision(0.1))


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((0.0,), "relative half-width 0.0 is out of range"),
        ((math.inf,), "out of range"),
        ((0.1, 1), "take 2 or more"),
        ((0.1, 5, 4), "fewer than at least 5"),
        ((0.1, 5, 10, 1.0), "confidence 1.0 is out of range"),
    ],
)
def test_a_precision_that_cannot_be_asked(
    numbers: tuple[float, int, int, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Precision(*numbers)
