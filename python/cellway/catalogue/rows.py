"""Rows with our numbers: each is a study of replications, and this is what it comes to."""

from collections.abc import Mapping
from dataclasses import dataclass

from cellway.catalogue.published import Row, Sets
from cellway.catalogue.verdict import Verdict, judge
from cellway.errors import CatalogueError
from cellway.scenario import Scenario, toml_value
from cellway.statistics import Estimate, estimate
from cellway.study import Response, Results, Study

Case = tuple[str, tuple[tuple[str, str], ...]]
"""A row's code and what is set on top of its own conditions, as text: what its study is known by."""


def case_of(row: Row, sets: Sets = ()) -> Case:
    """The row as it is, or with `sets` on top of its own."""
    return row.code, tuple((key, toml_value(value)) for key, value in sets)


@dataclass(frozen=True)
class Result:
    """One row with our number beside the published one.

    Attributes:
        row: what was published.
        values: ours in `row.unit`, by seed from 1; fewer than asked for when interrupted.
        ours: their mean with its 95 % half-width, or why there is none; `None` when nothing finished.
        difference: (ours - published) / published; `None` without either.
        verdict: what it comes to.
        finished: whether all replications that were asked for are in.
        failed: why runs could not finish, one line for each.
        cpu_seconds: what its runs took, of `simulated_seconds` of simulated time; not repeatable.
        simulated_seconds: see `cpu_seconds`; 0 for what needs no run.
    """

    row: Row
    values: tuple[float, ...]
    ours: Estimate | None
    difference: float | None
    verdict: Verdict
    finished: bool
    failed: tuple[str, ...] = ()
    cpu_seconds: float = 0.0
    simulated_seconds: float = 0.0

    @property
    def said(self) -> str:
        """The verdict, and why there is none when runs are missing."""
        if self.finished:
            return str(self.verdict)
        return f"{self.verdict} ({'failed' if self.failed else 'interrupted'})"

    @property
    def deterministic(self) -> bool:
        """Whether the seed changes nothing in its runs, so that our number has no interval."""
        return self.ours is not None and self.ours.deterministic


def study_of(row: Row, sets: Sets = (), *, quick: bool) -> Study:
    """The replications of a row, with the seeds 1 to n; `sets` go on top of the row's own.

    Raises:
        ScenarioError, OSError: of the row's scenario.
    """
    return Study(
        Scenario.load(row.scenario),
        replications=1 if quick else row.replications,
        responses=[Response(row.code, row.quantity, row.unit, row.explained)],
        sets=(*row.sets, *sets),
        name=row.code,
    )


def result_of(row: Row, results: Results) -> Result:
    """What the study of a row comes to.

    Raises:
        CatalogueError: a run has nothing where the row's number should be.
    """
    failed = tuple(f"seed {one.record.seed}: {one.reason}" for one in results.failures)
    values = tuple(results.values(row.code, 0))
    for warning in results.warnings:
        raise CatalogueError(f"row {row.code}: {warning}")
    finished = len(values) == results.study.least_replications
    if not values:
        return Result(row, (), None, None, Verdict.NOT_JUDGED, finished=False, failed=failed)
    ours = estimate(values, deterministic=results.deterministic(0))
    published = row.published
    difference = None if published is None else (ours.mean - published) / published
    relative = row.tolerance.relative if row.tolerance else 0.0
    verdict = judge(ours.mean, published, relative, explained=row.because is not None)
    cpu = sum(record.cpu_seconds for record in results.records)
    simulated = len(results.records) * results.conditions[0].seconds
    judged = verdict if finished else Verdict.NOT_JUDGED
    return Result(row, values, ours, difference, judged, finished, failed, cpu, simulated)


Found = Mapping[Case, Result]
"""The results of all studies of a reproduction."""
