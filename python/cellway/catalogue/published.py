"""A published paper as data: the format of `published.toml`.

    [paper]    id, title, authors, venue, year, notes, cpu_seconds
    [[sources]] tables, cited, notes: a source of its own behind some tables, of a folder that is no
               single paper
    [[rows]]   code, table, label, scenario, set, quantity, reduce, times, unit, published,
               compare, replications, repeats, follows, note; many rows of one form as
               `cellway.catalogue.grids` reads them
    [[derived]] code, table, label, names, value, unit, published, compare, distinct, note:
               a number that follows from rows
    [[claim]]  code, table, text, names, value, reduce, unit, published, note:
               a sentence of the paper, tested on our numbers
    [[study]]  code, table, text, study:
               a figure of the paper, by a study file of its folder; not judged

`quantity` is a path as `cellway.runs.quantity.Quantity` takes it in the summary of a run, or
`explain:` and a path in the result of `explain`; a path with `*` names several numbers, which
`reduce` joins.
A row without `published` is run and shown, and not judged. The `names` of claims and derived
numbers refer to rows or studies by their codes, and `value` is an expression in these names as
`cellway.catalogue.expression` reads it; a response follows the dot of a study's name, and the value
is calculated at every point and reduced to its `largest` or `least`.

The criteria are in `criteria.toml`, the choices that the paper leaves open in `choices.toml`, the
reasons of differences in `reasons.toml`, measurements by the kernel in `measured.toml`, and the
order and names of the paper in `layout.toml`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cellway.catalogue.choices import Choice, OpenKeys, Sensitivity, Stated
from cellway.catalogue.criteria import Edition, Expected, Tolerance
from cellway.catalogue.expression import Expression
from cellway.catalogue.figures import Figure, codes_shown
from cellway.catalogue.layout import Layout
from cellway.catalogue.measurements import Measurements
from cellway.catalogue.reasons import Fallen, Reason
from cellway.catalogue.scores import Score
from cellway.errors import CatalogueError
from cellway.runs.quantity import Quantity
from cellway.study import Study

Sets = tuple[tuple[str, Any], ...]
"""Keys of a scenario and the values they are set to, in order."""


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number of a table: the published values, and the one that ours is judged against.

    Attributes:
        code: unique, such as ``"S4-T3-R1"``; `table`: its table; `label`: its conditions.
        unit: of the published numbers, a key of `UNITS`.
        simulated: number of the paper's simulation; `measured`: measured number; both in `unit`.
        compare: the one that ours is judged against; `None`, as `tolerance`, if none was
            published.
    """

    code: str
    table: str
    label: str
    unit: str
    simulated: float | None
    measured: float | None
    compare: Literal["simulated", "measured"] | None
    tolerance: Tolerance | None
    note: str | None = None

    @property
    def published(self) -> float | None:
        """The number to be judged against, in `unit`."""
        return None if self.compare is None else getattr(self, self.compare)

    @property
    def without_published(self) -> bool:
        """True if the paper has no such number."""
        return self.simulated is None and self.measured is None


@dataclass(frozen=True, kw_only=True)
class Row(Number):
    """A number that a run gives, with the conditions it holds under.

    Attributes:
        scenario: the file to run, with `sets` applied.
        quantity: the path of the number in the summary, or in the explanation when `explained`.
        explained: true if the number follows from the scenario without a run.
        replications: runs with the seeds 1 to `replications`.
        repeats: the row with the same published number, so that it counts once.
        follows: other published numbers from which this one follows, in words; it does not count
            then.
    """

    scenario: Path
    sets: Sets
    quantity: Quantity
    explained: bool
    replications: int
    repeats: str | None = None
    follows: str | None = None


