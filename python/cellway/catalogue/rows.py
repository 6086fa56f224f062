"""Rows with our numbers: each is a study of replications, and this is what it comes to."""

from collections.abc import Mapping
from dataclasses import dataclass

from cellway.catalogue.published import Row, Sets
from cellway.catalogue.verdict import Verdict, judge
from cellway.errors import CatalogueError, RunError
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
        ours: their mean with its 95 % half-width; `None` when nothing finished.
        difference: (ours - published) / published; `None` without either.
        verdict: what it comes to.
        finished: whether all replications that were asked for are in.
        cpu_seconds: what its runs took, of `simulated_seconds` of simulated time; not repeatable.
        simulated_seconds: see `cpu_seconds`; 0 for what needs no run.
    """

    row: Row
    values: tuple[float, ...]
    ours: Estimate | None
    difference: float | None
    verdict: Verdict
    finished: bool
    cpu_seconds: float = 0.0
    simulated_seconds: float = 0.0


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
        RunError: one of its runs could not finish.
        CatalogueError: a run has nothing where the row's number should be.
    """
    for record in results.failed:
        raise RunError(f"row {row.code}, seed {record.seed}: {record.warnings[0]}")
    values = tuple(results.values(row.code, 0))
    for warning in results.warnings:
        raise CatalogueError(f"row {row.code}: {warning}")
    finished = len(values) == results.study.least_replications
    if not values:
        return Result(row, (), None, None, Verdict.NOT_JUDGED, finished=False)
    ours = estimate(values)
    published = row.published
    difference = None if published is None else (ours.mean - published) / published
    relative = row.tolerance.relative if row.tolerance else 0.0
    verdict = judge(ours.mean, published, relative, explained=row.because is not None)
    cpu = sum(record.cpu_seconds for record in results.records)
    simulated = len(results.records) * results.conditions[0].seconds
    judged = verdict if finished else Verdict.NOT_JUDGED
    return Result(row, values, ours, difference, judged, finished, cpu, simulated)


Found = Mapping[Case, Result]
"""The results of all studies of a reproduction."""
