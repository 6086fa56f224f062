"""What a paper published, as data: the format of `published.toml`.

    [paper]         id, title, authors, venue, year, notes
    [[row]]         code, table, label, scenario, set, quantity, reduce, unit, published, compare, tolerance,
                    replications, note, because
    [[claim]]       code, table, text, names, value, reduce, unit, expected = { least, most, reason }, note,
                    because: a sentence of the paper, tested on our numbers
    [[study]]       code, table, text, study: a figure of the paper, by a study file of its folder; not judged
    [[choice]]      what, value, reason: what the paper leaves open, decided once for all its tables
    [[sensitivity]] code, name, why, rows, shown, time, alternatives = [{ label, set, published, rows }]:
                    how much such a choice matters, or what becomes of the rows without a part of the model

`quantity` is a path as `cellway.quantity.Quantity` takes it in the summary of a run, or `explain:` and a path
in what `explain` gives; a path with `*` names several numbers, which `reduce` joins. A row without
`published` is run and shown, and not judged. A claim's `names` stand for rows or studies by their codes, and
its `value` is an expression in these names as `cellway.catalogue.expression` reads it; behind the dot of a
study's name stands a response, and the value is calculated at every point and reduced to its `largest` or
`least`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cellway.catalogue.expression import Expression
from cellway.errors import CatalogueError
from cellway.quantity import Quantity
from cellway.study import Study

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
        quantity: where the number stands in the summary, or in the explanation when `explained`.
        explained: whether the number follows from the scenario without a run.
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
    quantity: Quantity
    explained: bool
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


@dataclass(frozen=True)
class Expected:
    """Where the value of a claim must lie, ends included, fixed before the run; one end may be open."""

    least: float | None
    most: float | None
    reason: str

    def __str__(self) -> str:
        if self.least is None:
            return f"at most {self.most:g}"
        return f"at least {self.least:g}" if self.most is None else f"{self.least:g} to {self.most:g}"


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, tested on our numbers.

    Attributes:
        code: unique, such as ``"S4-C2"``; `table` is the table it is shown with.
        text: the sentence.
        names: the names in `value`, each with the code that it stands for.
        value: what is calculated from our means or, behind a dot, from the published numbers.
        unit: of the value, in words.
        expected: where the value must lie.
        reduce: which of the values at the points of a study counts; `None` when no study is in `value`.
    """

    code: str
    table: str
    text: str
    names: Mapping[str, str]
    value: Expression
    unit: str
    expected: Expected
    note: str | None = None
    because: Because | None = None
    reduce: Literal["least", "largest"] | None = None

    def measured(self, number: str) -> str:
        """`number` with the unit behind it; nothing stands behind a number whose unit is 1."""
        return number if self.unit == "1" else f"{number} {self.unit}"


@dataclass(frozen=True)
class PublishedStudy:
    """A figure of a paper as a study; claims can be made of it.

    Attributes:
        code: unique, such as ``"S4-F6"``; `table` is the table it is shown with.
        text: what it shows.
        study: its design and responses.
    """

    code: str
    table: str
    text: str
    study: Study


@dataclass(frozen=True)
class Choice:
    """Something the paper leaves open, decided once for all its tables."""

    what: str
    value: str
    reason: str


@dataclass(frozen=True)
class Alternative:
    """Another choice, set on top of a row's own conditions.

    Attributes:
        label: what is chosen.
        sets: keys and values, set after those of the row.
        published: what the paper says of it, in its own words.
        rows: the codes that it concerns; `None` for all rows of the entry.
    """

    label: str
    sets: Sets
    published: str | None = None
    rows: tuple[str, ...] | None = None

    def concerns(self, code: str) -> bool:
        """Whether it says anything on the row `code`."""
        return self.rows is None or code in self.rows


@dataclass(frozen=True)
class Sensitivity:
    """How much a choice matters: `rows`, by code, under each of the `alternatives`.

    Attributes:
        code: by which it can be chosen, if it has one.
        shown: ``"change"`` shows beside each number how far it is from the one as chosen.
        time: whether to show what the alternatives cost in CPU time.
    """

    name: str
    why: str
    rows: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    code: str | None = None
    shown: Literal["value", "change"] = "value"
    time: bool = False


@dataclass(frozen=True)
class Selection:
    """A part of a paper; `sensitivities` are those chosen by their own codes."""

    rows: tuple[Row, ...]
    claims: tuple[Claim, ...]
    sensitivities: tuple[Sensitivity, ...]
    studies: tuple[PublishedStudy, ...]


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
    claims: tuple[Claim, ...] = ()
    choices: tuple[Choice, ...] = ()
    sensitivities: tuple[Sensitivity, ...] = ()
    studies: tuple[PublishedStudy, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of rows, studies and claims, and the codes of sensitivity entries."""
        tables = [row.table for row in self.rows] + [entry.table for entry in self.studies]
        tables += [claim.table for claim in self.claims]
        codes = [entry.code for entry in self.sensitivities if entry.code]
        return tuple(dict.fromkeys(tables + codes))

    def select(self, table: str | None) -> Selection:
        """What `table` names: a table, or one row, study, claim or sensitivity entry by its code.

        A table is also found by the end of its name: ``"T3"`` finds ``"S4-T3"``. `None` takes all rows,
        studies and claims, and no sensitivity entry.

        Raises:
            CatalogueError: no such table; the message lists those there are.
        """
        if table is None:
            return Selection(self.rows, self.claims, (), self.studies)
        wanted = table.casefold()

        def chosen(code: str, name: str) -> bool:
            return wanted in {code.casefold(), name.casefold()} or name.casefold().endswith(f"-{wanted}")

        found = Selection(
            tuple(row for row in self.rows if chosen(row.code, row.table)),
            tuple(claim for claim in self.claims if chosen(claim.code, claim.table)),
            tuple(entry for entry in self.sensitivities if entry.code and chosen(entry.code, entry.code)),
            tuple(entry for entry in self.studies if chosen(entry.code, entry.table)),
        )
        if not (found.rows or found.claims or found.sensitivities or found.studies):
            raise CatalogueError(f"{self.id} has no table {table!r}; it has {', '.join(self.tables)}")
        return found

    def row(self, code: str) -> Row:
        """The row with this code.

        Raises:
            CatalogueError: there is none; the message lists those there are.
        """
        for row in self.rows:
            if row.code == code:
                return row
        raise CatalogueError(f"no row {code}; the rows are {', '.join(row.code for row in self.rows)}")

    def study(self, code: str) -> PublishedStudy | None:
        """The study with this code; `None` when there is none."""
        return next((entry for entry in self.studies if entry.code == code), None)
