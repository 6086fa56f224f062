"""The page for a quick reader: question, answer with counts, and a table per paper."""

from collections.abc import Sequence

from cellway.catalogue.answer import answer
from cellway.catalogue.entry import Entry
from cellway.catalogue.markup import listed
from cellway.catalogue.section import FOLDER, section

TITLE = "# Published results, reproduced"
WORDS = (
    "*Agrees*: the 95 % interval of our mean lies within the tolerance. *Undecided*: it reaches "
    "over an end.\n"
    "*Differs*: it lies outside. *Differs, because*: a reason passed its test: with that reason "
    "taken out, and\n"
    "20 seeds that were not used before, the difference is gone. *Criterion set*: before or after "
    "results of that\n"
    "number were known, as the editions of the criteria say. A failure that follows from another, "
    "as a mean does\n"
    "from a sum, stands behind it as *also*. A code behind the command of its paper runs one "
    "line. Texts of\n"
    "sentences, tolerances and everything else are in the page of each paper."
)
EVERYTHING = (
    "Sentences with their expectations, repeated and derived numbers, tolerances, measurements, "
    "figures, scores with every null model, choices, editions of the criteria and sensitivities"
)


def is_page(content: bytes) -> bool:
    """True if a file begins like the page."""
    return content.startswith(TITLE.encode() + b"\n")


def page(entries: Sequence[Entry], *, figures: bool = True) -> str:
    """The page on all papers; ends in a newline.

    Args:
        entries: one per paper.
        figures: true for links to the appendices.
    """
    parts = [TITLE, *answer(entries), WORDS]
    for one in entries:
        parts += section(one, figures=figures)
    if figures:
        links = [f"[{one.paper.id}]({FOLDER}/{one.paper.id}.md)" for one in entries]
        parts += ["## Everything else", _everything(links)]
    return "\n\n".join(parts) + "\n"


def _everything(links: Sequence[str]) -> str:
    return (
        f"{EVERYTHING}: {listed(links)}. The first run of every row, by which `make verify` sees "
        f"whether these pages are those of the program: [first-runs.txt]({FOLDER}/first-runs.txt). "
        "`make catalogue` runs all and makes these pages again; `tools/catalogue .venv/bin "
        "--render` makes them of the kept numbers."
    )
