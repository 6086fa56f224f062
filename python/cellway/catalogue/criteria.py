"""Criteria by which our numbers are judged: the format of `criteria.toml`.

    [[edition]]    date, sha256, results = "known" | "unknown", why, changed = [codes]
    [[tolerance]]  rows, relative or absolute, reason: distance of means from published numbers
    [[expected]]   claim, min, max, reason: range of the value of a claim; `judged = false` in
                   place of a range for a claim that is shown and not judged
    [[score]]      see `cellway.catalogue.scores`

The file is apart from the results so that it can be dated. The last edition carries the hash of all
numbers in it, and of no other file; a criterion that is changed without a new edition is refused.
An edition says whether results were known when it was written, which criteria it changed, and why.
No more can be proved about the order of criteria and results.
"""

import datetime
import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cellway.catalogue.scores import Score, check_score, read_score
from cellway.errors import CatalogueError
from cellway.text.document import Table, load_optional

CRITERIA = "criteria.toml"
A_DATE = "a date such as 2026-11-22"


@dataclass(frozen=True)
class Tolerance:
    """Largest distance of a mean from the published number.

    Attributes:
        relative: as a share of the published number, above 0 and at most 1; or `None`.
        absolute: in the row's unit, above 0, for numbers too small for shares; or `None`.
        reason: the reason of its size.
    """

    relative: float | None
    absolute: float | None
    reason: str

    def reach(self, published: float) -> float:
        """Largest distance of our number from `published`, in its unit."""
        return (self.relative or 0.0) * abs(published) if self.absolute is None else self.absolute

    def __str__(self) -> str:
        return (
            f"{100 * (self.relative or 0.0):g} %" if self.absolute is None else f"{self.absolute:g}"
        )


@dataclass(frozen=True)
class Expected:
    """Range of the value of a claim, ends included; one end may be open.

    With neither end the claim is not judged, for the reason given.
    """

    min: float | None
    max: float | None
    reason: str

    @property
    def judged(self) -> bool:
        """True if the claim is judged by a range."""
        return self.min is not None or self.max is not None

    def __str__(self) -> str:
        if not self.judged:
            return "not judged"
        if self.min is None:
            return f"at most {self.max:g}"
        return f"at least {self.min:g}" if self.max is None else f"{self.min:g} to {self.max:g}"


@dataclass(frozen=True)
class Edition:
    """A dated state of all criteria of a paper.

    Attributes:
        date: the day it was written.
        sha256: of all criteria, from `Criteria.sha256`.
        results: ``"known"`` or ``"unknown"`` at that time.
        why: the subject of this edition, or the reason of its changes.
        changed: the codes of rows, claims and scores whose criteria it changes.
    """

    date: datetime.date
    sha256: str
    results: Literal["known", "unknown"]
    why: str
    changed: tuple[str, ...]


