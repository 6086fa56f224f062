"""Snippets of pages: files, commands and programs, and the lines that a page shows of them."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"# ([\w./-]+\.(?:toml|py|sh))\n")


@dataclass(frozen=True)
class Snippet:
    """A block of code of a page.

    Attributes:
        kind: the word of its fence.
        text: its lines.
        line: of the fence, from 1.
    """

    kind: str
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The file that its first line names."""
        found = _NAMED.match(self.text)
        return found[1] if found else None


def snippets(page: Path) -> Iterator[Snippet]:
    """All blocks of code of a page, in its order."""
    text = page.read_text(encoding="utf-8")
    for fence in _FENCE.finditer(text):
        yield Snippet(fence[1], fence[2], text.count("\n", 0, fence.start()) + 1)


def programs(folder: Path) -> dict[str, str]:
    """An environment whose `cellway` and `python` are those of this process."""
    folder.mkdir(exist_ok=True)
    start = f"#!/bin/sh\nexec {sys.executable} -c 'from cellway.cli import main; main()' \"$@\"\n"
    for name, text in (
        ("cellway", start),
        ("python", f'#!/bin/sh\nexec {sys.executable} "$@"\n'),
    ):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "COLUMNS": "60"}


def run_in(
    folder: Path, command: Sequence[str], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True
    )


def played(page: Path, folder: Path, environment: dict[str, str]) -> Iterator[tuple[Snippet, str]]:
    """Plays a page from its beginning; each snippet of kind `text`, and what was printed before.

    A snippet that names a file becomes this file. Other commands and programs run in `folder`, and
    fail the test if they fail.
    """
    printed = ""
    for one in snippets(page):
        if one.file is not None:
            (folder / one.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / one.file).write_text(one.text)
        elif one.kind in {"sh", "bash", "python"}:
            command = [sys.executable, "-c"] if one.kind == "python" else ["bash", "-euc"]
            done = run_in(folder, [*command, one.text], environment)
            assert done.returncode == 0, f"{page.name}:{one.line}: {done.stderr}{done.stdout}"
            printed = done.stdout + done.stderr
        elif one.kind == "text":
            yield one, printed


def is_shown(line: str, printed: str) -> bool:
    """True if a printed line has the words of `line` one after the other, whatever the spaces.

    `…` stands for any words between.
    """
    parts = (re.escape(" ".join(part.split())) for part in line.split("…"))
    wanted = re.compile(rf"(?<!\S){' .* '.join(parts)}(?!\S)")
    return any(wanted.search(" ".join(one.split())) for one in printed.splitlines())
