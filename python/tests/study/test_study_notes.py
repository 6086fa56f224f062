"""Notes on scenarios that `cellway study` prints before it runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from cellway import Scenario, Study
from cellway.cli.study_notes import MOST_NOTES, first_notes, notes_of_study
from cellway.study import Factor
from common import SMALL, Command
from study.texts import lasting

ALONE = SMALL.replace("[host.b]", "[host.b]\n[host.c]")
"""A host without a link, of which `explain` notes that it takes no part."""
TOGETHER = lasting("20 ms", ALONE).replace("[flow.bulk]", "[flow.bulk]\ncount = 3")
"""Three flows that start at one instant, which is noted unless they are spread."""
STARTS = ["0 s", {"uniform": ["0 s", "5 ms"]}, {"uniform": ["0 s", "9 ms"]}]


def study_of(*factors: Factor) -> Study:
    return Study(Scenario.parse(TOGETHER), factors, replications=2)


def starts() -> Factor:
    return Factor.of("starts", ["flow.bulk.start"], STARTS, ["together", "in 5 ms", "in 9 ms"])


def windows() -> Factor:
    return Factor.of("window", ["flow.bulk.tcp.window"], ["16 KiB", "64 KiB"])


def test_a_note_on_all_points_stands_once_and_others_name_their_level() -> None:
    everywhere, somewhere = notes_of_study(study_of(windows(), starts()))
    assert everywhere.startswith("host c has no link")
    assert somewhere.startswith("at starts = together: 3 flows")


def zipped(together: int, spread: int) -> Factor:
    """Levels with flows that start together, and with flows that do not, each of another length."""
    count = together + spread
    columns: dict[str, list[Any]] = {
        "flow.bulk.start": [STARTS[0]] * together + [STARTS[1]] * spread,
        "run.duration": [f"{20 + at} ms" for at in range(count)],
    }
    return Factor.zipped("both", columns, [f"level {at}" for at in range(count)])


def test_two_levels_are_both_named() -> None:
    (_, said) = notes_of_study(study_of(zipped(2, 1), windows()))
    assert said.startswith("at both = level 0 or level 1: 3 flows")


def test_more_levels_than_a_line_has_room_for_are_counted() -> None:
    (_, said) = notes_of_study(study_of(zipped(4, 2)))
    assert said.startswith("at 4 of 6 points: 3 flows")


def test_of_many_points_some_are_looked_at_and_of_many_notes_some_printed() -> None:
    (_, some) = notes_of_study(study_of(zipped(8, 2)), most=5)
    assert some.startswith("at 4 of 5 points looked at: ")
    many = Factor.of("start", ["flow.bulk.start"], [f"{at} ms" for at in range(8)])
    lines = first_notes(study_of(many), Path("mine.toml"))
    levels = [f"note: at start = {at} ms" for at in range(MOST_NOTES - 1)]
    assert [line.partition(": 3 flows")[0] for line in lines[1:-2]] == levels
    assert lines[-2:] == ["… and 3 more notes: cellway validate mine.toml", ""]


@pytest.fixture
def study(folder: Path) -> Path:
    (folder / "odd.toml").write_text(TOGETHER)
    (folder / "study.toml").write_text(
        '[study]\nscenario = "odd.toml"\nreplications = 2\n'
        '[factor.window]\nkey = "flow.bulk.tcp.window"\nlevels = ["16 KiB", "64 KiB"]\n'
    )
    return folder


@pytest.mark.usefixtures("study")
def test_a_study_prints_the_words_of_explain_once_above_its_results(cellway: Command) -> None:
    explained = cellway("explain", "odd.toml").stdout.splitlines()
    notes = [line for line in explained if line.startswith("note: ")]
    assert len(notes) == 2
    printed = cellway("study", "study.toml").stdout.splitlines()
    assert printed[:3] == [*notes, ""]
    assert printed[3].startswith("study: 4 runs")
    assert sum(line.startswith("note: ") for line in printed) == 2
    assert json.loads(cellway("study", "study.toml", "--json").stdout)["complete"]
