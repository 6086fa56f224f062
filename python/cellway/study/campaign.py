"""Does what a study lacks: plans, runs, keeps, and asks for more until the means are exact enough."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cellway.errors import StudyError
from cellway.quantity import NoNumberError
from cellway.statistics import Precision, decide
from cellway.study.execution import HOST, Finished, execute, local_workers
from cellway.study.frozen import freeze
from cellway.study.plan import MODEL_VERSION, Condition, PlannedRun
from cellway.study.responses import Reading, Reduction, Response
from cellway.study.results import Results
from cellway.study.store import Record, Store
from cellway.study.study import Progress, Study

SHOW = 0.2
"""Seconds between two looks at how exact the means are."""


def run_study(study: Study, out: Path | None, workers: int | None, progress: Progress | None) -> Results:
    """See `Study.run`."""
    conditions = study.conditions()
    store = None if out is None else Store.open(out, MODEL_VERSION)
    try:
        if out is not None:
            freeze(study, out)
        campaign = _Campaign(study, conditions, store, progress)
        complete = campaign.run(workers or local_workers())
        results = campaign.results(complete=complete, folder=out)
        if store is not None and out is not None:
            store.commit()
            results.export(out)
        return results
    finally:
        if store is not None:
            store.close()


@dataclass
class _Campaign:
    study: Study
    conditions: Sequence[Condition]
    store: Store | None
    progress: Progress | None
    found: dict[str, Record] = field(default_factory=dict)
    shown_at: float = 0.0
    all: int = 0

    def run(self, workers: int) -> bool:
        """Rounds of runs until nobody asks for more; whether all were done."""
        wanted = [self.study.least_replications] * len(self.conditions)
        while True:
            planned = self._planned(wanted)
            self.all = len(planned)
            self._recall(planned)
            missing = [run for run in planned.values() if run.key not in self.found]
            self._show(force=True)
            if not execute(missing, workers, self._keep, self._idle):
                return False
            asked = self._asked(wanted)
            if asked == wanted:
                return True
            wanted = asked

    def results(self, *, complete: bool, folder: Path | None) -> Results:
        """What there is, in the order of the plan."""
        replications = self._replications()
        runs = tuple(
            tuple(self.found[key] for key in keys if key in self.found)
            for keys in (
                [condition.key(self.study.seed_of(condition, r)) for r in range(1, n + 1)]
                for condition, n in zip(self.conditions, replications, strict=True)
            )
        )
        return Results(self.study, tuple(self.conditions), runs, complete, folder)

    def _replications(self) -> list[int]:
        wanted = [self.study.least_replications] * len(self.conditions)
        while (asked := self._asked(wanted)) != wanted:
            wanted = asked
        return wanted

    def _planned(self, wanted: Sequence[int]) -> dict[str, PlannedRun]:
        """The runs by key, each once though two points may come to the same scenario."""
        runs = (
            self.study.planned(condition, replication)
            for condition, n in zip(self.conditions, wanted, strict=True)
            for replication in range(1, n + 1)
        )
        return {run.key: run for run in runs}

    def _recall(self, planned: Mapping[str, PlannedRun]) -> None:
        """Takes from the store what is there and says all that is asked for now."""
        if self.store is None:
            return
        for record in self.store.records([key for key in planned if key not in self.found]):
            if record.status != "done":
                continue
            numbers = self._completed(record)
            if numbers is None:
                continue
            if numbers != record.metrics:
                self.store.set_metrics(record.key, numbers)
            self._remember(replace(record, metrics=numbers))

    def _completed(self, record: Record) -> dict[str, float | None] | None:
        """The numbers of a stored run with those that it did not have; `None` when it must run again."""
        numbers = dict(record.metrics)
        lacking = [r for r in self.study.responses if not r.explained and r.definition not in numbers]
        if any(isinstance(response.source, Reduction) for response in lacking):
            return None
        if self.study.recorded != () and not self._has_series(record):
            return None
        if lacking:
            numbers.update(_read_summary(lacking, json.loads(record.summary)).numbers)
        return numbers

    def _has_series(self, record: Record) -> bool:
        if self.store is None:
            return False
        kept = self.store.series_names(record.key)
        return bool(kept) if self.study.recorded is None else set(self.study.recorded) <= set(kept)

    def _keep(self, finished: Finished) -> None:
        record = _record(finished, self.study.responses)
        if self.store is not None:
            self.store.add(record, finished.series)
        self._remember(record)
        self._show()

    def _remember(self, record: Record) -> None:
        """Without the summary, so that memory stays flat."""
        self.found[record.key] = replace(record, summary="")

    def _idle(self) -> None:
        if self.store is not None:
            self.store.commit()

    def _asked(self, wanted: Sequence[int]) -> list[int]:
        """How many replications each point needs, as far as its results so far can say."""
        rule = self.study.replications
        if isinstance(rule, int):
            return list(wanted)
        return [
            self._enough(condition, n, rule) for condition, n in zip(self.conditions, wanted, strict=True)
        ]

    def _enough(self, condition: Condition, n: int, rule: Precision) -> int:
        keys = [condition.key(self.study.seed_of(condition, r)) for r in range(1, n + 1)]
        records = [self.found[key] for key in keys if key in self.found]
        if len(records) < n:
            return n
        samples = {
            response.name: [
                value for record in records if (value := response.shown(record.metrics)) is not None
            ]
            for response in self.study.responses
            if not response.explained
        }
        if any(len(values) < n for values in samples.values()):
            return n
        return max(n, decide(samples, rule).replications)

    def _show(self, *, force: bool = False) -> None:
        now = time.monotonic()
        if self.progress is None or (not force and now - self.shown_at < SHOW):
            return
        self.shown_at = now
        self.progress(len(self.found), self.all, self.results(complete=False, folder=None).exactness())


def _record(finished: Finished, responses: Sequence[Response]) -> Record:
    planned, run = finished.planned, finished.run
    reading = Reading({}, (finished.error,)) if run is None else _read(finished, responses)
    return Record(
        key=planned.key,
        parameters=dict(planned.condition.parameters),
        replication=planned.replication,
        seed=planned.seed,
        scenario_hash=planned.condition.scenario_hash,
        status="failed" if run is None else "done",
        metrics=dict(reading.numbers),
        summary="" if run is None else run.summary_json,
        wall_seconds=finished.wall_seconds,
        cpu_seconds=finished.cpu_seconds,
        model_version=MODEL_VERSION,
        host=HOST,
        warnings=reading.warnings,
    )


def _read(finished: Finished, responses: Sequence[Response]) -> Reading:
    assert finished.run is not None  # noqa: S101
    reading = _read_summary(responses, finished.run.summary)
    numbers, warnings = dict(reading.numbers), list(reading.warnings)
    for response in responses:
        if isinstance(response.source, Reduction):
            try:
                series = finished.run.series(response.source.series)
            except KeyError as error:
                raise StudyError(f"response `{response.name}`: {error.args[0]}") from error
            reduced = response.source.read(series)
            numbers.update(reduced.numbers)
            warnings += reduced.warnings
    return Reading(numbers, tuple(warnings))


def _read_summary(responses: Sequence[Response], summary: Mapping[str, object]) -> Reading:
    """The numbers that the summary gives; one that this run lacks, as a mean of nothing, is `None`."""
    numbers: dict[str, float | None] = {}
    warnings: list[str] = []
    for response in responses:
        if response.explained or isinstance(response.source, Reduction):
            continue
        try:
            numbers[response.definition] = response.source.of(summary)
        except NoNumberError as error:
            numbers[response.definition] = None
            warnings.append(str(error))
        except ValueError as error:
            raise StudyError(f"response `{response.name}`: {error}") from error
    return Reading(numbers, tuple(warnings))
