"""Papers from `published.toml`, checked entry by entry and then, in `consistency`, as a whole."""

from pathlib import Path
from typing import Literal

from cellway.catalogue.consistency import check_paper
from cellway.catalogue.expression import Expression
from cellway.catalogue.published import (
    Alternative,
    Because,
    Choice,
    Claim,
    Expected,
    Paper,
    PublishedStudy,
    Row,
    Sensitivity,
    Tolerance,
)
from cellway.document import Table, load_document
from cellway.errors import CatalogueError
from cellway.quantity import UNITLESS, read_quantity
from cellway.study import load_study
from cellway.units import UNITS

PUBLISHED = "published.toml"
PLAIN_UNITS = ("1", "%")
"""The units of numbers without dimension."""


def load_paper(folder: Path) -> Paper:
    """Reads and checks `folder`/published.toml; the folder's name is the paper's identifier.

    Raises:
        CatalogueError: the data cannot be accepted; the message gives file, line and column.
        OSError: the file cannot be read.
    """
    document = load_document(folder / PUBLISHED, CatalogueError, "a paper")
    about = document.table("paper")
    paper = Paper(
        id=about.name("id"),
        title=about.text("title"),
        authors=about.texts("authors"),
        venue=about.text("venue"),
        year=about.whole("year", least=1900),
        notes=about.text("notes", default=""),
        rows=tuple(_row(table, folder) for table in document.tables("row")),
        studies=tuple(_study(table, folder) for table in document.tables("study", optional=True)),
        claims=tuple(map(_claim, document.tables("claim", optional=True))),
        choices=tuple(map(_choice, document.tables("choice", optional=True))),
        sensitivities=tuple(map(_sensitivity, document.tables("sensitivity", optional=True))),
    )
    about.done()
    document.done()
    check_paper(paper, folder, document)
    return paper


def _row(table: Table, folder: Path) -> Row:
    simulated, measured, compare, tolerance = _published(table)
    quantity, explained = read_quantity(table)
    row = Row(
        code=table.name("code"),
        table=table.text("table"),
        label=table.text("label"),
        scenario=folder / table.text("scenario"),
        sets=table.sets("set"),
        quantity=quantity,
        explained=explained,
        unit=table.one_of("unit", tuple(UNITS)),
        simulated=simulated,
        measured=measured,
        compare=compare,
        tolerance=tolerance,
        replications=table.whole("replications", least=1),
        note=table.text("note", default="") or None,
        because=_because(table),
    )
    table.done()
    if not row.scenario.is_file():
        table.fail(
            f"{row.scenario.name!r} is not there; a file in the paper's folder is expected", "scenario"
        )
    if row.explained and row.replications != 1:
        table.fail("an explained quantity does not vary; replications = 1 is accepted", "replications")
    if row.quantity.reduce in UNITLESS and row.unit not in PLAIN_UNITS:
        accepted = ", ".join(PLAIN_UNITS)
        table.fail(f"an index of fairness has no unit {row.unit}; accepted are {accepted}", "unit")
    return row


def _published(
    table: Table,
) -> tuple[float | None, float | None, Literal["simulated", "measured"] | None, Tolerance | None]:
    """What was published, or four times `None`."""
    if not table.has("published"):
        for key in filter(table.has, ("compare", "tolerance")):
            table.fail(f"`{key}` is for a row with `published`, which is missing", key, at_key=True)
        return None, None, None, None
    numbers = table.table("published")
    values = {key: numbers.number(key, optional=True) for key in ("simulated", "measured")}
    numbers.done()
    compare = table.one_of("compare", ("simulated", "measured"))
    if not values[compare]:
        said = f"published.{compare} is missing or zero; a number to be compared with is expected"
        table.fail(f"`compare` is {compare!r}, but {said}", "compare")
    limits = table.table("tolerance")
    tolerance = Tolerance(limits.number("relative") or 0.0, limits.text("reason"))
    limits.done()
    if not 0.0 < tolerance.relative <= 1.0:
        limits.fail(f"`relative` is {tolerance.relative:g}; above 0 and at most 1 is accepted", "relative")
    side: Literal["simulated", "measured"] = "simulated" if compare == "simulated" else "measured"
    return values["simulated"], values["measured"], side, tolerance


def _because(table: Table) -> Because | None:
    if not table.has("because"):
        return None
    reason = table.table("because")
    because = Because(
        text=reason.text("text"),
        figure=reason.text("figure", default="") or None,
        run=reason.text("run", default="") or None,
    )
    reason.done()
    return because


def _study(table: Table, folder: Path) -> PublishedStudy:
    file = folder / table.text("study")
    if not file.is_file():
        table.fail(f"study {file.name!r} is not in the paper's folder", "study")
    entry = PublishedStudy(
        code=table.name("code"),
        table=table.text("table"),
        text=table.text("text"),
        study=load_study(file),
    )
    table.done()
    return entry


def _claim(table: Table) -> Claim:
    claim = Claim(
        code=table.name("code"),
        table=table.text("table"),
        text=table.text("text"),
        names=table.named_texts("names"),
        value=_expression(table),
        unit=table.text("unit"),
        expected=_expected(table.table("expected")),
        reduce=_reduce(table),
        note=table.text("note", default="") or None,
        because=_because(table),
    )
    table.done()
    return claim


def _reduce(table: Table) -> Literal["least", "largest"] | None:
    if not table.has("reduce"):
        return None
    return "least" if table.one_of("reduce", ("least", "largest")) == "least" else "largest"


def _expression(table: Table) -> Expression:
    try:
        return Expression.parse(table.text("value"))
    except ValueError as error:
        table.fail(str(error), "value")


def _expected(table: Table) -> Expected:
    least, most = (table.number(key, optional=True) for key in ("least", "most"))
    expected = Expected(least, most, table.text("reason"))
    table.done()
    if least is None and most is None:
        table.fail("neither `least` nor `most`; one or both of them are expected")
    if least is not None and most is not None and least > most:
        table.fail(f"`least` is {least:g}, above `most`; at most {most:g} is accepted", "least")
    return expected


def _choice(table: Table) -> Choice:
    choice = Choice(table.text("what"), table.text("value"), table.text("reason"))
    table.done()
    return choice


def _sensitivity(table: Table) -> Sensitivity:
    shown: Literal["value", "change"] = (
        "change" if table.one_of("shown", ("value", "change"), default="value") == "change" else "value"
    )
    entry = Sensitivity(
        name=table.text("name"),
        why=table.text("why"),
        rows=table.texts("rows"),
        alternatives=tuple(map(_alternative, table.tables("alternatives"))),
        code=table.text("code", default="") or None,
        shown=shown,
        time=table.yes("time", default=False),
    )
    table.done()
    return entry


def _alternative(table: Table) -> Alternative:
    alternative = Alternative(
        label=table.text("label"),
        sets=table.sets("set"),
        published=table.text("published", default="") or None,
        rows=table.texts("rows", optional=True) or None,
    )
    table.done()
    return alternative
