"""Signals that ask a process to end: Ctrl-C, SIGTERM, and SIGHUP where there is one.

A signal that is ignored from the start stays ignored: SIGHUP under `nohup`, SIGINT in the
background of a shell script.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
"""Signals that end a process; SIGHUP comes when its terminal closes."""
INTERRUPTED = 130
"""Exit code after any of them."""

Heard = Callable[[int, FrameType | None], object]
"""Action when one comes."""


@contextmanager
def hearing(heard: Heard) -> Iterator[None]:
    """Calls `heard` for each signal that comes inside the block; only in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    listened = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    before = [(number, signal.signal(number, heard)) for number in listened]
    try:
        yield
    finally:
        for number, handler in before:
            # None: it was not set by Python, which therefore cannot restore it.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def leave_at_once(_number: int, _frame: FrameType | None) -> None:
    """Ends the process before anything has begun: a broken import could print anything."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def ignore() -> None:
    """Ignores all signals from here on: the process ends as it was going to."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
