"""Several runs side by side, which a signal ends."""

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Sequence

from cellway.runs.runs import Run, run
from cellway.scenario.scenario import Scenario

PATIENCE = 0.1
"""Seconds after which the caller's thread looks up though nothing has come."""
LONGEST = 0.8
"""Seconds for which runs that are stopped are waited for; they look up every 0.05 as a rule."""


class _StoppedError(Exception):
    """Nobody waits for the run."""


def run_all(scenarios: Sequence[Scenario]) -> list[Run]:
    """Simulates all of them on the local cores, by threads; the runs in the same order.

    What one of them raises comes out here, as does what a signal raises in this thread. Either
    stops the others; a run that looks up too late is left to its thread, which ends with it or the
    process.
    """
    waiting = deque(enumerate(scenarios))
    done: queue.SimpleQueue[tuple[int, Run | BaseException]] = queue.SimpleQueue()
    stopped = threading.Event()

    def look(_at: float, _duration: float) -> None:
        if stopped.is_set():
            raise _StoppedError

    def work() -> None:
        while not stopped.is_set():
            try:
                number, scenario = waiting.popleft()
            except IndexError:
                return
            try:
                done.put((number, run(scenario, look)))
            except BaseException as error:  # noqa: BLE001 - raised in the caller's thread.
                done.put((number, error))

    count = min(os.cpu_count() or 1, len(scenarios))
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    try:
        for thread in threads:
            thread.start()
        return _in_order(done, len(scenarios))
    finally:
        stopped.set()
        end = time.monotonic() + LONGEST
        for thread in threads:
            if thread.ident is not None:
                thread.join(max(0.0, end - time.monotonic()))


def _in_order(done: "queue.SimpleQueue[tuple[int, Run | BaseException]]", count: int) -> list[Run]:
    found: dict[int, Run] = {}
    while len(found) < count:
        try:
            number, result = done.get(timeout=PATIENCE)
        except queue.Empty:
            continue
        if isinstance(result, BaseException):
            raise result
        found[number] = result
    return [found[number] for number in range(count)]