@dataclass(frozen=True, kw_only=True)
class Derived(Number):
    """A number that follows from rows, seed by seed, such as an excess over a guarantee.

    Attributes:
        names: the names in `value`, each with the code of its row.
        value: the expression to calculate.
        distinct: true if its published number counts, because those of its rows do not give it.
    """

    names: Mapping[str, str]
    value: Expression
    distinct: bool = False


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, tested on our numbers.

    Attributes:
        code: unique, such as ``"S4-C2"``; `table` is the table it is shown with.
        text: the sentence.
        names: the names in `value`, each with its code.
        value: expression in our means or, behind a dot, in published numbers.
        unit: of the value, in words.
        expected: the range of the value.
        reduce: selects the value that counts among the points of a study; `None` if no study is in
            `value`.
        published: the number that the sentence gives; without one the expectation is a threshold of
            ours.
    """

    code: str
    table: str
    text: str
    names: Mapping[str, str]
    value: Expression
    unit: str
    expected: Expected
    note: str | None = None
    reduce: Literal["min", "max"] | None = None
    published: float | None = None

    def measured(self, number: str) -> str:
        """`number` with the unit behind it; a number whose unit is 1 has none."""
        return number if self.unit == "1" else f"{number} {self.unit}"


@dataclass(frozen=True)
class PublishedStudy:
    """A figure of a paper as a study; claims can be made of it.

    Attributes:
        code: unique, such as ``"S4-F6"``; `table` is the table it is shown with.
        text: its subject.
        study: its design and responses.
    """

    code: str
    table: str
    text: str
    study: Study


@dataclass(frozen=True)
class Source:
    """Publication behind some tables of a folder that has several.

    Attributes:
        tables: the names of its tables.
        cited: authors, title, venue and year, with the place of the numbers.
        notes: the text in which they were checked, and what it leaves open.
    """

    tables: tuple[str, ...]
    cited: str
    notes: str


def unique(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Rows, each once, in the order of their first appearance."""
    return tuple({row.code: row for row in rows}.values())


@dataclass(frozen=True)
class Selection:
    """A part of a paper; `sensitivities` are those chosen by their own codes."""

    rows: tuple[Row, ...]
    derived: tuple[Derived, ...]
    claims: tuple[Claim, ...]
    sensitivities: tuple[Sensitivity, ...]
    studies: tuple[PublishedStudy, ...]
    scores: tuple[Score, ...]


