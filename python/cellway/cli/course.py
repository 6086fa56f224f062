"""`cellway course`: units with exercises, a checker of answers, and solutions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cellway.cli.exits import FAILED, BadInputError, require_file, unreadable, unwritable
from cellway.cli.options import AsJson, Force
from cellway.cli.parameters import Argument, ExitError, Option
from cellway.cli.text import MOST_COLUMNS, room, say, say_json, table, wrapped
from cellway.course import UNITS, unit
from cellway.course.answers import read_answers
from cellway.course.judging import Verdict, all_right, judge
from cellway.course.setting import files_of
from cellway.course.sheet import asked, solution_data, solution_of
from cellway.disk.files import write_text
from cellway.errors import CellwayError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cellway.course.exercise import Unit
    from cellway.course.judging import Judged


def course(
    name: Annotated[
        str | None,
        Argument(metavar="UNIT", help="Name or number of a unit; without it all are listed."),
    ] = None,
    check: Annotated[
        Path | None,
        Option(metavar="FILE", help="Judge the answers in this file, TOML, one by one."),
    ] = None,
    solution: Annotated[
        bool,
        Option("--solution", help="Print right answers, with wrong ones and their reasons."),
    ] = False,
    out: Annotated[
        Path | None,
        Option(metavar="DIR", help="Write the laboratory's scenario and a file for answers there."),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """List the units of the course, or print one: reading, laboratory, exercises.

    Right answers are computed when they are needed, by the simulator or a formula. The exit code of
    --check is 0 if all answers are right, 1 if one is wrong or missing, 2 if one cannot be read.
    """
    ways = [way for way, given in (("--check", check), ("--solution", solution)) if given]
    ways += ["--out"] if out is not None else []
    if len(ways) > 1:
        raise BadInputError(f"{' and '.join(ways)} exclude each other; expected one of them")
    if name is None:
        if ways:
            raise BadInputError(f"{ways[0]}: no unit; expected `cellway course UNIT {ways[0]}`")
        _list(as_json=as_json)
        return
    try:
        wanted = unit(name)
    except CellwayError as error:
        raise BadInputError(str(error)) from error
    if check is not None:
        _check(wanted, check, as_json=as_json)
    elif out is not None:
        _write(wanted, out, force=force, as_json=as_json)
    elif solution:
        _solve(wanted, as_json=as_json)
    else:
        _show(wanted, as_json=as_json)


def _list(*, as_json: bool) -> None:
    if as_json:
        say_json([{"name": name, "title": title} for name, title in UNITS.items()])
        return
    rows = [[str(number), name, title] for number, (name, title) in enumerate(UNITS.items(), 1)]
    say(
        *table(["", "unit", "title"], rows, "><<"),
        "",
        "cellway course UNIT prints its reading and exercises.",
    )


def _show(wanted: "Unit", *, as_json: bool) -> None:
    if as_json:
        exercises = [{"name": one.name, "text": asked(one)} for one in wanted.exercises]
        title = UNITS[wanted.name]
        say_json({"name": wanted.name, "title": title, "exercises": exercises})
        return
    say(f"{wanted.name}: {UNITS[wanted.name]}", "", "read")
    pages = {f"courses/{wanted.name}.md": "the page of this unit", **wanted.reading}
    say(*(f"  docs/{page}: {part}" for page, part in pages.items()), "", "laboratory")
    say(
        f"  cellway course {wanted.name} --out .",
        f"  cellway lab {wanted.setting}",
        *_paragraph(f"The first command writes {', '.join(files_of(wanted))}.", 2, 2),
        "",
        "exercises",
    )
    for number, one in enumerate(wanted.exercises, 1):
        say(*_paragraph(f"{number}. {one.name}: {asked(one)}", 2, 5))
    say("", f"  cellway course {wanted.name} --check {wanted.name}-answers.toml")


def _solve(wanted: "Unit", *, as_json: bool) -> None:
    if as_json:
        say_json([solution_data(one) for one in wanted.exercises])
        return
    say(f"{wanted.name}: {UNITS[wanted.name]}, solutions")
    for number, one in enumerate(wanted.exercises, 1):
        right, *wrong = solution_of(one)
        say("", *_paragraph(f"{number}. {one.name}: {right}", 0, 3))
        for line in wrong:
            say(*_paragraph(f"not {line}", 3, 7))


def _check(wanted: "Unit", file: Path, *, as_json: bool) -> None:
    try:
        answers = read_answers(file, wanted)
    except OSError as error:
        raise unreadable(file, error, "a file of answers, TOML") from error
    judged = judge(wanted, answers)
    if as_json:
        say_json({"unit": wanted.name, "answers": [one.as_data() for one in judged]})
    else:
        _report(wanted, judged)
    answers.refuse()
    if not all_right(judged):
        raise ExitError(FAILED)


def _report(wanted: "Unit", judged: "Sequence[Judged]") -> None:
    right = sum(one.verdict is Verdict.RIGHT for one in judged)
    say(f"{wanted.name}: {right} of {len(judged)} right", "")
    width = max(len(one.exercise.name) for one in judged)
    for one in judged:
        said = "" if one.value is None else one.exercise.show(one.value)
        line = f"{one.exercise.name:<{width}}  {one.verdict.value:<8}  {said}"
        line += f": {one.reason}" if one.reason else ""
        say(*_paragraph(line.rstrip(), 0, width + 12))


def _write(wanted: "Unit", folder: Path, *, force: bool, as_json: bool) -> None:
    files = files_of(wanted)
    for file, text in files.items():
        require_file("--out", folder / file, text.encode().__eq__, force=force)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            write_text(folder / file, text)
    except OSError as error:
        raise unwritable("--out", Path(error.filename or folder), error) from error
    if as_json:
        say_json({"name": wanted.name, "files": [str(folder / file) for file in files]})
        return
    say(*(f"written to {folder / file}" for file in files), "")
    say(f"now: cellway lab {folder / wanted.setting}")


def _paragraph(text: str, indent: int, more: int) -> list[str]:
    """A sentence as lines of a page, or of the terminal if that is narrower."""
    return wrapped(text, indent, more, min(room() or MOST_COLUMNS, MOST_COLUMNS))
