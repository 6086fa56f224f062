"""Controls of a laboratory, derived from what a scenario says of itself, and joined scripts."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from cellway import Scenario
from cellway.lab.bundle import BundleError, modules
from cellway.lab.controls import controls_of, stops
from common import SCENARIOS, shipped


def test_stops_are_round_numbers() -> None:
    assert stops(1, 10) == [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
    assert stops(0.09, 0.13) == [0.1, 0.12]
    assert stops(1e7, 1.3e7) == [1e7, 1.2e7]


def test_controls_of_an_access_line() -> None:
    controls = {one["title"]: one for one in controls_of(shipped("access-queue"))}
    assert [*controls] == [
        "rate of line",
        "delay of line",
        "buffer of router",
        "drop policy of router",
        "congestion rule of the flows",
    ]
    rate = controls["rate of line"]
    assert rate["keys"] == ["link.line.rate"]
    labels = [stop["label"] for stop in rate["stops"]]
    assert labels[rate["at"] - 1 : rate["at"] + 2] == ["8 Mbit/s", "10 Mbit/s", "12 Mbit/s"]
    rule = controls["congestion rule of the flows"]
    assert rule["keys"] == ["flow.near.tcp.congestion", "flow.far.tcp.congestion"]


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_every_scenario_has_controls_that_it_takes(file: Path) -> None:
    scenario = Scenario.load(file)
    controls = controls_of(scenario)
    assert controls
    for one in controls:
        own = one["stops"][one["at"]]
        assert own["value"] is None
        assert sum(stop["value"] is None for stop in one["stops"]) == 1
        for stop in one["stops"]:
            if stop is not own:
                with_stop(scenario, one, stop["value"])
        if one["own"] is not None:
            same = scenario.with_sets([*zip(one["keys"], one["own"], strict=True)])
            assert facts(same) == facts(scenario), one["title"]


def facts(scenario: Scenario) -> list[Any]:
    """Numbers that decide a run: rates of lines of cells are those of their cells."""
    found = scenario.explain()
    links = [
        {**one, "line_bits_per_second": one["cell_bits_per_second"] or one["line_bits_per_second"]}
        for one in found["links"]
    ]
    tcp = [one["tcp"] and one["tcp"]["ceiling_bits_per_second"] for one in found["flows"]]
    return [links, found["ports"], tcp]


def with_stop(scenario: Scenario, control: dict[str, Any], value: str) -> Scenario:
    return scenario.with_sets([(key, value) for key in control["keys"]])


def written(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text)
    return folder


def test_modules_follow_those_that_they_import(tmp_path: Path) -> None:
    one = 'import { two } from "./other.js";\nconst one = two;\n'
    written(tmp_path, first=one, other="export const two = 2;\n")
    text = modules(["first.js"], tmp_path)
    assert text.index("const two = 2;") < text.index("const one = two;")
    assert "import" not in text.partition("const two")[2]
    assert text.endswith("})();")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"first": 'import { a } from "./b.js";\n', "b": 'import { c } from "./first.js";\n'}, "→"),
        (
            {"first": 'import { a } from "./b.js";\nconst a = 1;\n', "b": "export const a = 2;\n"},
            "a",
        ),
        ({"first": 'import { a as b } from "else";\n'}, "not understood"),
        ({"first": "export default 3;\n"}, "not understood"),
    ],
    ids=["circle", "name twice", "another form", "default"],
)
def test_modules_that_cannot_be_joined_are_refused(
    tmp_path: Path, texts: dict[str, str], said: str
) -> None:
    written(tmp_path, **texts)
    with pytest.raises(BundleError, match=said):
        modules(["first.js"], tmp_path)


def test_controls_are_toml_that_a_study_can_have() -> None:
    for one in controls_of(shipped("fq-codel-router")):
        values = [stop["value"] for stop in one["stops"] if stop["value"] is not None]
        for value in [*values, *one["own"]]:
            if value.startswith("{"):
                tomllib.loads(f"x = {value}")
