"""A laboratory in one file, opened from the disk in headless Chromium."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from accessibility import findings
from browser import BELOW, COLOURED, DRAWN, FAINT, Tab
from cellway import ScenarioError
from cellway.cli.exits import BAD_INPUT
from cellway.lab import offline
from cellway.lab.jobs import Offered
from cellway.lab.offline import NoModuleError
from common import SHIPPED, Command
from laboratory import serving, shown, until
from web_engine import needs_module

NAME = "unlike-round-trips"
LIMIT = 1_500_000
"""Most octets of a page."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = SHIPPED / f"{NAME}.toml"
    page = tmp_path_factory.mktemp("page") / "lab.html"
    page.write_text(offline.offline(Offered(NAME, str(file), file.read_text())))
    return page


@needs_module
def test_the_page_draws_and_asks_for_nothing(tab: Tab, page: Path) -> None:
    shown(tab, page.as_uri())
    assert tab.complaints() == []
    assert [one for one in tab.requests() if not one.startswith(("file:", "blob:"))] == []
    assert all(points > 10 for points in tab.run(COLOURED)[2:])
    assert tab.run(FAINT) == []
    assert findings(tab) == []
    assert tab.run("document.querySelector('h1').textContent").endswith("?")
    assert page.stat().st_size < LIMIT


@needs_module
def test_both_engines_draw_the_same(tab: Tab, page: Path) -> None:
    file = SHIPPED / f"{NAME}.toml"
    drawn = []
    with serving(Offered(NAME, str(file), file.read_text())) as served:
        for address in (page.as_uri(), served.address):
            shown(tab, address, hash_="#B.switch.router.drop=codel")
            tables = tab.run("document.querySelector('#numbers').textContent")
            drawn.append((tab.run(DRAWN), tables))
    assert drawn[0] == drawn[1]


@needs_module
def test_a_narrow_page_needs_no_scrolling_to_the_side(tab: Tab, page: Path) -> None:
    shown(tab, page.as_uri(), width=400)
    assert tab.run(BELOW) <= 0


@needs_module
def test_numbers_are_those_of_the_command(tab: Tab, page: Path, tmp_path: Path) -> None:
    shown(tab, page.as_uri(), hash_="#B.link.far.delay=121+ms&B.switch.router.drop=codel")
    words = shlex.split(tab.run("document.querySelectorAll('.setting code')[1].textContent"))
    assert words.count("--set") == 2
    program = Path(sys.executable).with_name("cellway")
    command = [str(program), *words[1:], "--out", str(tmp_path / "out")]
    subprocess.run(command, check=True, capture_output=True)
    flows = json.loads((tmp_path / "out" / "summary.json").read_text())["flows"]
    rows = tab.run(
        "[...document.querySelectorAll('#numbers tbody tr')].map((row) => "
        "[...row.cells].map((cell) => cell.textContent))"
    )
    assert {row[0] for row in rows} == {*flows}
    for name, _, rate, _, delay, _, again, _, timeouts in rows:
        flow = flows[name]
        number, unit = rate.split()
        scale = {"Mbit/s": 1e6, "kbit/s": 1e3}[unit]
        assert float(number) == float(f"{flow['throughput_bits_per_second'] / scale:.4g}")
        assert delay.endswith(" ms")
        assert int(again) == flow["retransmitted_segments"]
        assert int(timeouts) == flow["timeouts"]


@needs_module
def test_the_path_tells_the_setting(tab: Tab, page: Path) -> None:
    shown(tab, page.as_uri(), hash_="#B.link.far.delay=241+ms&B.switch.router.drop=codel")
    until(tab, "document.querySelectorAll('svg.path').length === 2")
    texts = "[...document.querySelectorAll('svg.path')].map((one) => one.textContent)"
    until(tab, f"{texts}[1].includes('241 ms')")
    own, other = tab.run(texts)
    assert "1000 Mbit/s, 61 ms" in own
    assert "tail: 50 packets" in own
    assert "1000 Mbit/s, 241 ms" in other
    assert "codel: 50 packets" in other


