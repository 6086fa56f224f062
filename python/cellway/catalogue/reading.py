"""Papers from `published.toml`, checked entry by entry and then as a whole."""

import tomllib
from pathlib import Path
from typing import Literal

from cellway.catalogue.claims import check
from cellway.catalogue.expression import Expression
from cellway.catalogue.fields import Fields
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
from cellway.errors import CatalogueError
from cellway.files import TEXT_LIMIT, read_limited
from cellway.quantity import Quantity
from cellway.study import load_study
from cellway.units import UNITS

PUBLISHED = "published.toml"
EXPLAIN = "explain:"
PLAIN_UNITS = ("1", "%")
"""The units of numbers without dimension."""


def load_paper(folder: Path) -> Paper:
    """Reads and checks `folder`/published.toml; the folder's name is the paper's identifier.

    Raises:
        CatalogueError: the data cannot be accepted; the message says where and what would be.
        OSError: the file cannot be read.
    """
    path = folder / PUBLISHED
    content = read_limited(path)
    if content is None:
        raise CatalogueError(f"{path}: more than {TEXT_LIMIT} bytes; catalogue data have at most 1 MiB")
    try:
        document = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CatalogueError(f"{path}: not TOML 1.0 in UTF-8: {error}") from error
    return _paper(Fields(document, str(path)), folder)


def _paper(document: Fields, folder: Path) -> Paper:
    about = document.table("paper")
    paper = Paper(
        id=about.text("id"),
        title=about.text("title"),
        authors=about.texts("authors"),
        venue=about.text("venue"),
        year=about.whole("year", least=1900),
        notes=about.text("notes", default=""),
        rows=tuple(_row(fields, folder) for fields in document.tables("row", name="code")),
        studies=tuple(_study(f, folder) for f in document.tables("study", name="code", optional=True)),
        claims=tuple(_claim(fields) for fields in document.tables("claim", name="code", optional=True)),
        choices=tuple(_choice(fields) for fields in document.tables("choice", name="what", optional=True)),
        sensitivities=tuple(
            _sensitivity(f) for f in document.tables("sensitivity", name="name", optional=True)
        ),
    )
    about.done()
    document.done()
    _check(paper, folder, document)
    return paper


def _check(paper: Paper, folder: Path, where: Fields) -> None:
    """What no single entry can know."""
    if paper.id != folder.name:
        where.fail(f"paper.id is {paper.id!r}; it must be the folder's name, {folder.name!r}")
    codes = [row.code for row in paper.rows] + [claim.code for claim in paper.claims]
    codes += [entry.code for entry in paper.studies]
    codes += [entry.code for entry in paper.sensitivities if entry.code]
    for code in codes:
        if codes.count(code) > 1:
            where.fail(f"two entries have the code {code}; codes are unique")
    for claim in paper.claims:
        try:
            check(claim, paper)
        except CatalogueError as error:
            where.fail(f"claim {claim.code}: {error}")
    for entry in paper.sensitivities:
        _check_sensitivity(entry, paper, where)


def _check_sensitivity(entry: Sensitivity, paper: Paper, where: Fields) -> None:
    place = f"sensitivity {entry.name!r}"
    for code in entry.rows:
        try:
            paper.row(code)
        except CatalogueError as error:
            where.fail(f"{place}: {error}")
    taken = set()
    for alternative in entry.alternatives:
        for code in alternative.rows or ():
            if code not in entry.rows:
                where.fail(
                    f"{place}: alternative {alternative.label!r}: no row {code}; "
                    f"the entry's rows are {', '.join(entry.rows)}"
                )
        for code in filter(alternative.concerns, entry.rows):
            if (alternative.label, alternative.published, code) in taken:
                where.fail(f"{place}: two alternatives {alternative.label!r} concern {code}; one is accepted")
            taken.add((alternative.label, alternative.published, code))


def _row(fields: Fields, folder: Path) -> Row:
    simulated, measured, compare, tolerance = _published(fields)
    quantity, explained = _quantity(fields)
    row = Row(
        code=fields.text("code"),
        table=fields.text("table"),
        label=fields.text("label"),
        scenario=folder / fields.text("scenario"),
        sets=fields.sets("set"),
        quantity=quantity,
        explained=explained,
        unit=fields.one_of("unit", tuple(UNITS)),
        simulated=simulated,
        measured=measured,
        compare=compare,
        tolerance=tolerance,
        replications=fields.whole("replications", least=1),
        note=fields.text("note", default="") or None,
        because=_because(fields),
    )
    fields.done()
    if not row.scenario.is_file():
        fields.fail(f"scenario {row.scenario.name!r} is not in the paper's folder")
    if row.explained and row.replications != 1:
        fields.fail("an explained quantity does not vary; replications = 1 is accepted")
    if row.quantity.reduce == "jain" and row.unit not in PLAIN_UNITS:
        fields.fail(f"an index of fairness has no unit {row.unit}; accepted are {', '.join(PLAIN_UNITS)}")
    return row


