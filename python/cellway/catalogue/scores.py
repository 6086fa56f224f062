"""Scores of tables: the distance of our numbers from the table, beside those of simpler models.

    [[score]]  code, table, text, rows, scale = "log" | "linear", subject,
               nulls = [{ label, numbers, reference } or { label, set }]

A tolerance that a wrong model passes proves nothing. So our score is compared with those of null
models: the best constant, always; numbers that follow from less, one for each row; and simulations
from which `set` takes out the mechanism in question. A table that a null model meets as well does
not test that mechanism, its `subject`. Other numbers of the paper know its answers, and are no null
model: they are references.
"""

import math
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cellway.text.document import Table

CONSTANT = "the best constant"
CLEAR = 1.25
"""Multiple of our rms error below which a null model's shows that a table does not test it."""
MIN_ROWS = 2


@dataclass(frozen=True)
class Null:
    """A model that knows less than ours: numbers, or keys that take the mechanism out of ours.

    Attributes:
        label: its name.
        numbers: its numbers, row by row; empty for a simulated one.
        sets: keys on top of those of every row.
        reference: true if it is shown for orientation only, such as a measurement or another table
            of the paper, which is no simpler model.
    """

    label: str
    numbers: tuple[float, ...] = ()
    sets: tuple[tuple[str, Any], ...] = ()
    reference: bool = False

    @property
    def simulated(self) -> bool:
        """True if it has to be run."""
        return not self.numbers


@dataclass(frozen=True)
class Score:
    """Rows that are scored together.

    Attributes:
        code: unique; `table` is the table it is shown with.
        text: the subject of the rows.
        rows: the codes of rows and derived numbers, which have published numbers.
        scale: ``"log"`` takes the rms of ln(ours/published), ``"linear"`` that of the difference.
        nulls: the models to be compared with ours, besides the best constant.
        subject: the part of our model that it tests if no null model meets it, in words.
    """

    code: str
    table: str
    text: str
    rows: tuple[str, ...]
    scale: Literal["log", "linear"]
    nulls: tuple[Null, ...] = ()
    subject: str | None = None

    @property
    def canonical(self) -> dict[str, Any]:
        """All that judges, for a hash."""
        nulls = [
            [null.label, list(null.numbers), repr(null.sets), null.reference] for null in self.nulls
        ]
        return {"rows": list(self.rows), "scale": self.scale, "nulls": nulls}


@dataclass(frozen=True)
class ModelScore:
    """Distance of a model from the published numbers.

    Attributes:
        label: of the model.
        numbers: its numbers, row by row, in their unit.
        rms: of the logarithms' differences, or of the differences, in the unit; infinite on a log
            scale with a number that is not positive.
        rank: Spearman's rank correlation; `None` where all numbers of a side are equal.
    """

    label: str
    numbers: tuple[float, ...]
    rms: float
    rank: float | None

    def as_data(self) -> dict[str, Any]:
        """Score for JSON, which has no infinity: `rms` is null for a number without a logarithm."""
        rms = self.rms if math.isfinite(self.rms) else None
        return {"label": self.label, "numbers": list(self.numbers), "rms": rms, "rank": self.rank}


@dataclass(frozen=True)
class Scored:
    """Score with the results of all models.

    Attributes:
        score: the score.
        published: the numbers, row by row.
        ours: our model.
        nulls: the best constant first; models whose runs failed are left out.
        references: shown beside them, and no null models.
        failed: reasons of failures, one line for each run, with the model and the row.
    """

    score: Score
    published: tuple[float, ...]
    ours: ModelScore
    nulls: tuple[ModelScore, ...]
    failed: tuple[str, ...] = ()
    references: tuple[ModelScore, ...] = ()

    @property
    def best_null(self) -> ModelScore:
        """The null model with the smallest error."""
        return min(self.nulls, key=lambda null: null.rms)

    @property
    def tests(self) -> bool:
        """True if the numbers distinguish ours from every null model."""
        return self.best_null.rms > self.ours.rms and self.best_null.rms >= CLEAR * self.ours.rms

    def as_data(self) -> dict[str, Any]:
        """Score, published numbers, and every model, for JSON."""
        return {
            "code": self.score.code,
            "table": self.score.table,
            "text": self.score.text,
            "scale": self.score.scale,
            "rows": list(self.score.rows),
            "published": list(self.published),
            "ours": self.ours.as_data(),
            "nulls": [null.as_data() for null in self.nulls],
            "references": [one.as_data() for one in self.references],
            "tests": self.tests,
            "subject": self.score.subject,
        }


