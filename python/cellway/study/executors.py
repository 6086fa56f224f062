"""Runs by an executor of `concurrent.futures`: processes of this machine, a cluster, any other.

| word | executor |
|---|---|
| ``threads`` | threads of this process, which share its interpreter |
| ``processes`` | processes of this machine, for short runs, which the interpreter would hold up |
| ``dask://HOST:PORT`` | workers of a scheduler of Dask |

Only the caller's thread keeps results, in the order in which they come; which worker makes a run
changes nothing in it.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from multiprocessing.synchronize import Event

from cellway.disk import signals
from cellway.errors import StudyError
from cellway.runs.models import MODEL_VERSION
from cellway.runs.series import Series
from cellway.study.execution import LONGEST, PATIENCE
from cellway.study.plan import PlannedRun
from cellway.study.record import Record
from cellway.study.responses import Response
from cellway.study.work import Chunk, Made, chunks, make

THREADS, PROCESSES, AUTO = "threads", "processes", "auto"
DASK = "dask://"
EXPECTED = f"{THREADS}, {PROCESSES} or {DASK}HOST:PORT"
WINDOW = 1024
"""Chunks that are handed over and not yet back; limits the memory of their results."""
MANY_RUNS = 10_000
"""Runs from which processes are no slower, if each is short: a process takes a second to start.

