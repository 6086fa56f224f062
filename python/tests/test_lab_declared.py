"""Section `[lab]`: controls declared as factors of a study are, and the settings to begin with."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from cellway import Scenario, ScenarioError
from cellway.cli.exits import BAD_INPUT
from cellway.lab.declared import declared
from common import ROOT, SCENARIOS, Command, shipped

LABORATORIES = [path for path in SCENARIOS if "lab" in tomllib.loads(path.read_text())]
TEXT = """
run = { duration = "1 s" }
host = { a = {}, b = {} }
link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "10 ms" }
flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp.window = "64 KiB" }
[lab]
title = "How long?"
compare = { B = { window = "big" } }
[lab.control.delay]
title = "delay of the wire"
keys = ["link.wire.delay"]
levels = ["1 ms", "10 ms", "100 ms"]
[lab.control.window]
keys = ["flow.bulk.tcp.window"]
levels = ["32 KiB", "128 KiB"]
labels = ["small", "big"]
"""


def lab_of(text: str) -> Scenario:
    return Scenario("lab.toml", text.encode())


def test_controls_are_levels_with_the_own_one_marked() -> None:
    lab = declared(lab_of(TEXT))
    delay, window = lab.controls
    assert lab.title == "How long?"
    assert (delay["title"], delay["kind"], delay["at"], delay["own"]) == (
        "delay of the wire",
        "slider",
        1,
        ["10 ms"],
    )
    assert [stop["value"] for stop in delay["stops"]] == ["1 ms", None, "100 ms"]
    assert [stop["label"] for stop in delay["stops"]] == ["1 ms", "10 ms", "100 ms"]
    # No level is the scenario's: it comes first.
    assert (window["title"], window["kind"], window["own"]) == ("window", "choice", None)
    assert [stop["label"] for stop in window["stops"]] == ["as in the file", "small", "big"]
    assert lab.compare == {"A": [1, 0], "B": [1, 2]}


def test_a_scenario_without_a_section_declares_nothing() -> None:
    lab = declared(shipped("wan"))
    assert (lab.title, lab.controls, lab.compare) == ("", [], {})


def test_ranges_have_steps() -> None:
    levels = 'levels = ["1 ms", "10 ms", "100 ms"]'
    spread = 'log_range = { from = "1 ms", to = "100 ms", steps = 3 }'
    (delay, _) = declared(lab_of(TEXT.replace(levels, spread))).controls
    assert [stop["label"] for stop in delay["stops"]] == ["1 ms", "10 ms", "100 ms"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("title = ", "titel = ", "lab.toml:7:1: unknown key `titel`"),
        ('"100 ms"]', '"100 parsec"]', "lab.toml:12:28: link.wire.delay=100 parsec: "),
        ('"big" } }', '"bgi" } }', "lab.toml:8:28: `window` has no level 'bgi'"),
        ("B = {", "C = {", "lab.toml:8:13: unknown key `C`"),
        ("{ window = ", "{ windows = ", "lab.toml:8:29: no control `windows`"),
        ('levels = ["32', 'levles = ["32', "did you mean `levels`?"),
        (
            'levels = ["32 KiB", "128 KiB"]\nlabels = ["small", "big"]',
            'zip = { "run.seed" = [1, 2] }',
            "control `window` has a zip",
        ),
    ],
)
def test_faults_have_their_places(before: str, after: str, said: str) -> None:
    assert before in TEXT
    with pytest.raises(ScenarioError) as raised:
        declared(lab_of(TEXT.replace(before, after, 1)))
    assert said in str(raised.value)


@pytest.mark.parametrize("header", ["[lab]", '["lab"]', "[ 'lab' ]", '["l\\u0061b"]'])
def test_a_section_is_checked_however_its_name_is_written(
    cellway: Command, folder: Path, header: str
) -> None:
    """`cellway validate` reads the section only if there is one."""
    text = TEXT.replace("[lab]", header).replace("[lab.control", f"{header[:-1]}.control")
    (folder / "lab.toml").write_text(text)
    assert cellway("validate", "lab.toml").returncode == 0
    (folder / "lab.toml").write_text(text.replace("{ window = ", "{ windows = "))
    result = cellway("validate", "lab.toml")
    assert (result.returncode, "no control `windows`" in result.stderr) == (BAD_INPUT, True)


def test_the_listed_keys_are_those_that_are_read(cellway: Command, folder: Path) -> None:
    """A fault of an unknown key names those that are read; a control has no zip."""
    listed = json.loads(cellway("schema", "lab", "--json").stdout)["keys"]
    for header, least in (("[lab]", "lab."), ("[lab.control.window]", "lab.control.NAME.")):
        (folder / "lab.toml").write_text(TEXT.replace(header, f"{header}\nqqq = 1"))
        said = cellway("validate", "lab.toml").stderr.partition("expected one of")[2]
        read = {*re.findall(r"`(\w+)`", said)} - {"zip"}
        keys = {key["key"].removeprefix(least) for key in listed if key["key"].startswith(least)}
        assert read == {key.partition(".")[0] for key in keys}
    assert "lab.control.NAME.levels  list of values;" in cellway("schema", "lab.control").stdout


@pytest.mark.parametrize("path", LABORATORIES, ids=lambda path: path.stem)
def test_shipped_laboratories_begin_with_two_settings(path: str) -> None:
    lab = declared(Scenario.load(path))
    assert lab.title.endswith("?")
    assert all(control["own"] is not None for control in lab.controls)
    assert lab.compare["A"] != lab.compare["B"]


def test_every_laboratory_of_the_page_is_one() -> None:
    page = (ROOT / "docs/lab.md").read_text()
    listed = [path.stem for path in LABORATORIES if f"| `{path.stem}` |" in page]
    assert listed == [path.stem for path in LABORATORIES]
    assert len(listed) >= 8
