"""A progress bar on a terminal; nothing elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE_S = 0.5
"""A command that is done sooner shows no bar."""


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float, float], None]]:
    """A function to call with how much is done and how much there is, in any unit."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    started = time.monotonic()
    columns = (TextColumn(what), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn())
    bar = Progress(*columns, transient=True)
    task = bar.add_task(what)

    def step(done: float, total: float) -> None:
        if not bar.live.is_started and time.monotonic() - started > PATIENCE_S:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield step
    finally:
        bar.stop()
