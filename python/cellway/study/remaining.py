"""Progress of a study as its folder tells it, also to other processes and machines.

While a study runs, `progress.json` says since when, after which row and with how many workers. The
rest follows from the database. The work of a run is the CPU time of finished runs of its point or,
where there are none, its estimate (`cost.py`) times the ratio of CPU times and estimates so far; of
a measured run it is its time. Time of workers that no finished run took went into runs under way,
at the speed of the finished ones. The remaining time is that in which the workers make the runs
that are left, the longest first, at the speed so far. So the speed of the workers and other
programs on their machines need not be known, as long as both stay.
"""

import heapq
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellway.disk.files import read_limited, write_text
from cellway.study.database import has_writer
from cellway.study.file import load_study
from cellway.study.own_files import STUDY
from cellway.study.plan import Condition
from cellway.study.store import Store
from cellway.study.wanted import Wanted

FILE = "progress.json"


@dataclass(frozen=True)
class Timed:
    """A run with the time it takes.

    Attributes:
        kind: runs of one kind take about the same time.
        expected: estimate in seconds, positive.
        seconds: its CPU time, of a measured run its time; `None` if it is not finished.
        wall: time that passed for it; `None` if it is not finished, or as `seconds`.
    """

    kind: object
    expected: float
    seconds: float | None = None
    wall: float | None = None


@dataclass(frozen=True)
class Progress:
    """Progress of the study in one folder.

    Attributes:
        folder: the folder.
        done: number of runs that are there, with failed ones.
        runs: number of all; under a stopping rule the least.
        elapsed: seconds since the present start; `None` if it is not running.
        remaining: seconds that are left; `None` if not running, or before the first run is done.
    """

    folder: Path
    done: int
    runs: int
    elapsed: float | None
    remaining: float | None

    def as_data(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "folder": str(self.folder),
            "done": self.done,
            "runs": self.runs,
            "elapsed_seconds": self.elapsed,
            "remaining_seconds": self.remaining,
        }


@contextmanager
def announced(store: Store | None, workers: int) -> Iterator[None]:
    """Says in the folder of a store that its study runs, by so many workers, while it does."""
    if store is None:
        yield
        return
    file = store.folder / FILE
    said = {"started": time.time(), "after_row": store.last_row(), "workers": workers}
    with suppress(OSError):  # The first run says so if the disk is full.
        write_text(file, json.dumps(said) + "\n")
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)


def remaining_seconds(
    done: Sequence[Timed], left: Sequence[Timed], elapsed: float, workers: int = 1
) -> float | None:
    """Seconds that are left; `None` as long as nothing was done.

    Args:
        done: runs that were done in `elapsed` seconds.
        left: runs to do; the longest come first, and some of them may be under way.
        elapsed: seconds since the start.
        workers: most runs under way.
    """
    worked = sum(one.seconds or 0.0 for one in done)
    if not left:
        return 0.0
    if not worked or elapsed <= 0.0:
        return None
    times: dict[object, list[float]] = {}
    for one in done:
        times.setdefault(one.kind, []).append(one.seconds or 0.0)
    ratio = worked / sum(one.expected for one in done)
    means = {kind: sum(of) / len(of) for kind, of in times.items()}
    first = sorted(left, key=lambda one: -one.expected)
    todo = [means.get(one.kind, ratio * one.expected) for one in first]
    taken = sum(one.wall or one.seconds or 0.0 for one in done)
    unfinished = max(workers * elapsed - taken, 0.0) * worked / taken
    under_way = min(unfinished, sum(todo[:workers]))
    return workers * elapsed / (worked + under_way) * _work_of_last(todo, workers, under_way)


def _work_of_last(todo: Sequence[float], workers: int, under_way: float) -> float:
    """Work of the worker who is last to end when each takes the next run as soon as it is free.

    Of the first runs, one per worker, `under_way` is done.
    """
    begun = sum(todo[:workers])
    part_left = 1.0 - under_way / begun if begun else 0.0
    free = [part_left * work for work in todo[:workers]]
    heapq.heapify(free)
    for work in todo[workers:]:
        heapq.heapreplace(free, free[0] + work)
    return max(free)


def progress_of(folder: Path, now: float | None = None) -> Progress:
    """Progress of the study in `folder`, which another process may be writing.

    Args:
        folder: of the study or of a part of it.
        now: seconds since 1970; by default those of the clock.

    Raises:
        StudyError, ScenarioError, StoreError, OSError: it cannot be read.
    """
    study = load_study(folder / STUDY)
    wanted = Wanted(study, study.conditions())
    with Store.read(folder) as store:
        planned = _planned(wanted, store)
        rows = {
            key: (number, wall if planned[key].is_measured else cpu, wall)
            for number, key, wall, cpu in store.times()
            if key in planned and isinstance(wall, float) and isinstance(cpu, float)
        }
    started = _started(folder)
    elapsed = None if started is None else (time.time() if now is None else now) - started[0]
    remaining = None
    if started is not None and elapsed is not None:
        expected = {
            key: one.seconds if one.is_measured else one.work.seconds
            for key, one in planned.items()
        }
        done = [
            Timed(planned[key].scenario_hash, expected[key], seconds, wall)
            for key, (number, seconds, wall) in rows.items()
            if number > started[1]
        ]
        left = [
            Timed(one.scenario_hash, expected[key])
            for key, one in planned.items()
            if key not in rows
        ]
        remaining = remaining_seconds(done, left, elapsed, started[2])
    return Progress(folder, len(rows), len(planned), elapsed, remaining)


def _planned(wanted: Wanted, store: Store) -> dict[str, Condition]:
    """Conditions, by key, of the runs that are needed as far as finished runs can tell."""
    while True:
        planned = {run.key: run.condition for run in wanted.planned()}
        if not wanted.ask({record.key: record for record in store.records(planned)}):
            return planned


def _started(folder: Path) -> tuple[float, int, int] | None:
    """Time of the present start, the last row before it, and workers; `None` if nobody writes."""
    if not has_writer(folder):  # A killed process leaves its file.
        return None
    try:
        said = json.loads(read_limited(folder / FILE) or b"")
        return float(said["started"]), int(said["after_row"]), int(said["workers"])
    except (OSError, ValueError, TypeError, KeyError):
        return None
