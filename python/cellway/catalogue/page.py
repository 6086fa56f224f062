"""The page for a quick reader: question, answer with counts, and a part per paper."""

from collections.abc import Sequence

from cellway.catalogue.answer import answer
from cellway.catalogue.entry import Entry
from cellway.catalogue.markup import listed
from cellway.catalogue.scores import CLEAR
from cellway.catalogue.section import FOLDER
from cellway.catalogue.summary import DOES_NOT_TEST

TITLE = "# Published results, reproduced"
WORDS = (
    "*Agrees*: the 95 % interval of our mean lies within the tolerance. *Undecided*: it reaches "
    "over an end.\n"
    "*Differs, because*: it lies outside, and a reason passed its test: with that reason taken "
    "out, and 20 seeds\n"
    "that were not used before, the difference is gone. *Differs*: it lies outside. A score is the "
    "rms error of\n"
    "a table's numbers (in ln: of their logarithms, 0.1 is about 10 %), with the rank correlation; "
    "a null model\n"
    "knows less than ours, as the best constant does. Where one has less than "
    f"{CLEAR:g} times our error the table\n"
    f"*{DOES_NOT_TEST}*."
)
EVERYTHING = (
    "All rows, claims, scores with every null model, choices, editions of the criteria and "
    "sensitivities"
)


def is_page(content: bytes) -> bool:
    """True if a file begins like the page."""
    return content.startswith(TITLE.encode() + b"\n")


def page(entries: Sequence[Entry], *, figures: bool = True) -> str:
    """The page on all papers; ends in a newline.

    Args:
        entries: one per paper.
        figures: true for figures and links to the appendices, as in the entries.
    """
    parts = [TITLE, *answer(entries), WORDS]
    if figures:
        parts.append(
            "Commands work from a clone after `make demo`, with `.venv/bin` on the path; `make "
            "catalogue` makes these pages again."
        )
    for one in entries:
        parts += one.section
    if figures:
        links = [f"[{one.paper.id}]({FOLDER}/{one.paper.id}.md)" for one in entries]
        first = (
            "The first run of every row, by which `make verify` sees whether these pages are "
            f"those of the program: [first-runs.txt]({FOLDER}/first-runs.txt)."
        )
        parts += ["## Everything else", f"{EVERYTHING}: {listed(links)}. {first}"]
    return "\n\n".join(parts) + "\n"
