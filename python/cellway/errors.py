"""The exceptions of cellway, one small tree.

Every message says what is wrong, where, and what would be accepted.
"""


class CellwayError(Exception):
    """Base of everything that cellway raises on its own account."""


class ScenarioError(CellwayError, ValueError):
    """A scenario that cannot be accepted; one line, `file:line:column: message; hint`."""


class RunError(CellwayError):
    """A run that could not finish."""


class CatalogueError(CellwayError, ValueError):
    """Catalogue data that cannot be accepted, or a paper or table that is not there."""


class StoreError(CellwayError):
    """A store of runs that cannot be opened, read or written; the message says how many runs are safe."""
