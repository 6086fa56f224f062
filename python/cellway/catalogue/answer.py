"""What was asked of the papers, and the answer: counts that say what they count, in a table."""

from collections.abc import Sequence

from cellway.catalogue.appendix import QUICK
from cellway.catalogue.markup import grid_lines, listed, sentence, several
from cellway.catalogue.published import Paper
from cellway.catalogue.runner import Reproduction, unvaried
from cellway.catalogue.summary import DOES_NOT_TEST, choices_said, tested, together
from cellway.catalogue.tally import is_distinct
from cellway.catalogue.verdict import JUDGED, Verdict

_HEADER = ("", "all", *(f"*{verdict}*" for verdict in JUDGED))


def answer(reproductions: Sequence[Reproduction]) -> list[str]:
    """What was asked, and the answer in counts."""
    papers = [one.paper for one in reproductions]
    asked = (
        f"**Asked:** does cellway give the numbers that {several(len(papers), 'paper')} published, "
        "and would a model that knows less give them as well?"
    )
    said = [
        _numbers_said(reproductions),
        _untested_said(reproductions),
        _outside_said(reproductions),
    ]
    made = [choices_said(papers), _dated(papers), unvaried(reproductions)]
    parts = [asked, f"**Answer:** {_joined(said)}", counts_table(reproductions), _joined(made)]
    if any(one.quick for one in reproductions):
        parts.append(QUICK)
    failures = [f"{one.paper.id}: {said}" for one in reproductions for said in one.failures]
    parts += [f"**Failed:** {sentence(said)}" for said in failures]
    return [part for part in parts if part]


def counts_table(reproductions: Sequence[Reproduction]) -> str:
    """How many of what came to which verdict; lines of what there is none of are left out."""
    counts = together(reproductions)
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


def _numbers_said(reproductions: Sequence[Reproduction]) -> str:
    counts = together(reproductions)
    systems = several(counts.behind_numbers, "distinct simulation")
    agree, judged = counts.numbers[Verdict.AGREES], sum(counts.numbers.values())
    return (
        f"{agree} of {several(judged, 'distinct published number')} "
        f"{'agrees' if agree == 1 else 'agree'}, from {systems} ({counts.simulations} with those "
        "behind other lines)."
    )


def _untested_said(reproductions: Sequence[Reproduction]) -> str:
    found = tested(reproductions)
    stand = "stands" if found.by_score == 1 else "stand"
    return (
        f"Of these, {found.by_score} {stand} in a score that tells our model from every null "
        f"model, {found.untested} only in scores that a null model meets about as well "
        f"(*{DOES_NOT_TEST}*), and {found.unscored} in no score."
    )


def _outside_said(reproductions: Sequence[Reproduction]) -> str:
    """How many published numbers none of our runs was like."""
    places = [
        result.below_published
        for one in reproductions
        for result in one.results
        if is_distinct(result)
        and len(set(result.values)) > 1
        and result.below_published is not None
    ]
    if not places:
        return ""
    outside = sum(place in {0.0, 1.0} for place in places)
    return (
        f"Of the {len(places)} distinct published numbers that our replications scatter about, "
        f"{outside} lie below or above all of them."
    )


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(said for said in sentences if said)


def _dated(papers: Sequence[Paper]) -> str:
    """When the criteria were written, no more than the editions show."""
    shared: dict[str, list[str]] = {}
    for paper in papers:
        if paper.editions:
            last = paper.editions[-1]
            said = f"dated {last.date}, written when results were {last.results}"
            shared.setdefault(said, []).append(paper.id)
    whose = len(shared) > 1
    parts = [f"{said}{f' ({listed(ids)})' if whose else ''}" for said, ids in shared.items()]
    return f"The criteria are {'; '.join(parts)}." if parts else ""
