"""Failures that follow from others stand behind them, and only those."""

from dataclasses import replace

import pytest

from cellway.catalogue import Finding, Reproduction
from cellway.catalogue.folded import folded
from cellway.catalogue.section import cut
from cellway.catalogue.verdict import Verdict
from cellway.statistics import Estimate
from reproduced import loaded, made


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    return made(loaded(tmp_path_factory.mktemp("shelf")))


def failing(done: Reproduction, numbers: dict[str, float], ratio: float) -> Reproduction:
    """The reproduction with these means, which differ, and a claim on their ratio, which does."""
    results = tuple(
        replace(one, ours=Estimate(numbers[one.code], 0.1, 4), verdict=Verdict.DIFFERS)
        if one.code in numbers
        else replace(one, verdict=Verdict.AGREES)
        for one in done.results
    )
    claim = Finding(done.paper.claims[0], (), Estimate(ratio, 0.1, 4), Verdict.DIFFERS)
    return replace(done, results=results, findings=(claim, *done.findings[1:]))


def test_copies_and_what_is_calculated_from_a_failure_follow_from_it(done: Reproduction) -> None:
    """P-T2-R1 repeats P-T1-R1; P-T2-D and P-C1 are P-T1-R2 over P-T1-R1, 20 over 10."""
    found = failing(done, {"P-T1-R1": 5.0, "P-T2-R1": 5.0, "P-T2-D": 4.0}, 4.0)
    assert folded(found) == dict.fromkeys(("P-T2-R1", "P-T2-D", "P-C1"), "P-T1-R1")


def test_what_fails_with_published_numbers_too_is_a_failure_by_itself(done: Reproduction) -> None:
    found = failing(done, {"P-T1-R3": 50.0}, 4.0)
    assert folded(found) == {}
    found = failing(done, {"P-T1-R1": 5.0}, 4.0)
    moved = tuple(
        replace(one, ours=Estimate(40.0, 0.1, 4)) if one.code == "P-T1-R2" else one
        for one in found.results
    )
    assert folded(replace(found, results=moved)) == {}


def test_a_text_is_cut_at_a_sentence_or_a_word() -> None:
    assert cut("One of 2.5 MB. Two", 40) == "One of 2.5 MB. Two."
    assert cut("One of 2.5 MB. Two", 16) == "One of 2.5 MB."
    assert cut("One of 2.5 MB, and two", 16) == "One of 2.5 MB …"
