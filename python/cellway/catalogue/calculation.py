"""Numbers that follow from rows: claims, and numbers derived from published ones."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from cellway.catalogue.expression import FUNCTIONS, Expression, Named
from cellway.errors import CatalogueError, RunError
from cellway.statistics import Estimate, estimate

if TYPE_CHECKING:
    from cellway.catalogue.published import Paper
    from cellway.catalogue.rows import Result

PARTS = ("simulated", "measured")
"""Names that may follow the dot of a row's name: the numbers that were published."""


class Calculated(Protocol):
    """Properties of a claim or a derived number that `calculate` uses."""

    @property
    def code(self) -> str:
        """Its code."""

    @property
    def names(self) -> Mapping[str, str]:
        """The names in `value`, each with its code."""

    @property
    def value(self) -> Expression:
        """The expression to calculate."""


Ours = Callable[[str, str | None], float]
"""Function from a code to our number; the second argument is the text after the dot, for
studies."""


def calculate(
    what: Calculated, paper: "Paper", results: Mapping[str, "Result"]
) -> tuple[tuple[float, ...], Estimate]:
    """The values of `what` seed by seed, and their mean with its interval.

    Runs of one seed share their random numbers, so what they share cancels in a quotient or a
    difference. Rows with fewer seeds than others decide how many there are; a single value, such as
    one that needs no run, counts for all seeds.

    Args:
        what: a claim or a derived number that uses no study.
        paper: the paper that has its names.
        results: by code, of all that it names; all finished.

    Raises:
        RunError: the value divides by zero or is not finite.
    """
    behind = [results[code] for code in behind_of(what, paper)]
    counts = [len(one.values) for one in behind if len(one.values) > 1]
    seeds = min(counts, default=1)
    values = tuple(
        value_of(what, paper, _of_seed(results, at), f"seed {at + 1}") for at in range(seeds)
    )
    settled = [one.deterministic or len(one.values) == 1 for one in behind]
    known = any(one.deterministic for one in behind) and all(settled)
    return values, estimate(values, deterministic=known)


def behind_of(what: Calculated, paper: "Paper") -> tuple[str, ...]:
    """Codes of the rows and derived numbers whose results it needs."""
    codes = dict.fromkeys(
        what.names[named.name] for named in what.value.names if named.part is None
    )
    return tuple(code for code in codes if paper.study(code) is None)


def value_of(what: Calculated, paper: "Paper", ours: Ours, when: str) -> float:
    """The value with `ours` by code and part; messages end with `when`.

    Raises:
        RunError: it divides by zero or is not finite.
    """

    def number(named: Named) -> float:
        code = what.names[named.name]
        if named.part is None or paper.study(code) is not None:
            return ours(code, named.part)
        return published_part(paper, what, named)

    try:
        return what.value.value(number)
    except (ZeroDivisionError, OverflowError) as error:
        numbers = ", ".join(f"{named} = {number(named):g}" for named in what.value.names)
        raise RunError(
            f"{what.code}: {what.value.text} of {when} has no finite value: {numbers}"
        ) from error


def published_part(paper: "Paper", what: Calculated, named: Named) -> float:
    """The published number of a name with a dot.

    Raises:
        CatalogueError: there is none.
    """
    number = paper.number(what.names[named.name])
    published = {part: getattr(number, part) for part in PARTS}
    there = [f"{named.name}.{part}" for part in PARTS if published[part] is not None]
    value = published.get(named.part or "")
    if value is None:
        accepted = ", ".join([named.name, *there])
        raise CatalogueError(f"row {number.code} has no {named}; accepted are {accepted}")
    return float(value)


def name_fault(name: str, used: Sequence[Named]) -> str | None:
    """Reason why `name` cannot be one of `names`; `None` if it can."""
    if not name.isidentifier() or name in FUNCTIONS:
        return f"{name!r} cannot be a name; words other than {', '.join(FUNCTIONS)} can"
    if name not in {named.name for named in used}:
        return f"`value` does not use the name {name}; it is not needed in `names`"
    return None


def _of_seed(results: Mapping[str, "Result"], at: int) -> Ours:
    def number(code: str, _part: str | None) -> float:
        values = results[code].values
        return values[0 if len(values) == 1 else at]

    return number
