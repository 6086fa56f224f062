"""Verdicts on answers, one by one."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cellway.course.answers import Answers
from cellway.course.exercise import Exercise, Unit, Value
from cellway.course.quantities import dimension

_FACTORS = (
    (8.0, ("B",), "eight times too large: are these bits, where bytes are asked for?"),
    (1 / 8, ("bit/s",), "an eighth of it: are these bytes per second, where bits are asked for?"),
    (8.0, ("bit/s",), "eight times too large: were bits multiplied by 8 once more?"),
    (100.0, ("1",), 'a hundred times too large: per cent are written with their sign, "25 %"'),
    (1 / 8, ("B",), "an eighth of it: were bytes divided by 8 once more?"),
)
"""Mistakes in a dimension that no exercise needs to list."""
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6)


class Verdict(StrEnum):
    """A verdict on an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    MISSING = "missing"
    UNREAD = "not read"


@dataclass(frozen=True)
class Judged:
    """An answer with its verdict.

    Attributes:
        exercise: the question.
        verdict: *not read* where the file has a fault.
        value: in base units; `None` for an answer that is missing or not read.
        reason: the misconception, or the direction of the error; empty unless wrong.
    """

    exercise: Exercise
    verdict: Verdict
    value: Value | None = None
    reason: str = ""

    def as_data(self) -> dict[str, Any]:
        """The verdict for JSON; the right answer is not in it."""
        return {
            "exercise": self.exercise.name,
            "verdict": self.verdict.value,
            "answer": None if self.value is None else self.exercise.show(self.value),
            "reason": self.reason or None,
        }


def judge(unit: Unit, answers: Answers) -> list[Judged]:
    """Verdicts on all exercises of a unit, in their order."""
    return [_judged(one, answers) for one in unit.exercises]


def all_right(judged: Sequence[Judged]) -> bool:
    """True if no answer is wrong, missing or not read."""
    return all(one.verdict is Verdict.RIGHT for one in judged)


def _judged(exercise: Exercise, answers: Answers) -> Judged:
    if exercise.name in answers.unread:
        return Judged(exercise, Verdict.UNREAD)
    value = answers.values.get(exercise.name)
    if value is None:
        return Judged(exercise, Verdict.MISSING)
    if exercise.accepts(value):
        return Judged(exercise, Verdict.RIGHT, value)
    return Judged(exercise, Verdict.WRONG, value, reason_of(exercise, value))


def reason_of(exercise: Exercise, value: Value) -> str:
    """The reason of a wrong answer: a known mistake, a factor of units, or the direction."""
    if mistake := exercise.mistake(value):
        return mistake.reason
    right = exercise.right()
    if isinstance(value, str) or isinstance(right, str):
        return ""
    kind = dimension(exercise.unit)
    for factor, kinds, reason in _FACTORS:
        if kind in kinds and exercise.near(value, right * factor):
            return reason
    if any(exercise.near(value, right * factor) for factor in _PREFIXES):
        return "a power of a thousand away: look at the prefix of the unit"
    if exercise.near(value, -right):
        return "the sign is the other one"
    return "too large" if value > right else "too small"
