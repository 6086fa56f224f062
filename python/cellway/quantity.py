"""Quantities of a run by name: a dotted path in its summary, or several numbers joined into one."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellway.document import Table
from cellway.statistics import jain_index

EXPLAIN = "explain:"
"""What stands before a path in what `explain` gives, rather than in the summary of a run."""


class NoNumberError(ValueError):
    """Something stands there, but no number: a mean of nothing, say."""


ANY = "*"
"""What stands for any part of one name, dots of the name included."""


_JOINED: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "mean": lambda values: math.fsum(values) / len(values),
    "least": min,
    "largest": max,
    "jain": jain_index,
}
REDUCTIONS = tuple(_JOINED)
"""How several numbers become one; `"jain"` is the index of fairness, a number without unit."""


@dataclass(frozen=True)
class Quantity:
    """A number of a run's summary, or of any tree of tables.

    Attributes:
        path: names joined by dots, such as ``"flows.bulk.throughput_bits_per_second"``. A ``*`` stands for
            any part of one name: ``"flows.*.throughput_bits_per_second"`` or ``"flows.bulk[*].timeouts"``.
        reduce: one of `REDUCTIONS` for a path with ``*``, `None` for one without.

    Raises:
        ValueError: an empty name, an unknown `reduce`, or one of ``*`` and `reduce` without the other.
    """

    path: str
    reduce: str | None = None

    def __post_init__(self) -> None:
        accepted = ", ".join(REDUCTIONS)
        if not all(self.path.split(".")):
            raise ValueError(f"{self.path!r} has an empty name; names joined by single dots are accepted")
        if self.reduce is not None and self.reduce not in _JOINED:
            raise ValueError(f"`reduce` is {self.reduce!r}; accepted are {accepted}")
        if self.reduce is None and ANY in self.path:
            raise ValueError(f"{self.path!r} names several numbers; `reduce` is needed, one of {accepted}")
        if self.reduce is not None and ANY not in self.path:
            raise ValueError(f"`reduce` joins what `*` names, and {self.path!r} has no `*`")

    def of(self, tree: Mapping[str, Any], called: str = "summary") -> float:
        """The number in `tree`, which messages call `called`.

        Names in the tree may have dots themselves; a list is searched by the ``name`` of its entries. A name
        that ``*`` fits but that lacks the rest of the path is left out; one with something else than a number
        there is an error, lest an unfinished flow fall out of a mean in silence.

        Raises:
            ValueError: nothing is there, or no number; the message begins with "the `called` has".
        """
        found = list(_ends(tree, self.path.split(".")))
        if self.reduce is None:
            found = found[:1]
        if not found:
            raise ValueError(
                f"the {called} has no number at {self.path!r}; at the top it has {', '.join(tree)}"
            )
        for place, value in found:
            if not _is_number(value):
                among = "" if self.reduce is None else f", one of {self.path!r}"
                there = "nothing" if value is None else repr(value)
                raise NoNumberError(f"the {called} has no number at {place!r}{among}, but {there}")
        numbers = [float(value) for _, value in found]
        if self.reduce is None:
            return numbers[0]
        try:
            return float(_JOINED[self.reduce](numbers))
        except ValueError as error:
            raise ValueError(f"the {called} has only zeros at {self.path!r}: {error}") from error

    def __str__(self) -> str:
        return self.path if self.reduce is None else f"{self.reduce} of {self.path}"


def read_quantity(table: Table) -> tuple[Quantity, bool]:
    """What `quantity` and `reduce` of `table` name, and whether it is explained rather than run.

    Raises:
        CellwayError: the document's error: they are no quantity.
    """
    text = table.text("quantity")
    path = text.removeprefix(EXPLAIN)
    reduce = table.one_of("reduce", REDUCTIONS) if table.has("reduce") else None
    try:
        return Quantity(path, reduce), path != text
    except ValueError as error:
        table.fail(str(error), "quantity")


def _ends(tree: Any, parts: Sequence[str]) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """What is neither table nor list at the end of each path that `parts` fit, with that path."""
    for name, inside in _named(tree):
        for taken in range(len(parts), 0, -1):
            if not _fits(".".join(parts[:taken]), name):
                continue
            if taken < len(parts):
                ends = [(f"{name}.{rest}", value) for rest, value in _ends(inside, parts[taken:])]
            else:
                ends = [] if isinstance(inside, Mapping | list) else [(name, inside)]
            if ends:
                yield from ends
                break


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _named(tree: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    if isinstance(tree, Mapping):
        yield from tree.items()
    elif isinstance(tree, list):
        for item in tree:
            if isinstance(item, Mapping) and "name" in item:
                yield str(item["name"]), item


def _fits(pattern: str, name: str) -> bool:
    if ANY not in pattern:
        return pattern == name
    return re.fullmatch(".*".join(map(re.escape, pattern.split(ANY))), name, re.DOTALL) is not None
