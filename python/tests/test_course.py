"""Units of the course: right and wrong answers, laboratories, pages."""

import os
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from cellway import CellwayError, Scenario, run
from cellway.course import UNITS, unit
from cellway.course.answers import read_answers
from cellway.course.exercise import Exercise, Mistake
from cellway.course.judging import Verdict, judge, reason_of
from cellway.course.setting import FOLDER
from cellway.course.sheet import exercises_markdown
from cellway.lab.declared import declared
from common import ROOT, Command

EXERCISES = {f"{name}-{one.name}": (name, one) for name in UNITS for one in unit(name).exercises}
PAGES = {name: ROOT / "docs" / "courses" / f"{name}.md" for name in UNITS}
HEAD = "## Exercises\n\n"


@pytest.fixture(params=EXERCISES)
def asked(request: pytest.FixtureRequest) -> tuple[str, Exercise]:
    return EXERCISES[request.param]


def answer_file(folder: Path, exercise: Exercise, value: float | str) -> Path:
    """A file with one answer, as a student writes it."""
    file = folder / "answers.toml"
    shown = exercise.show(value)
    file.write_text(f"{exercise.name} = {shown if exercise.unit == '1' else repr(shown)}\n")
    return file


def verdict_of(name: str, exercise: Exercise, file: Path) -> tuple[Verdict, str]:
    wanted = unit(name)
    judged = judge(wanted, read_answers(file, wanted))
    (one,) = [one for one in judged if one.exercise is exercise]
    assert {other.verdict for other in judged if other is not one} == {Verdict.MISSING}
    return one.verdict, one.reason


def test_the_right_answer_is_accepted_as_it_is_shown(
    asked: tuple[str, Exercise], tmp_path: Path
) -> None:
    name, exercise = asked
    file = answer_file(tmp_path, exercise, exercise.right())
    assert verdict_of(name, exercise, file) == (Verdict.RIGHT, "")


def test_each_mistake_is_rejected_with_its_reason(
    asked: tuple[str, Exercise], tmp_path: Path
) -> None:
    name, exercise = asked
    assert 3 <= len(exercise.mistakes) <= 5
    for mistake in exercise.mistakes:
        file = answer_file(tmp_path, exercise, mistake.value())
        assert verdict_of(name, exercise, file) == (Verdict.WRONG, mistake.reason)


def test_the_tolerance_ends_where_it_is_said(asked: tuple[str, Exercise]) -> None:
    _, exercise = asked
    right = exercise.right()
    if isinstance(right, str):
        assert right in exercise.words
        assert {one.value() for one in exercise.mistakes} == {*exercise.words} - {right}
        return
    for side in (-1, 1):
        assert exercise.accepts(right * (1 + side * exercise.tolerance))
        assert not exercise.accepts(right * (1 + side * (exercise.tolerance + 0.001)))


def test_the_course_has_eight_units_of_about_forty_exercises() -> None:
    assert len(UNITS) == 8
    assert 40 <= len(EXERCISES) <= 48
    assert [unit(str(number)).name for number in range(1, 9)] == [*UNITS]
    for name in UNITS:
        names = [one.name for one in unit(name).exercises]
        assert len({*names}) == len(names) >= 5


def test_a_unit_that_is_not_there_is_refused_with_a_near_one() -> None:
    with pytest.raises(CellwayError, match="no unit 'queue'; did you mean queues"):
        unit("queue")


def plain(unit_of_it: str) -> Exercise:
    return Exercise("x", "?", unit_of_it, lambda: 1000.0, "", (Mistake(lambda: 3.0, "three"),))


@pytest.mark.parametrize(
    ("unit_of_it", "value", "reason"),
    [
        ("kB", 8000.0, "eight times too large: are these bits, where bytes are asked for?"),
        ("Mbit/s", 125.0, "an eighth of it: are these bytes per second, where bits are asked for?"),
        (
            "%",
            1e5,
            'a hundred times too large: per cent are written with their sign, "25 %"',
        ),
        ("ms", 1.0, "a power of a thousand away: look at the prefix of the unit"),
        ("ms", -1000.0, "the sign is the other one"),
        ("ms", 8000.0, "too large"),
        ("ms", 900.0, "too small"),
        ("kB", 3.0, "three"),
    ],
)
def test_a_mistake_that_no_exercise_lists_is_named(
    unit_of_it: str, value: float, reason: str
) -> None:
    assert reason_of(plain(unit_of_it), value) == reason


