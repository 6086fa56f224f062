"""Differences between the levels of a compared factor, judged by a rule for replications."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cellway.statistics import DifferenceRule, Judged, Verdict, judge
from cellway.study.analysis import settings
from cellway.study.plan import Condition

if TYPE_CHECKING:
    from cellway.study.responses import Response
    from cellway.study.results import Results
    from cellway.study.study import Study

Values = Callable[[str, int], Sequence[float]]
"""Numbers of a response at a point, by replication; logarithms where it has a `transform`."""


def compared_points(study: "Study", conditions: Sequence[Condition]) -> list[dict[str, int]]:
    """For each setting of the other factors the point of each level of the compared one."""
    assert study.compared is not None  # noqa: S101 - `Study` refuses the rule without it
    return [points for _, points in settings(conditions, study.compared)]


def judged(
    points: Mapping[str, int],
    responses: Sequence["Response"],
    count: int,
    values: Values,
    rule: DifferenceRule,
) -> Judged | None:
    """Judgement of a setting; `None` where a run has no number, or nothing is compared."""
    names = [one.name for one in responses]
    samples = {name: {key: values(name, at) for key, at in points.items()} for name in names}
    if len(points) < 2 or not names or count < 2:  # noqa: PLR2004
        return None
    if any(len(found) != count for levels in samples.values() for found in levels.values()):
        return None
    return judge(samples, rule, {one.name for one in responses if one.transform})


def undecided(results: "Results") -> Iterator[tuple[dict[str, Any], str, str, Judged]]:
    """Differences that the most replications left undecided.

    Yields:
        The levels of the other factors, the response, the level, and the judgement of the setting.
    """
    rule, factor = results.study.replications, results.study.compared
    if not isinstance(rule, DifferenceRule) or factor is None:
        return
    simulated = [one for one in results.study.responses if not one.explained]

    def values(name: str, point: int) -> list[float]:
        response = results.response(name)
        numbers = (response.judged(one.metrics) for one in results.runs[point])
        return [number for number in numbers if number is not None]

    for others, points in settings(results.conditions, factor):
        count = min(len(results.runs[at]) for at in points.values())
        found = judged(points, simulated, count, values, rule)
        if found is not None and found.verdict is Verdict.AT_MOST:
            for name, level in found.undecided:
                yield others, name, level, found
