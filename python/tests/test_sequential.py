"""Stopping over a comparison: coverage over many studies, where a difference is 0 and where not."""

import math
import random
from collections.abc import Callable

import pytest

from cellway.statistics import DifferenceRule, Judged, Verdict, estimate, judge
from common import known

STUDIES = 1000
Draw = Callable[[], tuple[float, float]]


def followed(rule: DifferenceRule, draw: Draw) -> tuple[Judged, list[tuple[float, float]]]:
    """A study that replicates until the rule stops, and its pairs."""
    pairs = [draw() for _ in range(rule.min)]
    while True:
        columns = {"first": [a for a, _ in pairs], "second": [b for _, b in pairs]}
        found = judge({"delay": columns}, rule)
        if found.verdict is not Verdict.MORE:
            return found, pairs
        pairs += [draw() for _ in range(found.suggested - len(pairs))]


def covered(rule: DifferenceRule, truth: float, seed: int) -> int:
    """Number of studies whose interval has the true difference where they stop."""
    chance = random.Random(seed)

    def draw() -> tuple[float, float]:
        common = chance.gauss(0.0, 3.0)  # Of the seed that both levels have.
        return 10.0 + common + chance.gauss(0.0, 1.0), 10.0 + truth + common + chance.gauss(
            0.0, 1.0
        )

    count = 0
    for _ in range(STUDIES):
        found, _ = followed(rule, draw)
        low, high = known(found.differences["delay", "second"].interval)
        count += low <= truth <= high
    return count


@pytest.mark.parametrize("truth", [0.0, 0.5, 3.0])
def test_intervals_cover_where_the_rule_stops(truth: float) -> None:
    """An error of a study that stops at the first of 9 looks counts as any other."""
    assert covered(DifferenceRule(1e-6), truth, 1996) >= 0.95 * STUDIES


def test_uncorrected_looks_cover_in_about_four_of_five_studies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The published size of nine looks at 5 % each is 0.2.

    P. Armitage, C. K. McPherson and B. C. Rowe, Journal of the Royal Statistical Society A 132
    (1969): 0.193 for 10 equally spaced looks at a known variance.
    """
    monkeypatch.setattr(DifferenceRule, "each", lambda *_: 0.95)
    assert 0.75 * STUDIES < covered(DifferenceRule(1e-6), 0.0, 1996) < 0.85 * STUDIES


def test_looks_grow_by_half() -> None:
    assert DifferenceRule(0.1).looks == (5, 8, 12, 18, 27, 41, 62, 93, 100)
    assert DifferenceRule(0.1, min=4, max=4).looks == (4,)


def pairs_with(mean: float, half_width: float, rule: DifferenceRule) -> dict[str, list[float]]:
    """Five pairs whose difference has this mean, and this half-width at the rule's confidence."""
    shape = [-2.0, -1.0, 0.0, 1.0, 2.0]
    width = known(estimate(shape, rule.each(1)).half_width)
    return {"a": [100.0] * 5, "b": [100.0 + mean + half_width / width * one for one in shape]}


@pytest.mark.parametrize(
    ("mean", "half_width", "verdict"),
    [
        (3.0, 2.9, Verdict.DECIDED),
        (3.0, 3.1, Verdict.MORE),
        (0.0, 0.99, Verdict.DECIDED),  # 1 % of the mean of the first level.
        (0.0, 1.01, Verdict.MORE),
        (2.0, 0.0, Verdict.UNVARIED),
    ],
)
def test_a_difference_is_decided_by_0_or_by_its_width(
    mean: float, half_width: float, verdict: Verdict
) -> None:
    rule = DifferenceRule(0.01)
    found = judge({"delay": pairs_with(mean, half_width, rule)}, rule)
    assert found.verdict is verdict
    assert found.suggested == (8 if verdict is Verdict.MORE else 5)


def test_every_difference_of_every_response_must_be_decided() -> None:
    rule = DifferenceRule(0.01, max=5)
    one = pairs_with(50.0, 1.0, rule)
    both = {"delay": one | {"c": one["b"]}, "loss": pairs_with(1.0, 5.0, rule)}
    found = judge(both, rule)
    assert found.verdict is Verdict.AT_MOST
    assert found.undecided == (("loss", "b"),)
    assert rule.each(3) == pytest.approx(1.0 - 0.05 / 3)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((0.0,), "half-width 0.0 is out of range"),
        ((math.nan,), "out of range"),
        ((0.1, 1), "take 2 or more"),
        ((0.1, 5, 4), "fewer than at least 5"),
        ((0.1, 5, 10, 1.0), "confidence 1.0 is out of range"),
    ],
)
def test_a_rule_that_cannot_be_followed(
    numbers: tuple[float, int, int, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        DifferenceRule(*numbers)


def test_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="nothing to compare"):
        judge({"delay": {"a": [1.0, 2.0]}}, DifferenceRule(0.1))
