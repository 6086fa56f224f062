"""Parts of a report, which know nothing of the form in which they are written."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Text:
    """A paragraph; `kind` is `""`, or `"note"` for a line that warns."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        rows: cells.
        sides: alignment of each column, ``<`` or ``>``.
        header: titles; empty for names with their texts.
        caption: title of the table; may be empty.
    """

    rows: Sequence[Sequence[str]]
    sides: str
    header: Sequence[str] = ()
    caption: str = ""


@dataclass(frozen=True)
class Code:
    """Text to be copied, folded below `title`."""

    title: str
    text: str


@dataclass(frozen=True)
class Drawing:
    """A drawing as an element `svg` of a page, and in words."""

    svg: str
    words: str


@dataclass(frozen=True)
class Picture:
    """A complete SVG file, and in words."""

    svg: bytes
    words: str


@dataclass(frozen=True)
class Charts:
    """Charts over time that a script draws, and the picture that stands there without scripts."""

    data: str
    otherwise: Picture


Block = Text | Table | Code | Drawing | Picture | Charts


@dataclass(frozen=True)
class Section:
    """Blocks below a title."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Page:
    """A report.

    Attributes:
        title: its name.
        lead: the question, or what was simulated, in paragraphs.
        sections: from top to bottom; those without blocks are left out.
    """

    title: str
    lead: Sequence[str]
    sections: Sequence[Section] = field(default=())
