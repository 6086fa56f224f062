"""What was asked of the papers, and the answer: counts that say what they count, in sentences."""

from collections.abc import Sequence

from cellway.catalogue.appendix import QUICK
from cellway.catalogue.markup import listed, said_of, sentence, several
from cellway.catalogue.published import Paper
from cellway.catalogue.runner import Reproduction, unvaried
from cellway.catalogue.summary import DOES_NOT_TEST, choices_said, tested, together
from cellway.catalogue.tally import Counts


def answer(reproductions: Sequence[Reproduction]) -> list[str]:
    """What was asked, and the answer in counts."""
    papers = [one.paper for one in reproductions]
    asked = (
        f"**Asked:** does cellway give the numbers that {several(len(papers), 'paper')} published, and "
        f"would a model that knows less give them as well?"
    )
    said = [numbers_said(reproductions), _untested_said(reproductions), _claims_said(reproductions)]
    made = [choices_said(papers), _dated(papers), unvaried(reproductions)]
    parts = [asked, f"**Answer:** {_joined(said)}", _joined(made)]
    if any(one.quick for one in reproductions):
        parts.append(QUICK)
    failures = [f"{one.paper.id}: {said}" for one in reproductions for said in one.failures]
    parts += [f"**Failed:** {sentence(said)}" for said in failures]
    return [part for part in parts if part]


def numbers_said(reproductions: Sequence[Reproduction]) -> str:
    """How many published numbers came to which verdict, and from how many simulations."""
    counts = together(reproductions)
    text = (
        f"Of {_judged(counts.numbers)} distinct published numbers that were judged, from "
        f"{several(counts.simulations, 'distinct simulation')}, {said_of(counts.numbers)}"
    )
    if any(counts.derived.values()):
        text += f"; of {_judged(counts.derived)} more that repeat those or follow from them, "
        text += said_of(counts.derived)
    return f"{text}."


def _untested_said(reproductions: Sequence[Reproduction]) -> str:
    found = tested(reproductions)
    agree = found.by_score + found.untested + found.unscored
    return (
        f"Of the {agree} that agree, {found.by_score} stand in tables that tell our model from every null "
        f"model, {found.untested} in tables that a null model meets about as well (*{DOES_NOT_TEST}*), and "
        f"{found.unscored} have no score."
    )


def _claims_said(reproductions: Sequence[Reproduction]) -> str:
    counts = together(reproductions)
    given, ours = counts.claims_with_number, counts.claims_without
    parts = []
    if any(given.values()):
        parts.append(f"of {several(_judged(given), 'sentence')} with a number, {said_of(given)}")
    if any(ours.values()):
        sentences = "without one" if parts else "without a number"
        judged = f"judged by thresholds of ours, {said_of(ours)}"
        parts.append(f"of {several(_judged(ours), 'sentence')} {sentences}, {judged}")
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(said for said in sentences if said)


def _judged(counts: Counts) -> int:
    return sum(counts.values())


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
