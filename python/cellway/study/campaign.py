"""Plans and does the missing runs of studies, until the means are exact enough.

Several studies may share a campaign: a run that two of them need is done once. A run of each point
comes first, and then the longest.
"""

import json
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from cellway.disk.folders import Marker
from cellway.disk.replacement import finish_if_possible
from cellway.errors import StudyError
from cellway.runs.models import MODEL_VERSION
from cellway.runs.series import Series
from cellway.study.execution import Finished, execute, local_workers, stopping
from cellway.study.executors import THREADS, Crew, chosen, execute_by, named, require_word
from cellway.study.file import load_study
from cellway.study.foreign import imported_results
from cellway.study.kept import kept_runs
from cellway.study.measuring import refuse_again, require_kernel
from cellway.study.own_files import STUDY
from cellway.study.plan import PlannedRun
from cellway.study.reading import read_summary, record_of, recorded
from cellway.study.record import Record, digested
from cellway.study.remaining import announced
from cellway.study.responses import Reduction, Response
from cellway.study.results import Results
from cellway.study.store import Store
from cellway.study.study import Progress, Study
from cellway.study.wanted import Wanted
from cellway.study.whole import begun, whole_results
from cellway.text.document import load_document

SHOW = 0.2
"""Seconds between two checks of the precision of the means."""


def run_study(  # noqa: PLR0913
    study: Study,
    out: Path | None,
    workers: int | None,
    progress: Progress | None,
    *,
    paths: int = 1,
    force: bool = False,
    again: bool = False,
    executor: Executor | str | None = None,
) -> Results:
    """Runs one study; see `Study.run`."""
    (results,) = run_studies(
        [study],
        out,
        workers,
        progress,
        paths=paths,
        frozen=True,
        force=force,
        again=again,
        executor=executor,
    )
    if out is not None:
        results.export(out)
    return results


def run_studies(  # noqa: PLR0913
    studies: Sequence[Study],
    out: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    paths: int = 1,
    frozen: bool = False,
    force: bool = False,
    again: bool = False,
    executor: Executor | str | None = None,
) -> list[Results]:
    """Does the missing runs of `studies`; returns their results, in the same order.

    Args:
        studies: any number; their runs may be the same.
        out: a directory that keeps every run; `None` keeps nothing.
        workers: simulated runs at a time; `None` takes a core each.
        progress: called now and then.
        paths: measured runs side by side.
        frozen: true writes the one study into `out`, too.
        force: true uses `out` even if it holds files of others, and replaces those with our names.
        again: true discards the measured runs in `out`.
        executor: of simulated runs: one of `concurrent.futures`, or a word of
            `cellway.study.executors`; `None` for threads.

    Raises:
        StudyError: a response that the runs do not have, a combination of levels that is no
            scenario, or one that the kernel cannot measure.
        StoreError: the directory cannot be used, or has measured runs of another kernel.
        MeasurementError: runs are to be measured, and this machine cannot.
    """
    for study in studies:
        if study.imported:
            raise StudyError(f"{study.name}: results of another tool; a study to run is expected")
    if isinstance(executor, str):
        require_word(executor)
    parts = [Wanted(study, study.conditions()) for study in studies]
    for part in parts:
        part.require_measurable(out, again=again)
    marker = Marker("study", studies[0].name) if frozen else Marker("campaign", "")
    shared = any(study.part is not None for study in studies)
    store = (
        None if out is None else Store.open(out, MODEL_VERSION, marker, force=force, shared=shared)
    )
    try:
        if store is not None:
            found = begun(parts, store, frozen=frozen, force=force, again=again)
            if found is not None:
                return [found]
        campaign = _Campaign(parts, store, progress)
        means = Means(workers or local_workers(), paths, executor)
        with announced(store if frozen else None, means.workers):
            complete = campaign.run(means)
        if store is not None:
            store.require_series()
        return [
            Results(
                part.study,
                tuple(part.conditions),
                campaign.runs_of(part),
                complete and part.study.part is None,
                out,
                campaign.retried(part),
                campaign.restored(part),
                part_done=complete and part.study.part is not None,
                notes=() if store is None else store.notes,
            )
            for part in parts
        ]
    finally:
        if store is not None:
            store.close()


