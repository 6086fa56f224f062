"""A quiet progress bar on stderr: only on a terminal, gone when done."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from cellway.cli.text import visible

Report = Callable[[float, float], None]
"""Function that is called with the amount done and the whole amount."""


@contextmanager
def bar(what: str) -> Iterator[Report]:
    """Shows a bar called `what` and the time left; does nothing unless stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    with _bar(what, counts=False) as update:
        yield lambda done, total: update(completed=done, total=total)


@contextmanager
def counting_bar(what: str) -> Iterator[Callable[[int, int, str], None] | None]:
    """Shows runs done, time left and a line of the caller's; nothing unless on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with _bar(what, counts=True) as update:
        yield lambda done, every, exact: update(completed=done, total=every, exact=exact)


@contextmanager
def _bar(what: str, *, counts: bool) -> Iterator[Callable[..., None]]:
    from rich import progress as rich  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    columns = (
        rich.TextColumn("{task.description}", markup=False),
        rich.BarColumn(),
        rich.MofNCompleteColumn() if counts else rich.TextColumn("{task.percentage:3.0f} %"),
        rich.TimeRemainingColumn(),
        *([rich.TextColumn("{task.fields[exact]}")] if counts else []),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(visible(what), total=None, exact="")
        yield partial(progress.update, task)