def _quantity(fields: Fields) -> tuple[Quantity, bool]:
    """The quantity, and whether it is explained."""
    text = fields.text("quantity")
    path = text.removeprefix(EXPLAIN)
    try:
        quantity = Quantity(path, fields.text("reduce", default="") or None)
    except ValueError as error:
        fields.fail(str(error))
    return quantity, path != text


def _published(
    fields: Fields,
) -> tuple[float | None, float | None, Literal["simulated", "measured"] | None, Tolerance | None]:
    """What was published, or four times `None`."""
    if not fields.has("published"):
        if fields.has("compare") or fields.has("tolerance"):
            fields.fail("`compare` and `tolerance` judge against `published`, which is missing")
        return None, None, None, None
    numbers = fields.table("published")
    values = {key: numbers.number(key, optional=True) for key in ("simulated", "measured")}
    numbers.done()
    compare = fields.one_of("compare", ("simulated", "measured"))
    if not values[compare]:
        fields.fail(f"`compare` is {compare!r}, but published.{compare} is missing or zero")
    limits = fields.table("tolerance")
    tolerance = Tolerance(limits.number("relative") or 0.0, limits.text("reason"))
    limits.done()
    if not 0.0 < tolerance.relative <= 1.0:
        limits.fail(f"relative = {tolerance.relative} is out of range; above 0 and at most 1 is accepted")
    side: Literal["simulated", "measured"] = "simulated" if compare == "simulated" else "measured"
    return values["simulated"], values["measured"], side, tolerance


def _because(fields: Fields) -> Because | None:
    if not fields.has("because"):
        return None
    reason = fields.table("because")
    because = Because(
        text=reason.text("text"),
        figure=reason.text("figure", default="") or None,
        run=reason.text("run", default="") or None,
    )
    reason.done()
    return because


def _study(fields: Fields, folder: Path) -> PublishedStudy:
    file = folder / fields.text("study")
    if not file.is_file():
        fields.fail(f"study {file.name!r} is not in the paper's folder")
    entry = PublishedStudy(
        code=fields.text("code"),
        table=fields.text("table"),
        text=fields.text("text"),
        study=load_study(file),
    )
    fields.done()
    return entry


def _claim(fields: Fields) -> Claim:
    reduce: Literal["least", "largest"] | None = None
    if fields.has("reduce"):
        reduce = "least" if fields.one_of("reduce", ("least", "largest")) == "least" else "largest"
    claim = Claim(
        code=fields.text("code"),
        table=fields.text("table"),
        text=fields.text("text"),
        names=fields.named("names"),
        value=_expression(fields),
        unit=fields.text("unit"),
        expected=_expected(fields.table("expected")),
        reduce=reduce,
        note=fields.text("note", default="") or None,
        because=_because(fields),
    )
    fields.done()
    return claim


def _expression(fields: Fields) -> Expression:
    try:
        return Expression.parse(fields.text("value"))
    except ValueError as error:
        fields.fail(f"`value`: {error}")


def _expected(fields: Fields) -> Expected:
    least, most = (fields.number(key, optional=True) for key in ("least", "most"))
    expected = Expected(least, most, fields.text("reason"))
    fields.done()
    if least is None and most is None:
        fields.fail("neither `least` nor `most`; at least one of them is needed")
    if least is not None and most is not None and least > most:
        fields.fail(f"least = {least:g} is above most = {most:g}; least <= most is accepted")
    return expected


def _choice(fields: Fields) -> Choice:
    choice = Choice(fields.text("what"), fields.text("value"), fields.text("reason"))
    fields.done()
    return choice


def _sensitivity(fields: Fields) -> Sensitivity:
    shown: Literal["value", "change"] = (
        "change" if fields.one_of("shown", ("value", "change"), default="value") == "change" else "value"
    )
    entry = Sensitivity(
        name=fields.text("name"),
        why=fields.text("why"),
        rows=fields.texts("rows"),
        alternatives=tuple(_alternative(item) for item in fields.tables("alternatives", name="label")),
        code=fields.text("code", default="") or None,
        shown=shown,
        time=fields.flag("time"),
    )
    fields.done()
    return entry


def _alternative(fields: Fields) -> Alternative:
    alternative = Alternative(
        label=fields.text("label"),
        sets=fields.sets("set"),
        published=fields.text("published", default="") or None,
        rows=fields.texts("rows", optional=True) or None,
    )
    fields.done()
    return alternative
