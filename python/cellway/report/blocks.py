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


@dataclass(frozen=True)
class StudyCharts:
    """Charts over factors that a script draws, and the pictures without scripts."""

    data: str
    otherwise: Sequence[Picture]


@dataclass(frozen=True)
class Dot:
    """A number on a scale, with its interval.

    Attributes:
        group: level of the factor whose levels are groups of rows.
        name: setting of the other factors; may be empty.
        colour: of the dot: a property of the style such as ``--flow0``, or as hexadecimal digits.
        value: its place; `None` if there is no number.
        interval: its ends; `None` if there is none.
        text: the number with its interval, or why there is none.
        hollow: true if runs that repeat each other leave it without an interval.
    """

    group: str
    name: str
    colour: str
    value: float | None
    interval: tuple[float, float] | None
    text: str
    hollow: bool = False


@dataclass(frozen=True)
class Dots:
    """Rows with a dot each over one axis, which need no script.

    Attributes:
        caption: name and unit of the numbers.
        factor: name of the groups.
        dots: from top to bottom; those of a group together.
        logarithmic: true if equal ratios are equally far apart.
        reference: a number with a line across all rows; `None` for none.
    """

    caption: str
    factor: str
    dots: Sequence[Dot]
    logarithmic: bool = False
    reference: float | None = None


Block = Text | Table | Code | Drawing | Picture | Charts | StudyCharts | Dots


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