Seconds of runs of 0.2 ms by two workers on two busy cores, threads and processes: 300 runs 0.27 and
1.40, 1000 0.50 and 1.63, 3000 1.54 and 3.73, 10 000 8.28 and 8.51, 30 000 29.9 and 33.9. More
workers, for which there were no cores, wait more for the interpreter of threads.
"""
SHORT_RUN = 0.01
"""Estimated CPU seconds below which threads wait for the interpreter."""
RETRIES = 3
"""Times that Dask makes a chunk again whose worker was lost."""

Keep = Callable[[Record, Sequence[Series]], None]
_stop: Event | None = None


class _StoppedError(Exception):
    """Error inside a run of a process that is being stopped."""


@dataclass(frozen=True)
class Crew:
    """An executor with what is known of it.

    Attributes:
        executor: any of `concurrent.futures` or like it; what it is given can be pickled.
        workers: their number, for the size of chunks.
        halt: ends runs in progress, as far as that can be done.
    """

    executor: Executor
    workers: int
    halt: Callable[[], None] = lambda: None


def chosen(word: str, runs: Sequence[PlannedRun]) -> str:
    """The word of an executor, chosen by the number and the length of `runs` for ``"auto"``."""
    if word != AUTO:
        return word
    seconds = sum(run.condition.work.seconds for run in runs)
    return PROCESSES if len(runs) >= MANY_RUNS and seconds < SHORT_RUN * len(runs) else THREADS


def require_word(word: str) -> None:
    """Refuses a word that names no executor.

    Raises:
        StudyError: it names none, or Dask is not installed.
    """
    if word in {THREADS, PROCESSES, AUTO}:
        return
    if not word.startswith(DASK) or not word.removeprefix(DASK).strip("/"):
        raise StudyError(f"executor {word!r}: {EXPECTED} is expected")
    try:
        import distributed  # noqa: F401, PLC0415
    except ImportError as error:
        raise StudyError(
            f"executor {word}: Dask is not installed; pip install 'cellway[dask]'"
        ) from error


@contextmanager
def named(word: str, workers: int) -> Iterator[Crew]:
    """The executor that `word` names, but for threads; it ends with the block.

    Raises:
        StudyError: the scheduler cannot be reached.
    """
    opened = _processes(workers) if word == PROCESSES else _dask(word)
    with opened as crew:
        yield crew


@contextmanager
def _processes(workers: int) -> Iterator[Crew]:
    """Processes that were not forked: threads of Polars do not survive that."""
    context = get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(workers, context, _begin, (stop,))
    try:
        yield Crew(pool, workers, stop.set)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _begin(stop: Event) -> None:
    """Prepares a worker: it leaves signals to its parent, and ends with it, `kill -9` included."""
    global _stop  # noqa: PLW0603 - an executor hands nothing else to its workers
    _stop = stop
    signals.ignore()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _dask(word: str) -> Iterator[Crew]:
    from distributed import Client  # noqa: PLC0415 - an optional dependency

    address = word.removeprefix(DASK).strip("/")
    try:
        client = Client(f"tcp://{address}", timeout=10)
    except (OSError, ValueError) as error:
        raise StudyError(
            f"executor {word}: no scheduler of Dask answers there; its HOST:PORT is expected"
        ) from error
    with client:
        threads = sum(one["nthreads"] for one in client.scheduler_info()["workers"].values())
        yield Crew(client.get_executor(pure=False, retries=RETRIES), max(threads, 1))


def execute_by(  # noqa: PLR0913, PLR0917
    crew: Crew,
    runs: Sequence[PlannedRun],
    asked: Mapping[str, Sequence[Response]],
    stopped: threading.Event,
    on_made: Keep,
    on_idle: Callable[[], None] = lambda: None,
) -> bool:
    """Makes all `runs`.

    Args:
        crew: the executor.
        runs: each key once.
        asked: the responses of each run, by key.
        stopped: when it is set, the remaining runs are left.
        on_made: called in this thread with each finished run and the series to keep.
        on_idle: called in this thread when no result has come for a while.

    Returns:
        True if all were done.

    Raises:
        StudyError: a worker was lost, or has another model; finished runs were kept.
    """
    left = chunks(runs, asked, crew.workers)
    pending: set[Future[Made]] = set()

    def keep(record: Record, series: Sequence[Series]) -> None:
        try:
            on_made(record, series)
        except KeyboardInterrupt:  # Polars hears Ctrl-C itself, and raises in the middle.
            stopped.set()
            on_made(record, series)

    try:
        while not stopped.is_set():
            while len(pending) < WINDOW and (chunk := next(left, None)) is not None:
                pending.add(_submitted(crew.executor, chunk))
            if not pending:
                return True
            done, _ = wait(pending, PATIENCE, FIRST_COMPLETED)
            pending -= done
            _take_all(done, keep)
            if not done:
                on_idle()
    finally:
        _take_all(_dismissed(crew, pending), keep)
    return False


def _submitted(executor: Executor, chunk: Chunk) -> "Future[Made]":
    try:
        return executor.submit(in_worker, chunk)
    except BrokenProcessPool as error:
        raise _lost() from error


def _take_all(futures: "Iterable[Future[Made]]", keep: Keep) -> None:
    """Keeps the runs of all finished chunks, and raises the first error after that."""
    errors: list[StudyError] = []
    for future in futures:
        try:
            _take(future, keep)
        except StudyError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _take(future: "Future[Made]", keep: Keep) -> None:
    """Keeps the runs of a finished chunk."""
    try:
        made = future.result()
    except BrokenProcessPool as error:
        raise _lost() from error
    except (_StoppedError, CancelledError):
        return
    except StudyError:
        raise
    except Exception as error:
        raise StudyError(
            f"a worker failed: {type(error).__name__}: {' '.join(str(error).split())}; finished "
            "runs are kept, and the same command continues"
        ) from error
    if made.model != MODEL_VERSION:
        raise StudyError(
            f"a worker has model {made.model}, and this is {MODEL_VERSION}; the same version of "
            "cellway is expected on all machines"
        )
    for record, series in made.runs:
        keep(record, series)


def _lost() -> StudyError:
    return StudyError(
        "a worker process was ended from outside, perhaps for its memory; finished runs are kept, "
        "and the same command continues"
    )


def _failed(future: "Future[Made]") -> bool:
    return future.cancelled() or future.exception() is not None


def _dismissed(crew: Crew, pending: "set[Future[Made]]") -> "list[Future[Made]]":
    """Cancels what has not begun; chunks that have come back meanwhile."""
    if not pending:
        return []
    for future in pending:
        future.cancel()
    crew.halt()
    done, _ = wait(pending, LONGEST)
    return [future for future in done if not _failed(future)]


def in_worker(chunk: Chunk) -> Made:
    """Makes the runs of a chunk in a worker of any kind."""
    return make(chunk, None if _stop is None else _check_stop)


def _check_stop(_at: float, _duration: float) -> None:
    if _stop is not None and _stop.is_set():
        raise _StoppedError
