"""Summary of a reproduction: a line per published table, and the counts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cellway.catalogue.claims import Finding
from cellway.catalogue.markup import NONE, are, in_unit, several
from cellway.catalogue.published import Paper
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.scores import ModelScore, Scored
from cellway.catalogue.tally import Counts, is_distinct
from cellway.catalogue.verdict import Verdict, counts

OUTSIDE = (Verdict.BECAUSE, Verdict.DIFFERS)
DOES_NOT_TEST = "does not test it"


@dataclass(frozen=True)
class TableLine:
    """Line of one published table.

    Attributes:
        table: its name in the catalogue.
        what: its subject.
        compared: numbers with a verdict; `repeated` of them count elsewhere too, or follow from
            others.
        claims: sentences on it with a verdict.
        scores: its scores.
        counts: number of both with each verdict.
    """

    table: str
    what: str
    compared: int
    repeated: int
    claims: int
    scores: tuple[Scored, ...]
    counts: Counts


def table_lines(reproduction: Reproduction) -> list[TableLine]:
    """Lines of tables with published numbers or claims, in the paper's order."""
    tables = dict.fromkeys(one.number.table for one in reproduction.results)
    tables |= dict.fromkeys(one.claim.table for one in reproduction.findings)
    lines = [_line(name, reproduction) for name in tables]
    return [line for line in lines if line.compared or line.claims]


def _line(name: str, reproduction: Reproduction) -> TableLine:
    rows = [one for one in reproduction.results if one.number.table == name]
    judged = [one for one in rows if one.number.published is not None]
    findings = [one for one in reproduction.findings if one.claim.table == name]
    scores = tuple(one for one in reproduction.scores if one.score.table == name)
    return TableLine(
        table=name,
        what=_what(scores, judged, findings),
        compared=len(judged),
        repeated=sum(not is_distinct(one) for one in judged),
        claims=len(findings),
        scores=scores,
        counts=counts([one.verdict for one in judged] + [one.verdict for one in findings]),
    )


def _what(scores: Sequence[Scored], judged: Sequence[Result], findings: Sequence[Finding]) -> str:
    if scores:
        return "; ".join(dict.fromkeys(one.score.text.rstrip(".") for one in scores))
    if judged:
        first = judged[0].number.label
        return first if len(judged) == 1 else f"{first}, and {len(judged) - 1} more"
    first = findings[0].claim.text if findings else ""
    return (
        first
        if len(findings) == 1
        else f"sentences of the text: {first}, and {len(findings) - 1} more"
    )


def unit_of(scored: Scored, paper: Paper) -> str:
    """Unit of a score's errors: ``"ln"`` for logarithms; ``"1"`` if rows have several units."""
    if scored.score.scale == "log":
        return "ln"
    units = {paper.number(code).unit for code in scored.score.rows}
    return units.pop() if len(units) == 1 else "1"


def error_of(model: ModelScore, unit: str) -> str:
    """Error of a model (rms) with its unit."""
    return in_unit(f"{model.rms:.2g}", unit)


def rank_of(model: ModelScore) -> str:
    """Rank correlation of a model."""
    return NONE if model.rank is None else f"{model.rank:.2f}"


def differences(reproduction: Reproduction) -> list[Result | Finding]:
    """Results and claims outside their criteria, rows first."""
    found: list[Result | Finding] = [*reproduction.results, *reproduction.findings]
    return [one for one in found if one.verdict in OUTSIDE]


def undecided(reproduction: Reproduction) -> list[Result | Finding]:
    """Results and claims whose interval reaches over an end of the accepted range."""
    found: list[Result | Finding] = [*reproduction.results, *reproduction.findings]
    return [one for one in found if one.verdict is Verdict.UNDECIDED]


@dataclass(frozen=True)
class Tested:
    """Numbers of distinct published numbers that agree, by scores that exclude null models.

    Attributes:
        by_score: in at least one score that excludes them, itself or by a number derived from it.
        untested: in scores that do not exclude them.
        unscored: in no score.
    """

    by_score: int
    untested: int
    unscored: int


def tested(reproduction: Reproduction) -> Tested:
    """Counts of agreements by the strength of their test."""
    found = {True: 0, False: 0, None: 0}
    for result in reproduction.results:
        if result.verdict is Verdict.AGREES and is_distinct(result):
            tests = [
                scored.tests
                for scored in reproduction.scores
                if _is_scored(result, scored, reproduction.paper)
            ]
            found[any(tests) if tests else None] += 1
    return Tested(found[True], found[False], found[None])


def _is_scored(result: Result, scored: Scored, paper: Paper) -> bool:
    codes = scored.score.rows
    return result.code in codes or any(
        result.code == row.code for code in codes for row in paper.rows_of(code)
    )


def choices_text(papers: Sequence[Paper]) -> str:
    """Number of choices that are drawn, fitted and ours, in a sentence; empty without choices."""
    kinds = [choice.kind for paper in papers for choice in paper.choices]
    if not kinds:
        return ""
    looked = "; ".join(f"{paper.id}: {found}" for paper in papers if (found := combinations(paper)))
    fitted = f"{are(kinds.count('fitted'))} *fitted*, chosen by looking at results"
    if looked:
        fitted += f" (values or combinations looked at: {looked})"
    who = "papers leave" if len(papers) > 1 else "paper leaves"
    return (
        f"Of {several(len(kinds), 'choice')} that the {who} open "
        f"{are(kinds.count('drawn'))} *drawn* at random in each replication, {fitted}, and "
        f"{are(kinds.count('ours'))} *ours*, chosen without."
    )


def combinations(paper: Paper) -> str:
    """Combinations tried for the fitted choices: ``"2 (3 choices), 300, not recorded"``."""
    fitted = [choice.combinations for choice in paper.choices if choice.kind == "fitted"]
    counted = Counter("not recorded" if one is None else str(one) for one in fitted)
    parts = [said if times == 1 else f"{said} ({times} choices)" for said, times in counted.items()]
    return ", ".join(parts)