@dataclass(frozen=True)
class Criteria:
    """All criteria of a paper.

    Attributes:
        tolerances: by code of a row or a derived number.
        expected: by code of a claim.
        scores: scores of its tables.
        editions: in the order in which they were written.
    """

    tolerances: Mapping[str, Tolerance] = field(default_factory=dict)
    expected: Mapping[str, Expected] = field(default_factory=dict)
    scores: tuple[Score, ...] = ()
    editions: tuple[Edition, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of every number in the file, without wording and expressions of claims."""
        canonical: dict[str, Any] = {
            "tolerances": {
                code: [one.relative, one.absolute] for code, one in self.tolerances.items()
            },
            "expected": {code: [one.min, one.max] for code, one in self.expected.items()},
            "scores": {score.code: score.canonical for score in self.scores},
        }
        return hashlib.sha256(json.dumps(canonical, sort_keys=True).encode()).hexdigest()


def load_criteria(folder: Path) -> tuple[Criteria, Table]:
    """Reads `folder`/criteria.toml, and the document for faults that need the paper.

    Raises:
        CatalogueError: it cannot be accepted, or a criterion changed since the last edition.
        OSError: it cannot be read.
    """
    document = load_optional(folder / CRITERIA, CatalogueError, "criteria")
    if not document.content:
        return Criteria(), document
    criteria = Criteria(
        tolerances=_tolerances(document),
        expected=_all_expected(document),
        scores=tuple(map(read_score, document.tables("score", optional=True))),
        editions=tuple(map(_edition, document.tables("edition"))),
    )
    document.done()
    _check_order(document, criteria.editions)
    if criteria.editions[-1].sha256 != criteria.sha256:
        *_, last = document.tables("edition")
        last.fail(
            "the criteria below are not those of this edition; a new edition with its date, "
            "`why`, the codes "
            f'in `changed` and sha256 = "{criteria.sha256}" is expected',
            "sha256",
        )
    return criteria, document


def _check_order(document: Table, editions: Sequence[Edition]) -> None:
    """Refuses a file without an edition, and editions that do not follow each other."""
    if not editions:
        document.fail("`edition` is empty; a list of tables is expected", "edition")
    tables = list(document.tables("edition"))
    for before, edition, table in zip(editions, editions[1:], tables[1:], strict=False):
        if edition.date < before.date:
            table.fail(f"an edition of {before.date} stands before it; the last comes last", "date")


def _edition(table: Table) -> Edition:
    given = table.value("changed", (list,), "a list of codes", optional=True)
    date = table.value("date", (datetime.date,), A_DATE)
    if isinstance(date, datetime.datetime):
        table.fail(f"`date` is {date}; {A_DATE} is expected", "date")
    return table.only(
        Edition(
            date=date,
            sha256=table.text("sha256"),
            results=table.one_of("results", ("known", "unknown")),
            why=table.text("why"),
            changed=table.texts("changed") if given else (),
        )
    )


def _tolerances(document: Table) -> dict[str, Tolerance]:
    found: dict[str, Tolerance] = {}
    for table in document.tables("tolerance", optional=True):
        tolerance = _tolerance(table)
        for at, code in enumerate(table.texts("rows")):
            if code in found:
                table.fail_at(("rows", at), f"{code} has a tolerance already; one is accepted")
            found[code] = tolerance
        table.done()
    return found


def _tolerance(table: Table) -> Tolerance:
    relative, absolute = (table.number(key, optional=True) for key in ("relative", "absolute"))
    if (relative is None) == (absolute is None):
        table.fail("`relative` or `absolute` is expected, and not both")
    if relative is not None and not 0.0 < relative <= 1.0:
        table.fail(f"`relative` is {relative:g}; above 0 and at most 1 is accepted", "relative")
    if absolute is not None and absolute <= 0.0:
        table.fail(f"`absolute` is {absolute:g}; a number above 0 is accepted", "absolute")
    return Tolerance(relative, absolute, table.text("reason"))


def _all_expected(document: Table) -> dict[str, Expected]:
    found: dict[str, Expected] = {}
    for table in document.tables("expected", optional=True):
        code = table.text("claim")
        if code in found:
            table.fail(f"{code} has an expectation already; one is accepted", "claim")
        found[code] = _expected(table)
        table.done()
    return found


def _expected(table: Table) -> Expected:
    least, most = (table.number(key, optional=True) for key in ("min", "max"))
    judged = table.yes("judged", default=True)
    if judged and least is None and most is None:
        table.fail(
            "neither `min` nor `max`; one or both of them, or `judged = false`, are expected"
        )
    if not judged and (least is not None or most is not None):
        table.fail("`judged` is false, and there is a range; one of the two is accepted", "judged")
    if least is not None and most is not None and least > most:
        table.fail(f"`min` is {least:g}, above `max`; at most {most:g} is accepted", "min")
    return Expected(least, most, table.text("reason"))


def check_criteria(
    criteria: Criteria, numbers: Mapping[str, float], claims: Sequence[str], table: Table
) -> None:
    """Refuses criteria of entries that are not in the paper.

    Args:
        criteria: read from `table`.
        numbers: published numbers, by the codes of rows and derived numbers.
        claims: the codes of claims.
        table: the root of `criteria.toml`.

    Raises:
        CatalogueError: a fault; the message has its place and what would be accepted.
    """
    for key in ("tolerance", "score"):
        for entry in table.tables(key, optional=True):
            _check_codes(
                entry, "rows", entry.texts("rows"), numbers, "no row with a published number is"
            )
    for entry, score in zip(table.tables("score", optional=True), criteria.scores, strict=True):
        check_score(score, numbers, entry)
    for entry in table.tables("expected", optional=True):
        if (code := entry.text("claim")) not in claims:
            entry.fail(f"no claim {code}", "claim")
    known = {*numbers, *claims, *(score.code for score in criteria.scores)}
    for entry, edition in zip(
        table.tables("edition", optional=True), criteria.editions, strict=True
    ):
        _check_codes(entry, "changed", edition.changed, known, "nothing is")


def _check_codes(
    entry: Table, key: str, codes: Sequence[str], known: Collection[str], said: str
) -> None:
    for at, code in enumerate(codes):
        if code not in known:
            entry.fail_at((key, at), f"{said} called {code}")
