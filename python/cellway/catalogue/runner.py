"""Runs the rows of a paper, its claims and its sensitivity entries, and judges them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellway.catalogue.claims import Finding, rows_behind, settle, studies_behind
from cellway.catalogue.published import Paper, PublishedStudy, Selection
from cellway.catalogue.rows import Result, case_of, result_of, study_of
from cellway.catalogue.sensitivity import Experiment, Variation
from cellway.catalogue.verdict import Verdict, counts
from cellway.errors import CatalogueError, StudyError
from cellway.statistics import ALL_THE_SAME, DETERMINISTIC
from cellway.study import Results
from cellway.study.campaign import run_studies


@dataclass(frozen=True)
class Reproduction:
    """A paper, or one table of it, re-run.

    Attributes:
        paper: what was published.
        results: one per row.
        findings: one per claim.
        quick: whether every row had one replication only, whatever the catalogue states.
        complete: false after Ctrl-C. A run that fails leaves its row without a verdict, and the others go on.
        variations: sensitivity tables, when asked for.
        studies: the figures that are studies, with what they found.
    """

    paper: Paper
    results: tuple[Result, ...]
    quick: bool
    complete: bool
    variations: tuple[Variation, ...] = ()
    findings: tuple[Finding, ...] = ()
    studies: tuple[tuple[PublishedStudy, Results], ...] = ()

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
    def deterministic(self) -> dict[str, int]:
        """How many rows and claims have no interval because the seed changes nothing in their runs."""
        return self._without_interval(DETERMINISTIC)

    @property
    def all_the_same(self) -> dict[str, int]:
        """How many rows and claims have no interval because no run differs in this number."""
        return self._without_interval(ALL_THE_SAME)

    def _without_interval(self, method: str) -> dict[str, int]:
        ours = {
            "rows": [result.ours for result in self.results],
            "claims": [finding.ours for finding in self.findings],
        }
        return {
            what: sum(one is not None and one.method == method for one in found)
            for what, found in ours.items()
        }

    @property
    def failures(self) -> list[str]:
        """The runs that could not finish, one line each with the code of their row or study."""
        lines = [f"{one.row.code}, {said}" for one in self._all_results() for said in one.failed]
        lines += [
            f"{entry.code}, seed {one.record.seed}: {one.reason}"
            for entry, results in self.studies
            for one in results.failures
        ]
        return list(dict.fromkeys(lines))

    def _all_results(self) -> list[Result]:
        cases = [case for variation in self.variations for case in variation.cases]
        return [*self.results, *(result for case in cases for result in case.results if result)]

    @property
    def passed(self) -> bool:
        """Whether everything finished and nothing differs without a reason."""
        return self.complete and not self.failures and self.counts[Verdict.DIFFERS] == 0


def reproduce(  # noqa: PLR0913
    paper: Paper,
    table: str | None = None,
    *,
    quick: bool = False,
    sensitivity: bool = False,
    workers: int | None = None,
    store: Path | None = None,
    force: bool = False,
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
        force: use the directory though it is neither empty nor of an earlier reproduction.
        on_done: called with the number of finished runs and of all.

    Raises:
        CatalogueError: no such table, or a quantity that the results do not have.
        StoreError: the directory cannot be used.
        RunError, ScenarioError, OSError: a claim divides by zero, or a scenario cannot be read.
    """
    selected = paper.select(table)
    behind = [row for claim in selected.claims for row in rows_behind(claim, paper)]
    swept = [entry for claim in selected.claims for entry in studies_behind(claim, paper)]
    experiments = _experiments(paper, selected, all_entries=sensitivity)
    cases = [case_of(row) for row in (*selected.rows, *behind)]
    cases += [case for experiment in experiments for case in experiment.cases()]
    cases = list(dict.fromkeys(cases))
    entries = list({entry.code: entry for entry in (*selected.studies, *swept)}.values())
    studies = [study_of(paper.row(code), sets, quick=quick) for code, sets in cases]
    studies += [entry.study.replaced(replications=1) if quick else entry.study for entry in entries]
    try:
        done = run_studies(studies, store, workers, lambda n, of, _exact: on_done(n, of), force=force)
    except StudyError as error:
        raise CatalogueError(f"{paper.id}: {error}") from error
    found = {case: result_of(paper.row(case[0]), results) for case, results in zip(cases, done, strict=False)}
    figures = {entry.code: results for entry, results in zip(entries, done[len(cases) :], strict=True)}
    results = {row.code: found[case_of(row)] for row in (*selected.rows, *behind)}
    return Reproduction(
        paper=paper,
        results=tuple(results[row.code] for row in selected.rows),
        quick=quick,
        complete=all(one.complete for one in done),
        variations=tuple(experiment.variation(found) for experiment in experiments),
        findings=tuple(settle(claim, paper, results, figures) for claim in selected.claims),
        studies=tuple((entry, figures[entry.code]) for entry in selected.studies),
    )


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


def unvaried(reproductions: Sequence[Reproduction]) -> str:
    """In a sentence, how many rows and claims have no interval because no seed changed them; or nothing."""
    counted = [
        (_counted([one.deterministic for one in reproductions]), DETERMINISTIC),
        (_counted([one.all_the_same for one in reproductions]), ALL_THE_SAME),
    ]
    parts = [f"{numbers} ({method})" for numbers, method in counted if numbers]
    return f"No interval: {'; '.join(parts)}." if parts else ""


def _counted(numbers: Sequence[Mapping[str, int]]) -> str:
    totals = {what: sum(one[what] for one in numbers) for what in ("rows", "claims")}
    parts = [f"{n} {what if n > 1 else what[:-1]}" for what, n in totals.items() if n]
    return " and ".join(parts)
