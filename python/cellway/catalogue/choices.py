"""Choices that a paper leaves open, and their effect: the format of `choices.toml`.

[[choice]]       what, value, reason, kind = "drawn" | "fitted" | "ours", combinations, keys
[[stated]]       keys, statement: what the paper does not leave open
[[sensitivity]]  code, name, why, rows, shown, time,
                 alternatives = [{ label, set, published, rows }]:
                 effect of a choice, or of leaving out a part of the model
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

from cellway.errors import CatalogueError
from cellway.text.document import Table, load_optional

CHOICES = "choices.toml"
Kind = Literal["drawn", "fitted", "ours"]


@dataclass(frozen=True)
class Choice:
    """A point that the paper leaves open, decided once for all its tables.

    Attributes:
        what: the open point.
        value: the choice, or the range that it is drawn from.
        reason: the reason of the choice.
        kind: ``"drawn"``: random in each replication; ``"fitted"``: chosen by looking at results;
            ``"ours"``: chosen without.
        combinations: number of combinations of fitted values that were tried; `None` if none was
            fitted, or the number is not known.
        keys: the keys of scenarios that it decides, with `*` for any part of a name; those below
            them are meant, too.
    """

    what: str
    value: str
    reason: str
    kind: Kind = "ours"
    combinations: int | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stated:
    """Keys of scenarios that the paper states, with its statement."""

    keys: tuple[str, ...]
    statement: str


@dataclass(frozen=True)
class OpenKeys:
    """Keys that a paper leaves open, by its choices, and those that it states."""

    choices: Sequence[Choice]
    stated: Sequence[Stated]

    def fault(self, key: str) -> str | None:
        """Message on a key that is not open, with the statement of the paper on it."""
        for one in self.stated:
            if any(_covers(pattern, key) for pattern in one.keys):
                return f"{key} is not open, the paper states it: {one.statement}"
        listed = [pattern for choice in self.choices for pattern in choice.keys]
        if any(_covers(pattern, key) for pattern in listed):
            return None
        accepted = ", ".join(listed) or "none is listed"
        return f"{key} is in the `keys` of no [[choice]]; open are: {accepted}"


def _covers(pattern: str, key: str) -> bool:
    """True if `key` is what `pattern` says, name by name, or lies below it."""
    wanted, given = pattern.split("."), key.split(".")
    pairs = zip(wanted, given, strict=False)
    return len(wanted) <= len(given) and all(fnmatchcase(name, part) for part, name in pairs)


@dataclass(frozen=True)
class Alternative:
    """Another choice, set on top of a row's own conditions.

    Attributes:
        label: its name.
        sets: keys and values, set after those of the row.
        published: the statement of the paper on it, quoted.
        rows: the codes that it concerns; `None` for all rows of the entry.
    """

    label: str
    sets: tuple[tuple[str, Any], ...]
    published: str | None = None
    rows: tuple[str, ...] | None = None

    def concerns(self, code: str) -> bool:
        """True if it applies to the row `code`."""
        return self.rows is None or code in self.rows


@dataclass(frozen=True)
class Sensitivity:
    """Effect of a choice: `rows`, by code, under each of the `alternatives`.

    Attributes:
        code: its code for `cellway reproduce`, if it has one.
        shown: ``"change"`` shows beside each number its change from the number as chosen.
        time: true shows the CPU time of the alternatives.
    """

    name: str
    why: str
    rows: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    code: str | None = None
    shown: Literal["value", "change"] = "value"
    time: bool = False


@dataclass(frozen=True)
class Choices:
    """All of `choices.toml`."""

    choices: tuple[Choice, ...]
    stated: tuple[Stated, ...]
    sensitivities: tuple[Sensitivity, ...]

    @property
    def keys(self) -> OpenKeys:
        """Keys that the paper leaves open, and those that it states."""
        return OpenKeys(self.choices, self.stated)


def load_choices(folder: Path) -> tuple[Choices, Table]:
    """Reads `folder`/choices.toml, and the document for faults that need the paper.

    Raises:
        CatalogueError: it cannot be accepted.
        OSError: it cannot be read.
    """
    document = load_optional(folder / CHOICES, CatalogueError, "choices")
    found = Choices(
        choices=tuple(map(_choice, document.tables("choice", optional=True))),
        stated=tuple(map(_stated, document.tables("stated", optional=True))),
        sensitivities=tuple(map(_sensitivity, document.tables("sensitivity", optional=True))),
    )
    return document.only((found, document))


def _choice(table: Table) -> Choice:
    kind: Kind = table.one_of("kind", ("drawn", "fitted", "ours"))
    if table.has("combinations") and kind != "fitted":
        table.fail("`combinations` is for a fitted choice", "combinations", at_key=True)
    return table.only(
        Choice(
            what=table.text("what"),
            value=table.text("value"),
            reason=table.text("reason"),
            kind=kind,
            combinations=table.whole("combinations", 1) if table.has("combinations") else None,
            keys=table.texts("keys", optional=True),
        )
    )


def _stated(table: Table) -> Stated:
    return table.only(Stated(table.texts("keys"), table.text("statement")))


def _sensitivity(table: Table) -> Sensitivity:
    return table.only(
        Sensitivity(
            name=table.text("name"),
            why=table.text("why"),
            rows=table.texts("rows"),
            alternatives=tuple(map(_alternative, table.tables("alternatives"))),
            code=table.text("code", default="") or None,
            shown=table.one_of("shown", ("value", "change"), default="value"),
            time=table.yes("time", default=False),
        )
    )


def _alternative(table: Table) -> Alternative:
    return table.only(
        Alternative(
            label=table.text("label"),
            sets=table.sets("set"),
            published=table.text("published", default="") or None,
            rows=table.texts("rows", optional=True) or None,
        )
    )
