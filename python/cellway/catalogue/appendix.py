"""Everything on a paper as one Markdown text: the same for the same results."""

from cellway.catalogue.choices import Sensitivity
from cellway.catalogue.entry import Entry
from cellway.catalogue.markup import (
    QUICK,
    cited,
    counted,
    escaped,
    grid_lines,
    sentence,
    several,
    titled_grid,
)
from cellway.catalogue.measured_text import measured_senders
from cellway.catalogue.numbers_kept import sensitivity_keys
from cellway.catalogue.published import Paper
from cellway.catalogue.runner import Reproduction, unvaried
from cellway.catalogue.scores import CLEAR, ModelScore, Scored
from cellway.catalogue.summary import (
    DOES_NOT_TEST,
    choices_text,
    error_of,
    rank_of,
    unit_of,
)
from cellway.catalogue.tables import all_tables, figures_of
from cellway.catalogue.verdict import JUDGED, Verdict
from cellway.statistics.repeats import IN_PROSE

HEAD = "# Published results, in full: "
READING = (
    "Ours is the mean over the replications with its 95 % interval and, in parentheses, their "
    f"number. {IN_PROSE} Of\n"
    "the published numbers, from the paper's own simulation and from its measurement, the one in "
    "bold is what ours\n"
    "is judged against. *Difference* has the unit of the tolerance: per cent of the published "
    "number, or the\n"
    "unit of the row; between numbers in % that is % points. *Published lies above* says which "
    "share of our\n"
    "replications lies below it: near 0 % or 100 % none of our runs was like the published one. "
    "*Not judged* are\n"
    "rows of which nothing was published. Derived numbers that follow from others are *not "
    "counted* as published\n"
    "numbers of their own. *Ours, measured* is of the kernel's TCP with senders of its own, and "
    "is not judged. A\n"
    "heading or a code behind the command of the paper runs that part."
)


def is_appendix(content: bytes) -> bool:
    """True if a file was made by `appendix`."""
    return content.startswith(HEAD.encode())


def appendix(entry: Entry) -> str:
    """The page of one paper; ends in a newline."""
    back = "The summary of all papers is [REPRODUCED.md](../../REPRODUCED.md)."
    shown = [*_figures(entry.shown), *figures_of(entry.shown, "")]
    title = f"{HEAD}{entry.paper.id}"
    return "\n\n".join([title, back, READING, *shown, *sections(entry)]) + "\n"


def sections(entry: Entry) -> list[str]:
    """Paragraphs on a paper, from its title to its sensitivities."""
    paper, shown = entry.paper, entry.shown
    parts = [
        f"## {paper.id}",
        f"{cited(paper)} `cellway reproduce {paper.id}`",
        f"{_counted(shown)}, of {shown.judged}. {unvaried(shown)}".rstrip(),
    ]
    parts += [QUICK] if shown.quick else []
    parts += [f"**Failed:** {sentence(said)}" for said in entry.counted.failures]
    parts += [escaped(paper.notes)] if paper.notes else []
    parts += measured_senders(paper)
    parts += all_tables(entry) + _scores(shown) + _choices(paper) + _editions(paper)
    return [part for part in parts if part] + _sensitivities(entry)


def scatter_figure(identifier: str) -> str:
    """File of the figure of published numbers against ours."""
    return f"{identifier}-scatter.svg"


def has_scatter(reproduction: Reproduction) -> bool:
    """True if a published number has one of ours beside it."""
    return any(one.number.published is not None and one.ours for one in reproduction.results)


def _figures(reproduction: Reproduction) -> list[str]:
    paper = reproduction.paper
    shown = [f"![Published numbers against ours: {paper.id}]({scatter_figure(paper.id)})"]
    shown = shown if has_scatter(reproduction) else []
    shown += [f"![{_plain(one.title)}]({one.code}.svg)" for one in paper.figures]
    return shown


def _plain(title: str) -> str:
    return escaped(title).replace("[", "(").replace("]", ")")


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


def _choices(paper: Paper) -> list[str]:
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


def _editions(paper: Paper) -> list[str]:
    editions = paper.editions
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


def _sensitivities(entry: Entry) -> list[str]:
    kept, entries = entry.kept["sensitivities"], entry.paper.sensitivities
    keys = zip(sensitivity_keys(entry.paper), entries, strict=True)
    parts = [_sensitivity(one, *kept[key]) for key, one in keys if key in kept]
    return ["### Sensitivity", *parts] if parts else []


def _sensitivity(one: Sensitivity, words: int, *lines: list[str]) -> str:
    header, *rows = [[escaped(cell) for cell in line] for line in lines]
    align = "l" * words + "r" * (len(header) - words)
    code = f"{one.code}, " if one.code else ""
    return (
        f"**{code}{escaped(one.name)}** — {sentence(one.why)}\n\n{grid_lines(header, align, rows)}"
    )
