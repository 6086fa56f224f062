"""Choices that a paper leaves open, and their effect: the format of `choices.toml`.

[[choice]]       what, value, reason, kind = "drawn" | "fitted" | "ours", combinations
[[sensitivity]]  code, name, why, rows, shown, time,
                 alternatives = [{ label, set, published, rows }]:
                 effect of a choice, or of leaving out a part of the model
"""

from dataclasses import dataclass
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
    """

    what: str
    value: str
    reason: str
    kind: Kind = "ours"
    combinations: int | None = None


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


def load_choices(folder: Path) -> tuple[tuple[Choice, ...], tuple[Sensitivity, ...], Table]:
    """Reads `folder`/choices.toml, and the document for faults that need the paper.

    Raises:
        CatalogueError: it cannot be accepted.
        OSError: it cannot be read.
    """
    document = load_optional(folder / CHOICES, CatalogueError, "choices")
    choices = tuple(map(_choice, document.tables("choice", optional=True)))
    sensitivities = tuple(map(_sensitivity, document.tables("sensitivity", optional=True)))
    return document.only((choices, sensitivities, document))


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
        )
    )


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
