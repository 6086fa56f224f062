"""Signals that end a measurement with the results until then."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from cellway.disk.signals import hearing


class Ending:
    """State of a measurement that a signal may end: true once the end is asked for."""

    def __init__(self) -> None:
        self.is_asked = False


@contextmanager
def ending(*, by_terminal: bool = True) -> Iterator[Ending]:
    """Notes the first signal that asks for the end; the second interrupts.

    Without `by_terminal` Ctrl-C is left to the program that has the terminal.
    """
    end = Ending()

    def heard(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT and not by_terminal:
            return
        if end.is_asked:
            raise KeyboardInterrupt
        end.is_asked = True

    with hearing(heard):
        yield end
