"""What commands are declared with: the annotations of their parameters, and their early end.

A parameter is `Annotated[type, Argument(...)]` or `Annotated[type, Option(...)]`. Types are `str`,
`int`, `float`, `Path`, an enum of words or a `Literal` of them, each also `| None` or, for several,
as `list`; an option that is a `bool` takes no value. `arguments.py` reads them.
"""

from typing import NamedTuple

from cellway.errors import CellwayError


class Argument(NamedTuple):
    """A word of a command that is known by its place; one with a default may be left out.

    Attributes:
        metavar: what it is called in the help; by default its parameter's name.
        help: what it is.
    """

    metavar: str = ""
    help: str = ""


class Option(NamedTuple):
    """A word of a command that follows its name.

    Attributes:
        name: with ``--``; by default that of its parameter.
        metavar: what its value is called in the help.
        help: what it does.
        min: least value of a number.
        max: largest value of a number.
    """

    name: str = ""
    metavar: str = ""
    help: str = ""
    min: int | None = None
    max: int | None = None


class UsageError(CellwayError):
    """Words that a command does not take: which, and what it takes instead."""


class ExitError(Exception):
    """The end of a command that has said all it has to say."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.code = code
