"""Every figure of the pages is whole: a picture that a browser refuses is not on its page."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cellway import catalogue
from cellway.catalogue.markup import ours_of
from cellway.catalogue.numbers_kept import from_kept
from cellway.catalogue.pages import entries_kept, figures_kept

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = sorted(DOCS.rglob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}svg"


def test_there_are_figures() -> None:
    assert len(FIGURES) > 30


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: str(figure.relative_to(DOCS)))
def test_a_figure_is_xml(figure: Path) -> None:
    root = ElementTree.parse(figure).getroot()
    assert root.tag == SVG
    assert len(root) > 0


ROOT = DOCS.parent
PAGES = [ROOT / "REPRODUCED.md", *sorted((DOCS / "reproduced").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_the_figures_that_it_shows(page: Path) -> None:
    named = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert named
    assert [name for name in named if not (page.parent / name).is_file()] == []


@pytest.mark.parametrize("identifier", catalogue.paper_ids())
def test_what_is_kept_for_figures_is_what_the_page_says(identifier: str) -> None:
    (entry,) = entries_kept(ROOT, [catalogue.paper(identifier)])
    page = (DOCS / "reproduced" / f"{identifier}.md").read_text(encoding="utf-8")
    again = from_kept(entry.paper, entry.kept)
    assert [one.code for one in again.results] == [
        one.code for one in (*entry.paper.rows, *entry.paper.derived)
    ]
    for one in again.results:
        end = ours_of(one) if one.number.without_published else one.verdict
        (line,) = (row for row in page.splitlines() if row.startswith(f"|{one.code}|") and
                   row.endswith(f"|{end}|"))  # fmt: skip
        assert f"|{ours_of(one)}|" in line
    assert {one.code for one in again.findings} <= {claim.code for claim in entry.paper.claims}
    drawn = {Path(name).name for name in figures_kept(entry)}
    assert drawn <= {figure.name for figure in FIGURES}
