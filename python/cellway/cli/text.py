"""Plain text for people: aligned tables, never wrapped, coloured or cut, with short numbers."""

import json
import math
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, Literal

from cellway.cli.parameters import ExitError
from cellway.units import SCALES, per

LEAST_ROOM = 24
"""Columns of a last column that is wrapped."""
MOST_COLUMNS = 100
"""Of a help text; wider lines are hard to read."""
Align = Literal["<", ">"]


def say(*lines: str) -> None:
    """Writes lines to stdout; ends the command quietly if the reader has closed, as `head` does.

    Raises:
        ExitError: with 0.
    """
    try:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    except BrokenPipeError as error:
        reader_gone()
        raise ExitError from error


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


def help_columns() -> int:
    """How wide a help text is."""
    import shutil  # noqa: PLC0415 - with all compressions

    return min(shutil.get_terminal_size().columns, MOST_COLUMNS)


def fitting_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], align: str = ""
) -> list[str]:
    """A table whose last column is wrapped where a terminal ends; elsewhere it is not."""
    if not sys.stdout.isatty():
        return table(header, rows, align)
    import shutil  # noqa: PLC0415
    import textwrap  # noqa: PLC0415

    others = sum(max(len(row[at]) for row in [header, *rows]) + 2 for at in range(len(header) - 1))
    room = max(shutil.get_terminal_size().columns - others, LEAST_ROOM)
    wrapped = []
    for row in rows:
        first, *more = textwrap.wrap(row[-1], room) or [""]
        wrapped.append([*row[:-1], first])
        wrapped += [[*[""] * (len(row) - 1), line] for line in more]
    return table(header, wrapped, align)


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
