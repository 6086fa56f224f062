"""Laboratories in pages of the site, those of the course among them."""

import re
from pathlib import Path

import pytest

from accessibility import findings
from browser import BELOW, Tab
from cellway import Scenario, run
from cellway.course import UNITS
from cellway.course.setting import number
from common import ROOT
from laboratory import elsewhere, until
from web_engine import needs_module

RUN = "document.querySelector('figure.lab').dataset.runs"
CURVE = "document.querySelector('figure.lab path.curve0')?.getAttribute('d')"
CURVES = """
[".curve:not(.before)", ".before"].map((kind) =>
  [...document.querySelectorAll(`figure.lab path${kind}`)].map((one) => one.getAttribute("d")))
"""
"""Curves of the run that is shown, and of the one before it on the same axes."""
SENTENCE = "document.querySelector('figure.lab p').textContent"
NUMBERS = "[...document.querySelectorAll('figure.lab output')].map((one) => one.textContent)"


def pages_with_laboratories(site: Path) -> list[Path]:
    """Those of the course are looked at one by one."""
    found = (page for page in site.rglob("*.html") if 'class="lab"' in page.read_text())
    return sorted(page for page in found if page.parent.name != "courses")


def settled(tab: Tab) -> None:
    tab.run("document.querySelector('figure.lab').scrollIntoView()")
    until(tab, f"{RUN} && !document.querySelector('figure.lab.stale')", 60)


@needs_module
def test_six_pages_and_more_have_a_laboratory_that_runs(tab: Tab, site: Path) -> None:
    pages = pages_with_laboratories(site)
    assert len(pages) >= 6
    for page in pages:
        tab.open(page)
        settled(tab)
        assert len(tab.run(CURVE)) > 100, page
        assert not re.search("…|NaN", tab.run(SENTENCE)), page
        assert tab.complaints() == [], page
        assert elsewhere(tab) == [], page


@needs_module
def test_a_laboratory_follows_mouse_and_keys(tab: Tab, site: Path) -> None:
    tab.open(site / "index.html")
    settled(tab)
    before = tab.run(CURVE)
    slider = "document.querySelector('figure.lab input')"
    tab.run(f"{slider}.focus()")
    tab.press("ArrowRight")
    until(tab, f"{RUN} === '2'")
    by_key = tab.run(CURVE)
    assert by_key != before
    assert tab.run("document.querySelector('figure.lab b').textContent") == "42 packets"
    x, y = tab.run(
        f"(() => {{ const one = {slider}.getBoundingClientRect();"
        " return [one.right - 3, one.top + one.height / 2]; })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        tab.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    until(tab, f"{RUN} === '3'")
    assert tab.run(CURVE) != by_key
    assert tab.run("document.querySelector('figure.lab b').textContent") == "170 packets"
    assert tab.complaints() == []


@needs_module
def test_a_number_in_a_sentence_is_that_of_the_command(tab: Tab, site: Path) -> None:
    tab.open(site / "index.html")
    settled(tab)
    sets = [("run.duration", "20 s"), ("run.warm_up", "5 s"), ("observe.interval", "20 ms")]
    scenario = Scenario.load(ROOT / "scenarios/shared-router.toml").with_sets(sets)
    result = run(scenario)
    goodput = result.summary["groups"]["tcp"]["goodput"]["sum_bits_per_second"]
    shown = tab.run("document.querySelector('[data-number=goodput]').textContent")
    assert shown == f"{goodput / 1e6:.3g} Mbit/s"


def turned(tab: Tab, control: str, key: str) -> str:
    """Presses a key on a control of the laboratory; the level that it then has."""
    runs = int(tab.run(RUN))
    tab.run(f"document.querySelector('figure.lab [data-control={control}]').focus()")
    tab.press(key)
    until(tab, f"{RUN} === '{runs + 1}'")
    return str(tab.run(f"document.querySelector('[data-shown={control}]').textContent"))


@needs_module
@pytest.mark.parametrize("name", UNITS)
def test_a_unit_has_its_laboratory_in_its_page(tab: Tab, site: Path, name: str) -> None:
    """Each control moves curves and numbers, and back, by the keyboard, on 400 pixels.

    A warm-up is left out of the numbers alone.
    """
    tab.open(site / f"courses/{name}.html", width=400)
    settled(tab)
    controls = tab.run(
        "[...document.querySelectorAll('figure.lab input')].map((one) =>"
        " [one.dataset.control, one.value === one.max ? 'ArrowLeft' : 'ArrowRight'])"
    )
    assert len(controls) >= 2
    assert len(tab.run(CURVE)) > 100
    assert not re.search("…|NaN", tab.run(SENTENCE))
    for control, key in controls:
        first = tab.run(NUMBERS)
        turned(tab, control, key)
        assert tab.run(NUMBERS) != first, control
        now, before = tab.run(CURVES)
        assert len(now) == len(before) > 0
        assert (now == before) is (control == "warm_up"), control
        turned(tab, control, "ArrowLeft" if key == "ArrowRight" else "ArrowRight")
        assert tab.run(CURVES) == [before, now], control
        assert tab.run(NUMBERS) == first, control
    assert tab.run(BELOW) <= 0
    assert findings(tab) == []
    assert tab.complaints() == []
    assert elsewhere(tab) == []


@needs_module
def test_a_laboratory_of_a_unit_has_the_numbers_of_its_exercises(tab: Tab, site: Path) -> None:
    """As the checker has them, which runs the same setting."""
    tab.open(site / "courses/units.html")
    settled(tab)
    assert turned(tab, "window", "ArrowRight") == "128 KiB"
    sets = ("flow.bulk.tcp.window", '"128 KiB"')
    goodput = number("units", "groups.tcp.goodput.sum_bits_per_second", sets)
    shown = tab.run("document.querySelector('[data-number=goodput]').textContent")
    assert shown == f"{goodput / 1e6:.3g} Mbit/s"
