"""Plain text for people: aligned tables, never coloured or cut, with short numbers."""

import json
import math
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from cellway.cli.parameters import ExitError
from cellway.text.units import SCALES, per

if TYPE_CHECKING:
    from cellway.cli.fitting import Table

LEAST_ROOM = 24
"""Least width of a last column that alone is wrapped, in letters."""
MOST_COLUMNS = 100
"""Most columns of a help text; wider lines are hard to read."""
Align = Literal["<", ">"]
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""Characters that control a terminal, or that turn the direction of writing."""
_DIGITS = re.compile(r"(\d+)")
_WHOLE = ("written to ", "{", "[")
"""Beginnings of lines that are never broken: names of files, and JSON."""
_unfitted: list[None] = []
"""One for each `of_any_width` that is entered."""


def visible(text: str) -> str:
    r"""`text` with ``\u001b`` for an escape character and the like; ends of lines stay.

    A name or a file from somebody else may hold sequences that control a terminal.
    """
    if text.isprintable():
        return text
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def complain(message: str) -> None:
    """Prints one or several lines on stderr."""
    sys.stderr.write(f"{visible(message)}\n")


def say(*lines: str) -> None:
    """Prints lines on stdout; ends the command quietly if the reader has closed, as `head` does.

    On a terminal sentences are wrapped between words.

    Raises:
        ExitError: the reader has closed; exit code 0.
    """
    width = room()
    try:
        parts = (part for line in lines for part in _parts(visible(line), width))
        sys.stdout.write("".join(f"{part}\n" for part in parts))
    except BrokenPipeError as error:
        discard_stdout()
        raise ExitError from error


def _parts(line: str, width: int | None) -> list[str]:
    """A sentence wrapped to `width`; tables and text to be copied stay as they are."""
    if width is None or len(line) <= width or "  " in line or line.startswith(_WHOLE):
        return [line]
    return wrapped(line, 0, 0, width)


def discard_stdout() -> None:
    """Sends the rest of stdout to the null device, so that flushing it at exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_json(value: Any) -> None:  # noqa: ANN401
    """Prints `value` as indented JSON; a float that JSON does not have is our bug."""
    say(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    align: str = "",
    *,
    keys: int = 1,
    less: Sequence[str] = (),
) -> list[str]:
    """Lines of a table: a header, a rule, the rows; on a terminal no wider than that.

    Args:
        header: one title per column.
        rows: as many cells each.
        align: ``<`` or ``>`` per column; beyond its end ``>``, but ``<`` for the first column.
        keys: number of the first columns that are repeated where others have to go below.
        less: titles of columns that are left out on a narrow terminal, in this order.
    """
    return _table(header, rows, align, keys, less).lines(room())


def titled(
    rows: Sequence[Mapping[str, str]], align: str = "", *, less: Sequence[str] = ()
) -> list[str]:
    """Lines of a table whose rows have the same titles, each with a cell; none without rows."""
    return table([*rows[0]], [[*row.values()] for row in rows], align, less=less) if rows else []


def splits(rows: Sequence[Mapping[str, str]], align: str, less: Sequence[str]) -> bool:
    """True if the terminal is so narrow that the table would be split into several."""
    return _table([*rows[0]], [[*row.values()] for row in rows], align, 1, less).splits(room())


def help_columns() -> int:
    """Width of a help text in columns."""
    import shutil  # noqa: PLC0415 - with all compressions

    return min(shutil.get_terminal_size().columns, MOST_COLUMNS)


def wrapped(text: str, indent: int, more: int, width: int | None = None) -> list[str]:
    """`text` in lines of `width`, by default that of the terminal or of a page.

    Lines are indented, all but the first by `more`. Words are not broken.
    """
    import textwrap  # noqa: PLC0415 - only text for a terminal and help are wrapped

    return textwrap.wrap(
        text,
        max(width or room() or MOST_COLUMNS, more + LEAST_ROOM),
        initial_indent=" " * indent,
        subsequent_indent=" " * more,
        break_long_words=False,
        break_on_hyphens=False,
    )


def two_columns(said: Sequence[tuple[str, str]]) -> list[str]:
    """Names, each with its text in a second column that is wrapped on a terminal."""
    width = max((len(name) for name, _ in said), default=0)
    if room() is None:
        from cellway.cli.fitting import TableLine  # noqa: PLC0415 - not for --version

        return [
            TableLine(f"  {name:<{width}}  {value}", (name, value), "<<") for name, value in said
        ]
    lines = [f"  {name:<{width}}  {value}" for name, value in said]
    return [part for line in lines for part in wrapped(line, 0, width + 4)]


def _table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    align: str,
    keys: int = 1,
    less: Sequence[str] = (),
) -> "Table":
    from cellway.cli.fitting import Column, Table  # noqa: PLC0415 - not for --version

    align = align or "<"
    align += ">" * (len(header) - len(align))
    columns = tuple(
        Column(_cell(title), _cells([row[at] for row in rows]), side, side == "<" or at < keys)
        for at, (title, side) in enumerate(zip(header, align, strict=True))
    )
    return Table(columns, keys, tuple(less))


def _cells(texts: Sequence[str]) -> tuple[str, ...]:
    """Cells of a column; printable text, which is looked at in one, stays as it is."""
    return tuple(texts if "".join(texts).isprintable() else map(_cell, texts))


def _cell(text: str) -> str:
    """`text` on one line, its width as displayed."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


@contextmanager
def of_any_width() -> Iterator[None]:
    """Within it no text is fitted to the terminal: it goes into a file."""
    _unfitted.append(None)
    try:
        yield
    finally:
        _unfitted.pop()


def room() -> int | None:
    """Width of the terminal in letters; `None` where stdout is no terminal."""
    if _unfitted or not sys.stdout.isatty():
        return None
    import shutil  # noqa: PLC0415

    return shutil.get_terminal_size().columns


def number(value: float | None, digits: int = 4) -> str:
    """`value` to `digits` significant digits, without exponent below a million; ``–`` for none."""
    if value is None:
        return "–"
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    magnitude = math.floor(math.log10(abs(value)))
    if -4 <= magnitude < 15:  # noqa: PLR2004
        return f"{value:.{max(0, digits - 1 - magnitude)}f}"
    return f"{value:.{digits}g}"


def count(value: float) -> str:
    """A count, or the mean of several counts."""
    return str(value) if isinstance(value, int) else number(value)


def plain(value: float | None) -> str:
    """`value` as people write it: up to six digits, no trailing zeros; ``–`` for none."""
    return "–" if value is None else f"{value:g}"


def natural(name: str) -> list[Any]:
    """Key that sorts ``bulk[2]`` before ``bulk[10]``: texts and numbers in turn."""
    parts: list[Any] = _DIGITS.split(name)
    parts[1::2] = map(int, parts[1::2])
    return parts


def megabits(bits_per_second: float | None) -> str:
    """Bits per second as Mbit/s, without the unit."""
    return number(None if bits_per_second is None else bits_per_second / SCALES["Mbit/s"])


def milliseconds(seconds: float | None) -> str:
    """Seconds as milliseconds, without the unit."""
    return number(None if seconds is None else seconds * per("ms"))


def percent(share: float | None, *, sign: bool = False) -> str:
    """A share as per cent with one decimal, such as ``-2.5 %``; ``–`` for none."""
    if share is None:
        return "–"
    return f"{100 * share:{'+' if sign else ''}.1f} %"


def notes(warnings: Sequence[str]) -> list[str]:
    """Notes for a reader, below the numbers; empty without warnings."""
    return ["", *(f"note: {warning}" for warning in warnings)] if warnings else []
