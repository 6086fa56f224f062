"""Results of rows: each row is a study of replications, beside its published number."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from cellway.catalogue.calculation import behind_of, calculate
from cellway.catalogue.published import Derived, Paper, Row, Sets
from cellway.catalogue.verdict import Verdict, judge
from cellway.errors import CatalogueError
from cellway.scenario.scenario import Scenario, toml_value
from cellway.statistics import Estimate
from cellway.statistics import estimate as estimated
from cellway.study import Response, Results, Study

FRESH_SEED = 2001
FRESH_SEEDS = 20
"""Seeds that reasons are tested with: not used while reasons were looked for."""
VARIED_SEEDS = 10
"""Most replications for the effect of another choice."""


class Seeds(StrEnum):
    """Seeds of the replications of a row."""

    JUDGED = "judged"
    """Seeds from 1, as many as the row asks for."""
    VARIED = "varied"
    """Seeds from 1, `VARIED_SEEDS` at most: for other choices and null models."""
    FRESH = "fresh"
    """Seeds from `FRESH_SEED`, `FRESH_SEEDS` of them: for tests of reasons."""


@dataclass(frozen=True)
class Case:
    """A row's code, keys on top of its own conditions, as text, and its seeds."""

    code: str
    sets: tuple[tuple[str, str], ...] = ()
    seeds: Seeds = Seeds.JUDGED


def case_of(row: Row, sets: Sets = (), seeds: Seeds = Seeds.JUDGED) -> Case:
    """Case of a row as it is, or with `sets` on top of its own."""
    return Case(row.code, tuple((key, toml_value(value)) for key, value in sets), seeds)


@dataclass(frozen=True)
class Result:
    """A row or a derived number with ours beside the published one.

    Attributes:
        number: the row or derived number.
        values: ours in its unit, by seed; fewer than asked for after an interrupt.
        ours: their mean with its 95 % half-width, or the reason why there is none; `None` if no
            run finished.
        difference: (ours - published) / published; `None` without either, or published as 0.
        verdict: the verdict.
        finished: true if all replications that were asked for have finished.
        failed: reasons why runs could not finish, one line for each.
        runs: identifies its runs: equal for numbers of the same runs.
        cpu_seconds: CPU time of its runs, for `simulated_seconds`; not repeatable.
        simulated_seconds: simulated time of its runs; 0 if it needs none.
        stated: replications that the catalogue states, of which a quick run makes one.
    """

    number: Row | Derived
    values: tuple[float, ...]
    ours: Estimate | None
    difference: float | None
    verdict: Verdict
    finished: bool
    failed: tuple[str, ...] = ()
    runs: str = ""
    cpu_seconds: float = 0.0
    simulated_seconds: float = 0.0
    stated: int = 1

    @property
    def code(self) -> str:
        """Code of the number."""
        return self.number.code

    @property
    def said(self) -> str:
        """The verdict, with the reason why there is none if runs are missing.

        That on one run, where the catalogue states several, says so.
        """
        if self.finished:
            return f"{self.verdict} ({one})" if (one := self.one_of) else str(self.verdict)
        return f"{self.verdict} ({'failed' if self.failed else 'interrupted'})"

    @property
    def one_of(self) -> str:
        """``"one of 20 runs"`` for a quick run, which is no verdict on their mean; else empty."""
        runs = 0 if self.ours is None else self.ours.n
        is_judged = self.verdict is not Verdict.NOT_JUDGED
        return f"one of {self.stated} runs" if is_judged and runs == 1 < self.stated else ""

    @property
    def deterministic(self) -> bool:
        """True if the seed changes nothing in its runs, so that our number has no interval."""
        return self.ours is not None and self.ours.deterministic

    @property
    def below_published(self) -> float | None:
        """Fraction of our replications below the published number, ties by half."""
        published = self.number.published
        if published is None or not self.values:
            return None
        below = sum(value < published for value in self.values)
        return (below + 0.5 * sum(value == published for value in self.values)) / len(self.values)

    def as_data(self) -> dict[str, Any]:
        """Number with ours, in its unit, shares as fractions, and the verdict, for JSON."""
        number = self.number
        return {
            "code": number.code,
            "table": number.table,
            "condition": number.label,
            "unit": number.unit,
            "simulated": number.simulated,
            "measured": number.measured,
            "compared_with": number.compare,
            "values": list(self.values),
            "mean": self.ours.mean if self.ours else None,
            "half_width": self.ours.half_width if self.ours else None,
            "n": self.ours.n if self.ours else 0,
            "deterministic": self.deterministic,
            "method": self.ours.method if self.ours else None,
            "failed": list(self.failed),
            "difference": self.difference,
            "tolerance": number.tolerance.reach(number.published or 0.0)
            if number.tolerance
            else None,
            "verdict": self.verdict.value,
            "published_place": self.below_published,
            "finished": self.finished,
        }


