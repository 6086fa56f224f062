"""Texts of a unit: exercises and solutions as paragraphs, for the terminal and for its page."""

import textwrap
from typing import Any

from cellway.course.exercise import Exercise, Unit
from cellway.course.quantities import asked_in

_FIXED = "\N{NO-BREAK SPACE}"


def asked(exercise: Exercise) -> str:
    """The question with the form of its answer, as one paragraph."""
    if exercise.words:
        return f"{exercise.text} Answer: {_whole(exercise.words)}."
    within = f"within {100 * exercise.tolerance:g}{_FIXED}%" if exercise.tolerance else "exactly"
    return f"{exercise.text} Answer: {_together(asked_in(exercise.unit))}, {within}."


def exercises_markdown(unit: Unit) -> str:
    """The part of a page that the program writes: a numbered list of the exercises."""
    items = (
        f"{number}. **{one.name}** — {asked(one)}" for number, one in enumerate(unit.exercises, 1)
    )
    return "\n".join(_wrapped(item) for item in items) + "\n"


def solution_of(exercise: Exercise) -> list[str]:
    """The right answer, the way to it, and the wrong answers with their reasons."""
    right = exercise.show(exercise.right())
    wrong = [f"{exercise.show(one.value())}: {one.reason}" for one in exercise.mistakes]
    return [f"{right}. {exercise.how}", *wrong]


def solution_data(exercise: Exercise) -> dict[str, Any]:
    """The same for JSON; numbers in base units, bytes and seconds among them."""
    return {
        "exercise": exercise.name,
        "answer": exercise.right(),
        "unit": exercise.unit or None,
        "tolerance": exercise.tolerance,
        "how": exercise.how,
        "wrong": [{"answer": one.value(), "reason": one.reason} for one in exercise.mistakes],
    }


def _together(text: str) -> str:
    """A number in words, with its example unbroken at the end of a line."""
    said, quote, shown = text.partition('"')
    return said + quote + shown.replace(" ", _FIXED)


def _whole(words: tuple[str, ...]) -> str:
    """Accepted words, none of them broken at the end of a line."""
    return " or ".join(f'"{word.replace(" ", _FIXED)}"' for word in words)


def _wrapped(item: str) -> str:
    indent = " " * (item.index(" ") + 1)
    return textwrap.fill(
        item, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
