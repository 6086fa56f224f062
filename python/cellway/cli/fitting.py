"""Tables of a given width: wide parts are wrapped, left out, or put below.

In this order: texts are wrapped between words, columns that a table can do without are left out
and named, and the other columns go into tables below, each of which repeats the first columns.
Numbers are never broken.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

GAP = "  "
_LEAST = 14
"""Least width to which a longer text is wrapped, in letters."""
_PARTS = re.compile(r"\s+|[^\s-]*\w-(?=\w)|\S[^\s-]*")
"""Spaces, parts of words up to a hyphen, and words: a line may end behind each."""


class TableLine(str):
    """A line of text that keeps the cells it was written from, for other forms than text.

    Attributes:
        cells: of the line; the rule below a header has none.
        sides: alignment of each cell.
        is_head: true for titles of columns.
    """

    __slots__ = ("cells", "is_head", "sides")
    cells: tuple[str, ...]
    sides: str
    is_head: bool

    def __new__(
        cls, text: str, cells: Sequence[str], sides: str, *, is_head: bool = False
    ) -> "TableLine":
        """The line `text` with its cells."""
        made = super().__new__(cls, text)
        made.cells, made.sides, made.is_head = tuple(cells), sides, is_head
        return made


class Column(NamedTuple):
    """A title, the cells below it, their alignment, and whether they may be wrapped."""

    title: str
    cells: tuple[str, ...]
    side: str
    wraps: bool

    @property
    def natural(self) -> int:
        """Width when nothing is wrapped."""
        return max(map(len, (self.title, *self.cells)))

    @property
    def least(self) -> int:
        """Width when everything is wrapped that may be."""
        chunks = [len(word) for word in self.title.split()]
        for cell in self.cells:
            chunks += [len(one) for one in _PARTS.findall(cell)] if self.wraps else [len(cell)]
        return max(*chunks, min(self.natural, _LEAST) if self.wraps else 0, 1)


@dataclass(frozen=True)
class Table:
    """A table to be printed.

    Attributes:
        columns: from left to right.
        keys: number of the first columns, which name a line.
        less: titles of columns that may be left out, in this order.
    """

    columns: tuple[Column, ...]
    keys: int = 1
    less: tuple[str, ...] = ()

    def lines(self, room: int | None = None) -> list[str]:
        """Lines of at most `room` letters, unless one word is wider; of any width for `None`."""
        if room is None or _width([one.natural for one in self.columns]) <= room:
            return _written(self.columns, [one.natural for one in self.columns])
        kept, left_out = self._kept(room)
        if _width([one.least for one in kept]) <= room:
            return [*_written(kept, _widths(kept, room)), *_note(left_out)]
        keys = kept[: self.keys]
        blocks = self._blocks(kept, room)
        lines: list[str] = []
        for block in blocks:
            shown = (*keys, *block)
            lines += [*([""] if lines else []), *_written(shown, _widths(shown, room))]
        return [*lines, *_note(left_out)]

    def splits(self, room: int | None) -> bool:
        """True if columns have to go below others."""
        if room is None or _width([one.natural for one in self.columns]) <= room:
            return False
        return _width([one.least for one in self._kept(room)[0]]) > room

    def _kept(self, room: int) -> tuple[tuple[Column, ...], list[str]]:
        """The columns without as many of `less` as it takes, if that helps; and those titles."""
        kept, left_out = self.columns, []
        for title in self.less:
            if _width([one.least for one in kept]) <= room:
                break
            left_out.append(title)
            kept = tuple(one for one in kept if one.title != title)
        return kept, left_out

    def _blocks(self, kept: Sequence[Column], room: int) -> list[list[Column]]:
        """Columns behind the keys, in groups that fit beside each other."""
        keys = self._key_widths(kept, room)
        blocks: list[list[Column]] = []
        for column in kept[self.keys :]:
            within = [one.least for one in [*(blocks[-1] if blocks else []), column]]
            if blocks and _width([*keys, *within]) <= room:
                blocks[-1].append(column)
            else:
                blocks.append([column])
        return blocks

    def _key_widths(self, kept: Sequence[Column], room: int) -> list[int]:
        """Widths of the keys: natural where the widest column fits beside them, else the least."""
        keys, others = kept[: self.keys], kept[self.keys :]
        natural = [one.natural for one in keys]
        widest = max((one.least for one in others), default=0)
        fits = _width([*natural, widest]) <= room
        return natural if fits else [one.least for one in keys]


def _note(left_out: Sequence[str]) -> list[str]:
    if not left_out:
        return []
    return [f"not shown: {', '.join(left_out)}; a wider terminal, or | less -S, has all columns"]


def _width(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _widths(columns: Sequence[Column], room: int) -> list[int]:
    """Widths that fit: the widest column gives way first, until none can give more."""
    widths = [one.natural for one in columns]
    least = [one.least for one in columns]
    while _width(widths) > room:
        can = [at for at, width in enumerate(widths) if width > least[at]]
        if not can:
            break
        widths[max(can, key=lambda at: widths[at])] -= 1
    return widths


def _written(columns: Sequence[Column], widths: Sequence[int]) -> list[str]:
    """Lines: a header, a rule, and the rows; cells wider than their column are wrapped."""
    header = _row([one.title for one in columns], columns, widths, is_head=True)
    rows = zip(*(one.cells for one in columns), strict=True)
    head = [*header, TableLine(GAP.join("-" * width for width in widths), (), "")]
    if all(width >= one.natural for one, width in zip(columns, widths, strict=True)):
        return [*head, *_unbroken(rows, columns, widths)]
    return [*head, *(line for row in rows for line in _row(row, columns, widths))]


def _unbroken(
    rows: Iterable[tuple[str, ...]], columns: Sequence[Column], widths: Sequence[int]
) -> Iterator[TableLine]:
    """Rows of one line each: a run may have a port for each of 10 000 flows."""
    sides = "".join(one.side for one in columns)
    form = GAP.join(f"{{:{side}{width}}}" for side, width in zip(sides, widths, strict=True)).format
    return (TableLine(form(*row).rstrip(), row, sides) for row in rows)


def _broken(text: str, width: int) -> list[str]:
    """Lines of at most `width` letters; a longer word has a line of its own."""
    lines = [""]
    for part in _PARTS.findall(text):
        if len(lines[-1]) + len(part.rstrip()) > width and lines[-1].strip():
            lines.append("")
        lines[-1] += part if lines[-1] or len(lines) == 1 else part.lstrip()
    return [line.rstrip() for line in lines]


def _row(
    cells: Sequence[str],
    columns: Sequence[Column],
    widths: Sequence[int],
    *,
    is_head: bool = False,
) -> list[str]:
    broken = [
        _broken(cell, width) if is_head or one.wraps else [cell]
        for cell, one, width in zip(cells, columns, widths, strict=True)
    ]
    height = max(map(len, broken))
    lines = [
        GAP.join(
            f"{words[at] if at < len(words) else '':{one.side}{width}}"
            for words, one, width in zip(broken, columns, widths, strict=True)
        ).rstrip()
        for at in range(height)
    ]
    if height > 1:
        return lines
    sides = "".join(one.side for one in columns)
    return [TableLine(lines[0], cells, sides, is_head=is_head)]
