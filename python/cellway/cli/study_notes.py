"""Notes on the scenarios of a study's points, each once, with the levels that have it."""

from collections.abc import Sequence
from pathlib import Path

from cellway.study import Study
from cellway.study.plan import Condition

MOST_POINTS = 500
"""Most points whose scenarios are explained for notes; of more, evenly spread ones."""
MOST_LEVELS = 3
"""Most levels of a factor that are named beside a note; beyond them points are counted."""
MOST_NOTES = 6
"""Most notes that are printed before a study runs."""


def notes_of_study(given: Study, most: int | None = None) -> list[str]:
    """Notes of `explain` on the points of a study, those on all points first.

    Args:
        given: the study; one of another tool's results has no notes.
        most: most points that are explained, evenly spread; `None` for all.

    Raises:
        StudyError: a combination of levels is no scenario.
    """
    if given.imported:
        return []
    points = given.points()
    step = 1 if most is None else -(-len(points) // most)
    conditions = [given.condition(point) for point in points[::step]]
    found: dict[str, list[int]] = {}
    for at, one in enumerate(conditions):
        for line in dict.fromkeys(one.scenario(given.seed).explain()["warnings"]):
            found.setdefault(line, []).append(at)
    everywhere = [line for line, at in found.items() if len(at) == len(conditions)]
    somewhere = [
        f"at {_where(given, conditions, at)}{' looked at' if step > 1 else ''}: {line}"
        for line, at in found.items()
        if len(at) < len(conditions)
    ]
    return [*everywhere, *somewhere]


def first_notes(given: Study, file: Path) -> list[str]:
    """Lines before a study runs: the first notes, and how to see the others; none without notes.

    Raises:
        StudyError: a combination of levels is no scenario.
    """
    notes = notes_of_study(given, MOST_POINTS)
    lines = [f"note: {line}" for line in notes[:MOST_NOTES]]
    left = len(notes) - MOST_NOTES
    more = [f"… and {left} more notes: cellway validate {file}"] if left > 0 else []
    return [*lines, *more, ""] if notes else []


def _where(given: Study, conditions: Sequence[Condition], points: Sequence[int]) -> str:
    """The levels of one factor that exactly these points have; their number if there are none."""
    for factor in given.factors:
        levels = [str(condition.parameters[factor.name]) for condition in conditions]
        here = list(dict.fromkeys(levels[at] for at in points))
        if len(here) <= MOST_LEVELS and sum(level in here for level in levels) == len(points):
            return f"{factor.name} = {' or '.join(here)}"
    return f"{len(points)} of {len(conditions)} points"
