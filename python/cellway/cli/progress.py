"""A quiet progress bar on stderr: only on a terminal, gone when done."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cellway.cli.text import visible

Report = Callable[[float, float], None]
"""Function that is called with the amount done and the whole amount."""


@contextmanager
def bar(what: str) -> Iterator[Report]:
    """Shows a bar called `what` and the time left; does nothing unless stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
    )
    with Progress(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as progress:
        task = progress.add_task(visible(what), total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def counting_bar(what: str) -> Iterator[Callable[[int, int, str], None] | None]:
    """Shows runs done, time left and a line of the caller's; nothing unless on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, TextColumn("{task.fields[exact]}"), console=Console(stderr=True), transient=True
    ) as progress:
        task = progress.add_task(visible(what), total=None, exact="")
        yield lambda done, every, exact: progress.update(
            task, completed=done, total=every, exact=exact
        )
