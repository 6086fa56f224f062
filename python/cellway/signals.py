"""Signals that ask a process to end: Ctrl-C, SIGTERM, and SIGHUP where there is one.

One that is ignored from the start, as SIGHUP is by `nohup` and SIGINT in the background of a shell
script, stays ignored.
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
"""SIGHUP is what processes hear when their terminal goes."""
INTERRUPTED = 130
"""The exit code after any of them."""

Heard = Callable[[int, FrameType | None], object]
"""What is done when one comes."""


@contextmanager
def hearing(heard: Heard) -> Iterator[None]:
    """Calls `heard` for each signal that comes meanwhile; only the main thread hears them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    listened = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    before = [(number, signal.signal(number, heard)) for number in listened]
    try:
        yield
    finally:
        for number, handler in before:
            # None: somebody set it without Python, who cannot set it again.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def leave_at_once(_number: int, _frame: FrameType | None) -> None:
    """Ends the process while nothing has begun: an import that is broken off could say anything."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def ignore() -> None:
    """From here on no signal changes how the process ends."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
