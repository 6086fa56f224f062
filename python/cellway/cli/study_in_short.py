"""A study in sentences: for each response, the factor that changes it most."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from cellway.cli.study_results import verdict
from cellway.cli.text import number
from cellway.plot.study_choice import settings_beside
from cellway.statistics import Estimate
from cellway.study import Factor, Response, Results

_LARGE = 3.0
"""Ratio from which a change is said as a factor."""
_WHOLE = 10.0
"""Percent from which a change has no digits behind the point."""


class Change(NamedTuple):
    """The level of a factor that lies farthest from its first one.

    Attributes:
        level, first: names of the two levels.
        mean, reference: means over the settings of the other factors, in the response's unit.
        apart, settings: settings of the other factors in which the two differ, and all of them.
    """

    factor: str
    level: str
    first: str
    mean: float
    reference: float
    apart: int
    settings: int

    @property
    def size(self) -> float:
        """Change in parts of the larger of the two."""
        return abs(self.mean - self.reference) / max(abs(self.mean), abs(self.reference))


def in_short(results: Results) -> list[str]:
    """A sentence for each simulated response that a factor changes; none for sampled designs."""
    if results.study.sampled or not results.complete:
        return []
    said = []
    for response in results.study.responses:
        found = [
            change
            for factor in results.study.factors
            if not response.explained and (change := _change(results, response, factor)) is not None
        ]
        if found:
            said.append(_sentence(response, max(found, key=lambda one: one.size)))
    return said


def _change(results: Results, response: Response, factor: Factor) -> Change | None:
    """The largest change from the first level; `None` without a number at one of the points."""
    tables = [
        _by_level(results, response, factor, points)
        for points in settings_beside(results, factor).values()
    ]
    first, *others = [str(level.shown) for level in factor.levels]
    if not tables or any(one.keys() != {first, *others} for one in tables):
        return None
    means = {level: fmean(one[level].mean for one in tables) for level in (first, *others)}
    changes = [
        Change(
            factor.name,
            level,
            first,
            means[level],
            means[first],
            _apart(results, response, factor, tables, level),
            len(tables),
        )
        for level in others
        if means[level] or means[first]
    ]
    return max(changes, key=lambda one: one.size, default=None)


def _by_level(
    results: Results, response: Response, factor: Factor, points: list[int]
) -> Mapping[str, Estimate]:
    found = {}
    for point in points:
        level = results.conditions[point].parameters[factor.name]
        estimate = results.estimate(response.name, point)
        if estimate is not None:
            found[str(level)] = estimate
    return found


def _apart(
    results: Results,
    response: Response,
    factor: Factor,
    tables: Sequence[Mapping[str, Estimate]],
    level: str,
) -> int:
    """Settings in which the level differs from the first: by comparisons where the study has them.

    Otherwise two levels differ if their intervals do not meet.
    """
    if factor.name == results.study.compared:
        nothing = 0.0 if response.transform is None else 1.0
        found = [differences for _, differences in results.comparisons(response.name)]
        return sum(level in one and not verdict(one[level], nothing) for one in found)
    first = str(factor.levels[0].shown)
    return sum(_are_apart(one[level], one[first]) for one in tables)


def _are_apart(one: Estimate, other: Estimate) -> bool:
    (low, high), (least, most) = (found.interval or (found.mean,) * 2 for found in (one, other))
    return high < least or most < low


def _sentence(response: Response, change: Change) -> str:
    unit = "" if response.unit == "1" else f" {response.unit}"
    level, first = f"{change.factor} = {change.level}", change.first
    if not change.apart:
        return f"{response.name}: no factor changes it beyond its intervals"
    ends = f"{number(change.reference)} to {number(change.mean)}{unit}"
    by = _by(change.mean, change.reference)
    over = f", mean over {change.settings} settings of the others" if change.settings > 1 else ""
    less = (
        f"; in {change.settings - change.apart} of them no difference is shown"
        if change.apart < change.settings
        else ""
    )
    return f"{response.name}: {by}with {level} against {first} ({ends}{over}{less})"


def _by(mean: float, reference: float) -> str:
    """The change in percent, or as a factor where it is large; empty across or from 0."""
    if min(mean, reference) < 0.0 or reference == 0.0:
        return ""
    ratio = mean / reference
    if ratio > _LARGE:
        return f"{number(ratio, 2)} times as much "
    percent = 100.0 * (ratio - 1.0)
    return f"{percent:+.0f} % " if abs(percent) >= _WHOLE else f"{percent:+.1f} % "
