"""Studies that a laboratory offers: each loads, and has the settings of the page."""

import shlex
import tomllib
from pathlib import Path

import pytest

from browser import Tab
from cellway import Scenario, Study, load_study
from common import SCENARIOS
from laboratory import offered_of, serving, until

LABORATORIES = [path for path in SCENARIOS if "lab" in tomllib.loads(path.read_text())]
UNLIKE = [path for path in SCENARIOS if path.stem in {"which-law", "mixed", "constant-rate"}]
"""Scenarios whose flows have several congestion rules, or none."""
TEXT = "document.querySelector('#study pre').textContent"
CODES = "[...document.querySelectorAll('.setting code')].map((one) => one.textContent)"


def choose(tab: Tab, at: int) -> str:
    """The text of the study at a place of the choice."""
    tab.run(
        "(() => { const one = document.querySelector('#study select'); "
        f"one.selectedIndex = {at}; one.dispatchEvent(new Event('change')); }})()"
    )
    return str(tab.run(TEXT))


def loaded(folder: Path, file: Path, text: str) -> Study:
    """A study as a user keeps it: beside its scenario."""
    for one in (file, *file.parent.glob("*.trace")):
        (folder / one.name).write_bytes(one.read_bytes())
    (folder / "made.toml").write_text(text)
    return load_study(folder / "made.toml")


def of_command(folder: Path, file: Path, command: str) -> Scenario:
    """The scenario that the command of a setting runs."""
    sets = shlex.split(command)[3:]
    given = [text.partition("=") for text in sets[1::2]]
    scenario = Scenario.load(folder / file.name).with_sets([(key, text) for key, _, text in given])
    watched = '"observe.series"' in (folder / "made.toml").read_text()
    return scenario.with_set("observe.series", ["one_way_delay"]) if watched else scenario


@pytest.mark.parametrize("file", [*LABORATORIES, *UNLIKE], ids=lambda file: file.stem)
def test_every_study_of_a_laboratory_loads(tab: Tab, file: Path, folder: Path) -> None:
    with serving(offered_of(file)) as served:
        tab.open("about:blank")
        tab.open(served.address)
        until(tab, "document.querySelector('#rows figure') && !document.querySelector('.stale')")
        count = tab.run("document.querySelector('#study select').options.length")
        assert count >= 2
        for at in range(1, count):
            study = loaded(folder, file, choose(tab, at))
            (factor,) = study.factors
            assert len({level.shown for level in factor.levels}) == len(factor.levels) >= 2
            responses = {response.name for response in study.responses}
            assert {"goodput"} < responses <= {"goodput", "queue", "longest_delay"}
        tab.run("document.querySelector('#same').click()")
        same = loaded(folder, file, choose(tab, 0))
        assert same.factors == ()
        codes = tab.run(CODES)
        assert codes[0] == codes[1]
        (condition,) = same.conditions()
        assert condition.scenario(same.seed) == of_command(folder, file, codes[0])


@pytest.mark.parametrize("file", LABORATORIES, ids=lambda file: file.stem)
def test_a_study_of_two_settings_has_both(tab: Tab, file: Path, folder: Path) -> None:
    with serving(offered_of(file)) as served:
        tab.open("about:blank")
        tab.open(served.address)
        until(tab, "document.querySelector('#rows figure') && !document.querySelector('.stale')")
        study = loaded(folder, file, choose(tab, 0))
        codes = tab.run(CODES)
    (factor,) = study.factors
    assert [str(level.shown)[:3] for level in factor.levels] == ["A: ", "B: "]
    assert study.compared == factor.name
    for condition, command in zip(study.conditions(), codes, strict=True):
        assert condition.scenario(study.seed) == of_command(folder, file, command)
