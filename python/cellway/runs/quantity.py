"""Quantities of a run by name: a dotted path in its summary, or several numbers joined into one."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache, partial
from typing import Any

from cellway.runs.missing import why_none
from cellway.runs.pooled import is_distribution, pooled_quantile
from cellway.statistics import correlation, jain_index, min_ratio, quantile, share_error
from cellway.text.document import Table

EXPLAIN = "explain:"
"""Prefix of a path in the output of `explain`, rather than in the summary of a run."""


class NoNumberError(ValueError):
    """The path leads to something that is no number, such as the mean of nothing."""


class NothingThereError(ValueError):
    """The path leads nowhere: a name is wrong, or names something outside the scenario."""


@dataclass(frozen=True)
class Unlisted:
    """A number that a table of tails leaves out, with its nearest ones below and above."""

    below: int
    beyond: int


MOST_NAMED = 20
"""Number of names that a message lists."""
_CALLED = {
    "lost": "drops",
    "loss": "drops",
    "losses": "drops",
    "dropped": "drops",
    "goodput": "throughput_bits_per_second",
    "retransmissions": "retransmitted_segments",
}
"""Words that users try first, and the names of the numbers that they mean."""
ANY = "*"
"""Wildcard for any part of one name, dots of the name included."""


_JOINED: Mapping[str, Callable[[Sequence[float]], float | None]] = {
    "sum": math.fsum,
    "mean": lambda values: math.fsum(values) / len(values),
    "min": min,
    "max": max,
    "p50": partial(quantile, p=0.5),
    "p95": partial(quantile, p=0.95),
    "jain": jain_index,
}
QUANTILE = "quantile"
_COMPARED: Mapping[str, Callable[[Sequence[float], Sequence[float]], float]] = {
    "share_error": share_error,
    "min_ratio": min_ratio,
    "correlation": correlation,
}
_POOLED = {"p50": 0.5, "p95": 0.95, QUANTILE: 0.0}
"""Reductions of all samples of distributions together, by their part; `quantile` is given one."""
REDUCTIONS = (*_JOINED, QUANTILE, *_COMPARED)
"""Ways to join several numbers into one. `"p50"`, `"p95"` and `"quantile"` give the number below
which that part of them lies; `"jain"` is the index of fairness; `"share_error"`, `"min_ratio"` and
`"correlation"` compare with weights. The last four are numbers without unit."""
UNITLESS = ("jain", *_COMPARED)
_OF_OWN_LIFE, _OF_THE_MEASUREMENT = "throughput_bits_per_second", "measured_bits_per_second"
"""A flow's rate over the time in which it was active, and over the measurement, the same for all
flows. Only the latter add up: where flows come and go, a sum of the former exceeds the line."""
_ABOVE = "above"
"""Table of a distribution: the part of the time in which a queue was longer than a number. It ends
with the first length that was never exceeded."""
_WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")
_EVERY_NUMBER_TO = 100
_MEMBER = re.compile(r"\[(?:\d+|\*)\]")


@dataclass(frozen=True)
class Quantity:
    """A number of a run's summary, or of any tree of tables.

    Attributes:
        path: names joined by dots, such as ``"flows.bulk.throughput_bits_per_second"``. A ``*``
            stands for any part of one name: ``"flows.*.throughput_bits_per_second"`` or
            ``"flows.bulk[*].timeouts"``.
        reduce: one of `REDUCTIONS` for a path with ``*``, `None` for one without.
            `"sum"` and `families` add up throughputs over the whole measurement, because rates over
            times of activity do not add. For flows that are always active both are the same.
        families: true counts the members of a family, ``bulk[1]`` and ``bulk[2]``, as one number,
            their sum.
        weights: the amount that each should get, by the text that ``*`` stands for (the name of a
            family); only for `"share_error"` and `"correlation"`, in any unit, and `"min_ratio"`,
            in the unit of the numbers.
        quantile: the part of the numbers below the result, from 0 to 1; for `"quantile"` alone.
        times: two whole numbers; the number is multiplied by the first over the second, such as 48
            over 53 for the payload of cells.

    Raises:
        ValueError: an empty name, an unknown `reduce`, one of ``*`` and `reduce` without the other,
            or weights or a quantile that are missing or not used.
    """

    path: str
    reduce: str | None = None
    families: bool = False
    weights: tuple[tuple[str, float], ...] = ()
    times: tuple[int, int] = (1, 1)
    quantile: float | None = None

    def __post_init__(self) -> None:
        accepted = ", ".join(REDUCTIONS)
        if not all(self.path.split(".")):
            raise ValueError(
                f"{self.path!r} has an empty name; names joined by single dots are accepted"
            )
        if self.reduce is not None and self.reduce not in REDUCTIONS:
            raise ValueError(f"`reduce` is {self.reduce!r}; accepted are {accepted}")
        if self.reduce is None and ANY in self.path:
            raise ValueError(
                f"{self.path!r} names several numbers; `reduce` is needed, one of {accepted}"
            )
        if self.reduce is not None and ANY not in self.path:
            raise ValueError(f"`reduce` joins what `*` names, and {self.path!r} has no `*`")
        if bool(self.weights) != (self.reduce in _COMPARED):
            raise ValueError(
                f"`weights` are for {', '.join(_COMPARED)}, which need them, and for no other"
            )
        if (self.quantile is None) == (self.reduce == QUANTILE):
            raise ValueError(
                "`quantile`, from 0 to 1, is for `reduce` = 'quantile', which needs it, and for no "
                "other"
            )
        if self.quantile is not None and not 0.0 <= self.quantile <= 1.0:
            raise ValueError(f"`quantile` is {self.quantile:g}; 0 to 1 is accepted")
        if self.families and self.reduce is None:
            raise ValueError(f"`families` joins what `*` names, and {self.path!r} has no `*`")
        if min(self.times) < 1:
            raise ValueError(f"`times` is {list(self.times)}; whole numbers from 1 are accepted")

    def of(self, tree: Mapping[str, Any], called: str = "summary") -> float:
        """The number in `tree`, `times` applied; messages call the tree `called`.

        Names in the tree may have dots themselves; a list is searched by the ``name`` of its
        entries. A name that ``*`` fits is left out if it lacks the rest of the path. A value there
        that is no number is an error, so that an unfinished flow does not fall out of a mean in
        silence. Behind ``above`` a number beyond the largest listed one gives 0. A quantile of a
        path to distributions of delays, ``"flows.page[*].transactions.response_time"``, is that of
        all their samples together (`cellway.runs.pooled`); one without samples counts for none.

        Raises:
            ValueError: nothing is there, or no number; the message begins with "the `called` has".
        """
        found = self._adding(tree) or list(_ends(tree, self.path.split(".")))
        if not found and (tables := self._distributions(tree)):
            return self._multiplied(self._pooled(tables, called))
        if self.reduce is None:
            found = found[:1]
        if not found:
            raise NothingThereError(
                f"the {called} has no number at {self.path!r}; {_what_is_there(tree, self.path)}"
            )
        for place, value in found:
            if isinstance(value, Unlisted):
                raise NothingThereError(
                    f"the {called} has no number at {place!r}: its numbers have two digits and "
                    f"zeros behind; {value.below} and {value.beyond} can be asked for"
                )
            if not _is_number(value):
                among = "" if self.reduce is None else f", one of {self.path!r}"
                there = f", as {why_none(place)}" if value is None else f", but {value!r}"
                raise NoNumberError(f"the {called} has no number at {place!r}{among}{there}")
        if self.reduce is None:
            return self._multiplied(float(found[0][1]))
        numbers = self._named(found)
        try:
            return self._multiplied(self._join(numbers, called))
        except NoNumberError:
            raise
        except ValueError as error:
            raise ValueError(
                f"the {called} has no such number at {self.path!r}: {error}"
            ) from error

    def _distributions(self, tree: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Tables of delays at the path, whose samples a quantile joins."""
        if self.reduce not in _POOLED:
            return []
        ends = _ends(tree, self.path.split("."), is_distribution)
        return [table for _, table in ends]

    def _pooled(self, tables: Sequence[Mapping[str, Any]], called: str) -> float:
        part = _POOLED[self.reduce or ""] if self.quantile is None else self.quantile
        found = pooled_quantile(tables, part)
        if found is None:
            why = why_none(f".{self.path}")
            raise NoNumberError(f"the {called} has no number at {self.path!r}, as {why}")
        return found

    def _multiplied(self, number: float) -> float:
        above, below = self.times
        return number if above == below else number * above / below

    def _adding(self, tree: Mapping[str, Any]) -> list[tuple[str, Any]]:
        """The found numbers; rates are replaced by rates over one interval if they are added up."""
        above = self.path.removesuffix(_OF_OWN_LIFE)
        if above == self.path or not (self.reduce == "sum" or self.families):
            return []
        found = _ends(tree, (above + _OF_THE_MEASUREMENT).split("."))
        return [
            (place.removesuffix(_OF_THE_MEASUREMENT) + _OF_OWN_LIFE, value)
            for place, value in found
        ]

    def _named(self, found: Sequence[tuple[str, Any]]) -> dict[str, float]:
        """The numbers by the text that the star stands for; numbers of one family are added."""
        path = _MEMBER.sub("", self.path) if self.families else self.path
        shape = re.compile("(.*)".join(map(re.escape, path.split(ANY))), re.DOTALL)
        numbers: dict[str, float] = {}
        for whole, value in found:
            place = _MEMBER.sub("", whole) if self.families else whole
            match = shape.fullmatch(place)
            name = "*".join(match.groups()) if match else place
            numbers[name] = numbers.get(name, 0.0) + float(value)
        return numbers

    def _join(self, numbers: Mapping[str, float], called: str) -> float:
        reduce = self.reduce or ""
        if self.quantile is not None:
            return quantile(list(numbers.values()), self.quantile)
        if reduce in _JOINED:
            joined = _JOINED[reduce](list(numbers.values()))
            if joined is None:
                raise NoNumberError(
                    f"the {called} has no {self}: all are 0, and nothing was shared out"
                )
            return float(joined)
        weights = dict(self.weights)
        if set(weights) != set(numbers):
            ours, theirs = (", ".join(sorted(names)) for names in (weights, numbers))
            raise ValueError(f"`weights` are for {ours}, and the {called} has {theirs}")
        compared = _COMPARED[reduce]
        return float(compared(list(numbers.values()), [weights[name] for name in numbers]))

    def __str__(self) -> str:
        above, below = self.times
        factor = "" if above == below else f"{above}/{below} of "
        if self.reduce is None:
            return f"{factor}{self.path}"
        reduce = self.reduce if self.quantile is None else f"{self.reduce} {self.quantile:.15g}"
        return f"{factor}{reduce} of {'families of ' if self.families else ''}{self.path}"


