"""Rows with results that no run gave, for tests of what is made of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cellway.catalogue import Paper, Row
from cellway.catalogue.criteria import Tolerance
from cellway.catalogue.expression import Expression
from cellway.catalogue.published import Derived
from cellway.catalogue.rows import Result
from cellway.catalogue.verdict import Verdict
from cellway.runs.quantity import Quantity
from cellway.statistics import estimate

LATITUDE = Tolerance(0.1, None, "a test")


def row(
    code: str, published: float | None = None, *, quantity: str = "time", repeats: str | None = None
) -> Row:
    """A row of a scenario that is not there."""
    return Row(
        code=code,
        table="T",
        label=code,
        unit="Mbit/s",
        simulated=published,
        measured=None,
        compare=None if published is None else "simulated",
        tolerance=None if published is None else LATITUDE,
        scenario=Path("none.toml"),
        sets=(),
        quantity=Quantity(quantity),
        explained=False,
        replications=2,
        repeats=repeats,
    )


def derived(
    value: str, names: Mapping[str, str], published: float | None = None, *, distinct: bool = False
) -> Derived:
    """A number calculated by `value` from rows by their `names`."""
    return Derived(
        code="D",
        table="T",
        label=value,
        unit="Mbit/s",
        simulated=published,
        measured=None,
        compare=None if published is None else "simulated",
        tolerance=None if published is None else LATITUDE,
        names=names,
        value=Expression.parse(value),
        distinct=distinct,
    )


def paper_of(rows: Sequence[Row], *numbers: Derived) -> Paper:
    """A paper with these alone."""
    return Paper("small-2001", "Small", ("A",), "Here", 2001, "", tuple(rows), numbers)


def result(
    number: Row | Derived,
    values: Sequence[float],
    verdict: Verdict = Verdict.NOT_JUDGED,
    *,
    runs: str = "",
    deterministic: bool = False,
) -> Result:
    """What a row came to, by seed."""
    ours = estimate(values, deterministic=deterministic)
    return Result(number, tuple(values), ours, None, verdict, finished=True, runs=runs)


def results_of(values: Mapping[str, Sequence[float]]) -> tuple[list[Row], dict[str, Result]]:
    """Rows by code with their values by seed."""
    rows = [row(code) for code in values]
    return rows, {one.code: result(one, values[one.code]) for one in rows}
