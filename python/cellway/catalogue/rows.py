"""Rows with our numbers: which runs a row needs, and what they come to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellway.catalogue.jobs import Found, Job
from cellway.catalogue.published import UNITS, Row, Sets
from cellway.catalogue.verdict import Verdict, judge
from cellway.errors import CatalogueError
from cellway.statistics import Estimate, estimate


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
    """

    row: Row
    values: tuple[float, ...]
    ours: Estimate | None
    difference: float | None
    verdict: Verdict
    finished: bool


def jobs_of(row: Row, sets: Sets = (), *, quick: bool) -> list[Job]:
    """The replications of a row, with the seeds 1 to n; `sets` go on top of the row's own."""
    sets = (*row.sets, *sets)
    # Work grows with the bits moved; a row of unknown outcome goes first.
    cost = float("inf") if row.published is None else row.published * UNITS[row.unit]
    if row.explained:
        return [Job.of(row.scenario, sets, None)]
    return [
        Job.of(row.scenario, sets, seed, cost) for seed in range(1, 1 + (1 if quick else row.replications))
    ]


def result_of(row: Row, jobs: Sequence[Job], found: Found) -> Result:
    """What the `jobs` of a row come to, as far as they were `found`.

    Raises:
        CatalogueError: they do not have the row's quantity.
    """
    values = tuple(_number(row, found[job].tree) for job in jobs if job in found)
    finished = len(values) == len(jobs)
    if not values:
        return Result(row, (), None, None, Verdict.NOT_JUDGED, finished=False)
    ours = estimate(values)
    published = row.published
    difference = None if published is None else (ours.mean - published) / published
    relative = row.tolerance.relative if row.tolerance else 0.0
    verdict = judge(ours.mean, published, relative, explained=row.because is not None)
    return Result(row, values, ours, difference, verdict if finished else Verdict.NOT_JUDGED, finished)


def _number(row: Row, tree: Mapping[str, Any]) -> float:
    try:
        number = row.quantity.of(tree, "explanation" if row.explained else "summary")
    except ValueError as error:
        raise CatalogueError(f"row {row.code}: {error}") from error
    return number / UNITS[row.unit]
