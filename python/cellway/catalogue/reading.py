"""Papers from their folders, checked entry by entry and then, in `consistency`, as a whole."""

from pathlib import Path
from typing import Literal

from cellway.catalogue.choices import load_choices
from cellway.catalogue.consistency import Documents, check_paper
from cellway.catalogue.criteria import Criteria, load_criteria
from cellway.catalogue.expression import Expression
from cellway.catalogue.figures import load_figures
from cellway.catalogue.grids import read_rows
from cellway.catalogue.layout import load_layout
from cellway.catalogue.measurements import load_measurements
from cellway.catalogue.published import Claim, Derived, Paper, PublishedStudy, Row, Source
from cellway.catalogue.reasons import load_reasons
from cellway.errors import CatalogueError
from cellway.runs.quantity import UNITLESS, read_quantity
from cellway.study import load_study
from cellway.text.document import Table, load_document
from cellway.text.units import UNITS

PUBLISHED = "published.toml"
PLAIN_UNITS = ("1", "%")
"""Units of numbers without dimension."""

Side = Literal["simulated", "measured"]


def load_paper(folder: Path) -> Paper:
    """Reads and checks the files of `folder`; the folder's name is the paper's identifier.

    Raises:
        CatalogueError: the data cannot be accepted; the message gives file, line and column.
        OSError: a file cannot be read.
    """
    document = load_document(folder / PUBLISHED, CatalogueError, "a paper")
    criteria, criteria_document = load_criteria(folder)
    choices, choices_document = load_choices(folder)
    reasons, fallen, reasons_document = load_reasons(folder)
    figures, figures_document = load_figures(folder)
    measurements, measured_document = load_measurements(folder)
    layout, layout_document = load_layout(folder)
    about = document.table("paper")
    paper = Paper(
        id=about.name("id"),
        title=about.text("title"),
        authors=about.texts("authors"),
        venue=about.text("venue"),
        year=about.whole("year", least=1900),
        notes=about.text("notes", default=""),
        cpu_seconds=about.number("cpu_seconds", optional=True),
        rows=tuple(_row(table, folder, criteria) for table in read_rows(document)),
        derived=tuple(
            _derived(table, criteria) for table in document.tables("derived", optional=True)
        ),
        studies=tuple(_study(table, folder) for table in document.tables("study", optional=True)),
        claims=tuple(_claim(table, criteria) for table in document.tables("claim", optional=True)),
        scores=criteria.scores,
        editions=criteria.editions,
        choices=choices.choices,
        stated=choices.stated,
        sensitivities=choices.sensitivities,
        reasons=reasons,
        fallen=fallen,
        figures=figures,
        measurements=measurements,
        layout=layout,
        sources=tuple(map(_source, document.tables("sources", optional=True))),
    )
    about.done()
    document.done()
    documents = Documents(
        document,
        criteria_document,
        choices_document,
        reasons_document,
        figures_document,
        measured_document,
        layout_document,
    )
    check_paper(paper, criteria, folder, documents)
    return paper


def _source(table: Table) -> Source:
    return table.only(Source(table.texts("tables"), table.text("cited"), table.text("notes")))


def _row(table: Table, folder: Path, criteria: Criteria) -> Row:
    simulated, measured, compare = _published(table)
    quantity, explained = read_quantity(table)
    code = table.name("code")
    row = Row(
        code=code,
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
        tolerance=criteria.tolerances.get(code),
        replications=table.whole("replications", least=1),
        repeats=table.text("repeats", default="") or None,
        follows=table.text("follows", default="") or None,
        note=table.text("note", default="") or None,
    )
    table.done()
    if not row.scenario.is_file():
        table.fail(
            f"{row.scenario.name!r} is not there; a file in the paper's folder is expected",
            "scenario",
        )
    if row.explained and row.replications != 1:
        table.fail(
            "an explained quantity does not vary; replications = 1 is accepted", "replications"
        )
    if row.quantity.reduce in UNITLESS and row.unit not in PLAIN_UNITS:
        accepted = ", ".join(PLAIN_UNITS)
        table.fail(f"an index of fairness has no unit {row.unit}; accepted are {accepted}", "unit")
    return row


def _derived(table: Table, criteria: Criteria) -> Derived:
    simulated, measured, compare = _published(table)
    code = table.name("code")
    return table.only(
        Derived(
            code=code,
            table=table.text("table"),
            label=table.text("label"),
            unit=table.one_of("unit", tuple(UNITS)),
            simulated=simulated,
            measured=measured,
            compare=compare,
            tolerance=criteria.tolerances.get(code),
            names=table.named_texts("names"),
            value=_expression(table),
            distinct=table.yes("distinct", default=False),
            note=table.text("note", default="") or None,
        )
    )


def _published(table: Table) -> tuple[float | None, float | None, Side | None]:
    """Published numbers and the one to compare with, or three times `None`."""
    if not table.has("published"):
        if table.has("compare"):
            said = "`compare` is for a row with `published`, which is missing"
            table.fail(said, "compare", at_key=True)
        return None, None, None
    numbers = table.table("published")
    values = {key: numbers.number(key, optional=True) for key in ("simulated", "measured")}
    numbers.done()
    compare: Side = table.one_of("compare", ("simulated", "measured"))
    if values[compare] is None:
        said = f"published.{compare} is missing; a number to be compared with is expected"
        table.fail(f"`compare` is {compare!r}, but {said}", "compare")
    return values["simulated"], values["measured"], compare


def _study(table: Table, folder: Path) -> PublishedStudy:
    file = folder / table.text("study")
    if not file.is_file():
        table.fail(f"study {file.name!r} is not in the paper's folder", "study")
    code, shown_with, text = table.name("code"), table.text("table"), table.text("text")
    return table.only(PublishedStudy(code, shown_with, text, load_study(file)))


def _claim(table: Table, criteria: Criteria) -> Claim:
    code = table.name("code")
    if code not in criteria.expected:
        table.fail(f"claim {code} has no [[expected]] in the criteria; one is needed", "code")
    ends: tuple[Literal["min", "max"], ...] = ("min", "max")
    return table.only(
        Claim(
            code=code,
            table=table.text("table"),
            text=table.text("text"),
            names=table.named_texts("names"),
            value=_expression(table),
            unit=table.text("unit"),
            expected=criteria.expected[code],
            reduce=table.one_of("reduce", ends) if table.has("reduce") else None,
            note=table.text("note", default="") or None,
            published=table.number("published", optional=True),
        )
    )


def _expression(table: Table) -> Expression:
    try:
        return Expression.parse(table.text("value"))
    except ValueError as error:
        table.fail(str(error), "value")
