"""Runs of a study whose numbers lie in columns; a `Record` of one is made when it is asked for."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, overload

from cellway.statistics import repeat_each_other
from cellway.study.partitions import METRIC
from cellway.study.plan import Condition
from cellway.study.record import Record, json_of

if TYPE_CHECKING:
    import polars as pl


class PointRuns(Sequence[Record]):
    """Finished runs of a point by replication, from 1 without a gap."""

    def __init__(self, kept: "KeptRuns", condition: Condition, start: int, stop: int) -> None:
        self._kept = kept
        self._condition = condition
        self._start = start
        self._stop = stop

    def numbers(self, definition: str) -> list[float | None]:
        """Numbers of a definition in the store, by replication."""
        return self._kept.numbers(definition)[self._start : self._stop]

    @property
    def seeds(self) -> list[int]:
        """Seeds by replication."""
        return self._kept.seeds[self._start : self._stop]

    @property
    def repeat_each_other(self) -> bool:
        """True if all runs, two or more, have one outcome and the same numbers."""
        outcomes = self._kept.outcomes[self._start : self._stop]
        if len(outcomes) < 2 or len({*outcomes}) > 1 or not outcomes[0]:  # noqa: PLR2004
            return False
        return self._frame.select(f"^{METRIC}.*$").n_unique() <= 1

    @property
    def _frame(self) -> "pl.DataFrame":
        return self._kept.frame.slice(self._start, self._stop - self._start)

    def __len__(self) -> int:
        return self._stop - self._start

    def __iter__(self) -> Iterator[Record]:
        for replication, row in enumerate(self._frame.iter_rows(named=True), 1):
            yield _record(row, self._condition, replication)

    @overload
    def __getitem__(self, at: int) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Record]: ...
    def __getitem__(self, at: int | slice) -> Record | Sequence[Record]:
        """A run, or several."""
        if isinstance(at, slice):
            return [*self][at]
        where = range(len(self))[at]
        row = self._frame.row(where, named=True)
        return _record(row, self._condition, where + 1)


class KeptRuns(Sequence[PointRuns]):
    """Finished runs of all points of a study: none failed, and none was measured.

    `frame` has a row for each run, point by point and by replication, in the columns that
    `partitions.frame_of` makes; `conditions` has the scenarios of the points, which have equally
    many runs.
    """

    def __init__(self, frame: "pl.DataFrame", conditions: Sequence[Condition]) -> None:
        self.frame = frame
        self.conditions = tuple(conditions)
        self._numbers: dict[str, list[float | None]] = {}
        each = frame.height // len(self.conditions)
        ends = pairwise(range(0, frame.height + 1, each))
        self._points = [
            PointRuns(self, condition, *at)
            for condition, at in zip(self.conditions, ends, strict=True)
        ]

    def numbers(self, definition: str) -> list[float | None]:
        """Numbers of a definition of all runs."""
        if definition not in self._numbers:
            name = f"{METRIC}{definition}"
            known = name in self.frame.columns
            self._numbers[definition] = (
                self.frame[name].to_list() if known else [None] * self.frame.height
            )
        return self._numbers[definition]

    @cached_property
    def seeds(self) -> list[int]:
        """Seeds of all runs."""
        return self.frame["seed"].to_list()

    @cached_property
    def outcomes(self) -> list[str]:
        """Digests of the results of all runs."""
        return self.frame["outcome"].to_list()

    @property
    def editions(self) -> tuple[str, ...]:
        """Editions of the model, sorted."""
        return tuple(sorted(self.frame["model_version"].unique()))

    @property
    def warnings(self) -> dict[str, int]:
        """Warnings of the runs, each with the number of runs that have it."""
        counts: dict[str, int] = {}
        of_texts = self.frame.group_by("warnings", maintain_order=True).len()
        for text, count in of_texts.iter_rows():
            for one in json.loads(text):
                counts[one] = counts.get(one, 0) + count
        return counts

    def __len__(self) -> int:
        return len(self._points)

    @overload
    def __getitem__(self, at: int) -> PointRuns: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[PointRuns]: ...
    def __getitem__(self, at: int | slice) -> PointRuns | Sequence[PointRuns]:
        """Runs of a point, or of several."""
        return self._points[at]


class EveryRun(Sequence[Record]):
    """All runs of `KeptRuns`, point by point."""

    def __init__(self, kept: KeptRuns) -> None:
        self._kept = kept

    def __len__(self) -> int:
        return self._kept.frame.height

    def __iter__(self) -> Iterator[Record]:
        return chain.from_iterable(self._kept)

    @overload
    def __getitem__(self, at: int) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Record]: ...
    def __getitem__(self, at: int | slice) -> Record | Sequence[Record]:
        """A run, or several."""
        if isinstance(at, slice):
            return [*self][at]
        point, place = divmod(range(len(self))[at], len(self._kept[0]))
        return self._kept[point][place]


def numbers_of(runs: Sequence[Record], definition: str) -> list[float | None]:
    """Numbers of a definition in the store, of the runs that are done."""
    if isinstance(runs, PointRuns):
        return runs.numbers(definition)
    return [one.metrics.get(definition) for one in runs if one.status == "done"]


def numbers_by_seed(runs: Sequence[Record], definition: str) -> dict[int, float | None]:
    """Numbers of a definition in the store by the seeds of the runs."""
    if isinstance(runs, PointRuns):
        return dict(zip(runs.seeds, runs.numbers(definition), strict=True))
    return {one.seed: one.metrics.get(definition) for one in runs}


def numbers_by_replication(runs: Sequence[Record], definition: str) -> list[float | None]:
    """Numbers of a definition in the store by replication, from 1; `None` for missing ones."""
    if isinstance(runs, PointRuns):
        return runs.numbers(definition)
    found = {one.replication: one.metrics.get(definition) for one in runs}
    return [found.get(number) for number in range(1, max(found, default=0) + 1)]


def repeat(runs: Sequence[Record]) -> bool:
    """True if all runs of a point, two or more, have one outcome and the same numbers."""
    if isinstance(runs, PointRuns):
        return runs.repeat_each_other
    if not all(record.status == "done" and record.outcome for record in runs):
        return False
    if len({record.outcome for record in runs}) > 1:  # The numbers need not be compared.
        return False
    return repeat_each_other([(one.outcome, json_of(dict(one.metrics))) for one in runs])


def _record(row: dict[str, Any], condition: Condition, replication: int) -> Record:
    metrics = {name: row[f"{METRIC}{name}"] for name in row["defined"].split("\n") if name}
    return Record(
        key=row["key"],
        parameters=condition.parameters,
        replication=replication,
        seed=row["seed"],
        scenario_hash=row["scenario_hash"],
        status="done",
        metrics=metrics,
        summary="",
        wall_seconds=row["wall_seconds"],
        cpu_seconds=row["cpu_seconds"],
        model_version=row["model_version"],
        host=row["host"],
        warnings=tuple(json.loads(row["warnings"])),
        outcome=row["outcome"],
    )
