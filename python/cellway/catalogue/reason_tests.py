"""Tests of reasons: the blamed cause is taken out, with seeds that were used for no choice.

A setting is tried on the entries that it is to explain, and on its family: every distinct published
number of the paper whose scenarios have its keys, with other values. It is a reason if the
differences are gone and it breaks no more of the family than it mends.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cellway.catalogue.claims import Finding, judge_claim
from cellway.catalogue.published import Paper, Row, Sets, unique
from cellway.catalogue.reasons import Reason
from cellway.catalogue.rows import Case, Found, Result, Seeds, case_of, derived_result
from cellway.catalogue.tally import stands_alone
from cellway.catalogue.verdict import Verdict
from cellway.errors import ScenarioError
from cellway.scenario.scenario import Scenario

_RANK = {
    Verdict.AGREES: 0,
    Verdict.UNDECIDED: 1,
    Verdict.BECAUSE: 2,
    Verdict.DIFFERS: 2,
    Verdict.NOT_JUDGED: 3,
}
"""Order of verdicts from good to bad; a number that could not be judged is the worst."""


@dataclass(frozen=True)
class Trial:
    """A reason, with the codes of the family that its setting is tried on."""

    reason: Reason
    family: tuple[str, ...]


@dataclass(frozen=True)
class ReasonTest:
    """One entry of a reason with the results of its test, all with fresh seeds but `also_chosen`.

    Attributes:
        reason: the reason that was tested.
        chosen: the row or claim as it is: it must lie outside.
        without: with the reason taken out: it must lie inside.
        also_chosen: the family as it was judged.
        also_without: the same numbers with the reason taken out.
        explained: the number of entries of the reason whose difference is gone.
    """

    reason: Reason
    chosen: Result | Finding
    without: Result | Finding
    also_chosen: tuple[Result, ...]
    also_without: tuple[Result, ...]
    explained: int = 1

    @property
    def of(self) -> str:
        """Code of the entry."""
        return self.chosen.code

    @property
    def passed(self) -> bool:
        """True if the reason makes the difference and its setting does not break more."""
        return _gone(self.chosen, self.without) and len(self.broken) <= self.mends

    @property
    def mends(self) -> int:
        """Number of entries that the setting makes agree, or brings from outside to undecided."""
        return self.explained + len(self.mended)

    @property
    def mended(self) -> tuple[Result, ...]:
        """Numbers of the family that get a better verdict with the reason taken out."""
        return tuple(
            without
            for chosen, without in self._pairs
            if _RANK[without.verdict] < _RANK[chosen.verdict]
        )

    @property
    def broken(self) -> tuple[Result, ...]:
        """Numbers of the family that get worse with the reason taken out.

        They get a worse verdict, or lie outside both ways and go away by more than their tolerance.
        """
        return tuple(
            without
            for chosen, without in self._pairs
            if _RANK[without.verdict] > _RANK[chosen.verdict] or _goes_away(chosen, without)
        )

    @property
    def _pairs(self) -> Iterator[tuple[Result, Result]]:
        return zip(self.also_chosen, self.also_without, strict=True)

    def as_data(self) -> dict[str, Any]:
        """Reason and results, as chosen and with the reason taken out, for JSON."""
        reason, broken = self.reason, self.broken
        return {
            "of": self.of,
            "reason_of": list(reason.of),
            "text": reason.text,
            "without": reason.without,
            "passed": self.passed,
            "mends": self.mends,
            "breaks": len(broken),
            "as_chosen": self.chosen.as_data(),
            "taken_out": self.without.as_data(),
            "also": [
                {
                    "as_chosen": chosen.as_data(),
                    "taken_out": without.as_data(),
                    "broken": without in broken,
                }
                for chosen, without in self._pairs
            ],
        }


def _gone(chosen: Result | Finding, without: Result | Finding) -> bool:
    return chosen.verdict is Verdict.DIFFERS and without.verdict is Verdict.AGREES


def _goes_away(chosen: Result, without: Result) -> bool:
    """True if a number that differs both ways is further off by more than its tolerance."""
    number, published = chosen.number, chosen.number.published
    if published is None or number.tolerance is None or chosen.ours is None or without.ours is None:
        return False
    if chosen.verdict is not Verdict.DIFFERS or without.verdict is not Verdict.DIFFERS:
        return False
    before, after = abs(chosen.ours.mean - published), abs(without.ours.mean - published)
    return after - before > number.tolerance.reach(published)


def trial(reason: Reason, paper: Paper) -> Trial:
    """Trial of a reason; its family takes the scenarios of all rows to find."""
    return Trial(reason, family(reason, paper))


def family(reason: Reason, paper: Paper) -> tuple[str, ...]:
    """Codes of all distinct published numbers that the setting concerns, but its own entries.

    A key that the reason's own scenarios leave out, as one that is off by default, concerns every
    scenario with the table that it stands in.

    Raises:
        ScenarioError, OSError: a row's scenario cannot be accepted or read.
    """
    own = [_scenario(row) for row in _rows(reason.of, paper)]
    paths = [
        key if all(one.has_key(key) for one in own) else key.rpartition(".")[0]
        for key, _ in reason.sets
    ]
    concerned = {row.code for row in paper.rows if _concerns(reason.sets, paths, _scenario(row))}
    return tuple(
        number.code
        for number in paper.numbers
        if number.published is not None
        and stands_alone(number)
        and number.code not in reason.of
        and concerned.issuperset(row.code for row in paper.rows_of(number.code))
    )


def _scenario(row: Row) -> Scenario:
    """The scenario that a row runs, with what it sets."""
    return Scenario.load(row.scenario).with_sets(list(row.sets))


def _concerns(sets: Sets, paths: list[str], scenario: Scenario) -> bool:
    """True if a scenario has these paths, and is another with the new values."""
    if not all(scenario.has_key(path) for path in paths):
        return False
    try:
        other = scenario.with_sets(list(sets))
    except ScenarioError:
        return False
    return other != scenario


def cases_of(tried: Trial, paper: Paper) -> list[Case]:
    """Cases that a test has to run."""
    own, others = _own_rows(tried, paper), _rows(tried.family, paper)
    chosen = [case_of(row, (), Seeds.FRESH) for row in own]
    without = [case_of(row, tried.reason.sets, Seeds.FRESH) for row in unique((*own, *others))]
    return [*chosen, *without]


def tested(
    tried: Trial, paper: Paper, found: Found, judged: Mapping[str, Result]
) -> tuple[ReasonTest, ...]:
    """Results of a test from its runs, one for each entry of the reason.

    Args:
        tried: of `paper`.
        paper: the paper that has the codes.
        found: the results of all `cases_of` it.
        judged: by code, the results of the family as they are judged.
    """
    own, others = _own_rows(tried, paper), _rows(tried.family, paper)
    chosen = _results(own, (), paper, found)
    without = _results(unique((*own, *others)), tried.reason.sets, paper, found)
    pairs = [
        (_outcome(code, paper, chosen), _outcome(code, paper, without)) for code in tried.reason.of
    ]
    explained = sum(_gone(before, after) for before, after in pairs)
    return tuple(
        ReasonTest(
            reason=tried.reason,
            chosen=before,
            without=after,
            also_chosen=tuple(judged[code] for code in tried.family),
            also_without=tuple(without[code] for code in tried.family),
            explained=explained,
        )
        for before, after in pairs
    )


def _own_rows(tried: Trial, paper: Paper) -> tuple[Row, ...]:
    return _rows(tried.reason.of, paper)


def _rows(codes: tuple[str, ...], paper: Paper) -> tuple[Row, ...]:
    return unique(row for code in codes for row in paper.rows_of(code))


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