SETTINGS = sorted(FOLDER.glob("*.toml"))
LABORATORIES = [file for file in SETTINGS if "lab" in tomllib.loads(file.read_text())]


def test_every_file_of_the_settings_belongs_to_a_unit() -> None:
    named = [file for name in UNITS for file in (unit(name).setting, *unit(name).files)]
    assert sorted(named) == [file.name for file in SETTINGS]
    assert {unit(name).setting for name in UNITS} <= {file.name for file in LABORATORIES}


@pytest.mark.parametrize("file", LABORATORIES, ids=lambda file: file.stem)
def test_a_laboratory_opens_and_both_its_sides_run(file: Path) -> None:
    scenario = Scenario.load(file)
    lab = declared(scenario)
    assert lab.title.endswith("?")
    assert len(lab.controls) >= 2
    assert lab.compare["A"] != lab.compare["B"]
    for side in ("A", "B"):
        sets = [
            (key, control["stops"][stop]["value"])
            for control, stop in zip(lab.controls, lab.compare[side], strict=True)
            for key in control["keys"]
            if control["stops"][stop]["value"] is not None
        ]
        assert run(scenario.with_sets(sets)).flows


@pytest.mark.parametrize("name", UNITS)
def test_the_page_has_the_exercises_of_the_program(name: str) -> None:
    """UPDATE_GOLDENS=1 writes them into the page."""
    page = PAGES[name]
    before, head, written = page.read_text(encoding="utf-8").partition(HEAD)
    assert head, f"{page} has no {HEAD.strip()!r}"
    expected = exercises_markdown(unit(name))
    if os.environ.get("UPDATE_GOLDENS"):
        page.write_text(before + head + expected, encoding="utf-8")
        written = expected
    assert written == expected


def commands_of(page: Path) -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    lines = (line for block in blocks for line in block.splitlines())
    return [shlex.split(line, comments=True) for line in lines]


@pytest.mark.parametrize("name", [*UNITS, "README"])
def test_every_command_of_a_page_works(name: str, cellway: Command, folder: Path) -> None:
    """Checks find a file in which nothing is answered yet."""
    commands = commands_of(ROOT / "docs" / "courses" / f"{name}.md")
    if name in UNITS:
        assert ["cellway", "course", name, "--out", "."] in commands
        assert ["cellway", "lab", f"{name}.toml"] in commands
        assert commands[-1] == ["cellway", "course", name, "--check", f"{name}-answers.toml"]
    for program, *words in commands:
        assert program == "cellway"
        if words[0] == "lab":
            assert declared(Scenario.load(folder / words[1])).title
            continue
        done = cellway(*words)
        assert (done.returncode, done.stderr) == (int("--check" in words), ""), words


@pytest.mark.parametrize("name", UNITS)
def test_pages_to_read_are_there(name: str) -> None:
    wanted = unit(name)
    for page in wanted.reading:
        assert (ROOT / "docs" / page).is_file(), page
    text = PAGES[name].read_text(encoding="utf-8")
    assert text.startswith(f"# Unit {[*UNITS].index(name) + 1}: {UNITS[name]}\n")
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)
    assert [link for link in links if not (PAGES[name].parent / link).exists()] == []
    assert {f"../{page}" for page in wanted.reading} <= {*links}


def test_the_list_of_pages_is_that_of_the_program() -> None:
    text = (ROOT / "docs" / "courses" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| \[(.+?)\]\((.+?)\.md\) \| (.+) \|$", text, re.MULTILINE)
    expected = [
        (str(number), title, name, declared(Scenario.load(FOLDER / unit(name).setting)).title)
        for number, (name, title) in enumerate(UNITS.items(), 1)
    ]
    assert rows == expected
