"""Answers of the laboratory in headless Chromium: pictures belong to the job that they answer."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Tab
from cellway import Scenario
from cellway.lab.jobs import Offered
from common import SHIPPED
from laboratory import Served, offered_of, serving, until

TEXT = """
run = { duration = "2 s" }
host = { a = {}, b = {} }
link.wire.between = ["a", "b"]
link.wire.rate = "10 Mbit/s of line"
link.wire.carries = "packets"
link.wire.delay = "5 ms"
flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp.mtu = "1500 B" }
[lab.control.delay]
keys = ["link.wire.delay"]
levels = ["1 ms", "5 ms", "20 ms", "50 ms"]
[lab.control.time]
keys = ["run.duration"]
levels = ["2 s", "800000 s"]
[lab.control.window]
keys = ["flow.bulk.tcp.initial_ssthresh"]
levels = ["90 MiB", "100 MiB"]
"""
"""A scenario with a slider, and with a choice whose run takes hours."""
COMMAND = "document.querySelectorAll('.setting code')[0].textContent"
STATUS = "document.querySelector('#status').textContent"
STALE = (
    "[...document.querySelectorAll('[data-side].stale')]"
    ".map((one) => `${one.tagName} ${one.dataset.side}`)"
)
PICTURES = "performance.getEntriesByName('picture A').length"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    file = tmp_path_factory.mktemp("answers") / "wire.toml"
    file.write_text(TEXT)
    with serving(Offered("wire", str(file), TEXT)) as found:
        yield found


def opened(tab: Tab, served: Served, hash_: str = "") -> None:
    """Opens the page and waits for its pictures."""
    tab.open("about:blank")
    tab.open(f"{served.address}{hash_}")
    until(tab, "document.querySelectorAll('#rows figure').length >= 4")
    until(tab, "!document.querySelector('.stale')")


def choose(tab: Tab, name: str, side: str, at: int) -> None:
    """Moves a control to a stop."""
    tab.run(
        f"""(() => {{
        const one = document.querySelector('[aria-label="{name}, setting {side}"]');
        one.value = "{at}";
        one.dispatchEvent(new Event(one.tagName === "SELECT" ? "change" : "input"));
        }})()"""
    )


def write(tab: Tab, before: str, after: str) -> None:
    """Changes the text in the editor and runs it."""
    tab.run(
        f"""(() => {{
        const area = document.querySelector("textarea");
        area.value = area.value.replace({json.dumps(before)}, {json.dumps(after)});
        document.querySelector("#text .tools button").click();
        }})()"""
    )


def test_a_stopped_run_leaves_pictures_that_are_marked_as_older(tab: Tab, served: Served) -> None:
    opened(tab, served)
    choose(tab, "time", "A", 1)
    until(tab, f"{STATUS} === 'running A'")
    tab.run("document.querySelector('#stop').click()")
    until(tab, f"{STATUS} === 'stopped A'")
    assert "run.duration=800000 s" in tab.run(COMMAND)
    stale = tab.run(STALE)
    assert {"FIGURE A", "P A", "TD A", "DIV A"} <= {*stale}
    assert all(one.endswith(" A") for one in stale)
    choose(tab, "time", "A", 0)
    until(tab, f"{STATUS} === ''")
    until(tab, "!document.querySelector('.stale')")
    assert tab.complaints() == []


def test_a_setting_with_a_fault_leaves_pictures_that_are_marked_as_older(
    tab: Tab, served: Served
) -> None:
    opened(tab, served)
    tab.run("window.fetchBefore = window.fetch")
    fault = '{"line":0,"column":0,"message":"not today","key":"link.wire.delay"}'
    header = f'{{"faults":[{fault}],"summary":"","columns":[]}}'
    tab.run(
        f"""(() => {{
        const text = new TextEncoder().encode({json.dumps(header)});
        const octets = new Uint8Array(4 + text.length);
        new DataView(octets.buffer).setUint32(0, text.length, true);
        octets.set(text, 4);
        window.fetch = async (address, asked) =>
          address.endsWith("/run") && asked.body.includes('"50 ms"')
            ? new Response(octets) : window.fetchBefore(address, asked);
        }})()"""
    )
    choose(tab, "delay", "B", 3)
    until(tab, "document.querySelector('#controls .fault:not([hidden])')")
    assert tab.run(STATUS) == ""
    stale = tab.run(STALE)
    assert {"FIGURE B", "P B", "TD B", "DIV B"} <= {*stale}
    assert all(one.endswith(" B") for one in stale)
    # A run that is stopped has no fault of the setting before.
    choose(tab, "time", "B", 1)
    choose(tab, "delay", "B", 2)
    until(tab, f"{STATUS} === 'running B'")
    tab.run("document.querySelector('#stop').click()")
    until(tab, f"{STATUS} === 'stopped B'")
    assert tab.run("document.querySelector('#controls .fault:not([hidden])')") is None


def test_a_text_with_faults_stays_in_the_editor_alone(tab: Tab, served: Served) -> None:
    opened(tab, served)
    command = tab.run(COMMAND)
    write(tab, "run = {", "rum = {")
    until(tab, "document.querySelector('.faults button')")
    assert "rum = {" in tab.run("document.querySelector('textarea').value")
    assert tab.run("document.querySelectorAll('.gutter .bad').length") == 1
    assert tab.run(STALE) == []
    assert tab.run(COMMAND) == command
    # A slider runs the text before.
    before = tab.run(PICTURES)
    choose(tab, "delay", "A", 2)
    until(tab, f"{PICTURES} > {before}")
    until(tab, "!document.querySelector('.stale')")
    assert tab.run("document.querySelector('#file').textContent") == ""
    assert "rum = {" in tab.run("document.querySelector('textarea').value")
    assert tab.run("document.querySelectorAll('.gutter .bad').length") == 1
    write(tab, "rum = {", "run = {")
    until(tab, "!document.querySelector('.faults li')")
    assert tab.complaints() == []


def test_an_answer_to_the_text_before_is_not_drawn(tab: Tab, served: Served) -> None:
    opened(tab, served)
    tab.run(
        """(() => {
        window.fetchBefore = window.fetch;
        const waits = (body) => (body.includes('"3 s') ? 1200 : body.includes('"50 ms') ? 200 : 0);
        window.fetch = async (address, asked) => {
          const wait = address.endsWith("/run") ? waits(JSON.stringify(JSON.parse(asked.body))) : 0;
          const { signal, ...rest } = asked;
          await new Promise((done) => setTimeout(done, wait));
          return window.fetchBefore(address, rest);
        };
        })()"""
    )
    before = tab.run(PICTURES)
    tab.run("document.querySelector('textarea').value += '# another text'")
    choose(tab, "delay", "A", 3)
    write(tab, '"2 s"', '"3 s"')
    until(tab, "document.querySelector('#file').textContent !== ''")
    tab.run("new Promise((done) => setTimeout(done, 500))")
    assert tab.run(PICTURES) == before
    until(tab, "!document.querySelector('.stale')")
    assert tab.run(PICTURES) > before


def test_the_address_is_written_when_nothing_moves(tab: Tab, served: Served) -> None:
    """Browsers ignore, or refuse, more than some hundred writes in half a minute."""
    opened(tab, served)
    tab.run("new Promise((done) => setTimeout(done, 400))")
    tab.run(
        """(() => {
        window.written = 0;
        const write = history.replaceState;
        history.replaceState = function (...given) {
          window.written += 1;
          return write.apply(history, given);
        };
        })()"""
    )
    for at in (0, 1, 2, 3) * 5:
        choose(tab, "delay", "A", at)
    until(tab, "location.hash === '#A.link.wire.delay=50+ms'", 2.0)
    assert tab.run("window.written") == 1


@pytest.mark.parametrize("name", ["access-queue", "abr-vbr", "satellite"])
def test_the_bandwidth_delay_product_is_that_of_explain(tab: Tab, name: str) -> None:
    """A source of ABR has that of the rate which others leave it."""
    file = SHIPPED / f"{name}.toml"
    with serving(offered_of(file)) as served:
        opened(tab, served)
        said = tab.run("document.querySelector('p[data-side=B]').textContent")
        command = shlex.split(tab.run("document.querySelectorAll('.setting code')[1].textContent"))
    sets = [text.partition("=") for text in command[4::2]]
    explained = Scenario.load(file).with_sets([(key, value) for key, _, value in sets]).explain()
    flow = next(one for one in explained["flows"] if one["tcp"])
    tcp, at = flow["tcp"], flow["bottleneck"]["at"]
    assert tcp is not None
    found = re.search(rf"BDP at {at} ([\d.e+]+) KiB \(([\d.e+]+) (cells|segments)\)", said)
    assert found is not None, said
    assert float(found[1]) == float(f"{tcp['bandwidth_delay_bytes'] / 1024:.3g}")
    cells = tcp["bandwidth_delay_cells"]
    units = tcp["bandwidth_delay_bytes"] / tcp["mss_bytes"] if cells is None else cells
    assert (float(found[2]), found[3] == "cells") == (float(f"{units:.3g}"), cells is not None)


def test_two_settings_with_equal_numbers_are_said_to_be_equal(tab: Tab, served: Served) -> None:
    opened(tab, served)
    said = "document.querySelector('#equal').textContent"
    assert tab.run(said) == "A and B are the same setting."
    choose(tab, "delay", "A", 2)
    until(tab, f"!document.querySelector('.stale') && {said} === ''")
    choose(tab, "delay", "A", 1)
    choose(tab, "window", "A", 1)
    choose(tab, "window", "B", 2)
    until(tab, f"{said}.startsWith('A and B give the same numbers')")


def test_a_page_whose_own_text_has_faults_shows_them(tab: Tab, tmp_path: Path) -> None:
    text = TEXT.replace("run = {", "rum = {")
    with serving(Offered("wire", str(tmp_path / "wire.toml"), text)) as served:
        tab.open("about:blank")
        tab.open(served.address)
        until(tab, "document.querySelector('.faults button')")
        assert tab.run("document.querySelector('h1').textContent") == "wire"
        assert tab.run("document.querySelector('#text').open") is True
        assert tab.complaints() == []
