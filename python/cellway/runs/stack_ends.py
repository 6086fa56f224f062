"""Ends of flows that programs drive, as users name them."""

import shlex
from collections.abc import Sequence

from cellway.errors import StackError


def stack_at(end: str, command: str | Sequence[str]) -> tuple[str, bool | None, list[str]]:
    """Flow, end (true for the origin, `None` for both) and words of a stack.

    Raises:
        StackError: the command is empty or cannot be read.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise StackError(f"stack at {end}: {str(error).lower()}; expected a command") from None
    if not words:
        raise StackError(f"stack at {end}: an empty command; expected a program, or model")
    for suffix, is_origin in ((".origin", True), (".destination", False)):
        if end.endswith(suffix):
            return end.removesuffix(suffix), is_origin, words
    return end, None, words
