"""Tests of reasons: what is blamed is taken out, with seeds that nothing was chosen by."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cellway.catalogue.claims import Finding, judge_claim
from cellway.catalogue.published import Paper, Row, Sets, unique
from cellway.catalogue.reasons import Reason
from cellway.catalogue.rows import Case, Found, Result, Seeds, case_of, derived_result
from cellway.catalogue.verdict import Verdict

_RANK = {
    Verdict.AGREES: 0,
    Verdict.UNDECIDED: 1,
    Verdict.BECAUSE: 2,
    Verdict.DIFFERS: 2,
    Verdict.NOT_JUDGED: 3,
}
"""From good to bad; what could not be judged is the worst."""


@dataclass(frozen=True)
class ReasonTest:
    """A reason with what its test came to, all with fresh seeds but `also_chosen`.

    Attributes:
        reason: what was tested.
        chosen: the row or claim as it is: it must lie outside.
        without: with the reason taken out: it must lie inside.
        also_chosen: the other rows as they were judged.
        also_without: the same rows with the reason taken out.
    """

    reason: Reason
    chosen: Result | Finding
    without: Result | Finding
    also_chosen: tuple[Result, ...]
    also_without: tuple[Result, ...]

    @property
    def passed(self) -> bool:
        """Whether the reason makes the difference, whatever the seeds."""
        return self.chosen.verdict is Verdict.DIFFERS and self.without.verdict is Verdict.AGREES

    @property
    def broken(self) -> tuple[Result, ...]:
        """The rows that come to a worse verdict with the reason taken out than as judged."""
        pairs = zip(self.also_chosen, self.also_without, strict=True)
        return tuple(
            without for chosen, without in pairs if _RANK[without.verdict] > _RANK[chosen.verdict]
        )

    def as_data(self) -> dict[str, Any]:
        """For JSON: the reason, and everything as chosen and with it taken out."""
        reason, broken = self.reason, self.broken
        pairs = zip(self.also_chosen, self.also_without, strict=True)
        return {
            "of": reason.of,
            "text": reason.text,
            "without": reason.without,
            "passed": self.passed,
            "as_chosen": self.chosen.as_data(),
            "taken_out": self.without.as_data(),
            "also": [
                {
                    "as_chosen": chosen.as_data(),
                    "taken_out": without.as_data(),
                    "broken": without in broken,
                }
                for chosen, without in pairs
            ],
        }


def cases_of(reason: Reason, paper: Paper) -> list[Case]:
    """All that has to be run for a test."""
    own, others = paper.rows_of(reason.of), _rows_of_others(reason, paper)
    chosen = [case_of(row, (), Seeds.FRESH) for row in own]
    without = [case_of(row, reason.sets, Seeds.FRESH) for row in (*own, *others)]
    return [*chosen, *without]


def tested(reason: Reason, paper: Paper, found: Found, judged: Mapping[str, Result]) -> ReasonTest:
    """What the runs of a test come to.

    Args:
        reason: of `paper`.
        paper: where codes are looked up.
        found: the results of all `cases_of` it.
        judged: by code, the results of the rows in `reason.also` as they are judged.
    """
    own, others = paper.rows_of(reason.of), _rows_of_others(reason, paper)
    chosen = _results(own, (), paper, found)
    without = _results((*own, *others), reason.sets, paper, found)
    return ReasonTest(
        reason=reason,
        chosen=_outcome(reason.of, paper, chosen),
        without=_outcome(reason.of, paper, without),
        also_chosen=tuple(judged[code] for code in reason.also),
        also_without=tuple(without[code] for code in reason.also),
    )


def _rows_of_others(reason: Reason, paper: Paper) -> tuple[Row, ...]:
    return unique(row for code in reason.also for row in paper.rows_of(code))


def _results(rows: tuple[Row, ...], sets: Sets, paper: Paper, found: Found) -> dict[str, Result]:
    """By code, the rows under `sets` and what can be derived from them."""
    results = {row.code: found[case_of(row, sets, Seeds.FRESH)] for row in rows}
    for derived in paper.derived:
        if all(row.code in results for row in paper.rows_of(derived.code)):
            results[derived.code] = derived_result(derived, paper, results)
    return results


def _outcome(code: str, paper: Paper, results: Mapping[str, Result]) -> Result | Finding:
    claim = next((claim for claim in paper.claims if claim.code == code), None)
    return results[code] if claim is None else judge_claim(claim, paper, results, {})
