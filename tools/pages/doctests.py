"""Examples of docstrings as blocks of code, where they have no heading of their own."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^( *)>>> .*(?:\n\1\S.*|\n\1 +\S.*)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Fences around each example."""

    def on_object(self, *, obj: griffe.Object, **_more: Any) -> None:
        """Changes the docstring of an object before it is read."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(example: re.Match[str]) -> str:
    return f"{example[1]}```pycon\n{example[0]}\n{example[1]}```"
