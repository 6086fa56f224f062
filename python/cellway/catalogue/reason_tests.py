"""Tests of reasons: the blamed cause is taken out, with seeds that were used for no choice."""

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
"""Order of verdicts from good to bad; a number that could not be judged is the worst."""


@dataclass(frozen=True)
class ReasonTest:
    """A reason with the results of its test, all with fresh seeds but `also_chosen`.

    Attributes:
        reason: the reason that was tested.
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
        """True if the reason makes the difference, whatever the seeds."""
        return self.chosen.verdict is Verdict.DIFFERS and self.without.verdict is Verdict.AGREES

    @property
    def broken(self) -> tuple[Result, ...]:
        """Rows that get a worse verdict with the reason taken out than as judged."""
        pairs = zip(self.also_chosen, self.also_without, strict=True)
        return tuple(
            without for chosen, without in pairs if _RANK[without.verdict] > _RANK[chosen.verdict]
        )

    def as_data(self) -> dict[str, Any]:
        """Reason and results, as chosen and with the reason taken out, for JSON."""
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
    """Cases that a test has to run."""
    own, others = paper.rows_of(reason.of), _rows_of_others(reason, paper)
    chosen = [case_of(row, (), Seeds.FRESH) for row in own]
    without = [case_of(row, reason.sets, Seeds.FRESH) for row in (*own, *others)]
    return [*chosen, *without]


def tested(reason: Reason, paper: Paper, found: Found, judged: Mapping[str, Result]) -> ReasonTest:
    """Results of a test from its runs.

    Args:
        reason: of `paper`.
        paper: the paper that has the codes.
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
    """Rows under `sets`, and numbers derived from them, by code."""
    results = {row.code: found[case_of(row, sets, Seeds.FRESH)] for row in rows}
    for derived in paper.derived:
        if all(row.code in results for row in paper.rows_of(derived.code)):
            results[derived.code] = derived_result(derived, paper, results)
    return results


def _outcome(code: str, paper: Paper, results: Mapping[str, Result]) -> Result | Finding:
    claim = next((claim for claim in paper.claims if claim.code == code), None)
    return results[code] if claim is None else judge_claim(claim, paper, results, {})
