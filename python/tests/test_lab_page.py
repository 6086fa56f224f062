"""Laboratories in headless Chromium: pictures of two settings, by mouse and by keyboard."""

import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from accessibility import findings
from browser import BELOW, COLOURED, DRAWN, FAINT, FOCUSED, Tab
from cellway import Scenario, load_study, run
from cellway.lab import jobs
from cellway.lab.jobs import Offered
from cellway.plot.runs import flow_colours
from common import SHIPPED
from laboratory import READY, Served, serving, shown, until

NAME = "access-queue"
CODE = "document.querySelectorAll('.setting code')[0].textContent"
WILD = '# <img src=x onerror="alert(1)"> </script><b>x</b> & `$x$`\n'
LONG = """
run = { duration = "800000 s" }
host = { a = {}, b = {} }
link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp = {} }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    # Without its section: with the controls that it suggests.
    text = (SHIPPED / f"{NAME}.toml").read_text().partition("[lab]")[0]
    short = text.replace('"60 s"', '"6 s"').replace('"20 s"', '"1 s"')
    (folder / f"{NAME}.toml").write_text(short)
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Served]:
    file = folder / f"{NAME}.toml"
    with serving(Offered(NAME, str(file), file.read_text())) as found:
        yield found


def press(tab: Tab, element: str, *keys: str) -> None:
    tab.run(f"document.querySelector({json.dumps(element)}).focus()")
    for key in keys:
        tab.press(key)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_chart_has_marks_and_nothing_else_is_asked_for(
    tab: Tab, served: Served, dark: bool
) -> None:
    shown(tab, served.address, dark=dark)
    assert tab.complaints() == []
    asked = {one.partition("#")[0] for one in tab.requests()}
    assert asked == {f"{served.address}{what}" for what in ("", "/run", "/describe")}
    drawn = tab.run(COLOURED)
    titles = tab.run("[...document.querySelectorAll('figcaption')].map((one) => one.textContent)")
    assert findings(tab) == []
    assert len(drawn) == 12
    assert [title for title, points in zip(titles, drawn, strict=True) if points < 60] == [
        one for one in titles if one.startswith("Queue")
    ]
    assert tab.run(FAINT) == []


def test_a_narrow_page_needs_no_scrolling_to_the_side(tab: Tab, served: Served) -> None:
    shown(tab, served.address, width=400)
    assert tab.run(BELOW) <= 0
    lefts = "[...document.querySelectorAll('#rows figure')].map((one) => one.offsetLeft)"
    assert len({*tab.run(lefts)}) == 1
    assert tab.complaints() == []


def test_a_slider_changes_its_pictures_and_no_others(tab: Tab, served: Served) -> None:
    shown(tab, served.address)
    before, axes = tab.run(DRAWN), tab.run(CODE)
    press(tab, "#controls input[type=range]", *["ArrowLeft"] * 3)
    until(tab, f"{CODE} !== {json.dumps(axes)}")
    until(tab, READY)
    time.sleep(0.2)
    after = tab.run(DRAWN)
    same = [one == other for one, other in zip(before, after, strict=True)]
    assert same[::2] == [False] * 6
    # The longer delays of A need a longer axis, and a row has one.
    assert same[1::2] == [True, True, True, False, True, True]
    value = tab.run("document.querySelector('#controls input').getAttribute('aria-valuetext')")
    assert value == "5 Mbit/s"
    assert "A.link.line.rate=5+Mbit" in tab.run("location.hash")
    tops = "[...document.querySelectorAll('#rows figcaption')].map((one) => one.textContent)"
    assert all(one[-1] in "AB" for one in tab.run(tops))


def test_the_command_of_a_setting_gives_its_numbers(
    tab: Tab, served: Served, tmp_path: Path
) -> None:
    shown(
        tab, served.address, hash_="#A.link.line.rate=4+Mbit/s+of+line&A.switch.router.drop=codel"
    )
    words = shlex.split(tab.run(CODE))
    assert words[:2] == ["cellway", "run"]
    assert words.count("--set") == 2
    program = Path(sys.executable).with_name("cellway")
    command = [str(program), *words[1:], "--out", str(tmp_path / "out")]
    subprocess.run(command, check=True, capture_output=True)
    flows = json.loads((tmp_path / "out" / "summary.json").read_text())["flows"]
    rows = tab.run(
        "[...document.querySelectorAll('#numbers tbody tr')].map((row) => "
        "[...row.cells].map((cell) => cell.textContent))"
    )
    for name, rate, _, delay, _, again, _, timeouts, _ in rows:
        flow = flows[name]
        number, unit = rate.split()
        scale = {"Mbit/s": 1e6, "kbit/s": 1e3}[unit]
        assert float(number) == float(f"{flow['throughput_bits_per_second'] / scale:.4g}")
        assert delay.endswith(" ms")
        if name == "call":
            assert (again, timeouts) == ("–", "–")
        else:
            assert int(again) == flow["retransmitted_segments"]
            assert int(timeouts) == flow["timeouts"]


def test_a_key_lays_b_over_a(tab: Tab, served: Served) -> None:
    shown(tab, served.address, hash_="#B.switch.router.drop=fq_codel")
    before = tab.run(DRAWN)
    tab.run("document.activeElement.blur()")
    tab.press("o")
    assert tab.run("document.querySelector('#over').ariaPressed") == "true"
    time.sleep(0.2)
    over = tab.run(DRAWN)
    assert (over[0] != before[0], over[1] == before[1]) == (True, True)
    tab.press("o")
    time.sleep(0.2)
    assert tab.run(DRAWN) == before


def test_packets_move_by_keys_and_by_play(tab: Tab, served: Served) -> None:
    shown(tab, served.address)
    dots = "[...document.querySelectorAll('path.dots')].map((one) => one.getAttribute('d')).join()"
    clock = "document.querySelector('#transport output').textContent"
    tab.run("document.activeElement.blur()")
    before, then = tab.run(dots), tab.run(clock)
    assert before.count("M") > 10
    tab.press(".")
    assert tab.run(clock) > then
    assert tab.run(dots) != before
    tab.press("]")
    until(tab, "document.querySelectorAll('svg.path path.loses').length > 0")
    tab.press(" ")
    at = tab.run(clock)
    time.sleep(0.4)
    tab.press(" ")
    stopped = tab.run(clock)
    assert stopped > at
    time.sleep(0.1)
    assert tab.run(clock) == stopped


@pytest.mark.parametrize("still", [False, True], ids=["motion", "less motion"])
def test_nothing_moves_before_play_and_little_to_who_wants_little(
    tab: Tab, served: Served, still: bool
) -> None:
    shown(tab, served.address, still=still)
    clock = "document.querySelector('#transport output').textContent"
    before = tab.run(clock)
    time.sleep(0.2)
    assert tab.run(clock) == before
    press(tab, "#transport button", " ")
    time.sleep(0.5)
    assert (tab.run(clock) == before) is still
    until(tab, f"{clock} !== {json.dumps(before)}", 1.5)


def test_of_many_settings_the_newest_is_drawn(tab: Tab, served: Served) -> None:
    shown(tab, served.address)
    tab.events.clear()
    tab.run(
        "(() => { const one = document.querySelector('#controls input'); "
        "for (let at = 0; at < 25; at += 1) { one.value = String(at); "
        "one.dispatchEvent(new Event('input')); } })()"
    )
    until(tab, READY)
    assert sum(one.endswith("/run") for one in tab.requests()) <= 4
    rate = tab.run("document.querySelector('#controls output').textContent")
    drawn = tab.run("document.querySelector('#numbers tbody tr:nth-child(5) td').textContent")
    assert rate == "120 Mbit/s"
    assert rate in tab.run(CODE)
    assert float(drawn.split()[0]) > 10


def test_faults_lead_to_their_places_and_the_old_picture_stays(tab: Tab, served: Served) -> None:
    shown(tab, served.address)
    tab.run("document.querySelector('#text').open = true")
    tab.run(
        "(() => { const area = document.querySelector('textarea'); "
        "area.value = area.value.replace('[run]', '[run]\\nwrong = 1'); })()"
    )
    press(tab, "#text .tools button", " ")
    until(tab, "document.querySelector('.faults button')")
    press(tab, ".faults button", " ")
    line = tab.run(
        "(() => { const { value, selectionStart } = document.activeElement; "
        "return value.slice(selectionStart).split('\\n')[0]; })()"
    )
    assert line == "wrong = 1"
    assert len(tab.run(DRAWN)) >= 10


def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on laboratories have a control with a value that no scenario takes."""
    stops = [{"value": None, "label": "own"}, {"value": "fast", "label": "fast"}]
    wrong = {"keys": ["link.line.rate"], "title": "speed", "kind": "slider", "stops": stops}
    other = {"keys": ["link.line.delay"], "title": "delay", "kind": "slider", "stops": stops}
    given = [{**one, "at": 0, "own": None} for one in (other, wrong)]
    monkeypatch.setattr(jobs, "controls_of", lambda _: given)


