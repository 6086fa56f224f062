"""What a paper published, as data: the format of `published.toml`.

    [paper]        id, title, authors, venue, year, notes
    [[row]]        code, table, label, scenario, set, quantity, unit, published, compare, tolerance,
                   replications, note, because
    [[choice]]     what, value, reason: what the paper leaves open, decided once for all its tables
    [[sensitivity]] name, why, rows, alternatives = [{ label, set }]: how much such a choice matters

`quantity` is a dotted path in the summary of a run, or `explain:` and a path in what `explain` gives.
A row without `published` is run and shown, and not judged.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cellway.catalogue.fields import Fields
from cellway.errors import CatalogueError
from cellway.files import TEXT_LIMIT, read_limited

PUBLISHED = "published.toml"
EXPLAIN = "explain:"
UNITS: Mapping[str, float] = {
    "1": 1.0,
    "%": 0.01,
    "bit/s": 1.0,
    "kbit/s": 1e3,
    "Mbit/s": 1e6,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "B": 1.0,
    "cell": 1.0,
    "packet": 1.0,
}
"""Units of published numbers, each as a multiple of the summary's own unit."""

Sets = tuple[tuple[str, Any], ...]
"""Keys of a scenario and the values they are set to, in order."""


@dataclass(frozen=True)
class Tolerance:
    """How far a mean may lie from the published number, fixed before the run.

    Attributes:
        relative: as a share of the published number, above 0 and at most 1.
        reason: why this much.
    """

    relative: float
    reason: str


@dataclass(frozen=True)
class Because:
    """Why a row differs: the words, a figure, and the run that shows it."""

    text: str
    figure: str | None = None
    run: str | None = None


@dataclass(frozen=True)
class Row:
    """One number of a table, the conditions it holds under, and how to judge ours.

    Attributes:
        code: unique, such as ``"S4-T3-R1"``; `table` is the table's, `label` says the conditions.
        scenario: the file to run, with `sets` applied.
        quantity: where the number stands in the summary, or behind ``explain:`` in the explanation.
        unit: of the published numbers, a key of `UNITS`.
        simulated: what the paper's simulation gave, `measured` what was measured, in `unit`.
        compare: which of the two ours is judged against; `None` with `tolerance` when nothing was published.
        replications: runs with the seeds 1 to `replications`.
    """

    code: str
    table: str
    label: str
    scenario: Path
    sets: Sets
    quantity: str
    unit: str
    simulated: float | None
    measured: float | None
    compare: Literal["simulated", "measured"] | None
    tolerance: Tolerance | None
    replications: int
    note: str | None = None
    because: Because | None = None

    @property
    def published(self) -> float | None:
        """The number to be judged against, in `unit`."""
        return None if self.compare is None else getattr(self, self.compare)

    @property
    def explained(self) -> bool:
        """Whether the number follows from the scenario without a run."""
        return self.quantity.startswith(EXPLAIN)


@dataclass(frozen=True)
class Choice:
    """Something the paper leaves open, decided once for all its tables."""

    what: str
    value: str
    reason: str


@dataclass(frozen=True)
class Alternative:
    """Another choice, set on top of a row's own conditions."""

    label: str
    sets: Sets


@dataclass(frozen=True)
class Sensitivity:
    """How much a choice matters: `rows`, by code, under each of the `alternatives`."""

    name: str
    why: str
    rows: tuple[str, ...]
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True)
class Paper:
    """A paper of the catalogue."""

    id: str
    title: str
    authors: tuple[str, ...]
    venue: str
    year: int
    notes: str
    rows: tuple[Row, ...]
    choices: tuple[Choice, ...] = ()
    sensitivities: tuple[Sensitivity, ...] = field(default=())

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables, in the order of their first rows."""
        return tuple(dict.fromkeys(row.table for row in self.rows))

    def rows_of(self, table: str | None) -> tuple[Row, ...]:
        """The rows of `table`, or the one row with that code; all rows for `None`.

        A table is also found by the end of its name: ``"T3"`` finds ``"S4-T3"``.

        Raises:
            CatalogueError: no such table; the message lists those there are.
        """
        if table is None:
            return self.rows
        wanted = table.casefold()
        ends = (wanted, f"-{wanted}")
        found = tuple(
            row
            for row in self.rows
            if row.code.casefold() == wanted
            or row.table.casefold() == wanted
            or row.table.casefold().endswith(ends[1])
        )
        if not found:
            raise CatalogueError(f"{self.id} has no table {table!r}; it has {', '.join(self.tables)}")
        return found

    def row(self, code: str) -> Row:
        """The row with this code."""
        return next(row for row in self.rows if row.code == code)


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
    codes = [row.code for row in paper.rows]
    for code in codes:
        if codes.count(code) > 1:
            where.fail(f"two rows have the code {code}; codes are unique")
    for sensitivity in paper.sensitivities:
        for code in sensitivity.rows:
            if code not in codes:
                where.fail(
                    f"sensitivity {sensitivity.name!r}: no row {code}; the rows are {', '.join(codes)}"
                )


def _row(fields: Fields, folder: Path) -> Row:
    simulated, measured, compare, tolerance = _published(fields)
    row = Row(
        code=fields.text("code"),
        table=fields.text("table"),
        label=fields.text("label"),
        scenario=folder / fields.text("scenario"),
        sets=fields.sets("set"),
        quantity=fields.text("quantity"),
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
    return row


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


def _choice(fields: Fields) -> Choice:
    choice = Choice(fields.text("what"), fields.text("value"), fields.text("reason"))
    fields.done()
    return choice


def _sensitivity(fields: Fields) -> Sensitivity:
    alternatives = []
    for alternative in fields.tables("alternatives", name="label"):
        alternatives.append(Alternative(alternative.text("label"), alternative.sets("set")))
        alternative.done()
    entry = Sensitivity(fields.text("name"), fields.text("why"), fields.texts("rows"), tuple(alternatives))
    fields.done()
    return entry
