"""Division of a paper's numbers and claims into figures: all in one, or one per table.

A figure is no taller than a page. If a figure of the whole paper would be taller, each table has a
figure of its own, and a table that is too tall for a page has several: ``""``; ``"S1-T1"``,
``"S1-T2"``; ``"S1-T8"``, ``"S1-T8-2"``. The names depend on the paper alone, not on what was run.
"""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from cellway.catalogue.published import Claim, Derived, Paper, Row

PAGE = 10.6
"""Inches of a page: A4 is 11.7 high, less a margin."""
LINE = 0.135
BETWEEN = 0.11
"""Inches of a line of an entry, and between two entries."""
AROUND = 1.9
"""Inches of titles, axes and the legend."""
_LETTERS = 52
_MAX_LINES = 3
_MAX_LETTERS = 46


@dataclass(frozen=True)
class Sheet:
    """One figure.

    Attributes:
        name: part of its file's name behind the paper, ``""`` for the whole paper.
        codes: codes of its numbers and claims, in the order of the paper.
    """

    name: str
    codes: tuple[str, ...]


def judged_figure(identifier: str, sheet: Sheet) -> str:
    """Name of its file without an ending: ``"osu-1998-gfr-judged-S1-T1"``."""
    return "-".join([identifier, "judged", *([sheet.name] if sheet.name else [])])


def table_of(sheet: Sheet, paper: Paper) -> str:
    """Table of its numbers and claims; ``""`` for all tables."""
    if not sheet.name:
        return ""
    return next(one.table for one in _judged(paper) if one.code == sheet.codes[0])


def entry_lines(code: str, text: str) -> list[str]:
    """Lines of a code with its text, beside an axis."""
    return textwrap.wrap(f"{code} {text}", _LETTERS, max_lines=_MAX_LINES, placeholder=" …")


def value_lines(text: str) -> list[str]:
    """Lines of the expected and the found value, on the other side."""
    return textwrap.wrap(text, _MAX_LETTERS, max_lines=_MAX_LINES, placeholder=" …")


def height(lines: int) -> float:
    """Inches of an entry with so many lines."""
    return BETWEEN + LINE * lines


def sheets(paper: Paper) -> list[Sheet]:
    """Figures of a paper; none if no numbers were published and it has no claims."""
    judged = _judged(paper)
    if not judged:
        return []
    if AROUND + sum(map(_height, judged)) <= PAGE:
        return [Sheet("", tuple(one.code for one in judged))]
    tables = dict.fromkeys(one.table for one in judged)
    return [
        sheet
        for table in tables
        for sheet in _of_table(table, [one for one in judged if one.table == table])
    ]


def _judged(paper: Paper) -> list[Row | Derived | Claim]:
    """Numbers with a published value, and claims."""
    numbers: list[Row | Derived] = [*paper.rows, *paper.derived]
    return [*(one for one in numbers if one.published is not None), *paper.claims]


def _of_table(table: str, judged: Sequence[Row | Derived | Claim]) -> list[Sheet]:
    """Figures of a table: one, or as many as it takes, about equally tall."""
    whole = sum(map(_height, judged))
    count = math.ceil(whole / (PAGE - AROUND))
    parts: list[list[str]] = [[] for _ in range(count)]
    top = 0.0
    for one in judged:
        parts[min(int(top / whole * count), count - 1)].append(one.code)
        top += _height(one)
    return [
        Sheet(table if at == 0 else f"{table}-{at + 1}", tuple(part))
        for at, part in enumerate(parts)
    ]


def _height(one: Row | Derived | Claim) -> float:
    text = one.text if isinstance(one, Claim) else one.label
    return height(max(len(entry_lines(one.code, text)), 2 if isinstance(one, Claim) else 1))
