"""Lines of a file of answers: one that is no TOML does not hinder the others."""

import codecs
import re
from pathlib import Path
from typing import NamedTuple

from cellway.disk.files import TEXT_LIMIT, read_limited
from cellway.errors import Fault, FileError
from cellway.text.document import Table, parse_document

_NAME = re.compile(r"\s*([\w-]+)")


class AnswersError(FileError):
    """A file of answers that cannot be accepted."""


class Lines(NamedTuple):
    """A file of answers as TOML.

    Attributes:
        document: the lines that are TOML, each in its place.
        faults: of the lines that are not.
        names: the names in those.
    """

    document: Table
    faults: list[Fault]
    names: set[str]


def load_lines(path: Path) -> Lines:
    """Reads a file of answers.

    Raises:
        AnswersError: it is no TOML in UTF-8 even without faulty lines, or longer than 1 MiB.
        OSError: it cannot be read.
    """
    content = read_limited(path)
    if content is None:
        raise AnswersError(
            f"{path}:1:1: more than {TEXT_LIMIT} bytes; a file of answers has at most 1 MiB"
        )
    content = content.removeprefix(codecs.BOM_UTF8)  # Editors of Windows write one.
    try:
        return Lines(parse_document(content, str(path), AnswersError), [], set())
    except AnswersError:
        try:
            lines = content.decode().replace("\r\n", "\n").split("\n")
        except UnicodeDecodeError:
            lines = []
        faults = [found for at, line in enumerate(lines, 1) if (found := _fault(path, at, line))]
        if not faults:
            raise
        faulty = {fault.line for fault in faults}
        names = {name[1] for at in faulty if (name := _NAME.match(lines[at - 1]))}
        left = ("" if at in faulty else line for at, line in enumerate(lines, 1))
        document = parse_document("\n".join(left).encode(), str(path), AnswersError)
        return Lines(document, faults, names)


def _fault(path: Path, at: int, line: str) -> Fault | None:
    """The fault of a line that is no TOML by itself."""
    try:
        parse_document(line.encode(), "", AnswersError)
    except AnswersError as error:
        fault = error.faults[0]
        return Fault(str(path), at, fault.column, fault.message + _quotes(line))
    return None


def _quotes(line: str) -> str:
    """A hint for a value without quotes, such as ``12.5 kB``."""
    _, equals, value = line.partition("=")
    if not equals or '"' in value or "'" in value:
        return ""
    return '; a value with a unit is in quotes, such as "12.5 kB"'
