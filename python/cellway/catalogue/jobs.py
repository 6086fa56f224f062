"""Runs on the local cores: threads, since a run leaves the interpreter free.

Results do not depend on the number of workers: every job is a scenario with its own seed.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellway.run import run
from cellway.scenario import Scenario, toml_value

SEED = "run.seed"


@dataclass(frozen=True)
class Job:
    """One run, or one explanation when `seed` is `None`.

    Attributes:
        scenario: the file.
        sets: keys and values as ``--set`` takes them, in order.
        seed: root of the run's random streams.
        cost: a guess at how long it takes next to others; the longest go first.
    """

    scenario: Path
    sets: tuple[tuple[str, str], ...]
    seed: int | None
    cost: float = 0.0

    @classmethod
    def of(
        cls, scenario: Path, sets: Iterable[tuple[str, Any]], seed: int | None, cost: float = 0.0
    ) -> "Job":
        """A job from values as they stand in a file."""
        return cls(scenario, tuple((key, toml_value(value)) for key, value in sets), seed, cost)


@dataclass(frozen=True)
class Outcome:
    """What a job found.

    Attributes:
        tree: the summary of the run, or the explanation.
        cpu_seconds: what the run took of its thread's CPU time; 0 for an explanation. Not repeatable.
    """

    tree: Mapping[str, Any]
    cpu_seconds: float = 0.0

    @property
    def simulated_seconds(self) -> float:
        """The simulated time of the run; 0 for an explanation."""
        return float(self.tree.get("duration_s", 0.0))


class _StoppedError(Exception):
    """Raised inside a run when the others are being stopped."""


Found = dict[Job, Outcome]


def local_workers() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def perform(jobs: Iterable[Job], workers: int, on_done: Callable[[int, int], None]) -> tuple[Found, bool]:
    """Does all `jobs`, each distinct one once.

    Args:
        jobs: in any order.
        workers: threads to use, at least 1.
        on_done: called with the number done and the number of all, after each.

    Returns:
        What was found, and whether all were done: Ctrl-C stops the rest and keeps what is finished.

    Raises:
        RunError, ScenarioError, OSError: of the first job that failed.
    """
    distinct = sorted(dict.fromkeys(jobs), key=lambda job: -job.cost)
    stop = threading.Event()
    found: Found = {}
    with ThreadPoolExecutor(max_workers=workers) as pool:
        futures: dict[Future[Outcome], Job] = {}
        try:
            futures.update((pool.submit(_perform, job, stop), job) for job in distinct)
            for future in as_completed(futures):
                found[futures[future]] = future.result()
                on_done(len(found), len(distinct))
        except KeyboardInterrupt:
            return found, False
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
    return found, True


def _perform(job: Job, stop: threading.Event) -> Outcome:
    def look(_at: float, _duration: float) -> None:
        if stop.is_set():
            raise _StoppedError

    scenario = Scenario.load(job.scenario).with_sets(job.sets)
    if job.seed is None:
        return Outcome(scenario.explain())
    seeded = scenario.with_set(SEED, job.seed)
    # A run stays on the thread that asks for it, so other runs do not count.
    before = time.thread_time()
    summary = run(seeded, look).summary
    return Outcome(summary, time.thread_time() - before)
