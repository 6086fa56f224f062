"""Runs a paper: its rows, claims, scores, tests of reasons and sensitivities, and judges them."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from cellway.catalogue.claims import Finding, judge_claim, studies_behind
from cellway.catalogue.published import Paper, PublishedStudy, Row, Selection, unique
from cellway.catalogue.reason_tests import ReasonTest, Trial, cases_of, tested, trial
from cellway.catalogue.rows import (
    Case,
    Found,
    Result,
    case_of,
    derived_result,
    first_seed,
    replications,
    result_of,
    study_of,
)
from cellway.catalogue.scores import Scored
from cellway.catalogue.scoring import null_cases, scored
from cellway.catalogue.sensitivity import Experiment, Variation
from cellway.catalogue.tally import Tally, tally
from cellway.catalogue.verdict import Verdict, counts
from cellway.errors import CatalogueError, StudyError
from cellway.notebook import display
from cellway.statistics import ALL_THE_SAME, DETERMINISTIC
from cellway.study import Results
from cellway.study.campaign import run_studies


@dataclass(frozen=True)
class Reproduction:
    """A paper, or one table of it, re-run.

    Attributes:
        paper: the paper as published.
        results: one per row, then one per derived number.
        quick: true if everything had one replication only, whatever the catalogue states.
        complete: false after Ctrl-C. A run that fails leaves its row without a verdict, and the
            others go on.
        variations: sensitivity tables, when asked for.
        findings: one per claim.
        studies: the figures that are studies, with their results.
        scores: scores of the tables that were run whole.
        reason_tests: tests of the reasons for entries that were run; none if `quick`.
    """

    paper: Paper
    results: tuple[Result, ...]
    quick: bool
    complete: bool
    variations: tuple[Variation, ...] = ()
    findings: tuple[Finding, ...] = ()
    studies: tuple[tuple[PublishedStudy, Results], ...] = ()
    scores: tuple[Scored, ...] = ()
    reason_tests: tuple[ReasonTest, ...] = ()

    def _repr_html_(self) -> str:
        """The report as a frame, for notebooks."""
        return display(self)

    @property
    def counts(self) -> dict[Verdict, int]:
        """Number of results and claims with each verdict."""
        verdicts = [result.verdict for result in self.results]
        return counts(verdicts + [finding.verdict for finding in self.findings])

    @property
    def tally(self) -> Tally:
        """Verdicts by kind of number or claim."""
        return tally(self.results, self.findings)

    def result(self, code: str) -> Result | None:
        """Result of a row or a derived number; `None` when it was not selected."""
        return next((result for result in self.results if result.code == code), None)

    def reason_test(self, code: str) -> ReasonTest | None:
        """Test of the reason of the row or claim `code`; `None` when no reason is on record."""
        return next((test for test in self.reason_tests if test.of == code), None)

    @property
    def fallen(self) -> tuple[str, ...]:
        """Codes of entries whose reason fell: on record as fallen, or failed in its test."""
        shown = {one.code for one in self.results} | {one.code for one in self.findings}
        recorded = (code for one in self.paper.fallen for code in one.of if code in shown)
        failed = (test.of for test in self.reason_tests if not test.passed)
        return tuple(dict.fromkeys((*recorded, *failed)))

    @property
    def judged(self) -> str:
        """Entries that the counts cover: ``"9 rows and 2 claims"``."""
        parts = [f"{len(self.results)} rows"] if self.results or not self.findings else []
        parts += [f"{len(self.findings)} claims"] if self.findings else []
        return " and ".join(parts)

    @property
    def deterministic(self) -> dict[str, int]:
        """Number of rows and claims without interval because the seed changes nothing."""
        return self._without_interval(DETERMINISTIC)

    @property
    def all_the_same(self) -> dict[str, int]:
        """Number of rows and claims without interval because no run differs in this number."""
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
        """Runs that could not finish, one line each with the code of their row or study."""
        rows = [one for one in self._all_results() if isinstance(one.number, Row)]
        lines = [f"{one.code}, {said}" for one in rows for said in one.failed]
        lines += [f"{one.score.code}, {said}" for one in self.scores for said in one.failed]
        lines += [
            f"{entry.code}, seed {one.record.seed}: {one.reason}"
            for entry, results in self.studies
            for one in results.failures
        ]
        return list(dict.fromkeys(lines))

    def _all_results(self) -> list[Result]:
        cases = [case for variation in self.variations for case in variation.cases]
        tests = [
            one
            for test in self.reason_tests
            for one in (test.chosen, test.without, *test.also_without)
        ]
        return [
            *self.results,
            *(result for case in cases for result in case.results if result),
            *(one for one in tests if isinstance(one, Result)),
        ]

    @property
    def passed(self) -> bool:
        """True if everything finished and no number differs without a reason.

        In a quick run, which tests no reason, one on record is enough.
        """
        return self.complete and not self.failures and not self._unexplained

    @property
    def _unexplained(self) -> list[str]:
        """Codes of entries that differ; in a quick run, without those with a reason on record."""
        judged: list[Result | Finding] = [*self.results, *self.findings]
        known = {code for one in self.paper.reasons for code in one.of} if self.quick else set()
        return [
            one.code for one in judged if one.verdict is Verdict.DIFFERS and one.code not in known
        ]

    def as_data(self) -> dict[str, Any]:
        """Everything that the text shows, units in the rows, shares as fractions, for JSON."""
        return {
            "paper": self.paper.id,
            "title": self.paper.title,
            "quick": self.quick,
            "complete": self.complete,
            "failed": self.failures,
            "deterministic": self.deterministic,
            "all_the_same": self.all_the_same,
            "counts": {verdict.value: count for verdict, count in self.counts.items()},
            "tally": self.tally.as_data(),
            "rows": [result.as_data() for result in self.results],
            "studies": [
                {"code": entry.code, **results.as_data()} for entry, results in self.studies
            ],
            "claims": [finding.as_data() for finding in self.findings],
            "scores": [scored.as_data() for scored in self.scores],
            "reasons": [test.as_data() for test in self.reason_tests],
            "fallen_reasons": list(self.fallen),
            "sensitivity": [variation.as_data() for variation in self.variations],
        }


@dataclass(frozen=True)
class _Plan:
    """Everything that has to be run for a selection."""

    paper: Paper
    selected: Selection
    experiments: tuple[Experiment, ...]
    trials: tuple[Trial, ...]
    quick: bool

    @property
    def rows(self) -> tuple[Row, ...]:
        """Selected rows first, then rows that other entries need."""
        paper, selected = self.paper, self.selected
        codes = [derived.code for derived in selected.derived]
        codes += [claim.code for claim in selected.claims]
        codes += [code for score in selected.scores for code in score.rows]
        codes += [code for tried in self.trials for code in tried.family]
        behind = [row for code in codes for row in paper.rows_of(code)]
        return unique((*selected.rows, *behind))

    @property
    def studies(self) -> list[PublishedStudy]:
        """Selected studies, and studies behind claims."""
        behind = [
            entry for claim in self.selected.claims for entry in studies_behind(claim, self.paper)
        ]
        return list({entry.code: entry for entry in (*self.selected.studies, *behind)}.values())

    def cases(self) -> list[Case]:
        """Cases of rows that are needed, each once."""
        cases = [case_of(row) for row in self.rows]
        for score in self.selected.scores:
            cases += [] if self.quick else null_cases(score, self.paper)
        for tried in self.trials:
            cases += cases_of(tried, self.paper)
        for experiment in self.experiments:
            cases += experiment.cases()
        return list(dict.fromkeys(cases))


def planned_runs(paper: Paper, *, quick: bool = False) -> int:
    """Number of runs of a whole paper, before any of them.

    Runs of several rows count once if these set the same keys to the same values; the runner also
    joins those whose resolved scenarios are equal, which are few.
    """
    selected = paper.select(None)
    plan = _Plan(paper, selected, (), () if quick else _trials(paper, selected), quick)
    runs: set[tuple[Path, str, int]] = set()
    for case in plan.cases():
        row = paper.row(case.code)
        count = 0 if row.explained else replications(row, case, quick=quick)
        keys = repr(sorted(dict((*row.sets, *case.sets)).items()))
        runs |= {(row.scenario, keys, first_seed(case) + at) for at in range(count)}
    points = (
        one.study.design.count(one.study.factors) * (1 if quick else one.study.min_replications)
        for one in plan.studies
    )
    return len(runs) + sum(points)


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
    executor: Executor | str | None = None,
) -> Reproduction:
    """Runs the rows and claims of `table` (all for `None`) and judges them.

    Args:
        paper: from `cellway.catalogue.paper`.
        table: a table, or the code of a row, a claim or a sensitivity entry; the rows that a claim
            needs are run with it, and an entry runs whatever `sensitivity` is.
        quick: one replication of everything, no null models that need runs, and no tests of
            reasons, so that no difference is explained.
        sensitivity: also run the alternatives that concern these rows.
        workers: threads; `None` takes a core each. The results do not depend on it.
        store: a directory that keeps every run, so that the next time only missing ones run.
        force: use the directory though it is neither empty nor of an earlier reproduction.
        on_done: called with the number of finished runs and of all runs.
        executor: of the runs, as for a study; `None` for threads.

    Raises:
        CatalogueError: no such table, or a quantity that the results do not have.
        StoreError: the directory cannot be used.
        RunError, ScenarioError, OSError: a claim divides by zero, or a scenario cannot be read.
    """
    selected = paper.select(table)
    plan = _Plan(
        paper,
        selected,
        _experiments(paper, selected, all_entries=sensitivity),
        () if quick else _trials(paper, selected),
        quick,
    )
    cases, entries = plan.cases(), plan.studies
    studies = [study_of(paper.row(case.code), case, quick=quick) for case in cases]
    studies += [entry.study.replaced(replications=1) if quick else entry.study for entry in entries]
    try:
        done = run_studies(
            studies,
            store,
            workers,
            lambda n, of, _exact: on_done(n, of),
            force=force,
            executor=executor,
        )
    except StudyError as error:
        raise CatalogueError(f"{paper.id}: {error}") from error
    found = {
        case: result_of(paper.row(case.code), one) for case, one in zip(cases, done, strict=False)
    }
    figures = {
        entry.code: results for entry, results in zip(entries, done[len(cases) :], strict=True)
    }
    complete = all(one.complete for one in done)
    return _judged(plan, found, figures, complete=complete)


def _judged(
    plan: _Plan, found: Found, figures: Mapping[str, Results], *, complete: bool
) -> Reproduction:
    """Reproduction from the results of all runs."""
    paper, selected = plan.paper, plan.selected
    results = {row.code: found[case_of(row)] for row in plan.rows}
    for derived in paper.derived:
        if all(row.code in results for row in paper.rows_of(derived.code)):
            results[derived.code] = derived_result(derived, paper, results)
    codes = _codes(selected)
    tests = [
        test
        for tried in plan.trials
        for test in tested(tried, paper, found, results)
        if test.of in codes
    ]
    holds = {test.of for test in tests if test.passed}
    findings = [judge_claim(claim, paper, results, figures) for claim in selected.claims]
    shown = [results[one.code] for one in (*selected.rows, *selected.derived)]
    return Reproduction(
        paper=paper,
        results=tuple(_explained(result, holds) for result in shown),
        quick=plan.quick,
        complete=complete,
        variations=tuple(experiment.variation(found) for experiment in plan.experiments),
        findings=tuple(_explained(finding, holds) for finding in findings),
        studies=tuple((entry, figures[entry.code]) for entry in selected.studies),
        scores=scored(selected.scores, paper, results, found) if complete else (),
        reason_tests=tuple(tests),
    )


_Judged = TypeVar("_Judged", Result, Finding)


def _explained(one: _Judged, holds: set[str]) -> _Judged:
    """The result; a difference whose reason passed its test gets the verdict `BECAUSE`."""
    if one.verdict is Verdict.DIFFERS and one.code in holds:
        return replace(one, verdict=Verdict.BECAUSE)
    return one


def _trials(paper: Paper, selected: Selection) -> tuple[Trial, ...]:
    """Trials of the reasons for selected entries."""
    codes = _codes(selected)
    found = [reason for reason in paper.reasons if codes.intersection(reason.of)]
    return tuple(trial(reason, paper) for reason in found)


def _codes(selected: Selection) -> set[str]:
    rows = {one.code for one in (*selected.rows, *selected.derived)}
    return rows | {claim.code for claim in selected.claims}


def _experiments(paper: Paper, selected: Selection, *, all_entries: bool) -> tuple[Experiment, ...]:
    """Entries chosen by code, with all rows; other entries with the chosen rows."""
    shown = [row.code for row in selected.rows]
    experiments = []
    for entry in paper.sensitivities:
        chosen = entry in selected.sensitivities
        codes = [code for code in entry.rows if chosen or (all_entries and code in shown)]
        if codes:
            experiments.append(Experiment(entry, tuple(paper.row(code) for code in codes)))
    return tuple(experiments)


def unvaried(reproduction: Reproduction) -> str:
    """Sentence on the rows and claims without interval because no seed changed them."""
    counted = [
        (_counted(reproduction.deterministic), DETERMINISTIC),
        (_counted(reproduction.all_the_same), ALL_THE_SAME),
    ]
    parts = [f"{numbers} ({method})" for numbers, method in counted if numbers]
    return f"No interval: {'; '.join(parts)}." if parts else ""


def _counted(numbers: Mapping[str, int]) -> str:
    parts = [f"{n} {what if n > 1 else what[:-1]}" for what, n in numbers.items() if n]
    return " and ".join(parts)
