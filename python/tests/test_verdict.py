"""The rule of judgement: where the 95 % interval of a mean lies with regard to what is accepted."""

import random
from dataclasses import replace

import pytest

from cellway.catalogue.criteria import Expected, Tolerance
from cellway.catalogue.markup import difference_of, tolerance_of
from cellway.catalogue.verdict import JUDGED, Verdict, counts, judge
from cellway.statistics import Estimate, estimate
from judged import result, row

WIDE = 1.0


@pytest.mark.parametrize(
    ("verdict", "means"),
    [
        (Verdict.AGREES, [91.0, 100.0, 109.0]),
        (Verdict.UNDECIDED, [89.0, 90.9, 109.1, 110.9, 111.0]),
        (Verdict.DIFFERS, [-100.0, 88.9, 111.1]),
    ],
)
def test_an_interval_lies_inside_or_astride_or_outside(
    verdict: Verdict, means: list[float]
) -> None:
    """From 90 to 110, ends included, for means known to 1."""
    assert [judge(Estimate(mean, WIDE, 5), 90.0, 110.0) for mean in means] == [verdict] * len(means)


def test_an_interval_that_covers_all_that_is_accepted_decides_nothing() -> None:
    assert judge(Estimate(100.0, 50.0, 5), 90.0, 110.0) is Verdict.UNDECIDED


@pytest.mark.parametrize("mean", [90.0, 110.0, 89.99, 110.01])
def test_a_number_without_an_interval_is_judged_by_itself(mean: float) -> None:
    """One value, or several that are the same: never undecided."""
    verdict = Verdict.AGREES if 90.0 <= mean <= 110.0 else Verdict.DIFFERS
    for known in (estimate([mean]), estimate([mean] * 3), estimate([mean] * 2, deterministic=True)):
        assert judge(known, 90.0, 110.0) is verdict


@pytest.mark.parametrize(
    ("mean", "least", "most", "verdict"),
    [
        (-1e9, None, 0.0, Verdict.AGREES),
        (-0.5, None, 0.0, Verdict.UNDECIDED),
        (1.5, None, 0.0, Verdict.DIFFERS),
        (1e9, 0.0, None, Verdict.AGREES),
        (0.5, 0.0, None, Verdict.UNDECIDED),
        (-1.5, 0.0, None, Verdict.DIFFERS),
        (0.0, None, None, Verdict.AGREES),
    ],
)
def test_an_end_may_be_open(
    mean: float, least: float | None, most: float | None, verdict: Verdict
) -> None:
    assert judge(Estimate(mean, WIDE, 5), least, most) is verdict


def test_a_verdict_is_wrong_as_often_as_the_interval_allows() -> None:
    """A mean at 1.0 exactly, an end there: in 95 of 100 experiments the interval reaches over it.

    The others say *agrees* or *differs*, about equally often. Of 2000 experiments 100 ± 10 (one
    sigma).
    """
    generator = random.Random(7)
    verdicts = [
        judge(estimate([generator.gauss(1.0, 0.2) for _ in range(10)]), None, 1.0)
        for _ in range(2000)
    ]
    agree, differ = verdicts.count(Verdict.AGREES), verdicts.count(Verdict.DIFFERS)
    assert 60 <= agree + differ <= 140
    assert abs(agree - differ) <= 40


def test_more_replications_decide_what_few_leave_open() -> None:
    generator = random.Random(3)
    values = [generator.gauss(10.5, 1.0) for _ in range(100)]
    assert judge(estimate(values[:4]), 9.0, 11.0) is Verdict.UNDECIDED
    assert judge(estimate(values), 9.0, 11.0) is Verdict.AGREES


@pytest.mark.parametrize(
    ("tolerance", "published", "reach", "text"),
    [
        (Tolerance(0.1, None, ""), 200.0, 20.0, "10 %"),
        (Tolerance(0.1, None, ""), -200.0, 20.0, "10 %"),
        (Tolerance(None, 1.5, ""), 200.0, 1.5, "1.5"),
        (Tolerance(None, 1.5, ""), 0.0, 1.5, "1.5"),
        (Tolerance(0.031, None, ""), 100.0, 3.1, "3.1 %"),
    ],
)
def test_a_tolerance_is_a_share_of_the_published_number_or_a_length(
    tolerance: Tolerance, published: float, reach: float, text: str
) -> None:
    assert tolerance.reach(published) == pytest.approx(reach)
    assert str(tolerance) == text


@pytest.mark.parametrize(
    ("tolerance", "unit", "published", "ours", "texts"),
    [
        (Tolerance(0.03, None, ""), "Mbit/s", 119.0, 123.2, ("+3.5 %", "3 %")),
        (Tolerance(None, 3.0, ""), "%", -2.32, -4.5, ("-2.18 % points", "3 % points")),
        (Tolerance(None, 6.7, ""), "Mbit/s", 54.1, 49.2, ("-4.90 Mbit/s", "6.7 Mbit/s")),
        (Tolerance(None, 0.05, ""), "1", 0.89, 0.9443, ("+0.0543", "0.05")),
        (Tolerance(None, 0.044, ""), "1", 0.0, 0.01, ("+0.0100", "0.044")),
        (Tolerance(None, 0.002, ""), "s", 1.222, 1.2219999, ("+0.00000 s", "0.002 s")),
        (Tolerance(None, 100.0, ""), "cell", 4000.0, 4060.4, ("+60 cells", "100 cells")),
    ],
)
def test_a_difference_has_the_unit_of_its_tolerance(
    tolerance: Tolerance, unit: str, published: float, ours: float, texts: tuple[str, str]
) -> None:
    number = replace(row("R", published), tolerance=tolerance, unit=unit)
    assert (difference_of(result(number, (ours, ours))), tolerance_of(number)) == texts


def test_a_range_says_which_end_is_open() -> None:
    ranges = [(1.0, 2.5), (None, 2.5), (1.0, None)]
    texts = [str(Expected(least, most, "")) for least, most in ranges]
    assert texts == ["1 to 2.5", "at most 2.5", "at least 1"]


def test_counts_show_zeros_and_leave_out_what_is_not_judged() -> None:
    found = counts([Verdict.AGREES, Verdict.NOT_JUDGED, Verdict.AGREES])
    assert found == {**dict.fromkeys(JUDGED, 0), Verdict.AGREES: 2}
    assert tuple(found) == JUDGED
