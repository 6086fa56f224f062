"""Exercises of a course unit: a question, its right answer computed, and known mistakes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cellway.course.quantities import number_text

Value = float | str
"""A number in base units, or a word."""
_CLOSE = 1e-9
"""Relative difference that floating point makes."""
_ROUNDED = 0.005
"""Relative difference that rounding to three digits makes, at most."""


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that is often given.

    Attributes:
        value: computes it.
        reason: the misconception behind it.
    """

    value: Callable[[], Value]
    reason: str


@dataclass(frozen=True)
class Exercise:
    """A question with one answer.

    Attributes:
        name: the key in the file of answers.
        text: the question.
        unit: of a number, such as ``"kB"``, ``"Mbit/s of payload"`` or ``"1"``; empty for a word.
        right: computes the answer.
        how: the way to the answer, for the teacher.
        mistakes: wrong answers with their reasons.
        tolerance: accepted relative error of a number.
        words: the accepted words.
    """

    name: str
    text: str
    unit: str
    right: Callable[[], Value]
    how: str
    mistakes: tuple[Mistake, ...]
    tolerance: float = 0.02
    words: tuple[str, ...] = ()

    def accepts(self, value: Value) -> bool:
        """True if `value` is the right answer, within the tolerance."""
        return self.near(value, self.right())

    def near(self, value: Value, other: Value) -> bool:
        """True if two values are the same answer: equal words, or numbers within the tolerance."""
        if isinstance(value, str) or isinstance(other, str):
            return value == other
        return abs(value - other) <= (self.tolerance + _CLOSE) * abs(other)

    def mistake(self, value: Value) -> Mistake | None:
        """The known mistake that gives `value`, the nearest one; `None` if there is none."""
        fitting = [(one, one.value()) for one in self.mistakes]
        fitting = [(one, made) for one, made in fitting if self._alike(value, made)]
        return min(fitting, key=lambda pair: _apart(value, pair[1]))[0] if fitting else None

    def _alike(self, value: Value, other: Value) -> bool:
        """True for equal words and numbers, also where `other` was rounded to three digits."""
        if isinstance(value, str) or isinstance(other, str):
            return value == other
        return abs(value - other) <= max(self.tolerance, _ROUNDED) * abs(other)

    def show(self, value: Value) -> str:
        """A value as an answer has it."""
        return value if isinstance(value, str) else number_text(value, self.unit)


@dataclass(frozen=True)
class Unit:
    """A unit of the course.

    Attributes:
        name: the word behind ``cellway course``, and the name of its page.
        reading: pages to read, below ``docs/``, with their part in it.
        exercises: in the order of the page.
        setting: the scenario of its laboratory, in the folder `settings`.
        files: other files that its exercises need, such as a study, in the same folder.
    """

    name: str
    reading: Mapping[str, str]
    exercises: tuple[Exercise, ...]
    setting: str
    files: tuple[str, ...] = ()


def _apart(value: Value, other: Value) -> float:
    if isinstance(value, str) or isinstance(other, str):
        return 0.0
    return abs(value - other)
