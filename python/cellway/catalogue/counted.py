"""Counts of one paper's results, which are kept as JSON.

So the page on all papers can be written again when one of them was run, with the kept counts of the
others.
"""

from dataclasses import dataclass
from typing import Any

from cellway.catalogue.runner import Reproduction
from cellway.catalogue.summary import Tested, tested
from cellway.catalogue.tally import Counts, Tally, is_distinct
from cellway.catalogue.verdict import JUDGED, Verdict


@dataclass(frozen=True)
class Counted:
    """Counts of one paper.

    Attributes:
        tally: verdicts by kind of number or claim.
        tested: the numbers that agree; those in scores that exclude null models, and others.
        scattered: distinct published numbers that our replications scatter about.
        outside: those of them that lie below or above all replications.
        quick: true if everything had one replication only.
        failures: the runs that could not finish, a line each.
    """

    tally: Tally
    tested: Tested
    scattered: int
    outside: int
    quick: bool
    failures: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        """Counts for JSON."""
        return {
            **vars(self),
            "tally": self.tally.as_data() | {"behind_numbers": self.tally.behind_numbers},
            "tested": vars(self.tested),
            "failures": list(self.failures),
        }


def counted(reproduction: Reproduction) -> Counted:
    """Counts of the reproduction of a whole paper."""
    places = [
        result.below_published
        for result in reproduction.results
        if is_distinct(result)
        and len(set(result.values)) > 1
        and result.below_published is not None
    ]
    return Counted(
        tally=reproduction.tally,
        tested=tested(reproduction),
        scattered=len(places),
        outside=sum(place in {0.0, 1.0} for place in places),
        quick=reproduction.quick,
        failures=tuple(reproduction.failures),
    )


def counted_from(data: dict[str, Any]) -> Counted:
    """Counts from their JSON `data`.

    Raises:
        KeyError, TypeError, ValueError: `as_data` gives no such data.
    """
    tally = data["tally"]
    return Counted(
        tally=Tally(
            _counts(tally["numbers"]),
            _counts(tally["derived"]),
            _counts(tally["claims_with_number"]),
            _counts(tally["claims_without"]),
            int(tally["behind_numbers"]),
            int(tally["simulations"]),
        ),
        tested=Tested(**data["tested"]),
        scattered=int(data["scattered"]),
        outside=int(data["outside"]),
        quick=bool(data["quick"]),
        failures=tuple(data["failures"]),
    )


def _counts(data: dict[str, int]) -> Counts:
    found = {Verdict(word): int(count) for word, count in data.items()}
    return {verdict: found[verdict] for verdict in JUDGED}
