"""The question to the papers and the answer: counts that say what they count, in a table."""

from collections.abc import Sequence
from typing import Protocol

from cellway.catalogue.appendix import QUICK
from cellway.catalogue.counted import Counted
from cellway.catalogue.markup import grid_lines, listed, sentence, several
from cellway.catalogue.published import Paper
from cellway.catalogue.runner import unvaried
from cellway.catalogue.summary import DOES_NOT_TEST, choices_text
from cellway.catalogue.tally import Tally, together
from cellway.catalogue.verdict import JUDGED, Verdict

_HEADER = ("", "all", *(f"*{verdict}*" for verdict in JUDGED))


class HasCounts(Protocol):
    """A paper and the counts of its results."""

    @property
    def paper(self) -> Paper:
        """The paper as published."""

    @property
    def counted(self) -> Counted:
        """Counts of our results."""


def answer(entries: Sequence[HasCounts]) -> list[str]:
    """The question, and the answer in counts."""
    papers = [one.paper for one in entries]
    found = [one.counted for one in entries]
    asked = (
        f"**Asked:** does cellway give the numbers that {several(len(papers), 'paper')} published, "
        "and would a model that knows less give them as well?"
    )
    counts = together([one.tally for one in found])
    said = [_numbers_said(counts), _untested_said(found), _outside_said(found)]
    made = [choices_text(papers), _dated(papers), unvaried(found)]
    parts = [asked, f"**Answer:** {_joined(said)}", counts_table(counts), _joined(made)]
    if any(one.quick for one in found):
        parts.append(QUICK)
    failures = [f"{one.paper.id}: {said}" for one in entries for said in one.counted.failures]
    parts += [f"**Failed:** {sentence(said)}" for said in failures]
    return [part for part in parts if part]


def counts_table(counts: Tally) -> str:
    """Table of verdicts by kind of number or claim; rows without entries are left out."""
    lines = {
        "distinct published numbers": counts.numbers,
        "numbers that repeat those or follow from them": counts.derived,
        "sentences with a number": counts.claims_with_number,
        "sentences without, judged by thresholds of ours": counts.claims_without,
    }
    rows = [
        [what, str(sum(found.values())), *(str(found[verdict]) for verdict in JUDGED)]
        for what, found in lines.items()
        if any(found.values())
    ]
    return grid_lines(_HEADER, "lrrrrr", rows) if rows else ""


def _numbers_said(counts: Tally) -> str:
    systems = several(counts.behind_numbers, "distinct simulation")
    agree, judged = counts.numbers[Verdict.AGREES], sum(counts.numbers.values())
    return (
        f"{agree} of {several(judged, 'distinct published number')} "
        f"{'agrees' if agree == 1 else 'agree'}, from {systems} ({counts.simulations} with those "
        "behind other lines)."
    )


def _untested_said(found: Sequence[Counted]) -> str:
    by_score = sum(one.tested.by_score for one in found)
    untested = sum(one.tested.untested for one in found)
    unscored = sum(one.tested.unscored for one in found)
    stand = "stands" if by_score == 1 else "stand"
    return (
        f"Of these, {by_score} {stand} in a score that tells our model from every null "
        f"model, {untested} only in scores that a null model meets about as well "
        f"(*{DOES_NOT_TEST}*), and {unscored} in no score."
    )


def _outside_said(found: Sequence[Counted]) -> str:
    """Number of published numbers that lie outside all of our replications, in a sentence."""
    scattered = sum(one.scattered for one in found)
    if not scattered:
        return ""
    outside = sum(one.outside for one in found)
    return (
        f"Of the {scattered} distinct published numbers that our replications scatter about, "
        f"{outside} lie below or above all of them."
    )


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(said for said in sentences if said)


def _dated(papers: Sequence[Paper]) -> str:
    """Dates of the criteria, and whether results were known then."""
    shared: dict[str, list[str]] = {}
    for paper in papers:
        if paper.editions:
            last = paper.editions[-1]
            said = f"dated {last.date}, written when results were {last.results}"
            shared.setdefault(said, []).append(paper.id)
    whose = len(shared) > 1
    parts = [f"{said}{f' ({listed(ids)})' if whose else ''}" for said, ids in shared.items()]
    return f"The criteria are {'; '.join(parts)}." if parts else ""