def load_results(folder: str | Path) -> Results:
    """Loads the results in a study's directory and runs nothing; `Results.models` has its models.

    Raises:
        StudyError, ScenarioError, OSError: its frozen study cannot be read.
        StoreError: there are no runs, or they cannot be read.
    """
    folder = Path(folder)
    finish_if_possible(folder)
    study = load_study(folder / STUDY)
    if study.imported:
        return imported_results(study, load_document(folder / STUDY, StudyError, "a study"), folder)
    part = Wanted(study, study.conditions())
    with Store.read(folder) as store:
        if (found := whole_results(part, store)) is not None:
            return found
        campaign = _Campaign([part], store, None)
        complete = campaign.recall()
        return Results(
            study,
            tuple(part.conditions),
            campaign.runs_of(part),
            complete and study.part is None,
            folder,
            part_done=complete and study.part is not None,
            notes=store.notes,
        )


@dataclass(frozen=True)
class Means:
    """Workers of a campaign.

    Attributes:
        workers: simulated runs at a time.
        paths: measured runs side by side.
        executor: of simulated runs; `None` for threads.
    """

    workers: int
    paths: int
    executor: Executor | str | None = None


@dataclass
class _Campaign:
    parts: Sequence[Wanted]
    store: Store | None
    progress: Progress | None
    found: dict[str, Record] = field(default_factory=dict)
    asked: dict[str, list[Response]] = field(default_factory=dict)
    failed_before: set[str] = field(default_factory=set)
    lost_before: set[str] = field(default_factory=set)
    shown_at: float = 0.0
    show_every: float = SHOW

    def run(self, means: "Means") -> bool:
        """Does rounds of runs until none is missing, or a signal comes; true if all were done."""
        with stopping() as stopped:
            while not stopped.is_set():
                planned = self._planned()
                self._recall(planned)
                missing = [run for run in planned.values() if run.key not in self.found]
                self._show(force=True)
                if not self._execute(missing, means, stopped):
                    return False
                asked = [part.ask(self.found) for part in self.parts]
                if not any(asked):
                    return True
        return False

    def _execute(
        self, missing: Sequence[PlannedRun], means: "Means", stopped: threading.Event
    ) -> bool:
        """Simulates, then measures, so that measurements have the machine for themselves."""
        simulated = [run for run in missing if not run.condition.is_measured]
        measured = [run for run in missing if run.condition.is_measured]
        if measured and self.store is not None:
            require_kernel(self.store)
        if not self._simulate(simulated, means, stopped):
            return False
        return execute(measured, means.paths, stopped, self._keep, self._idle)

    def _simulate(
        self, runs: Sequence[PlannedRun], means: "Means", stopped: threading.Event
    ) -> bool:
        word = chosen(means.executor, runs) if isinstance(means.executor, str) else THREADS
        if isinstance(means.executor, Executor):
            crew: AbstractContextManager[Crew] = nullcontext(Crew(means.executor, means.workers))
        elif word == THREADS or not runs:
            return execute(runs, means.workers, stopped, self._keep, self._idle)
        else:
            crew = named(word, means.workers)
        with crew as working:
            return execute_by(working, runs, self.asked, stopped, self._store, self._idle)

    def recall(self) -> bool:
        """Takes the runs that the store has; true if none is missing."""
        while True:
            planned = self._planned()
            self._recall(planned)
            if not set(planned) <= set(self.found):
                return False
            asked = [part.ask(self.found) for part in self.parts]
            if not any(asked):
                return True

    def runs_of(self, part: Wanted) -> tuple[tuple[Record, ...], ...]:
        """The finished runs of a study, by point and replication, under the names of this study.

        A stored run may come from another study, with other names and replication numbers.
        """
        kernels = {self.found[run.key].kernel for run in part.planned() if run.key in self.found}
        if len(kernels - {""}) > 1:
            raise StudyError(
                f"{part.study.name}: its runs were measured by the kernels "
                f"{' and '.join(sorted(kernels - {''}))}, which have no mean together"
            )
        return tuple(
            tuple(
                _under(run, self.found[run.key])
                for run in part.planned_at(point, n)
                if run.key in self.found
            )
            for point, n in enumerate(part.replications)
        )

    def retried(self, part: Wanted) -> int:
        """Number of runs that had failed at an earlier start and were done again."""
        runs = {run.key for run in part.planned()}
        return len(runs & self.failed_before & set(self.found))

    def restored(self, part: Wanted) -> int:
        """Number of runs that were damaged, or lacked their series, and were done again."""
        runs = {run.key for run in part.planned()}
        return len(runs & self.lost_before & set(self.found))

    def _planned(self) -> dict[str, PlannedRun]:
        """Runs by key, each once even if two points have the same scenario."""
        planned: dict[str, PlannedRun] = {}
        self.asked = {}
        for part in self.parts:
            for run in part.planned():
                known = planned.get(run.key)
                planned[run.key] = run if known is None else known.recording(run.recorded)
                asked = self.asked.setdefault(run.key, [])
                asked += [response for response in part.simulated if response not in asked]
        return planned

    def _recall(self, planned: Mapping[str, PlannedRun]) -> None:
        """Takes the planned runs from the store, and adds numbers that are asked for only now."""
        if self.store is None:
            return
        unknown = {key: run for key, run in planned.items() if key not in self.found}
        for key, record in kept_runs(self.store, unknown):
            if record.status == "failed":
                self._recall_failed(key, record)
                continue
            completed = self._completed(record, planned[key])
            if completed is None:
                measured = planned[key].condition.is_measured
                if measured and self.store.writes and key not in self.lost_before:
                    refuse_again(self.store, planned[key])
                continue
            if completed != record and self.store.writes:
                self.store.set_metrics(record.key, completed.metrics, completed.warnings)
            self._remember(key, completed)
        self.lost_before |= self.store.damaged & set(unknown)

    def _recall_failed(self, key: str, record: Record) -> None:
        """Takes a failed run as a result if nothing may be run; else counts it to run again."""
        if self.store is not None and self.store.writes:
            self.failed_before.add(key)
        else:
            self._remember(key, record)

    def _completed(self, record: Record, planned: PlannedRun) -> Record | None:
        """A stored run with the numbers that it lacked; `None` when it must run again."""
        lacking = [
            response
            for response in self.asked[planned.key]
            if response.definition not in record.metrics
        ]
        if any(isinstance(response.source, Reduction) for response in lacking):
            return None
        if not self._has_series(record.key, planned):
            return None
        if self._lost_series(record.key, planned):
            self.lost_before.add(planned.key)
            return None
        if not lacking or not record.summary:
            return record
        try:
            summary = json.loads(record.summary)
        except ValueError:  # The database is damaged there.
            return None
        reading = read_summary(lacking, summary)
        warnings = dict.fromkeys((*record.warnings, *reading.warnings))
        return replace(
            record, metrics={**record.metrics, **reading.numbers}, warnings=tuple(warnings)
        )

    def _has_series(self, key: str, planned: PlannedRun) -> bool:
        """True if all series that the plan wants are kept."""
        if planned.recorded == () or self.store is None:
            return True
        kept = self.store.series_names(key)
        if planned.recorded is None:
            return bool(kept) or not planned.condition.observes
        return set(planned.recorded) <= set(kept)

    def _lost_series(self, key: str, planned: PlannedRun) -> bool:
        """True if series that the plan wants were kept, and are missing or damaged."""
        return planned.recorded != () and self.store is not None and self.store.has_lost_series(key)

    def _keep(self, finished: Finished) -> None:
        self._store(record_of(finished, self.asked[finished.planned.key]), recorded(finished))

    def _store(self, record: Record, series: Sequence[Series]) -> None:
        if self.store is not None:
            self.store.add(record, series)
        self._remember(record.key, record)
        self._show()

    def _remember(self, key: str, record: Record) -> None:
        self.found[key] = digested(record)

    def _idle(self) -> None:
        if self.store is not None:
            self.store.commit()

    def _show(self, *, force: bool = False) -> None:
        now = time.monotonic()
        if self.progress is None or (not force and now - self.shown_at < self.show_every):
            return
        exact = ""
        if len(self.parts) == 1:
            (part,) = self.parts
            results = Results(
                part.study, tuple(part.conditions), self.runs_of(part), complete=False
            )
            exact = results.exactness()
        self.progress(len(self.found), len(self.asked), exact)
        # Checks of many points take time: at most a twentieth of the whole.
        self.shown_at = time.monotonic()
        self.show_every = max(SHOW, 20.0 * (self.shown_at - now))


def _under(run: PlannedRun, record: Record) -> Record:
    """The record under the names of the plan."""
    levels, number = run.condition.parameters, run.replication
    if (record.parameters, record.replication) == (levels, number):
        return record
    return replace(record, parameters=levels, replication=number)
