"""Judged pages of papers in headless Chromium, on a narrow screen."""

from pathlib import Path

import pytest

from accessibility import findings
from browser import BELOW, FOCUSED, Tab
from cellway.catalogue import Reproduction
from cellway.catalogue.entry import entry
from cellway.catalogue.pages import figures
from cellway.cli.reproduction_report import page_of, page_of_all
from cellway.report import html
from cellway.report.blocks import Page

CUT = """
[...document.querySelectorAll("main table, main img")].filter((one) => {
  const room = one.closest(".wide");
  const reached = room.getBoundingClientRect().left + room.scrollWidth;
  return one.getBoundingClientRect().right > reached + 1;
}).length
"""
"""Number of tables and pictures with a part that no scrolling reaches."""
WIDTHS = "[...document.querySelectorAll('main img')].map((one) => one.clientWidth)"
SCROLLED = """
[...document.querySelectorAll(".wide")].map((one) => {
  one.scrollLeft = 1e6;
  return one.scrollWidth - one.clientWidth - one.scrollLeft;
})
"""
"""Pixels of each table and picture that are left when it is moved to its right end."""


@pytest.fixture(params=["paper", "catalogue"])
def judged(request: pytest.FixtureRequest, small_done: Reproduction) -> Page:
    if request.param == "paper":
        return page_of(small_done, ["cellway", "report", "small-2001"])
    return page_of_all([(entry(small_done), figures(small_done))], [])


def test_judged_pages_scroll_inside_a_narrow_screen(tab: Tab, judged: Page, tmp_path: Path) -> None:
    file = tmp_path / "paper.html"
    file.write_text(html.html(judged), encoding="utf-8")
    tab.open(file, width=400)
    assert tab.run(BELOW) <= 0
    assert tab.run(CUT) == 0
    # Letters of 7 points in a picture of 605 pixels and more are those of the page.
    assert min(tab.run(WIDTHS)) > 500
    assert tab.complaints() == []
    assert findings(tab) == []
    assert max(map(abs, tab.run(SCROLLED))) < 1


def test_keys_reach_and_move_every_judged_table(tab: Tab, judged: Page, tmp_path: Path) -> None:
    file = tmp_path / "paper.html"
    file.write_text(html.html(judged), encoding="utf-8")
    tab.open(file, width=400)
    names = tab.run("[...document.querySelectorAll('.wide')].map((one) => one.ariaLabel)")
    reached: list[str] = []
    for _ in range(100):
        tab.press("Tab")
        reached.append(tab.run(FOCUSED))
        if tab.run("document.activeElement === document.body"):
            break
    assert set(names) <= set(reached)
    tab.run("[...document.querySelectorAll('.wide')].find((one) => one.scrollWidth > 400).focus()")
    tab.press("ArrowRight")
    moved = "document.activeElement.scrollLeft"
    assert tab.run(f"new Promise((done) => setTimeout(() => done({moved}), 300))") > 0


def test_names_of_rows_are_plain_and_whole_on_a_wide_screen(
    tab: Tab, judged: Page, tmp_path: Path
) -> None:
    file = tmp_path / "paper.html"
    file.write_text(html.html(judged), encoding="utf-8")
    tab.open(file, width=1200)
    style = "getComputedStyle(document.querySelector('tbody th'))"
    assert tab.run(f"[{style}.fontWeight, {style}.whiteSpace]") == ["400", "nowrap"]