def test_a_setting_with_a_fault_leaves_the_other(
    tab: Tab, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing(monkeypatch)
    tab.open("about:blank")
    tab.open(f"{served.address}#A.link.line.rate=fast")
    until(tab, "document.querySelectorAll('#rows figure[data-side=B]').length >= 4")
    assert tab.run("document.querySelectorAll('#rows figure[data-side=A]').length") == 0
    press(tab, "[aria-label='speed, setting A']", "Home")
    until(tab, "document.querySelectorAll('#rows figure[data-side=A]').length >= 4")
    sides = "[...document.querySelectorAll('#rows figure')].map((one) => one.dataset.side).join('')"
    assert set(tab.run(sides).split("B")) == {"A", ""}
    assert tab.complaints() == []


def test_a_fault_stands_at_the_control_whose_key_it_names(
    tab: Tab, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing(monkeypatch)
    shown(tab, served.address)
    press(tab, "[aria-label='speed, setting B']", "End")
    until(tab, "document.querySelector('#controls .fault:not([hidden])')")
    at = "document.querySelector('#controls .fault:not([hidden])').closest('.control').ariaLabel"
    assert tab.run(at) == "speed"
    assert tab.run("document.querySelector('[aria-invalid]').ariaLabel") == "speed, setting B"
    assert tab.run("document.querySelectorAll('#rows figure').length") >= 8
    press(tab, "[aria-label='speed, setting B']", "Home")
    until(tab, "!document.querySelector('#controls .fault:not([hidden])')")


def test_the_study_is_one(tab: Tab, served: Served, folder: Path) -> None:
    shown(
        tab,
        served.address,
        hash_="#B.switch.router.drop=fq_codel&A.link.line.rate=5+Mbit/s+of+line",
    )
    text = tab.run("document.querySelector('#study pre').textContent")
    file = folder / "made-study.toml"
    file.write_text(text)
    study = load_study(file)
    assert [factor.name for factor in study.factors] == ["setting"]
    options = tab.run("document.querySelector('#study select').options.length")
    assert options == 6
    for number in range(5):
        tab.run(
            "(() => { const one = document.querySelector('#study select'); "
            f"one.value = '{number}'; "
            "one.dispatchEvent(new Event('change')); })()"
        )
        file.write_text(tab.run("document.querySelector('#study pre').textContent"))
        (factor,) = load_study(file).factors
        assert len(factor.levels) >= 5


def test_keys_reach_everything(tab: Tab, served: Served) -> None:
    shown(tab, served.address)
    tab.run("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    reached = []
    for _ in range(150):
        tab.press("Tab")
        reached.append(tab.run(FOCUSED))
        if tab.run("document.activeElement === document.body"):
            break
    expected: tuple[str, ...] = (
        "rate of line, setting A",
        "drop policy of router, setting B",
        "Set B as A",
    )
    expected += ("copy the command of setting A", "instant of the run", "Play or pause (space)")
    expected += ("the path of setting B", "scenario, TOML", "what the study varies", "Save")
    for name in expected:
        assert any(name in one for one in reached), (name, reached)
    nodes = tab.ask("Accessibility.getFullAXTree")["nodes"]
    controls = ("button", "slider", "combobox", "textbox", "link")
    named = [one for one in nodes if one["role"]["value"] in controls]
    assert len(named) > 20
    assert [one for one in named if not one.get("name", {}).get("value")] == []


def test_a_text_that_is_markup_is_text(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "<b>&$x$.toml"
    text = WILD + (SHIPPED / f"{NAME}.toml").read_text().replace('"60 s"', '"21 s"')
    with serving(Offered(file.stem, str(file), text)) as served:
        shown(tab, served.address)
        assert tab.complaints() == []
        assert tab.run("document.querySelectorAll('main img, main b, header b').length") == 0
        assert tab.run("document.querySelector('#question').textContent").startswith("<img")
        words = shlex.split(tab.run(CODE))
        assert words[2] == str(file)


def test_a_long_run_is_stopped(tab: Tab, tmp_path: Path) -> None:
    with serving(Offered("long", str(tmp_path / "long.toml"), LONG)) as served:
        tab.open(served.address)
        until(tab, "!document.querySelector('#stop').hidden")
        press(tab, "#stop", " ")
        until(tab, "document.querySelector('#stop').hidden", 2.0)
        assert tab.complaints() == []


def test_colours_are_those_of_the_figure(tab: Tab, served: Served, folder: Path) -> None:
    """The same flow has one colour in both settings, though others are the fastest in B."""
    shown(tab, served.address, hash_="#B.link.line.delay=150+ms")
    legends = tab.run(
        "[...document.querySelectorAll('#rows .u-series')].map((one) => "
        "[one.textContent, one.querySelector('.u-marker')?.style.borderColor ?? ''])"
    )
    found: dict[str, set[str]] = {}
    for text, colour in legends:
        name = re.sub(r"(ssthresh)?[–\d.]*$", "", text.replace("–", "")).strip()
        if re.fullmatch(r"(near|far)\[\d\]|call", name):
            found.setdefault(name, set()).add(colour)
    scenario = Scenario.load(folder / f"{NAME}.toml")
    figure = flow_colours(run(scenario.with_sets(jobs.observed_keys(scenario))))
    assert len(figure) == 5
    assert found == {name: {rgb(colour)} for name, colour in figure.items()}


def rgb(colour: str) -> str:
    """A colour as styles of a browser tell it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"
