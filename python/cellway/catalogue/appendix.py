"""Everything on a paper as one Markdown text: the same for the same results."""

from cellway.catalogue.markup import (
    counted,
    escaped,
    grid_lines,
    ours_of,
    sentence,
    several,
    titled_grid,
)
from cellway.catalogue.measured_text import measured_senders
from cellway.catalogue.published import Paper
from cellway.catalogue.runner import Reproduction, unvaried
from cellway.catalogue.scores import CLEAR, ModelScore, Scored
from cellway.catalogue.sensitivity import Variation, grid
from cellway.catalogue.summary import DOES_NOT_TEST, choices_text, error_of, rank_of, unit_of
from cellway.catalogue.tables import all_tables, figures_of
from cellway.catalogue.verdict import JUDGED, Verdict
from cellway.statistics.repeats import IN_PROSE

HEAD = "# Published results, in full: "
READING = (
    "Ours is the mean over the replications with its 95 % interval and, in parentheses, their "
    f"number. {IN_PROSE} Of\n"
    "the published numbers, from the paper's own simulation and from its measurement, the one in "
    "bold is what ours\n"
    "is judged against. *Published lies above* says which share of our replications lies below it: "
    "near 0 % or\n"
    "100 % none of our runs was like the published one. *Not judged* are rows of which nothing "
    "was published. Derived\n"
    "numbers that follow from others are *not counted* as published numbers of their own. *Ours, "
    "measured* is of the\n"
    "kernel's TCP with senders of its own, and is not judged."
)


def is_appendix(content: bytes) -> bool:
    """True if a file was made by `appendix`."""
    return content.startswith(HEAD.encode())


def appendix(reproduction: Reproduction) -> str:
    """The page of one paper; ends in a newline."""
    paper = reproduction.paper
    back = "The summary of all papers is [REPRODUCED.md](../../REPRODUCED.md)."
    shown = figures_of(reproduction, "")
    return "\n\n".join([f"{HEAD}{paper.id}", back, READING, *shown, *sections(reproduction)]) + "\n"


def sections(reproduction: Reproduction) -> list[str]:
    """Paragraphs on a paper, from its title to its sensitivities."""
    paper = reproduction.paper
    parts = [
        f"## {paper.id}",
        cited(paper),
        f"{_counted(reproduction)}, of {reproduction.judged}. {unvaried([reproduction])}".rstrip(),
    ]
    if reproduction.quick:
        parts.append(QUICK)
    parts += [f"**Failed:** {sentence(said)}" for said in reproduction.failures]
    parts += [escaped(paper.notes)] if paper.notes else []
    parts += measured_senders(paper)
    parts += all_tables(reproduction)
    parts += _scores(reproduction) + _choices(reproduction) + _editions(reproduction)
    if reproduction.variations:
        parts += [
            "### Sensitivity",
            *(_variation(variation) for variation in reproduction.variations),
        ]
    return parts


def cited(paper: Paper) -> str:
    """Authors, title, venue and year of the paper."""
    return (
        f"{', '.join(paper.authors)}: *{escaped(paper.title)}*. {escaped(paper.venue)}, "
        f"{paper.year}."
    )


QUICK = (
    "**Quick: one run per row, not the stated replications, and no null models that need runs.**"
)


def _counted(reproduction: Reproduction) -> str:
    verdicts = [one.verdict for one in reproduction.results]
    verdicts += [one.verdict for one in reproduction.findings]
    unjudged = verdicts.count(Verdict.NOT_JUDGED)
    text = counted({verdict: verdicts.count(verdict) for verdict in JUDGED})
    return f"{text}, {unjudged} *not judged*" if unjudged else text


def _scores(reproduction: Reproduction) -> list[str]:
    if not reproduction.scores:
        return []
    lines = [line for scored in reproduction.scores for line in _score(scored, reproduction)]
    header = ("score", "model", "rms error", "rank correlation", "numbers, row by row")
    said = (
        "The rms error of our numbers, beside that of null models that know less. Errors in ln "
        f"are those of logarithms. A table *{DOES_NOT_TEST}* when a null model has less than "
        f"{CLEAR:g} times our error."
    )
    return ["### Scores", said, grid_lines(header, "llrrl", lines)]


def _score(scored: Scored, reproduction: Reproduction) -> list[list[str]]:
    unit = unit_of(scored, reproduction.paper)
    tests = "" if scored.tests else f"; *{DOES_NOT_TEST}*"
    first = f"{scored.score.code}: {escaped(scored.score.text).rstrip('.')}{tests}"
    published = [first, "published", "", "", _numbers(scored.published)]

    def line(model: ModelScore, label: str) -> list[str]:
        return ["", label, error_of(model, unit), rank_of(model), _numbers(model.numbers)]

    nulls = [line(null, escaped(null.label)) for null in scored.nulls]
    references = [line(one, f"for orientation: {escaped(one.label)}") for one in scored.references]
    return [published, line(scored.ours, "**ours**"), *nulls, *references]


def _numbers(numbers: tuple[float, ...]) -> str:
    same = len(set(numbers)) == 1
    return (
        f"{numbers[0]:.4g} everywhere" if same else ", ".join(f"{number:.4g}" for number in numbers)
    )


def _choices(reproduction: Reproduction) -> list[str]:
    paper = reproduction.paper
    if not paper.choices:
        return []
    rows = [
        {
            "what": escaped(one.what),
            "chosen": escaped(one.value),
            "reason": escaped(one.reason),
            "kind": _kind(one.kind, one.combinations),
        }
        for one in paper.choices
    ]
    return [
        "### Choices",
        f"What the paper leaves open, decided once for all its tables. {choices_text([paper])}",
        titled_grid("llll", rows),
    ]


def _kind(kind: str, combinations: int | None) -> str:
    return (
        kind
        if combinations is None
        else f"{kind}, {several(combinations, 'combination')} looked at"
    )


def _editions(reproduction: Reproduction) -> list[str]:
    editions = reproduction.paper.editions
    if not editions:
        return []
    rows = [
        {
            "date": str(one.date),
            "results": one.results,
            "changes": ", ".join(one.changed) or "–",
            "why": sentence(one.why),
            "SHA-256, its beginning": f"`{one.sha256[:16]}`",
        }
        for one in editions
    ]
    return [
        "### Editions of the criteria",
        "When the criteria were written, and whether results were known by then.",
        titled_grid("lllll", rows),
    ]


def _variation(variation: Variation) -> str:
    entry = variation.sensitivity
    shown = grid(variation, ours_of)
    header, *lines = [[escaped(cell) for cell in line] for line in (shown.header, *shown.lines)]
    align = "l" * shown.words + "r" * (len(header) - shown.words)
    code = f"{entry.code}, " if entry.code else ""
    return (
        f"**{code}{escaped(entry.name)}** — {sentence(entry.why)}\n\n"
        f"{grid_lines(header, align, lines)}"
    )
