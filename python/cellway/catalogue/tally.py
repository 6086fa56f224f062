"""Counts of published numbers, of simulations and of claims, each by itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cellway.catalogue.claims import Finding
from cellway.catalogue.published import Derived, Row
from cellway.catalogue.rows import Result
from cellway.catalogue.verdict import JUDGED, Verdict, counts

Counts = dict[Verdict, int]


@dataclass(frozen=True)
class Tally:
    """Number of entries of each kind with each verdict.

    Attributes:
        numbers: distinct published numbers. One that is in two tables, or follows from others,
            is not counted again.
        derived: numbers that follow from them.
        claims_with_number: claims whose sentence gives a number.
        claims_without: claims whose expectation is a threshold of ours.
        behind_numbers: distinct simulated systems that give published numbers.
        simulations: distinct simulated systems behind all of them.
    """

    numbers: Counts
    derived: Counts
    claims_with_number: Counts
    claims_without: Counts
    behind_numbers: int
    simulations: int

    def as_data(self) -> dict[str, Any]:
        """Counts by subject and verdict, and the number of simulated systems, for JSON."""
        counted = {
            "numbers": self.numbers,
            "derived": self.derived,
            "claims_with_number": self.claims_with_number,
            "claims_without": self.claims_without,
        }
        found: dict[str, Any] = {
            what: {verdict.value: count for verdict, count in one.items()}
            for what, one in counted.items()
        }
        return {**found, "simulations": self.simulations}


def tally(results: Sequence[Result], findings: Sequence[Finding]) -> Tally:
    """Counts of a reproduction."""
    judged = [result for result in results if result.number.published is not None]
    with_number = [one for one in findings if one.claim.published is not None]
    without = [one for one in findings if one.claim.published is None]
    return Tally(
        numbers=counts(one.verdict for one in judged if is_distinct(one)),
        derived=counts(one.verdict for one in judged if not is_distinct(one)),
        claims_with_number=counts(one.verdict for one in with_number),
        claims_without=counts(one.verdict for one in without),
        behind_numbers=simulations(judged),
        simulations=simulations(results),
    )


def is_distinct(result: Result) -> bool:
    """True if its published number counts by itself."""
    return stands_alone(result.number)


def stands_alone(number: Row | Derived) -> bool:
    """True if a published number is in no other place and follows from no others."""
    if isinstance(number, Derived):
        return number.distinct
    return number.repeats is None and number.follows is None


_System = dict[tuple[str, bool], tuple[float, ...]]
"""Values of a system by quantity, with true for a published one."""


def simulations(results: Iterable[Result]) -> int:
    """Number of different systems that were simulated.

    Systems whose scenarios differ count once if every quantity that both have is equal seed by
    seed, bit for bit, and seeds change one of these: the difference of their scenarios then has no
    effect. If both have published numbers, only these are compared, because the other numbers may
    use a parameter that differs.
    """
    systems: dict[str, _System] = {}
    for result in results:
        if result.runs and isinstance(result.number, Row):
            quantity = (str(result.number.quantity), result.number.published is not None)
            systems.setdefault(result.runs, {})[quantity] = result.values
    different: list[_System] = []
    for system in systems.values():
        same = next((one for one in different if _alike(one, system)), None)
        if same is None:
            different.append(dict(system))
        else:
            same.update(system)
    return len(different)


def _alike(one: _System, other: _System) -> bool:
    """True if two systems give the same numbers, which chance would not make equal."""
    shared = [quantity for quantity in one if quantity in other]
    published = [quantity for quantity in shared if quantity[1]]
    pairs = [(one[quantity], other[quantity]) for quantity in published or shared]
    common = [(first[: len(second)], second[: len(first)]) for first, second in pairs]
    return all(first == second for first, second in common) and any(
        len(set(first)) > 1 for first, _ in common
    )


def together(tallies: Sequence[Tally]) -> Tally:
    """Tally of several papers."""
    return Tally(
        added([one.numbers for one in tallies]),
        added([one.derived for one in tallies]),
        added([one.claims_with_number for one in tallies]),
        added([one.claims_without for one in tallies]),
        sum(one.behind_numbers for one in tallies),
        sum(one.simulations for one in tallies),
    )


def added(found: Sequence[Counts]) -> Counts:
    """Counts added verdict by verdict."""
    return {verdict: sum(one[verdict] for one in found) for verdict in JUDGED}
