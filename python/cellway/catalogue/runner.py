"""Runs the rows of a paper, its claims and its sensitivity entries, and judges them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellway.catalogue.claims import Finding, rows_behind, settle
from cellway.catalogue.published import Paper, Selection
from cellway.catalogue.rows import Case, Result, case_of, result_of, study_of
from cellway.catalogue.sensitivity import Experiment, Variation
from cellway.catalogue.verdict import Verdict, counts
from cellway.errors import CatalogueError, StudyError
from cellway.study.campaign import run_studies


@dataclass(frozen=True)
class Reproduction:
    """A paper, or one table of it, re-run.

    Attributes:
        paper: what was published.
        results: one per row.
        findings: one per claim.
        quick: whether every row had one replication only, whatever the catalogue states.
        complete: false after Ctrl-C.
        variations: sensitivity tables, when asked for.
    """

    paper: Paper
    results: tuple[Result, ...]
    quick: bool
    complete: bool
    variations: tuple[Variation, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many rows and claims came to each of the three verdicts."""
        verdicts = [result.verdict for result in self.results]
        return counts(verdicts + [finding.verdict for finding in self.findings])

    @property
    def judged(self) -> str:
        """What the counts are of: ``"9 rows and 2 claims"``."""
        parts = [f"{len(self.results)} rows"] if self.results or not self.findings else []
        parts += [f"{len(self.findings)} claims"] if self.findings else []
        return " and ".join(parts)

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
    store: Path | None = None,
    on_done: Callable[[int, int], None] = lambda _done, _all: None,
) -> Reproduction:
    """Runs the rows and claims of `table` (all for `None`) and judges them.

    Args:
        paper: from `cellway.catalogue.paper`.
        table: a table, or the code of a row, a claim or a sensitivity entry; the rows that a claim needs are
            run with it, and an entry runs whatever `sensitivity` is.
        quick: one replication per row.
        sensitivity: also run the alternatives that concern these rows.
        workers: threads; `None` takes a core each. The results do not depend on it.
        store: a directory that keeps every run, so that the next time only what is missing is run.
        on_done: called with the number of finished runs and of all.

    Raises:
        CatalogueError: no such table, or a quantity that the results do not have.
        StoreError: the directory cannot be used.
        RunError, ScenarioError, OSError: a run failed, or a claim divides by zero.
    """
    selected = paper.select(table)
    behind = [row for claim in selected.claims for row in rows_behind(claim, paper)]
    experiments = _experiments(paper, selected, all_entries=sensitivity)
    cases = [case_of(row) for row in (*selected.rows, *behind)]
    cases += [case for experiment in experiments for case in experiment.cases()]
    found, complete = _run(paper, cases, store, workers, on_done, quick=quick)
    variations = tuple(experiment.variation(found) for experiment in experiments)
    results = {row.code: found[case_of(row)] for row in (*selected.rows, *behind)}
    findings = tuple(settle(claim, paper, results) for claim in selected.claims)
    shown = tuple(results[row.code] for row in selected.rows)
    return Reproduction(paper, shown, quick, complete, variations, findings)


def _run(  # noqa: PLR0913
    paper: Paper,
    cases: Sequence[Case],
    store: Path | None,
    workers: int | None,
    on_done: Callable[[int, int], None],
    *,
    quick: bool,
) -> tuple[dict[Case, Result], bool]:
    """The result of every case, its rows run as studies in one campaign; and whether all runs were done."""
    distinct = list(dict.fromkeys(cases))
    studies = [study_of(paper.row(code), sets, quick=quick) for code, sets in distinct]
    try:
        done = run_studies(studies, store, workers, lambda n, of, _exact: on_done(n, of))
    except StudyError as error:
        raise CatalogueError(f"{paper.id}: {error}") from error
    found = {
        case: result_of(paper.row(case[0]), results) for case, results in zip(distinct, done, strict=True)
    }
    return found, all(results.complete for results in done)


def _experiments(paper: Paper, selected: Selection, *, all_entries: bool) -> list[Experiment]:
    """The entries chosen by code with all their rows, and those that concern chosen rows with these."""
    shown = [row.code for row in selected.rows]
    experiments = []
    for entry in paper.sensitivities:
        chosen = entry in selected.sensitivities
        codes = [code for code in entry.rows if chosen or (all_entries and code in shown)]
        if codes:
            experiments.append(Experiment(entry, tuple(paper.row(code) for code in codes)))
    return experiments