def read_quantity(table: Table) -> tuple[Quantity, bool]:
    """The number that `quantity` and the keys beside it name, and true if `explain` gives it.

    Raises:
        CellwayError: the document's error: they are no quantity.
    """
    text = table.text("quantity")
    path = text.removeprefix(EXPLAIN)
    reduce = table.one_of("reduce", REDUCTIONS) if table.has("reduce") else None
    weights = table.weights("weights") if table.has("weights") else ()
    families = table.yes("families", default=False)
    times = _times(table) if table.has("times") else (1, 1)
    part = table.number("quantile", optional=True)
    try:
        return Quantity(path, reduce, families, weights, times, part), path != text
    except ValueError as error:
        table.fail(str(error), "quantity")


def _times(table: Table) -> tuple[int, int]:
    """Two whole numbers from 1, the factor and the divisor."""
    given = table.numbers("times")
    if len(given) != 2 or not all(one.is_integer() and one >= 1.0 for one in given):  # noqa: PLR2004
        table.fail("`times` is two whole numbers from 1, such as [48, 53] for 48/53", "times")
    above, below = map(int, given)
    return above, below


def _is_leaf(value: object) -> bool:
    return not isinstance(value, Mapping | list)


def _ends(
    tree: Any,  # noqa: ANN401
    parts: Sequence[str],
    is_end: Callable[[object], bool] = _is_leaf,
) -> Iterator[tuple[str, Any]]:
    """Values at the ends of all paths that fit `parts`, each with its path."""
    for name, inside in _named(tree):
        for taken in range(len(parts), 0, -1):
            if not fits(".".join(parts[:taken]), name):
                continue
            if _is_tail(name, inside, parts[taken:]):
                ends = [(f"{name}.{parts[taken]}", _tail(inside, int(parts[taken])))]
            elif taken < len(parts):
                ends = [
                    (f"{name}.{rest}", value)
                    for rest, value in _ends(inside, parts[taken:], is_end)
                ]
            else:
                ends = [(name, inside)] if is_end(inside) else []
            if ends:
                yield from ends
                break


