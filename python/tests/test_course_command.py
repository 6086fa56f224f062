"""`cellway course`: its list, sheets, checks and files, as a student calls it."""

import json
from pathlib import Path

import pytest

from cellway.course import UNITS, unit
from cellway.course.answers import read_answers, template
from cellway.course.judging import Verdict, judge
from cellway.course.sheet import asked
from common import Command, content, refused, require_golden


def test_units_are_listed_and_printed(cellway: Command) -> None:
    assert all(name in cellway("course").stdout for name in UNITS)
    for name in UNITS:
        done = cellway("course", name)
        assert (done.returncode, done.stderr) == (0, "")
        assert all(f". {one.name}: " in done.stdout for one in unit(name).exercises)
        assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_a_sheet_a_solution_and_verdicts_are_as_reviewed(cellway: Command, folder: Path) -> None:
    (folder / "answers.toml").write_text(
        'cells = "12 cell"\n'
        'cell_rate = "353.2 kcell/s"\n'
        'ceilin = "128.9 Mbit/s"\n'
        'bdp = "322 kbit"\n'
        'window_rate = "1.64 Mbit/s of payload"\n'
    )
    told = [cellway("course", "units"), cellway("course", "units", "--solution")]
    told.append(cellway("course", "units", "--check", "answers.toml"))
    assert [done.returncode for done in told] == [0, 0, 2]
    require_golden("course.txt", "\n".join([*(done.stdout for done in told), told[-1].stderr]))


def test_each_answer_is_judged_whatever_the_others_are(cellway: Command, folder: Path) -> None:
    """Right, wrong, missing, of another type: 2 if one cannot be read, 1 if one is not right."""
    file = folder / "answers.toml"
    file.write_text('jain = 0.595\nmax_min = "5 Mbit/s"\nqueue = "FQ"\nlaw_ratio = [7]\n')
    done = cellway("course", "fairness", "--check", file, "--json")
    verdicts = {one["exercise"]: one["verdict"] for one in json.loads(done.stdout)["answers"]}
    assert verdicts == {
        "jain": "right",
        "max_min": "wrong",
        "law_ratio": "not read",
        "measured_ratio": "missing",
        "fair_window": "missing",
        "queue": "not read",
    }
    assert done.returncode == 2
    queue, ratio = done.stderr.splitlines()
    words = "expected one of `tail`, `codel`, `pie`, `fq_codel`"
    assert queue == f"{file}:3:9: `queue` is 'FQ'; {words}"
    words = 'a number without a unit, such as 0.25, is expected; also accepted: "25 %"'
    assert ratio == f"{file}:4:13: `law_ratio` is [7]; {words}"


@pytest.mark.parametrize("name", UNITS)
def test_page_template_and_message_name_the_same_unit(
    cellway: Command, folder: Path, name: str
) -> None:
    """Of each answer; the value of the template is read, and is not the right one."""
    chosen = unit(name)
    lines = template(chosen).splitlines()
    numbers = [one for one in chosen.exercises if not one.words]
    file, expected, values = folder / "answers.toml", [], []
    for one in numbers:
        (written,) = (line for line in lines if line.startswith(f"# {one.name} = "))
        value = written.partition(" = ")[2]
        of = "without a unit" if one.unit == "1" else f"with the unit {one.unit}"
        question = asked(one).replace("\N{NO-BREAK SPACE}", " ")
        words = f"a number {of}, such as {value},"
        assert f"Answer: {words} " in question
        expected.append(f"`{one.name}` is True; {words} is expected; ")
        values.append(f"{one.name} = {value}\n")
    file.write_text("".join(f"{one.name} = true\n" for one in numbers))
    said = cellway("course", name, "--check", file).stderr.splitlines()
    for message, line in zip(expected, said, strict=True):
        assert message in line
    file.write_text("".join(values))
    done = cellway("course", name, "--check", file, "--json")
    assert (done.returncode, done.stderr) == (1, "")
    verdicts = {one["exercise"]: one["verdict"] for one in json.loads(done.stdout)["answers"]}
    assert {verdicts[one.name] for one in numbers} == {"wrong"}


def test_all_right_is_zero_and_one_wrong_is_one(cellway: Command, folder: Path) -> None:
    exercises = unit("recovery").exercises
    lines = [f'{one.name} = "{one.show(one.right())}"\n' for one in exercises]
    file = folder / "answers.toml"
    file.write_text("".join(lines))
    assert cellway("course", "5", "--check", file).returncode == 0
    file.write_text("".join(lines[1:]) + 'first_rto = "500 ms"\n')
    done = cellway("course", "5", "--check", file)
    assert (done.returncode, done.stderr) == (1, "")
    assert "RTTVAR begins at half of the first sample" in done.stdout


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('cells = "5 cell\n', "1:16: not TOML 1.0"),
        ("cells = 5 cell\n", "1:11: not TOML 1.0: expected newline or end of document after a"),
        ('cells = "5 cell"\ncells = "6 cell"\n', "2:1: "),
        ("cells = 5\n", '1:9: `cells` is 5; a number with the unit cell, such as "5 cell", is'),
        ('bdp = "1 kB of line"\n', "1:7: `bdp` is '1 kB of line'; no layer is expected"),
        ("cells = 5\xff\n", "1:10: not UTF-8"),
        ("bdp = true\n", "1:7: `bdp` is True; a number with the unit kB"),
        ("bdp = nan\n", "1:7: `bdp` is "),
        ('bdp = "1e999 kB"\n', "1:7: `bdp` is "),
    ],
)
def test_a_fault_has_its_place(cellway: Command, folder: Path, text: str, fault: str) -> None:
    file = folder / "answers.toml"
    file.write_bytes(text.encode("latin-1"))
    done = cellway("course", "units", "--check", file)
    assert done.returncode == 2
    assert f"{file}:{fault}" in done.stderr


