"""Ends of flows that programs drive, as users name them."""

import os
import shlex
from collections.abc import Sequence

from cellway.errors import StackError


def words_of(command: str) -> list[str]:
    """Words of a command as a shell splits them; on Windows a backslash divides folders.

    Raises:
        ValueError: a quotation does not end.
    """
    reader = shlex.shlex(command, posix=True)
    reader.whitespace_split, reader.commenters = True, ""
    if os.name == "nt":
        reader.escape = ""
    return [*reader]


def stack_at(end: str, command: str | Sequence[str]) -> tuple[str, bool | None, list[str]]:
    """Flow, end (true for the origin, `None` for both) and words of a stack.

    Raises:
        StackError: the command is empty or cannot be read.
    """
    try:
        words = words_of(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise StackError(f"stack at {end}: {str(error).lower()}; expected a command") from None
    if not words:
        raise StackError(f"stack at {end}: an empty command; expected a program, or model")
    for suffix, is_origin in ((".origin", True), (".destination", False)):
        if end.endswith(suffix):
            return end.removesuffix(suffix), is_origin, words
    return end, None, words
