"""Runs on the local cores, in threads: a run, measured or not, releases the interpreter lock.

Workers take runs from one list (`plan.in_order`), and hand back their results. Only the caller's
thread sees results, in the order in which they come. The assignment to workers changes nothing: a
run depends on its scenario and seed alone.
"""

import os
import platform
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

from cellway.disk.signals import hearing
from cellway.errors import MeasurementError, RunError
from cellway.runs.measured import measure
from cellway.runs.runs import Run, run
from cellway.runs.series import Series
from cellway.study.plan import PlannedRun, in_order

HOST = platform.node()
PATIENCE = 0.1
"""Seconds after which the caller's thread looks up though nothing has come."""
LONGEST = 0.8
"""Seconds for which runs that are stopped are waited for; they look up every 0.05 as a rule."""


@dataclass(frozen=True)
class Finished:
    """Outcome of one run.

    Attributes:
        planned: the planned run.
        run: its result; `None` when it failed.
        error: the reason of a failure, in one line; empty without one.
        wall_seconds: from taking the run to handing it back; `cpu_seconds`: of its thread.
    """

    planned: PlannedRun
    run: Run | None
    error: str
    wall_seconds: float
    cpu_seconds: float

    @property
    def series(self) -> list[Series]:
        """Series that the plan asks to keep."""
        if self.run is None:
            return []
        names = self.run.series_names if self.planned.recorded is None else self.planned.recorded
        return [self.run.series(name) for name in names]


class _StoppedError(Exception):
    """Error raised inside a run when the others are being stopped."""


def local_workers() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def execute(
    runs: Iterable[PlannedRun],
    workers: int,
    stopped: threading.Event,
    on_finished: Callable[[Finished], None],
    on_idle: Callable[[], None] = lambda: None,
) -> bool:
    """Does all `runs`.

    Args:
        runs: each key once.
        workers: threads, at least 1.
        stopped: when it is set, the remaining runs are left; see `stopping`.
        on_finished: called in this thread with each result.
        on_idle: called in this thread when no result has come for a while.

    Returns:
        True if all were done.
    """
    waiting = deque(in_order(runs))
    crew = _WorkerPool(waiting, min(workers, len(waiting)))

    def keep(finished: Finished) -> None:
        try:
            on_finished(finished)
        except KeyboardInterrupt:  # Polars hears Ctrl-C itself, and raises in the middle.
            stopped.set()
            on_finished(finished)

    try:
        for finished in crew.results(stopped, on_idle):
            keep(finished)
    finally:
        late = crew.dismiss()
    for finished in late:
        keep(finished)
    return crew.finished


class _WorkerPool:
    """Threads that do the waiting runs; a short queue of results limits memory."""

    def __init__(self, waiting: deque[PlannedRun], workers: int) -> None:
        self._waiting = waiting
        self._left = len(waiting)
        self._stop = threading.Event()
        self._done: queue.Queue[Finished | BaseException] = queue.Queue(maxsize=4 * max(workers, 1))
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]

    def results(self, stopped: threading.Event, on_idle: Callable[[], None]) -> Iterator[Finished]:
        """Results as they come, until all are done or `stopped` is set."""
        if stopped.is_set():
            return
        for thread in self._threads:
            thread.start()
        while self._left and not stopped.is_set():
            try:
                found = self._done.get(timeout=PATIENCE)
            except queue.Empty:
                on_idle()
                continue
            if isinstance(found, BaseException):
                raise found
            self._left -= 1
            yield found

    @property
    def finished(self) -> bool:
        """True if all runs were done."""
        return not self._left

    def dismiss(self) -> list[Finished]:
        """Stops all threads; runs in progress are lost, finished ones are returned.

        A run that looks up too late is left to its thread, which ends with it or the process.
        """
        self._stop.set()
        late = []
        end = time.monotonic() + LONGEST
        while not self._done.empty() or (
            time.monotonic() < end and any(thread.is_alive() for thread in self._threads)
        ):
            with suppress(queue.Empty):
                found = self._done.get(timeout=PATIENCE)
                if isinstance(found, Finished):
                    self._left -= 1
                    late.append(found)
        return late

    def _work(self) -> None:
        while not self._stop.is_set():
            try:
                planned = self._waiting.popleft()
            except IndexError:
                return
            try:
                self._done.put(perform(planned, self._check_stop))
            except _StoppedError:
                return
            except BaseException as error:  # noqa: BLE001
                self._done.put(error)
                return

    def _check_stop(self, _at: float, _duration: float) -> None:
        if self._stop.is_set():
            raise _StoppedError


def perform(
    planned: PlannedRun, progress: Callable[[float, float], object] | None = None
) -> Finished:
    """Does one run in this thread; a run that fails, for whatever reason, is a result, too."""
    wall, cpu = time.perf_counter(), time.thread_time()
    result: Run | None = None
    error = ""
    try:
        make = measure if planned.condition.is_measured else run
        result = make(planned.condition.scenario(planned.seed), progress)
        if result.measured is not None and (ended := result.measured.get("ended")):
            result, error = None, _one_line(f"ended at {ended['at_s']} s: {ended['fault']}")
    except _StoppedError:
        raise
    except (RunError, MeasurementError) as failed:
        error = _one_line(str(failed))
    except Exception as failed:  # noqa: BLE001 - the other runs of the study go on.
        error = _one_line(f"{type(failed).__name__}: {failed}")
    return Finished(planned, result, error, time.perf_counter() - wall, time.thread_time() - cpu)


def _one_line(text: str) -> str:
    return " ".join(text.split())


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that a signal to end sets, instead of raising an error in the middle of work.

    Only the main thread hears signals; in another one the event is never set.
    """
    stopped = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopped.set()

    with hearing(stop):
        yield stopped
