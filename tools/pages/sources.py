"""Fences with the word `source`: a file of the source tree, or a part of it, as it is there.

    ```source crates/sim/examples/own_law.rs
    ```

The body may have two lines: the first and the last line of the part, without their spaces.
"""

import re
from pathlib import PurePosixPath

from pages.places import ROOT

_FENCE = re.compile(r"^```source (\S+)\n((?:.*\n)*?)^```$", re.MULTILINE)
_LANGUAGES = {".rs": "rust", ".py": "python", ".toml": "toml", ".c": "c", ".h": "c"}


class SourceError(Exception):
    """Fence for a file, or a part of one, that is not there."""


def sourced(text: str) -> str:
    """The text of a page with files in place of fences.

    Raises:
        SourceError: a file, or the first or the last line of its part, is not there.
    """

    def one(found: re.Match[str]) -> str:
        name, ends = found[1], found[2].splitlines()
        file = ROOT / name
        if not file.is_file():
            raise SourceError(f"{name}: no such file")
        kind = _LANGUAGES.get(PurePosixPath(name).suffix, "text")
        shown = part(name, file.read_text(encoding="utf-8").splitlines(), ends)
        return "\n".join([f"`{name}`:", "", f"```{kind}", *shown, "```"])

    return _FENCE.sub(one, text)


def part(name: str, lines: list[str], ends: list[str]) -> list[str]:
    """The lines from the first to the last of `ends`, all of them without ends."""
    if not ends:
        return lines
    bare = [line.strip() for line in lines]
    first, last = ends[0].strip(), ends[-1].strip()
    if first not in bare or last not in bare[bare.index(first) :]:
        raise SourceError(f"{name}: no part from {first!r} to {last!r}")
    begin = bare.index(first)
    return lines[begin : bare.index(last, begin) + 1]
