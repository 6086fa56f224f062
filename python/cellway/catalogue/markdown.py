"""The catalogue as one Markdown text without dates, times or machines: equal for equal results."""

from collections.abc import Sequence

from cellway.catalogue.appendix import READING, sections
from cellway.catalogue.entry import entry
from cellway.catalogue.page import is_page, page
from cellway.catalogue.runner import Reproduction

is_markdown = is_page
"""True for a file that `markdown` made."""


def markdown(reproductions: Sequence[Reproduction]) -> str:
    """Text of `reproductions`: the summary, then all of every paper; ends in a newline."""
    entries = [entry(one) for one in reproductions]
    full = [part for one in entries for part in sections(one)]
    return "\n\n".join([page(entries, figures=False).rstrip("\n"), READING, *full]) + "\n"