def _what_is_there(tree: Mapping[str, Any], path: str) -> str:
    """The names at the place that `path` reaches, and a suggestion."""
    place, there, rest = _as_far_as(tree, path.split("."))
    names = list(dict.fromkeys(name for name, _ in _named(there)))
    shown = ", ".join(names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    meant = _meant(there, rest[0]) if rest else []
    hint = f"; did you mean {' or '.join(f'`{one}`' for one in meant)}?" if meant else ""
    where = f"`{place}`" if place else "at the top it"
    return f"{where} has {shown or 'nothing below it'}{more}{hint}"


def _meant(there: Any, word: str) -> list[str]:  # noqa: ANN401
    """Numbers that `word` may mean: names at this place, or those in a table of that name."""
    inside = dict(_named(there))
    begun = [name for name in inside if name.startswith(word)]
    near = begun or get_close_matches(_CALLED.get(word, word), inside, n=1)
    return [
        end
        for name in near[:1]
        for end in (
            [f"{name}.{below}" for below, value in _named(inside[name]) if _is_number(value)][:3]
            or [name]
        )
    ]


def _as_far_as(tree: Any, parts: Sequence[str]) -> tuple[str, Any, Sequence[str]]:  # noqa: ANN401
    """The last table or list on the way of `parts`, with its path and the rest of `parts`."""
    farthest: tuple[str, Any, Sequence[str]] = ("", tree, parts)
    for name, inside in _named(tree):
        for taken in range(len(parts), 0, -1):
            is_meant = fits(".".join(parts[:taken]), name)
            if not is_meant or not isinstance(inside, Mapping | list):
                continue
            below, there, rest = _as_far_as(inside, parts[taken:])
            if len(rest) < len(farthest[2]):
                farthest = (f"{name}.{below}" if below else name, there, rest)
    return farthest


def _is_tail(name: str, inside: object, rest: Sequence[str]) -> bool:
    """True if this is the table of a distribution and `rest` asks it for one number."""
    asked = name == _ABOVE and len(rest) == 1 and _WHOLE.fullmatch(rest[0]) is not None
    return asked and isinstance(inside, Mapping) and "0" in inside


def _tail(above: Mapping[str, float], number: int) -> float | Unlisted:
    """The part of the time in which there were more than `number`.

    A number between steps is refused whatever the largest of this run: another run may need it.
    """
    step = 1 if number < _EVERY_NUMBER_TO else 10 ** (len(str(number)) - 2)
    if number % step:
        below = number - number % step
        return Unlisted(below, below + step)
    return above.get(str(number), 0.0)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _named(tree: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    if isinstance(tree, Mapping):
        yield from tree.items()
    elif isinstance(tree, list):
        for item in tree:
            if isinstance(item, Mapping) and "name" in item:
                yield str(item["name"]), item


def fits(pattern: str, name: str) -> bool:
    """True if `pattern`, where `*` stands for any letters, is that of the name."""
    return pattern == name if ANY not in pattern else _shape(pattern).fullmatch(name) is not None


@lru_cache(maxsize=1024)
def _shape(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split(ANY))), re.DOTALL)
