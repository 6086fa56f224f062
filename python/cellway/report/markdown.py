"""A report as Markdown: its texts and tables, for a repository or a mail."""

import re
from collections.abc import Iterator, Sequence

from cellway.report.blocks import (
    Block,
    Charts,
    Code,
    Dots,
    Drawing,
    Page,
    Picture,
    StudyCharts,
    Table,
    Text,
)

GENERATOR = "<!-- cellway report -->"
"""Mark of a report of ours."""
_MARKUP = re.compile(r"([\\`*_\[\]<>|#$])")


def markdown(page: Page) -> str:
    """The page as Markdown; charts and drawings are left out."""
    parts = [GENERATOR, f"# {_plain(page.title)}", *(_plain(text) for text in page.lead)]
    for section in page.sections:
        if written := [text for block in section.blocks if (text := _block(block))]:
            parts += [f"## {_plain(section.title)}", *written]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    match block:
        case Text(text, kind):
            return f"- {_plain(text)}" if kind else _plain(text)
        case Table():
            return "\n".join(_table(block))
        case Code(title, text):
            fence = "`" * max(3, 1 + max((len(one) for one in re.findall("`+", text)), default=0))
            return f"{_plain(title)}:\n\n{fence}\n{text.rstrip()}\n{fence}"
        case StudyCharts() | Dots():
            # Tables have their numbers.
            return ""
        case Charts(_, Picture(_, words)) | Drawing(_, words) | Picture(_, words):
            return _plain(words)


def _table(table: Table) -> Iterator[str]:
    if table.caption:
        yield f"### {_plain(table.caption)}"
        yield ""
    yield _row(table.header or [""] * len(table.sides))
    yield "|" + "|".join("--:" if side == ">" else "---" for side in table.sides) + "|"
    for row in table.rows:
        yield _row(row)


def _row(cells: Sequence[str]) -> str:
    return "".join(f"| {_plain(cell)} " for cell in cells) + "|"


def _plain(text: str) -> str:
    """`text` in which nothing is markup."""
    return _MARKUP.sub(r"\\\1", text.replace("\n", " "))