@dataclass(frozen=True)
class Paper:
    """A paper of the catalogue: published numbers, criteria, and open choices.

    `cpu_seconds` are those of all its runs on one core, as last measured; `None` if never.
    """

    id: str
    title: str
    authors: tuple[str, ...]
    venue: str
    year: int
    notes: str
    rows: tuple[Row, ...]
    derived: tuple[Derived, ...] = ()
    claims: tuple[Claim, ...] = ()
    studies: tuple[PublishedStudy, ...] = ()
    scores: tuple[Score, ...] = ()
    editions: tuple[Edition, ...] = ()
    choices: tuple[Choice, ...] = ()
    stated: tuple[Stated, ...] = ()
    sensitivities: tuple[Sensitivity, ...] = ()
    reasons: tuple[Reason, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    figures: tuple[Figure, ...] = ()
    measurements: Measurements = field(default_factory=Measurements)
    layout: Layout = field(default_factory=Layout)
    sources: tuple[Source, ...] = ()
    cpu_seconds: float | None = None

    @property
    def apart(self) -> bool:
        """True for several sources in one folder: it is counted apart from papers."""
        return bool(self.sources)

    @property
    def numbers(self) -> tuple[Row | Derived, ...]:
        """Rows and derived numbers."""
        return *self.rows, *self.derived

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of rows, studies and claims, and the codes of sensitivity entries."""
        tables = [one.table for one in (*self.numbers, *self.studies, *self.claims)]
        codes = [entry.code for entry in self.sensitivities if entry.code]
        return tuple(dict.fromkeys(tables + codes))

    def select(self, table: str | None) -> Selection:
        """Part named `table`: a table, or one row, study, claim or sensitivity entry by its code.

        The code of a figure is that of the rows and derived numbers that it shows. A table is also
        found by the end of its name: ``"T3"`` finds ``"S4-T3"``. `None` takes everything but the
        sensitivity entries. Scores come with all their rows.

        Raises:
            CatalogueError: no such table; the message lists those there are.
        """
        if table is None:
            return Selection(self.rows, self.derived, self.claims, (), self.studies, self.scores)
        wanted = table.casefold()

        def chosen(code: str, name: str) -> bool:
            return wanted in {code.casefold(), name.casefold()} or name.casefold().endswith(
                f"-{wanted}"
            )

        figure = self.figure(table)
        shown = frozenset() if figure is None else codes_shown(figure)
        rows = tuple(row for row in self.rows if row.code in shown or chosen(row.code, row.table))
        derived = tuple(
            one for one in self.derived if one.code in shown or chosen(one.code, one.table)
        )
        codes = {one.code for one in (*rows, *derived)}
        found = Selection(
            rows,
            derived,
            tuple(claim for claim in self.claims if chosen(claim.code, claim.table)),
            tuple(
                entry
                for entry in self.sensitivities
                if entry.code and chosen(entry.code, entry.code)
            ),
            tuple(entry for entry in self.studies if chosen(entry.code, entry.table)),
            tuple(score for score in self.scores if codes.issuperset(score.rows)),
        )
        parts = (found.rows, found.derived, found.claims, found.sensitivities, found.studies)
        if figure is None and not any(parts):
            drawn = "".join(f", {one.code}" for one in self.figures)
            raise CatalogueError(
                f"{self.id} has no table {table!r}; it has {', '.join(self.tables)}{drawn}"
            )
        return found

    def figure(self, code: str | None) -> Figure | None:
        """The figure of `figures.toml` with this code, in any case; `None` without one."""
        wanted = (code or "").casefold()
        return next((one for one in self.figures if one.code.casefold() == wanted), None)

    def row(self, code: str) -> Row:
        """The row with this code.

        Raises:
            CatalogueError: there is none; the message lists those there are.
        """
        for row in self.rows:
            if row.code == code:
                return row
        raise CatalogueError(
            f"no row {code}; the rows are {', '.join(row.code for row in self.rows)}"
        )

    def number(self, code: str) -> Row | Derived:
        """The row or the derived number with this code.

        Raises:
            CatalogueError: there is none; the message lists the rows.
        """
        return next((one for one in self.derived if one.code == code), None) or self.row(code)

    def rows_of(self, code: str) -> tuple[Row, ...]:
        """The rows whose runs the row, derived number or claim `code` needs.

        Other rows are used by a claim only for published numbers, or as points of a study.

        Raises:
            CatalogueError: the paper has no such code.
        """
        claim = next((one for one in self.claims if one.code == code), None)
        one = claim or self.number(code)
        if isinstance(one, Row):
            return (one,)
        codes = dict.fromkeys(
            one.names[named.name] for named in one.value.names if named.part is None
        )
        found = [self.rows_of(behind) for behind in codes if self.study(behind) is None]
        return unique(row for rows in found for row in rows)

    def reason(self, code: str) -> Reason | None:
        """Reason why the row or claim `code` differs; `None` when none is on record."""
        return next((reason for reason in self.reasons if code in reason.of), None)

    @property
    def keys(self) -> OpenKeys:
        """Keys that the paper leaves open, and those that it states."""
        return OpenKeys(self.choices, self.stated)

    def set_before(self, code: str) -> bool:
        """True if the criterion of `code` was set before a result of its entry was known."""
        changes = [one for one in self.editions if code in one.changed]
        if not changes and code in self.layout.before:
            return True
        return any(one.results == "unknown" for one in changes[-1:] or self.editions[:1])

    def study(self, code: str) -> PublishedStudy | None:
        """The study with this code; `None` when there is none."""
        return next((entry for entry in self.studies if entry.code == code), None)
