"""Figures of the documentation: each is small and shown by a page."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
FIGURES = sorted(ROOT.glob("docs/**/*.svg"))
SHOWN = {
    (page.parent / name).resolve()
    for page in PAGES
    for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
}
MAX_BYTES = 20_000
MAX_BYTES_OF_MAPS = 52_000
"""Maps of where formulas hold have a number in each of 600 cells."""
MAPS = {"validity-losses.svg", "validity-buffers.svg"}


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_a_figure_is_small(figure: Path) -> None:
    most = MAX_BYTES_OF_MAPS if figure.name in MAPS else MAX_BYTES
    assert figure.stat().st_size < most, f"run `tools/shorten-figures {figure.relative_to(ROOT)}`"


def test_every_figure_is_shown_by_a_page() -> None:
    assert [figure.name for figure in FIGURES if figure.resolve() not in SHOWN] == []
