"""Files of answers: TOML, one value for each exercise, by its name.

cells = "5 cell"
fairness = 0.25
queue = "tail"
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cellway.course.exercise import Exercise, Unit, Value
from cellway.course.lines import AnswersError, load_lines
from cellway.course.quantities import example, read_number
from cellway.errors import Fault
from cellway.text.document import Table, in_backticks
from cellway.text.nearest import did_you_mean


@dataclass(frozen=True)
class Answers:
    """A file of answers, read.

    Attributes:
        values: by the names of exercises; numbers in base units.
        faults: of the file, in its order: unknown names, and values that cannot be read.
        unread: names of exercises whose value is at fault.
    """

    values: Mapping[str, Value]
    faults: tuple[Fault, ...]
    unread: frozenset[str]

    def refuse(self) -> None:
        """Raises the faults, if there are any.

        Raises:
            AnswersError: with all of them.
        """
        if self.faults:
            raise AnswersError.of(self.faults)


def read_answers(path: Path, unit: Unit) -> Answers:
    """Reads a file of answers to a unit; faulty lines and values do not hinder the others.

    Raises:
        AnswersError: it is not TOML in UTF-8, not even without faulty lines, or longer than 1 MiB.
        OSError: it cannot be read.
    """
    document, faults, unread = load_lines(path)
    exercises = {one.name: one for one in unit.exercises}
    values: dict[str, Value] = {}
    for name, said in document.content.items():
        try:
            if name in exercises:
                values[name] = _value(document, exercises[name], said)
            else:
                _unknown(document, unit, name)
        except AnswersError as error:
            faults += error.faults
            unread.add(name)
    faults.sort(key=lambda fault: (fault.line, fault.column))
    return Answers(values, tuple(faults), frozenset(unread) & {*exercises})


def template(unit: Unit) -> str:
    """A file of answers to fill in: every name behind a comment sign, with the form of a value."""
    lines = [
        f"# Answers to the unit {unit.name}. Take the comment sign away where you answer.",
        "# The values are examples, with the unit that is asked for.",
        "#",
    ]
    lines.append(f"#   cellway course {unit.name} --check {unit.name}-answers.toml")
    lines.append("")
    lines += (f"# {one.name} = {form(one)}" for one in unit.exercises)
    return "\n".join([*lines, ""])


def form(exercise: Exercise) -> str:
    """The form of an answer: an example with another value, or the accepted words."""
    if exercise.words:
        return " or ".join(f'"{word}"' for word in exercise.words)
    return example(exercise.unit)


def _value(document: Table, exercise: Exercise, said: object) -> Value:
    name = exercise.name
    if isinstance(said, str):
        said = " ".join(said.split())
    if not exercise.words:
        try:
            return read_number(said, exercise.unit)
        except ValueError as error:
            document.fail(f"`{name}` is {error}", name)
    if said not in exercise.words:
        document.fail(f"`{name}` is {said!r}; expected one of {in_backticks(exercise.words)}", name)
    return str(said)


def _unknown(document: Table, unit: Unit, name: str) -> None:
    known = [one.name for one in unit.exercises]
    near = did_you_mean(name, known)
    document.fail(
        f"unknown exercise `{name}`; expected one of {in_backticks(known)}{near}",
        name,
        at_key=True,
    )
