"""The exceptions of cellway, one small tree.

Every message says what is wrong, where, and what would be accepted.
"""


class CellwayError(Exception):
    """Base of everything that cellway raises on its own account."""


class ScenarioError(CellwayError, ValueError):
    """A scenario that cannot be accepted; one line, `file:line:column: message; hint`."""


class RunError(CellwayError):
    """A run that could not finish."""


class SimulationFault(RunError):  # noqa: N818 - no error of who called: a bug of the simulator's.
    """The simulator broke; the message says what to report."""


class TheoryError(CellwayError, ValueError):
    """A formula that was asked for what is outside its range; one line."""


class CatalogueError(CellwayError, ValueError):
    """A paper or table that is not there, or catalogue data that cannot be accepted.

    Of data it is one line, `file:line:column: message`.
    """


class StudyError(CellwayError, ValueError):
    """A study that cannot be accepted; one line, `file:line:column: message`."""


class StoreError(CellwayError):
    """A directory that cannot be used: what, where, what is safe, and the way out."""
