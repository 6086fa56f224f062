"""Figures of a paper's page: the format of `figures.toml`.

    [[figure]]  code, title, and by kind
      kind = "groups"     groups = [{ label, rows }], x, y, scale:
                          published and ours, entry by entry
      kind = "places"     rows, scale:
                          all replications of each row, and the place of the published number
      kind = "curves"     panels = [{ label, x, scale, lines }], y, of a line label, at, and rows,
                          or an expression `formula` in the condition x, or numbers: ours over a
                          condition with intervals, and those of the theory
      kind = "over_time"  scenario, lines = [{ label, set, published }], series, window, y, unit:
                          one run for each line, a counting series as a rate over `window`

A scatter of published against ours and the figure of all rows and claims are plotted for every
paper.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cellway.catalogue.expression import Expression, Named
from cellway.errors import CatalogueError
from cellway.text.document import Table, load_optional
from cellway.text.units import UNITS

FIGURES = "figures.toml"
Scale = Literal["linear", "log"]


@dataclass(frozen=True)
class Group:
    """Rows that are joined by a line."""

    label: str
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Groups:
    """Published numbers and ours of several groups of rows, entry by entry.

    Attributes:
        x: label of the axis of entries; `y`: label of the axis of numbers.
    """

    code: str
    title: str
    groups: tuple[Group, ...]
    x: str
    y: str
    scale: Scale


@dataclass(frozen=True)
class Places:
    """All replications of each row, with the place of the published number among them."""

    code: str
    title: str
    rows: tuple[str, ...]
    scale: Scale


@dataclass(frozen=True)
class Curve:
    """Numbers over a condition.

    Attributes:
        at: the condition of each, ascending.
        rows: codes of our numbers; empty for a formula.
        numbers: values of a formula; empty for rows.
    """

    label: str
    at: tuple[float, ...]
    rows: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True)
class Panel:
    """Curves over the same condition; `x` is its name, `scale` the scale of its axis."""

    label: str
    x: str
    scale: Scale
    lines: tuple[Curve, ...]


@dataclass(frozen=True)
class Curves:
    """Our numbers over a condition, with intervals; `y` is the label of their axis."""

    code: str
    title: str
    panels: tuple[Panel, ...]
    y: str


@dataclass(frozen=True)
class Line:
    """One run of `OverTime`; `published` is plotted as a level, in the figure's unit."""

    label: str
    sets: tuple[tuple[str, Any], ...]
    published: float | None


@dataclass(frozen=True)
class OverTime:
    """Rate of a counting series over time; several series that match are added.

    Attributes:
        scenario: the file to run once for each line, with its own seed.
        series: a path with `*` among the names of series.
        window: time over which the rate is taken, such as ``"1 s"``.
        unit: of the rate, a key of `UNITS`.
    """

    code: str
    title: str
    scenario: Path
    lines: tuple[Line, ...]
    series: str
    window: str
    y: str
    unit: str


Figure = Groups | Places | Curves | OverTime


def codes_shown(figure: Figure) -> frozenset[str]:
    """Codes of the rows and derived numbers that a figure shows; none of runs of its own."""
    if isinstance(figure, Groups):
        return frozenset(code for group in figure.groups for code in group.rows)
    if isinstance(figure, Places):
        return frozenset(figure.rows)
    if isinstance(figure, Curves):
        lines = [line for panel in figure.panels for line in panel.lines]
        return frozenset(code for line in lines for code in line.rows)
    return frozenset()


def load_figures(folder: Path) -> tuple[tuple[Figure, ...], Table]:
    """Reads `folder`/figures.toml, and the document for faults that need the paper.

    Raises:
        CatalogueError: it cannot be accepted.
        OSError: it cannot be read.
    """
    document = load_optional(folder / FIGURES, CatalogueError, "figures")
    figures = tuple(_figure(table, folder) for table in document.tables("figure", optional=True))
    return document.only((figures, document))


def _figure(table: Table, folder: Path) -> Figure:
    code, title = table.name("code"), table.text("title")
    kind = table.one_of("kind", ("groups", "places", "curves", "over_time"))
    figure: Figure
    if kind == "groups":
        groups = tuple(map(_group, table.tables("groups")))
        figure = Groups(code, title, groups, table.text("x"), table.text("y"), _scale(table))
    elif kind == "places":
        figure = Places(code, title, table.texts("rows"), _scale(table))
    elif kind == "curves":
        figure = Curves(code, title, tuple(map(_panel, table.tables("panels"))), table.text("y"))
    else:
        figure = OverTime(
            code=code,
            title=title,
            scenario=folder / table.text("scenario"),
            lines=tuple(map(_line, table.tables("lines"))),
            series=table.text("series"),
            window=table.text("window"),
            y=table.text("y"),
            unit=table.one_of("unit", tuple(UNITS)),
        )
        if not figure.scenario.is_file():
            table.fail(f"{figure.scenario.name!r} is not in the paper's folder", "scenario")
    return table.only(figure)


def _scale(table: Table) -> Scale:
    return table.one_of("scale", ("linear", "log"), default="linear")


def _group(table: Table) -> Group:
    return table.only(Group(table.text("label"), table.texts("rows")))


def _panel(table: Table) -> Panel:
    lines = tuple(map(_curve, table.tables("lines")))
    return table.only(Panel(table.text("label"), table.text("x"), _scale(table), lines))


def _curve(table: Table) -> Curve:
    ways = [way for way in ("rows", "numbers", "formula") if table.has(way)]
    if len(ways) != 1:
        table.fail("`rows`, `numbers` or `formula` is expected, one of them")
    at = table.numbers("at")
    if list(at) != sorted(set(at)):
        table.fail("`at` does not ascend; each condition above the one before is expected", "at")
    rows = table.texts("rows") if ways == ["rows"] else ()
    numbers = table.numbers("numbers") if ways == ["numbers"] else ()
    if ways == ["formula"]:
        numbers = _of_formula(table, at)
    if len(at) != len(rows) + len(numbers):
        said = f"{len(at)} conditions for {len(rows) + len(numbers)} numbers"
        table.fail(f"{said}; one for each is expected", "at")
    return table.only(Curve(table.text("label"), at, rows, numbers))


def _of_formula(table: Table, at: tuple[float, ...]) -> tuple[float, ...]:
    """Values of the expression `formula`, whose only name is x, the condition."""
    try:
        expression = Expression.parse(table.text("formula"))
        return tuple(expression.value({Named("x"): one}.__getitem__) for one in at)
    except (ValueError, KeyError) as error:
        table.fail(f"{error}; x, the condition, is its only name", "formula")


def _line(table: Table) -> Line:
    published = table.number("published", optional=True)
    return table.only(Line(table.text("label"), table.sets("set"), published))


def check_figures(document: Table, codes: tuple[str, ...]) -> None:
    """Refuses figures of rows that are not in the paper.

    Args:
        document: the root of `figures.toml`.
        codes: of all rows and derived numbers.

    Raises:
        CatalogueError: a fault; the message has its place and what would be accepted.
    """
    for table in document.tables("figure", optional=True):
        named = [table, *(table.tables("groups") if table.has("groups") else ())]
        panels = table.tables("panels") if table.has("panels") else ()
        named += [line for panel in panels for line in panel.tables("lines")]
        for entry in named:
            for at, code in enumerate(
                entry.texts("rows", optional=True) if entry.has("rows") else ()
            ):
                if code not in codes:
                    entry.fail_at(("rows", at), f"no row {code}")
