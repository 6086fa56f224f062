"""Annotations that declare the parameters of commands, and the early end of a command.

A parameter is `Annotated[type, Argument(...)]` or `Annotated[type, Option(...)]`. Types are `str`,
`int`, `float`, `Path` or a `Literal` of words, each also `| None` or, for several, as `list`; an
option that is a `bool` takes no value, and one of `list[tuple[str, str]]` two. A `list[str]` with
`Rest` gets all words behind ``--``. `arguments.py` reads them.
"""

from typing import NamedTuple

from cellway.errors import CellwayError


class Argument(NamedTuple):
    """Word of a command that is known by its place; one with a default may be left out.

    Attributes:
        metavar: its name in the help; by default that of its parameter.
        help: its meaning.
    """

    metavar: str = ""
    help: str = ""


class Option(NamedTuple):
    """Option of a command.

    Attributes:
        name: with ``--``; by default that of its parameter.
        metavar: name of its value in the help.
        help: its effect.
        min: least value of a number.
        max: largest value of a number.
    """

    name: str = ""
    metavar: str = ""
    help: str = ""
    min: int | None = None
    max: int | None = None


class Rest(NamedTuple):
    """All words behind ``--``, as they are.

    Attributes:
        metavar: their name in the help.
        help: their meaning.
    """

    metavar: str
    help: str


class UsageError(CellwayError):
    """Words that a command does not take: the message says which, and what it takes instead."""


class ExitError(Exception):
    """End of a command that has printed all its output."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.code = code