Found = Mapping[Case, Result]
"""Results of all cases of a reproduction."""


def replications(row: Row, case: Case, *, quick: bool) -> int:
    """Number of replications of a row in a case."""
    if quick:
        return 1
    return {
        Seeds.JUDGED: row.replications,
        Seeds.VARIED: min(row.replications, VARIED_SEEDS),
        Seeds.FRESH: 1 if row.explained else FRESH_SEEDS,
    }[case.seeds]


def first_seed(case: Case) -> int:
    """Seed of the first replication in a case."""
    return FRESH_SEED if case.seeds is Seeds.FRESH else 1


def study_of(row: Row, case: Case, *, quick: bool) -> Study:
    """Study of the replications of a row in a case.

    Args:
        row: gives scenario and keys.
        case: gives further keys, and the seeds.
        quick: true for one replication.

    Raises:
        ScenarioError, OSError: the row's scenario cannot be accepted or read.
    """
    return Study(
        Scenario.load(row.scenario),
        replications=replications(row, case, quick=quick),
        responses=[Response(row.code, row.quantity, row.unit, row.explained)],
        seed=first_seed(case),
        sets=(*row.sets, *case.sets),
        name=row.code,
    )


def result_of(row: Row, results: Results) -> Result:
    """Result of a row from its study.

    Raises:
        CatalogueError: a run lacks the row's number.
    """
    failed = tuple(f"seed {one.record.seed}: {one.reason}" for one in results.failures)
    values = tuple(results.values(row.code, 0))
    for warning in results.warnings:
        raise CatalogueError(f"row {row.code}: {warning}")
    finished = len(values) == results.study.min_replications
    if not values:
        return Result(row, (), None, None, Verdict.NOT_JUDGED, finished=False, failed=failed)
    ours = estimated(values, deterministic=results.deterministic(0))
    return replace(
        _judged(row, values, ours, finished=finished),
        stated=stated_of(row),
        failed=failed,
        runs=",".join(sorted({record.scenario_hash for record in results.records})),
        cpu_seconds=sum(record.cpu_seconds for record in results.records),
        simulated_seconds=len(results.records) * results.conditions[0].seconds,
    )


def stated_of(row: Row) -> int:
    """Replications that the catalogue states for a row."""
    return 1 if row.explained else row.replications


def derived_result(derived: Derived, paper: Paper, results: Mapping[str, Result]) -> Result:
    """Result of a derived number.

    Args:
        derived: of `paper`.
        paper: the paper that has its names.
        results: by code, of the rows behind it.

    Raises:
        RunError: the value divides by zero or is not finite.
    """
    behind = [results[code] for code in behind_of(derived, paper)]
    if not all(one.finished for one in behind):
        failed = tuple(said for one in behind for said in one.failed)
        return Result(derived, (), None, None, Verdict.NOT_JUDGED, finished=False, failed=failed)
    values, ours = calculate(derived, paper, results)
    runs = ",".join(dict.fromkeys(one.runs for one in behind))
    stated = max(map(stated_of, paper.rows_of(derived.code)), default=1)
    return replace(_judged(derived, values, ours, finished=True), runs=runs, stated=stated)


def _judged(
    number: Row | Derived, values: tuple[float, ...], ours: Estimate, *, finished: bool
) -> Result:
    published = number.published
    difference = (ours.mean - published) / published if published else None
    verdict = Verdict.NOT_JUDGED
    if finished and published is not None and number.tolerance is not None:
        reach = number.tolerance.reach(published)
        verdict = judge(ours, published - reach, published + reach)
    return Result(number, values, ours, difference, verdict, finished)
