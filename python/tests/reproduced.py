"""A small paper with everything that pages show, and a reproduction of it made by hand."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cellway.catalogue import Finding, Paper, Reproduction, Result, load_paper
from cellway.catalogue.published import Derived, Row
from cellway.catalogue.reason_tests import ReasonTest
from cellway.catalogue.scoring import scored
from cellway.catalogue.verdict import Verdict, judge
from cellway.statistics import Estimate, estimate
from common import SMALL, texts_of, write_paper

OURS = {
    "P-T1-R1": (9.9, 10.0, 10.1, 10.2),
    "P-T1-R2": (18.0, 20.0, 22.0, 24.0),
    "P-T1-R3": (50.0, 50.1, 50.2, 50.3),
    "P-T1-R4": (40.0, 40.1, 40.2, 40.3),
    "P-T2-R1": (10.0, 10.1, 10.2, 10.3),
    "P-T2-R2": (5.0, 6.0, 7.0, 8.0),
    "P-T2-D": (1.9, 2.0, 2.1, 2.2),
}
"""By code. Agrees, undecided, differs with a reason that holds, differs with one that fails;
agrees; nothing was published; agrees or not by the ratio."""


def result(number: Row | Derived, values: Sequence[float]) -> Result:
    """What the values of some runs come to."""
    ours, published = estimate(values), number.published
    if published is None or number.tolerance is None:
        return Result(
            number, tuple(values), ours, None, Verdict.NOT_JUDGED, finished=True, runs=number.code
        )
    reach = number.tolerance.reach(published)
    verdict = judge(ours, published - reach, published + reach)
    difference = (ours.mean - published) / published
    return Result(number, tuple(values), ours, difference, verdict, finished=True, runs=number.code)


def made(paper: Paper) -> Reproduction:
    """A reproduction with every verdict, without a run."""
    results = {number.code: result(number, OURS[number.code]) for number in paper.numbers}
    third, fourth = (paper.number(code) for code in ("P-T1-R3", "P-T1-R4"))
    spoiled = result(paper.number("P-T1-R1"), (30.0, 30.1, 30.2, 30.3))
    kept = result(paper.number("P-T1-R2"), (19.9, 20.0, 20.1, 20.2))
    tests = (
        ReasonTest(
            reason=paper.reasons[0],
            chosen=result(third, (50.0, 50.1) * 10),
            without=result(third, (40.0, 40.1) * 10),
            also_chosen=(results["P-T1-R1"], results["P-T1-R2"]),
            also_without=(spoiled, kept),
        ),
        ReasonTest(
            reason=paper.reasons[1],
            chosen=result(fourth, (40.0, 40.1) * 10),
            without=result(fourth, (41.0, 41.1) * 10),
            also_chosen=(results["P-T1-R1"],),
            also_without=(results["P-T1-R1"],),
        ),
    )
    results["P-T1-R3"] = replace(results["P-T1-R3"], verdict=Verdict.BECAUSE)
    times = Estimate(2.05, 0.1, 4)
    findings = (
        Finding(paper.claims[0], (2.0, 2.1), times, judge(times, 1.8, 2.2)),
        Finding(paper.claims[1], (10.0,), Estimate(10.0, None, 1), Verdict.AGREES),
    )
    return Reproduction(
        paper=paper,
        results=tuple(results.values()),
        quick=False,
        complete=True,
        findings=findings,
        scores=scored(paper.scores, paper, results, {}),
        reason_tests=tests,
    )


def loaded(shelf: Path) -> Paper:
    """The paper, written below `shelf` and read."""
    files = {**texts_of("pages-2001"), "small.toml": SMALL}
    return load_paper(write_paper(shelf / "pages-2001", files))
