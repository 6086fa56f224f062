"""The exceptions of cellway, one small tree.

Every message says what is wrong, where, and what would be accepted.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple, Self

MOST_SHOWN = 20
"""Number of faults that a message lists one by one."""
_PLACED = re.compile(r"(.*?):(\d+):(\d+): (.*)")


class Fault(NamedTuple):
    """One fault of a file.

    Attributes:
        origin: the file, or another input such as ``--set link.x.delay=1``.
        line: from 1; 0 when the fault has no place in a file.
        column: in characters from 1; 0 when the fault has no place in a file.
        message: the fault, what would be accepted, and a suggestion.
    """

    origin: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.origin}{place}: {self.message}"

    @classmethod
    def read(cls, line: str) -> "Fault":
        """Reads a fault from its line in a message."""
        if found := _PLACED.fullmatch(line):
            return cls(found[1], int(found[2]), int(found[3]), found[4])
        origin, _, message = line.partition(": ")
        return cls(origin, 0, 0, message)


class CellwayError(Exception):
    """Base of every exception that cellway defines."""


class FileError(CellwayError, ValueError):
    """A file that cannot be accepted: a line `file:line:column: message; hint` for each fault.

    Attributes:
        faults: every fault, in the order of the file; of more than 20 the message counts the rest.
    """

    faults: list[Fault]

    def __init__(self, message: str, faults: Sequence[tuple[str, int, int, str]] = ()) -> None:
        super().__init__(message)
        self.faults = [Fault(*fault) for fault in faults] or [Fault.read(message)]

    @property
    def in_one_line(self) -> str:
        """The first fault, and the number of the others."""
        more = f" (and {len(self.faults) - 1} more)" if len(self.faults) > 1 else ""
        return f"{self.faults[0]}{more}"

    @classmethod
    def of(cls, faults: Sequence[Fault]) -> Self:
        """Makes an error from its faults, in the order of the file."""
        lines = [str(fault) for fault in faults[:MOST_SHOWN]]
        if len(faults) > MOST_SHOWN:
            lines.append(f"{faults[0].origin}: and {len(faults) - MOST_SHOWN} more")
        return cls("\n".join(lines), faults)


class ScenarioError(FileError):
    """A scenario that cannot be accepted."""


class ScriptError(FileError):
    """A packet script that cannot be read."""


class RunError(CellwayError):
    """A run that could not finish."""


class StackFault(RunError):  # noqa: N818 - a fault of a program under test, not of who called.
    """A stack that failed during a run; one line, with its end and the instant."""


class MeasurementError(CellwayError):
    """A scenario that this machine cannot measure; one line."""


class StackError(CellwayError):
    """A stack that cannot be started, or whose flow or end cannot have one; one line."""


class SimulationFault(RunError):  # noqa: N818 - no error of who called: a bug of the simulator's.
    """A bug of the simulator; the message says what to report."""


class TheoryError(CellwayError, ValueError):
    """A formula was asked for a value outside its range; one line."""


class CatalogueError(CellwayError, ValueError):
    """A paper or table that is not there, or catalogue data that cannot be accepted.

    A fault of catalogue data is one line, `file:line:column: message`.
    """


class StudyError(FileError):
    """A study that cannot be accepted."""


class StoreError(CellwayError):
    """A directory that cannot be used: the fault, the place, what is safe, and the way out."""
