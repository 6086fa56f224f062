"""The question to the papers and the answer: counts that say what they count, in a table."""

from collections.abc import Sequence

from cellway.catalogue.counted import Counted
from cellway.catalogue.entry import Entry
from cellway.catalogue.markup import QUICK, grid_lines, sentence, several
from cellway.catalogue.summary import DOES_NOT_TEST
from cellway.catalogue.tally import Counts, Tally, added, together
from cellway.catalogue.verdict import JUDGED, Verdict


def answer(entries: Sequence[Entry]) -> list[str]:
    """The question, and the answer in counts: of papers, then of other literature by itself."""
    papers = [one for one in entries if not one.paper.apart]
    apart = [one for one in entries if one.paper.apart]
    found = [one.counted for one in papers or apart]
    who = several(len(papers), "paper") if papers else "other literature"
    asked = (
        f"**Asked:** does cellway give the numbers that {who} published, and would a model that "
        "knows less give them as well?"
    )
    said = [_numbers_said(together([one.tally for one in found])), _untested_said(found)]
    said = [one for one in [*said, _outside_said(found)] if one]
    said += [_apart_said(apart)] if papers and apart else []
    header, rows = counts_of(entries)
    counts = grid_lines(header, "l" + "r" * (len(header) - 1), rows)
    parts = [asked, f"**Answer:** {' '.join(said)}", counts]
    if any(one.counted.quick for one in entries):
        parts.append(QUICK)
    failures = [f"{one.paper.id}: {said}" for one in entries for said in one.counted.failures]
    return [*parts, *(f"**Failed:** {sentence(said)}" for said in failures)]


def counts_of(entries: Sequence[Entry]) -> tuple[list[str], list[list[str]]]:
    """Verdicts on distinct published numbers and on sentences, by paper, all papers, and apart.

    Returns:
        Titles of columns, and a line for each paper, as Markdown.
    """
    lines = [(one.paper.id, one.counted.tally) for one in entries if not one.paper.apart]
    if len(lines) > 1:
        lines.append(("**all**", together([tally for _, tally in lines])))
    lines += [(one.paper.id, one.counted.tally) for one in entries if one.paper.apart]
    rows = [
        [
            name,
            *_cells(tally.numbers),
            *_cells(added([tally.claims_with_number, tally.claims_without])),
        ]
        for name, tally in lines
    ]
    verdicts = [f"*{verdict}*" for verdict in JUDGED]
    return ["paper", "numbers", *verdicts, "sentences", *verdicts], rows


def _cells(counts: Counts) -> list[str]:
    return [str(sum(counts.values())), *(str(counts[verdict]) for verdict in JUDGED)]


def _numbers_said(counts: Tally) -> str:
    systems = several(counts.behind_numbers, "distinct simulation")
    agree, judged = counts.numbers[Verdict.AGREES], sum(counts.numbers.values())
    return (
        f"{agree} of {several(judged, 'distinct published number')} "
        f"{'agrees' if agree == 1 else 'agree'}, from {systems} ({counts.simulations} with those "
        "behind other lines)."
    )


def _apart_said(apart: Sequence[Entry]) -> str:
    """Counts of other literature, in a sentence."""
    counts = together([one.counted.tally for one in apart])
    sentences = added([counts.claims_with_number, counts.claims_without])
    sources = sum(len(one.paper.sources) for one in apart)
    return (
        f"Other literature, {several(sources, 'source')} with criteria that were dated before the "
        f"first run, is counted apart: {counts.numbers[Verdict.AGREES]} of "
        f"{several(sum(counts.numbers.values()), 'distinct published number')} agree, and "
        f"{sentences[Verdict.AGREES]} of {several(sum(sentences.values()), 'sentence')}."
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
