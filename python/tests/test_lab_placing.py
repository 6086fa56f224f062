"""Paths that the page in one file draws of a setting, beside those that Python draws."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import Tab
from cellway import Scenario
from cellway.lab import bundle
from cellway.lab.controls import controls_of
from cellway.lab.declared import declared
from cellway.lab.places import places_of
from common import SCENARIOS

ASKED = 'import { placed } from "./placing.js";\nwindow.placed = placed;\n'
_PART = re.compile(r"<(path|text|rect)\b([^>]*)>([^<]*)")
_NAMED = re.compile(r'\b(class|data-part|data-from)="([^"]*)"')


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with the function alone."""
    folder = tmp_path_factory.mktemp("placing")
    source = Path(bundle.__file__).with_name("placing.js")
    (folder / source.name).write_text(source.read_text())
    (folder / "asked.js").write_text(ASKED)
    page = folder / "page.html"
    page.write_text(bundle.page("placing", [], bundle.modules(["asked.js"], folder)))
    return page


def settings(scenario: Scenario) -> Iterator[Scenario]:
    """The scenario at the first, a middle and the last stop of each control, one at a time."""
    for control in declared(scenario).controls or controls_of(scenario):
        values = [stop["value"] for stop in control["stops"] if stop["value"] is not None]
        for value in dict.fromkeys((values[0], values[len(values) // 2], values[-1])):
            yield scenario.with_sets([(key, value) for key in control["keys"]])


def told(path: dict[str, Any]) -> dict[str, Any]:
    """A path without the places on its drawing, which keeps the room that the file needs."""
    parts = [
        (name, sorted(_NAMED.findall(given)), text)
        for name, given, text in _PART.findall(path["svg"])
        if text or "label" not in given
    ]
    edges = [{**edge, "labels": None} for edge in path["edges"]]
    return {**json.loads(json.dumps({**path, "edges": edges})), "svg": parts}


def test_numbers_have_no_powers_of_ten() -> None:
    text = """
    run = { duration = "1 s" }
    host = { a = {}, b = {} }
    link.wire = { between = ["a", "b"], rate = "20 Gbit/s of cell", delay = "1 ps" }
    flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp = {} }
    """
    path = places_of(Scenario("fast.toml", text.encode()).explain())
    assert path is not None
    assert "20000 Mbit/s, 0.000000001 ms" in path["svg"]


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_page_places_a_setting_as_python_does(tab: Tab, page: Path, file: Path) -> None:
    scenario = Scenario.load(file)
    own = places_of(scenario.explain())
    explained = [setting.explain() for setting in settings(scenario)]
    assert len(explained) >= 2
    tab.open(page)
    tab.run(f"window.own = {json.dumps(own)}")
    found = tab.run(f"{json.dumps(explained)}.map((one) => placed(window.own, one))")
    for at, (mine, one) in enumerate(zip(found, explained, strict=True)):
        expected = places_of(one)
        assert mine is not None
        assert expected is not None
        assert told(mine) == told(expected), at