def read_score(table: Table) -> Score:
    """Reads one `[[score]]`.

    Raises:
        CatalogueError: it cannot be accepted.
    """
    rows = table.texts("rows")
    if len(rows) < MIN_ROWS:
        table.fail(
            "a score of one row distinguishes no model from a constant; two or more are expected",
            "rows",
        )
    return table.only(
        Score(
            code=table.name("code"),
            table=table.text("table"),
            text=table.text("text"),
            rows=rows,
            scale=table.one_of("scale", ("log", "linear")),
            nulls=tuple(_null(null, len(rows)) for null in table.tables("nulls", optional=True)),
            subject=table.text("subject", default="") or None,
        )
    )


def check_score(score: Score, published: Mapping[str, float], table: Table) -> None:
    """Refuses rows that are listed twice, and logarithms of numbers that have none.

    Args:
        score: read from `table`.
        published: by code, the published number of each of its rows.
        table: the place of the fault.

    Raises:
        CatalogueError: a fault; the message has its place and what would be accepted.
    """
    for at, code in enumerate(score.rows):
        if code in score.rows[:at]:
            table.fail_at(("rows", at), f"row {code} is listed twice; once is accepted")
        if score.scale == "log" and published[code] <= 0.0:
            said = f"{code} is published as {published[code]:g}, which has no logarithm"
            table.fail_at(("rows", at), f"{said}; the scale linear is accepted")


def _null(table: Table, rows: int) -> Null:
    if table.has("numbers") == table.has("set"):
        table.fail("`numbers`, one for each row, or `set` is expected, and not both")
    numbers: tuple[float, ...] = ()
    if table.has("numbers"):
        numbers = table.numbers("numbers")
        if len(numbers) != rows:
            table.fail(
                f"{len(numbers)} numbers for {rows} rows; one number for each is expected",
                "numbers",
            )
    elif not table.sets("set"):
        table.fail("`set` is empty: a model that takes nothing out is ours", "set")
    sets = () if numbers else table.sets("set")
    return table.only(
        Null(table.text("label"), numbers, sets, table.yes("reference", default=False))
    )


def best_constant(published: Sequence[float], scale: str) -> float:
    """Constant with the smallest rms error: the mean, or the geometric mean on a log scale."""
    if scale == "log":
        return math.exp(math.fsum(map(math.log, published)) / len(published))
    return math.fsum(published) / len(published)


def model_score(
    label: str, numbers: Sequence[float], published: Sequence[float], scale: str
) -> ModelScore:
    """Score of a model: the rms error and the rank correlation with the published numbers."""
    return ModelScore(
        label, tuple(numbers), _rms(numbers, published, scale), _rank(numbers, published)
    )


def _rms(numbers: Sequence[float], published: Sequence[float], scale: str) -> float:
    if scale == "log" and min(numbers) <= 0.0:
        return math.inf
    distances = [
        math.log(ours / theirs) if scale == "log" else ours - theirs
        for ours, theirs in zip(numbers, published, strict=True)
    ]
    return math.sqrt(math.fsum(distance**2 for distance in distances) / len(distances))


def _rank(numbers: Sequence[float], published: Sequence[float]) -> float | None:
    if len(set(numbers)) == 1 or len(set(published)) == 1:
        return None
    return statistics.correlation(_ranks(numbers), _ranks(published))


def _ranks(numbers: Sequence[float]) -> list[int]:
    """Ranks from below, twice, so that equal numbers share the mean of their ranks."""
    ordered = sorted(numbers)
    return [bisect_left(ordered, number) + bisect_right(ordered, number) for number in numbers]