@needs_module
def test_faults_stand_at_their_control(tab: Tab, page: Path) -> None:
    shown(tab, page.as_uri())
    tab.run(
        "document.querySelector('textarea').value = "
        "document.querySelector('textarea').value.replace('\"50 packet\"', '\"50 pakets\"')"
        ".replace('\"greedy\"', '\"greddy\"')"
    )
    tab.run("document.querySelector('#text').open = true")
    tab.run("document.querySelector('#text .tools button').click()")
    until(tab, "document.querySelector('#text').textContent.includes('pakets')")
    said = tab.run("document.querySelector('#text').textContent")
    assert "unknown unit `pakets`" in said
    assert "; did you mean `greedy`?" in said


def test_without_a_simulator_there_is_no_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = SHIPPED / f"{NAME}.toml"
    monkeypatch.setattr(offline, "MODULE", tmp_path / "none")
    with pytest.raises(NoModuleError, match="make lab"):
        offline.offline(Offered(NAME, str(file), file.read_text()))


@needs_module
def test_a_simulator_of_another_edition_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    file = SHIPPED / f"{NAME}.toml"
    monkeypatch.setattr(offline, "MODEL_VERSION", "999-00000000")
    with pytest.raises(NoModuleError, match="not of edition 999-00000000"):
        offline.offline(Offered(NAME, str(file), file.read_text()))


@needs_module
def test_a_section_with_faults_makes_no_page(tmp_path: Path) -> None:
    text = (SHIPPED / f"{NAME}.toml").read_text().replace('B = { queue = "', 'B = { queu = "')
    file = tmp_path / "faulty.toml"
    file.write_text(text)
    with pytest.raises(ScenarioError, match="no control `queu`"):
        offline.offline(Offered("faulty", str(file), text))


def test_commands_tell_the_faults_of_a_section(cellway: Command, tmp_path: Path) -> None:
    text = (SHIPPED / f"{NAME}.toml").read_text().replace('"121 ms"', '"121 parsec"')
    file = tmp_path / "faulty.toml"
    file.write_text(text)
    for command in (("validate",), ("lab", "--no-browser"), ("lab", "--out", "lab.html")):
        result = cellway(command[0], str(file), *command[1:])
        assert result.returncode == BAD_INPUT
        assert "faulty.toml:64:" in result.stderr
        assert "unknown unit `parsec`" in result.stderr


def test_a_file_of_somebody_else_is_no_page_to_replace(cellway: Command, folder: Path) -> None:
    text = (SHIPPED / f"{NAME}.toml").read_text()
    for name in ("given.toml", "kept.toml"):
        (folder / name).write_text(text)
    result = cellway("lab", "given.toml", "--out", "kept.toml")
    assert result.returncode == BAD_INPUT
    assert "--out kept.toml: the file exists, and cellway did not write it" in result.stderr
    assert (folder / "kept.toml").read_text() == text


@needs_module
def test_a_page_is_replaced_and_with_force_any_file(cellway: Command, folder: Path) -> None:
    (folder / "given.toml").write_text((SHIPPED / f"{NAME}.toml").read_text())
    (folder / "lab.html").write_text("mine")
    forced = ("lab", "given.toml", "--out", "lab.html", "--force")
    for command in (forced, forced[:-1]):
        assert cellway(*command).returncode == 0
        assert (folder / "lab.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("option", [("--port", "8800"), ("--no-browser",)])
def test_a_page_in_a_file_is_not_served(cellway: Command, option: tuple[str, ...]) -> None:
    result = cellway("lab", NAME, "--out", "lab.html", *option)
    assert result.returncode == BAD_INPUT
    assert "--out serves nothing; expected no --port and no --no-browser" in result.stderr
