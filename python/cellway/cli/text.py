"""Plain text for people: aligned tables, never wrapped, coloured or cut, with short numbers."""

import json
import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any, Literal

import typer

from cellway.units import SCALES, per

LEAST_ROOM = 24
"""Columns of a last column that is wrapped."""
Align = Literal["<", ">"]


def say(*lines: str) -> None:
    """Writes lines to stdout; ends the command quietly if the reader has closed, as `head` does.

    Raises:
        typer.Exit: with 0.
    """
    try:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    except BrokenPipeError as error:
        reader_gone()
        raise typer.Exit from error


def reader_gone() -> None:
    """Sends the rest of stdout nowhere, so that nothing fails when it is flushed at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_json(value: Any) -> None:  # noqa: ANN401
    """Writes `value` to stdout as indented JSON; a float that JSON does not have is our bug."""
    say(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def table(header: Sequence[str], rows: Sequence[Sequence[str]], align: str = "") -> list[str]:
    """Lines of a table: a header, a rule, the rows.

    Args:
        header: one title per column.
        rows: as many cells each.
        align: ``<`` or ``>`` per column; beyond its end ``>``, but ``<`` for the first column.
    """
    align = align or "<"
    align += ">" * (len(header) - len(align))
    widths = [max(len(row[at]) for row in [header, *rows]) for at in range(len(header))]
    lines = [_line(header, widths, align), "  ".join("-" * width for width in widths)]
    return lines + [_line(row, widths, align) for row in rows]


def fitting_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], align: str = ""
) -> list[str]:
    """A table whose last column is wrapped where a terminal ends; elsewhere it is not."""
    if not sys.stdout.isatty():
        return table(header, rows, align)
    room = max(_room([header, *rows]), LEAST_ROOM)
    fitting = []
    for row in rows:
        first, *more = textwrap.wrap(row[-1], room) or [""]
        fitting.append([*row[:-1], first])
        fitting += [[*[""] * (len(row) - 1), line] for line in more]
    return table(header, fitting, align)


def is_too_wide(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a terminal has no room for the last column of a table of these rows."""
    return sys.stdout.isatty() and _room(rows) < LEAST_ROOM


def _room(rows: Sequence[Sequence[str]]) -> int:
    """Columns that a terminal has for the last column."""
    others = sum(max(len(row[at]) for row in rows) + 2 for at in range(len(rows[0]) - 1))
    return shutil.get_terminal_size().columns - others


def wrapped(text: str, indent: int) -> list[str]:
    """`text` in lines as long as the terminal, behind so many spaces."""
    spaces = " " * indent
    columns = max(shutil.get_terminal_size().columns, indent + LEAST_ROOM)
    return textwrap.wrap(text, columns, initial_indent=spaces, subsequent_indent=spaces)


def number(value: float | None, digits: int = 4) -> str:
    """`value` with so many significant digits, without exponent below a million; ``–`` for none."""
    if value is None:
        return "–"
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    magnitude = math.floor(math.log10(abs(value)))
    if -4 <= magnitude < 15:  # noqa: PLR2004
        return f"{value:.{max(0, digits - 1 - magnitude)}f}"
    return f"{value:.{digits}g}"


def plain(value: float | None) -> str:
    """`value` as people write it: up to six digits, no zeros at its end; ``–`` for none."""
    return "–" if value is None else f"{value:g}"


def natural(name: str) -> list[tuple[int, str]]:
    """Sorts ``bulk[2]`` before ``bulk[10]``."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


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
    """What a reader should know, below the numbers; nothing for nothing."""
    return ["", *(f"note: {warning}" for warning in warnings)] if warnings else []


def _line(cells: Sequence[str], widths: Sequence[int], align: str) -> str:
    return "  ".join(
        f"{cell:{side}{width}}" for cell, side, width in zip(cells, align, widths, strict=True)
    ).rstrip()
