"""Every figure of the pages is whole, small, and shown by a page."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cellway import catalogue
from cellway.catalogue.pages import entries_kept, figures_kept, texts
from cellway.catalogue.section import MAX_ENTRIES
from cellway.catalogue.tally import is_distinct
from common import ROOT

DOCS = ROOT / "docs"
FIGURES = sorted(DOCS.rglob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}svg"
MAX_BYTES = 20_000
MAX_BYTES_OF_MAPS = 40_000
"""Maps of where formulas hold have a number in each of 600 cells."""
MAPS = {"validity-losses.svg", "validity-buffers.svg"}


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: str(figure.relative_to(DOCS)))
def test_a_figure_is_small_and_xml(figure: Path) -> None:
    most = MAX_BYTES_OF_MAPS if figure.name in MAPS else MAX_BYTES
    assert figure.stat().st_size < most, f"run `tools/shorten-figures {figure.relative_to(ROOT)}`"
    root = ElementTree.parse(figure).getroot()
    assert root.tag == SVG
    assert len(root) > 0


PAGES = sorted((DOCS / "reproduced").glob("*.md"))


def shown(page: Path) -> list[Path]:
    """The pictures of a page."""
    named = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    return [(page.parent / name).resolve() for name in named]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_the_figures_that_it_shows(page: Path) -> None:
    assert shown(page)
    assert [figure for figure in shown(page) if not figure.is_file()] == []


def test_every_figure_is_shown_by_a_page() -> None:
    all_shown = {one for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")] for one in shown(page)}
    assert len(FIGURES) > 30
    assert [figure.name for figure in FIGURES if figure.resolve() not in all_shown] == []


def test_pages_are_those_of_what_is_kept() -> None:
    entries = entries_kept(ROOT, [catalogue.paper(one) for one in catalogue.paper_ids()])
    stale = [name for name, text in texts(entries).items() if (ROOT / name).read_text() != text]
    assert stale == [], "run `tools/catalogue .venv/bin --render`"
    drawn = {Path(name).name for one in entries for name in figures_kept(one)}
    assert drawn <= {figure.name for figure in FIGURES}


def test_a_number_of_every_paper_has_its_place() -> None:
    """Distinct published numbers without a place stand behind all others."""
    for paper in map(catalogue.paper, catalogue.paper_ids()):
        published = {one.code for one in paper.numbers if one.published is not None}
        assert published & {*paper.layout.places}, paper.id


def test_the_page_is_short() -> None:
    """A line for each distinct published number, and ten entries on what differs, at most."""
    _, *parts = (ROOT / "REPRODUCED.md").read_text(encoding="utf-8").split("\n## ")
    papers = [catalogue.paper(one) for one in catalogue.paper_ids()]
    for paper, part in zip(papers, parts, strict=False):
        assert part.startswith(f"{paper.id}\n")
        lines, _, differing = part.partition("**What differs**")
        assert len(re.findall(r"\n- ", differing)) <= MAX_ENTRIES
        coded = re.findall(r"\|([SL]\d-[^|]+)\|\n", lines)
        order = [*paper.layout.places]
        places = [order.index(code) for code in coded if code in order]
        assert places == sorted(places)
        distinct = {one.code for one in entries_of(paper) if is_distinct(one)}
        assert {*coded} - {claim.code for claim in paper.claims} == distinct


def entries_of(paper: catalogue.Paper) -> list[catalogue.Result]:
    """Results with a published number."""
    (entry,) = entries_kept(ROOT, [paper])
    return [one for one in entry.shown.results if one.number.published is not None]
