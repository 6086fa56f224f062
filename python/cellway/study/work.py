"""Runs as work for another process or machine: what goes there, and what comes back.

A chunk is a number of short runs, or a long one. All of it can be pickled.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cellway.runs.models import MODEL_VERSION
from cellway.runs.series import Series
from cellway.study.execution import perform
from cellway.study.plan import PlannedRun, in_order
from cellway.study.reading import record_of, recorded
from cellway.study.record import Record
from cellway.study.responses import Response

CHUNK_SECONDS = 0.25
"""Estimated CPU seconds of a chunk of short runs: hundreds of times what it costs to hand over."""
MOST_RUNS = 100
"""Most runs of a chunk, which is lost as a whole with its process."""

Progress = Callable[[float, float], object]


@dataclass(frozen=True)
class Chunk:
    """Runs that one process makes one after the other.

    Attributes:
        runs: the runs.
        responses: numbers to read from each of them; runs of a chunk share them.
    """

    runs: tuple[PlannedRun, ...]
    responses: tuple[Response, ...]


@dataclass(frozen=True)
class Made:
    """Finished runs of a chunk.

    Attributes:
        model: edition of the model there.
        runs: the record of each, with the series to keep.
    """

    model: str
    runs: tuple[tuple[Record, tuple[Series, ...]], ...]


def make(chunk: Chunk, progress: Progress | None = None) -> Made:
    """Makes the runs of a chunk in this thread; a run that fails is a result, too.

    Raises:
        StudyError: a run has no such number or series.
    """
    made = []
    for planned in chunk.runs:
        finished = perform(planned, progress)
        made.append((record_of(finished, chunk.responses), tuple(recorded(finished))))
    return Made(MODEL_VERSION, tuple(made))


def chunks(
    runs: Iterable[PlannedRun], asked: Mapping[str, Sequence[Response]], workers: int = 1
) -> Iterator[Chunk]:
    """Chunks of `runs`, in the order in which they are made.

    Args:
        runs: each key once.
        asked: the responses of each run, by key.
        workers: processes that share the runs; a chunk is at most a quarter of what each has.
    """
    ordered = in_order(runs)
    most = max(1, min(MOST_RUNS, len(ordered) // (4 * workers)))
    waiting: list[PlannedRun] = []
    seconds = 0.0
    for run in ordered:
        if waiting and (
            len(waiting) >= most
            or seconds + run.condition.work.seconds > CHUNK_SECONDS
            or asked[run.key] != asked[waiting[0].key]
        ):
            yield Chunk(tuple(waiting), tuple(asked[waiting[0].key]))
            waiting, seconds = [], 0.0
        waiting.append(run)
        seconds += run.condition.work.seconds
    if waiting:
        yield Chunk(tuple(waiting), tuple(asked[waiting[0].key]))
