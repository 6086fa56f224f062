"""Reports in headless Chromium: nothing is asked for, everything is drawn, and a key reaches it."""

from pathlib import Path
from typing import Any

import pytest

from accessibility import findings
from browser import BELOW, COLOURED, DRAWN, FAINT, FOCUSED, Tab
from cellway import Run, Scenario, run
from cellway.cli.report_run import run_page
from cellway.cli.reproduction_report import paper_page
from cellway.report import html
from common import ROOT, SMALL, shipped

WILD = "<img src=x onerror=alert(1)>&$x$"
"""A name of a file that would be markup."""
NOW = "[...document.querySelectorAll('.path text.live')].map((one) => one.textContent)"


@pytest.fixture(scope="module")
def finished() -> Run:
    keys = {"run.duration": "6 s", "run.warm_up": "1 s", "observe.segments.flows": ["near[*]"]}
    return run(shipped("access-queue", keys))


@pytest.fixture(scope="module")
def page(finished: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(html.html(run_page(finished, ["cellway", "report", "x"])), encoding="utf-8")
    return file


def charts(tab: Tab) -> list[Any]:
    """Number of points of each chart that have a colour."""
    return list(tab.run(COLOURED))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_chart_has_marks_and_nothing_is_asked_for(tab: Tab, page: Path, dark: bool) -> None:
    tab.open(page, dark=dark)
    assert tab.complaints() == []
    assert tab.requests() == [page.resolve().as_uri()]
    drawn = charts(tab)
    assert len(drawn) >= 4
    assert min(drawn) > 200
    paper = "getComputedStyle(document.body).backgroundColor"
    assert (tab.run(paper) == "rgb(255, 255, 255)") is not dark


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_texts_can_be_read_and_whatever_has_the_focus_has_a_name(
    tab: Tab, page: Path, dark: bool
) -> None:
    tab.open(page, dark=dark)
    assert tab.run(FAINT) == []
    nodes = tab.ask("Accessibility.getFullAXTree")["nodes"]
    named = [
        one.get("name", {}).get("value")
        for one in nodes
        if one["role"]["value"] != "RootWebArea"
        and any(
            given["name"] == "focusable" and given["value"]["value"]
            for given in one.get("properties", ())
        )
    ]
    assert len(named) > 20
    assert all(named)
    unsaid = "document.querySelectorAll('img:not([alt]), figure:not(:has(figcaption))').length"
    assert tab.run(unsaid) == 0
    levels = "[...document.querySelectorAll('h1, h2, h3')].map((one) => one.tagName)"
    assert tab.run(levels)[0] == "H1"
    assert findings(tab) == []


def test_a_narrow_page_needs_no_scrolling_to_the_side(tab: Tab, page: Path) -> None:
    tab.open(page, width=400)
    assert tab.run(BELOW) <= 0
    assert min(charts(tab)) > 100
    assert tab.complaints() == []


def test_without_scripts_there_are_pictures(tab: Tab, page: Path) -> None:
    tab.open(page, scripts=False)
    shown = "[...document.querySelectorAll('noscript img')].map((one) => one.naturalWidth > 300)"
    assert tab.run(shown) == [True]
    assert tab.run("document.querySelectorAll('canvas').length") == 0
    assert (
        tab.run(
            "[...document.querySelectorAll('.path .live')].some((one) => "
            "getComputedStyle(one).visibility === 'visible')"
        )
        is False
    )


def test_keys_reach_everything(tab: Tab, page: Path) -> None:
    tab.open(page)
    reached = []
    for _ in range(120):
        tab.press("Tab")
        reached.append(tab.run(FOCUSED))
        if tab.run("document.activeElement === document.body"):
            break
    titles = tab.run("[...document.querySelectorAll('figcaption')].map((one) => one.textContent)")
    for title in (*titles, "instant of the run", "Play", "Show everything", "Over time"):
        assert any(title in one for one in reached), title
    scrolled = tab.run(
        "[...document.querySelectorAll('.wide, pre')].every((one) => one.tabIndex === 0)"
    )
    assert scrolled


def test_a_zoom_holds_for_all_charts(tab: Tab, page: Path) -> None:
    tab.open(page)
    before = tab.run(DRAWN)
    tab.run("document.querySelector('figure [tabindex]').focus()")
    tab.press("+")
    zoomed = tab.run(f"new Promise((done) => setTimeout(() => done({DRAWN}), 100))")
    assert all(one != other for one, other in zip(before, zoomed, strict=True))
    tab.press("0")
    assert tab.run(f"new Promise((done) => setTimeout(() => done({DRAWN}), 100))") == before


def test_the_path_shows_the_recorded_instant(tab: Tab, page: Path, finished: Run) -> None:
    tab.open(page)
    tab.run("document.querySelector('.scrub input').focus()")
    queue = finished.series("router.line.queue")
    peak = max(queue.value)
    assert f"{peak:g} packets" in " ".join(tab.run(NOW))
    tab.press("Home")
    first = tab.run(NOW)
    tab.press("ArrowRight")
    assert tab.run("document.querySelector('.scrub output').textContent") == "0.0225 s"
    tab.press("]")
    at = float(tab.run("document.querySelector('.scrub output').textContent").split()[0])
    lost = finished.series("near[1].lost_at.router.line").time
    other = finished.series("near[2].lost_at.router.line").time
    assert abs(at - min(*lost, *other)) < 6 / 400
    assert tab.run("document.querySelectorAll('.path path.loses').length") == 1
    assert "lost" in " ".join(tab.run(NOW))
    assert tab.run(NOW) != first


def test_nothing_moves_before_play_is_pressed(tab: Tab, page: Path) -> None:
    for still in (False, True):
        tab.open(page, still=still)
        place = "document.querySelector('.scrub input').value"
        before = tab.run(place)
        assert tab.run(f"new Promise((done) => setTimeout(() => done({place}), 150))") == before
    tab.open(page)
    tab.run("document.querySelector('.scrub input').focus()")
    tab.press("Home")
    tab.run("document.querySelector('.scrub button').click()")
    moved = tab.run(f"new Promise((done) => setTimeout(() => done({place}), 400))")
    assert 2 <= int(moved) <= 40
    tab.run("document.querySelector('.scrub button').click()")
    stopped = tab.run(place)
    assert tab.run(f"new Promise((done) => setTimeout(() => done({place}), 150))") == stopped


def test_a_name_that_is_markup_is_text(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / f"{WILD}.toml"
    file.write_text(SMALL)
    wild = tmp_path / "wild.html"
    wild.write_text(html.html(run_page(run(Scenario.load(file)), ["cellway", WILD])))
    tab.open(wild)
    assert tab.run("document.querySelector('h1').textContent") == WILD
    assert tab.run("document.querySelectorAll('img').length") == 0
    assert tab.complaints() == []
    assert min(charts(tab)) > 100


def test_what_is_judged_scrolls_inside_a_narrow_page(tab: Tab, tmp_path: Path) -> None:
    """Tables of a paper are wider than a telephone: keys reach and scroll each of them."""
    file = tmp_path / "paper.html"
    made = paper_page("osu-1996-abr", [], None, ROOT, quick=False)
    file.write_text(html.html(made), encoding="utf-8")
    tab.open(file, width=400)
    assert tab.run(BELOW) <= 0
    wide = "[...document.querySelectorAll('.wide')].filter((one) => one.scrollWidth > 400)"
    assert tab.run(f"{wide}.length") > 3
    assert tab.run(
        f"{wide}.every((one) => {{ one.focus(); one.scrollLeft = 1e4; "
        "return one === document.activeElement && one.scrollLeft > 100; })"
    )
    assert tab.complaints() == []