def test_a_line_that_is_no_toml_does_not_hinder_the_others(cellway: Command, folder: Path) -> None:
    """A value without quotes is what a student forgets first."""
    file = folder / "answers.toml"
    file.write_text(
        'cells = 13 cell\nbdp = "645 kB"\ncell_rate "353 kcell/s"\nceiling = "129 Mbit/s"'
    )
    done = cellway("course", "units", "--check", file)
    assert done.returncode == 2
    verdicts = [line.split(maxsplit=1) for line in done.stdout.splitlines()[2:]]
    assert [(name, word.split("  ")[0]) for name, word in verdicts] == [
        ("cells", "not read"),
        ("cell_rate", "not read"),
        ("ceiling", "right"),
        ("bdp", "right"),
        ("window_rate", "missing"),
    ]
    unquoted, unequal = done.stderr.splitlines()
    assert unquoted.startswith(f"{file}:1:12: not TOML 1.0: expected newline or end of document")
    assert unquoted.endswith('; a value with a unit is in quotes, such as "12.5 kB"')
    assert unequal == f"{file}:3:11: not TOML 1.0: expected '=' after a key in a key/value pair"


def test_a_file_of_an_editor_of_windows_is_read(tmp_path: Path) -> None:
    """A byte order mark in front, and ends of lines of two bytes, also beside a faulty line."""
    file = tmp_path / "answers.toml"
    for more in (b"", b"ceiling = 129 Mbit/s\r\n"):
        file.write_bytes(b'\xef\xbb\xbfcells = "13 cell"\r\nbdp = "645 kB"\r\n' + more)
        judged = judge(unit("units"), read_answers(file, unit("units")))
        right = [one.exercise.name for one in judged if one.verdict is Verdict.RIGHT]
        assert right == ["cells", "bdp"]


ODD = (
    "[]", "{}", "[[1]]", "1979-05-27", "07:32:00", "true", "inf", "nan", "1e400", "1" + "0" * 400,
    '""', '"  "', '"kB"', '"1 kB kB"', '"1 kB of"', '"1 of line"', '"-"', '"1 kB of line of line"',
)  # fmt: skip


@pytest.mark.parametrize("name", UNITS)
def test_an_odd_value_is_a_fault_with_its_place(tmp_path: Path, name: str) -> None:
    wanted = unit(name)
    file = tmp_path / "answers.toml"
    for odd in ODD:
        file.write_text("".join(f"{one.name} = {odd}\n" for one in wanted.exercises))
        answers = read_answers(file, wanted)
        judged = judge(wanted, answers)
        assert {one.verdict for one in judged} == {Verdict.UNREAD}, odd
        assert [fault.line for fault in answers.faults] == [*range(1, len(judged) + 1)], odd


def test_solutions_are_printed_as_json_for_every_unit(cellway: Command) -> None:
    for name in UNITS:
        solved = json.loads(cellway("course", name, "--solution", "--json").stdout)
        assert [one["exercise"] for one in solved] == [one.name for one in unit(name).exercises]
        shown = json.loads(cellway("course", name, "--json").stdout)
        assert [one["name"] for one in shown["exercises"]] == [one["exercise"] for one in solved]


def test_words_copied_from_a_sheet_are_read(tmp_path: Path) -> None:
    """A sheet has spaces that no line is broken at."""
    file = tmp_path / "answers.toml"
    file.write_text('stays = "10\N{NO-BREAK SPACE}s"\nwait = "148.4\N{NO-BREAK SPACE}ms"\n')
    wanted = unit("capacity")
    judged = {one.exercise.name: one for one in judge(wanted, read_answers(file, wanted))}
    assert {judged[name].verdict for name in ("stays", "wait")} == {Verdict.RIGHT}


def test_a_missing_file_a_missing_unit_and_two_ways_are_refused(cellway: Command) -> None:
    missing = refused(cellway, "course", "units", "--check", "none.toml")
    assert missing == "none.toml: no such file or folder; expected a file of answers, TOML\n"
    assert "did you mean queues?" in refused(cellway, "course", "queue")
    assert "expected `cellway course UNIT --solution`" in refused(cellway, "course", "--solution")
    both = refused(cellway, "course", "units", "--solution", "--check", "none.toml")
    assert both == "--check and --solution exclude each other; expected one of them\n"


def test_files_are_written_and_answers_never_lost(cellway: Command, folder: Path) -> None:
    assert cellway("course", "cells", "--out", "six").returncode == 0
    assert {*content(folder)} == {"six/cells.toml", "six/cells-abr.toml", "six/cells-answers.toml"}
    assert cellway("course", "cells", "--out", "six").returncode == 0
    answers = folder / "six" / "cells-answers.toml"
    answers.write_text('survival = "82.5 %"\n')
    assert "cells-answers.toml: the file exists" in refused(
        cellway, "course", "cells", "--out", "six"
    )
    assert answers.read_text() == 'survival = "82.5 %"\n'
    done = cellway("course", "cells", "--check", answers)
    assert done.stdout.splitlines()[0] == "cells: 1 of 6 right"


def test_a_right_answer_is_not_in_what_a_check_prints(cellway: Command, folder: Path) -> None:
    """A wrong answer gets a reason, and the right one is left to the student."""
    (folder / "answers.toml").write_text('bdp = "322.3 kB"\n')
    for more in ([], ["--json"]):
        done = cellway("course", "units", "--check", "answers.toml", *more)
        assert "one way; the ACK takes as long again" in done.stdout
        assert "644" not in done.stdout
