"""Runs the rows of a paper and judges them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellway.catalogue.jobs import Found, Job, local_workers, perform
from cellway.catalogue.published import EXPLAIN, UNITS, Alternative, Paper, Row, Sensitivity
from cellway.catalogue.verdict import Verdict, counts, judge
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


@dataclass(frozen=True)
class Variation:
    """The rows of one sensitivity entry: as chosen first, then under each alternative."""

    sensitivity: Sensitivity
    cases: tuple[tuple[str, tuple[Result, ...]], ...]


@dataclass(frozen=True)
class Reproduction:
    """A paper, or one table of it, re-run.

    Attributes:
        paper: what was published.
        results: one per row.
        quick: whether every row had one replication only, whatever the catalogue states.
        complete: false after Ctrl-C.
        variations: sensitivity tables, when asked for.
    """

    paper: Paper
    results: tuple[Result, ...]
    quick: bool
    complete: bool
    variations: tuple[Variation, ...] = ()

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many rows came to each of the three verdicts."""
        return counts(result.verdict for result in self.results)

    @property
    def passed(self) -> bool:
        """Whether everything finished and nothing differs without a reason."""
        return self.complete and self.counts[Verdict.DIFFERS] == 0


def reproduce(  # noqa: PLR0913
    paper: Paper,
    table: str | None = None,
    *,
    quick: bool = False,
    sensitivity: bool = False,
    workers: int | None = None,
    on_done: Callable[[int, int], None] = lambda _done, _all: None,
) -> Reproduction:
    """Runs the rows of `table` (all for `None`) and judges them.

    Args:
        paper: from `cellway.catalogue.paper`.
        table: a table or a row code.
        quick: one replication per row.
        sensitivity: also run the alternatives that concern these rows.
        workers: threads; `None` takes a core each. The results do not depend on it.
        on_done: called with the number of finished runs and of all.

    Raises:
        CatalogueError: no such table, or a quantity that the results do not have.
        RunError, ScenarioError, OSError: a run failed.
    """
    rows = paper.rows_of(table)
    entries = _entries(paper, rows) if sensitivity else []
    jobs = [job for row in rows for job in _jobs(row, None, quick=quick)]
    for entry, codes in entries:
        cases: list[Alternative | None] = [None, *entry.alternatives]
        jobs += [job for code in codes for case in cases for job in _jobs(paper.row(code), case, quick=quick)]
    found, complete = perform(jobs, workers or local_workers(), on_done)
    variations = tuple(_variation(paper, entry, codes, found, quick=quick) for entry, codes in entries)
    results = tuple(_result(row, None, found, quick=quick) for row in rows)
    return Reproduction(paper, results, quick, complete, variations)


def _entries(paper: Paper, rows: Sequence[Row]) -> list[tuple[Sensitivity, list[str]]]:
    """The sensitivity entries that concern `rows`, each with the codes that it and `rows` share."""
    codes = [row.code for row in rows]
    shared = [(entry, [code for code in entry.rows if code in codes]) for entry in paper.sensitivities]
    return [(entry, common) for entry, common in shared if common]


def _jobs(row: Row, case: Alternative | None, *, quick: bool) -> list[Job]:
    """The replications of a row, with the seeds 1 to n."""
    sets = (*row.sets, *(case.sets if case else ()))
    # Work grows with the bits moved; a row of unknown outcome goes first.
    cost = float("inf") if row.published is None else row.published * UNITS[row.unit]
    if row.explained:
        return [Job.of(row.scenario, sets, None)]
    return [
        Job.of(row.scenario, sets, seed, cost) for seed in range(1, 1 + (1 if quick else row.replications))
    ]


def _result(row: Row, case: Alternative | None, found: Found, *, quick: bool) -> Result:
    jobs = _jobs(row, case, quick=quick)
    path = row.quantity.removeprefix(EXPLAIN)
    values = tuple(_number(found[job], path, row) / UNITS[row.unit] for job in jobs if job in found)
    finished = len(values) == len(jobs)
    if not values:
        return Result(row, (), None, None, Verdict.NOT_JUDGED, finished=False)
    ours = estimate(values)
    published = row.published
    difference = None if published is None else (ours.mean - published) / published
    relative = row.tolerance.relative if row.tolerance else 0.0
    verdict = judge(ours.mean, published, relative, explained=row.because is not None)
    return Result(row, values, ours, difference, verdict if finished else Verdict.NOT_JUDGED, finished)


def _variation(paper: Paper, entry: Sensitivity, codes: list[str], found: Found, *, quick: bool) -> Variation:
    cases: list[tuple[str, Alternative | None]] = [("as chosen", None)]
    cases += [(alternative.label, alternative) for alternative in entry.alternatives]
    tables = tuple(
        (label, tuple(_result(paper.row(code), case, found, quick=quick) for code in codes))
        for label, case in cases
    )
    return Variation(entry, tables)


def _number(tree: Mapping[str, Any], path: str, row: Row) -> float:
    """The number at the dotted `path`; names in the tree may have dots themselves."""
    value = _find(tree, path.split("."))
    if isinstance(value, bool) or not isinstance(value, int | float):
        kind = "explanation" if row.explained else "summary"
        raise CatalogueError(
            f"row {row.code}: the {kind} has no number at {path!r}; at the top it has {', '.join(tree)}"
        )
    return float(value)


def _find(tree: Any, parts: list[str]) -> Any:  # noqa: ANN401
    if not parts:
        return tree
    if isinstance(tree, list):
        tree = {item["name"]: item for item in reversed(tree) if isinstance(item, Mapping) and "name" in item}
    if isinstance(tree, Mapping):
        for taken in range(len(parts), 0, -1):
            name = ".".join(parts[:taken])
            if name in tree and (value := _find(tree[name], parts[taken:])) is not None:
                return value
    return None
