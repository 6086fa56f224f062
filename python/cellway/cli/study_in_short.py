"""A study in sentences: for each response, the factor that changes it most."""

import textwrap
from collections.abc import Mapping, Sequence
from enum import Enum
from math import exp, log
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
_LETTERS = 60
"""Most letters of a level."""


class Shown(Enum):
    """Change of a response between two points, as far as their runs show it."""

    MORE = "more"
    LESS = "less"
    NONE = "no difference is shown"
    UNKNOWN = "nothing says how exact the numbers are"


class Change(NamedTuple):
    """A level of a factor against its first one.

    Attributes:
        level, first: names of the two levels.
        mean, reference: means over the settings of the other factors, in the response's unit.
        shown: of each setting.
    """

    factor: str
    level: str
    first: str
    mean: float
    reference: float
    shown: Sequence[Shown]

    @property
    def is_mixed(self) -> bool:
        """True if settings change in different directions, so that a mean says nothing."""
        return {Shown.MORE, Shown.LESS} <= {*self.shown}

    @property
    def is_shown(self) -> bool:
        """True if a setting changes."""
        return bool({Shown.MORE, Shown.LESS} & {*self.shown})

    @property
    def size(self) -> tuple[bool, float]:
        """Order of changes: those in one direction before others, then parts of the larger end."""
        most = max(abs(self.mean), abs(self.reference))
        return not self.is_mixed, abs(self.mean - self.reference) / most if most else 0.0


def in_short(results: Results) -> list[str]:
    """A sentence for each simulated response that intervals say something of.

    Sampled and incomplete designs have none, and neither have single runs.
    """
    if results.study.sampled or not results.complete:
        return []
    said = []
    for response in results.study.responses:
        if change := largest_change(results, response):
            said.append(_sentence(response, change))
        elif _is_unchanged(_all_changes(results, response)):
            said.append(f"{response.name}: no factor changes it beyond its intervals")
    return said


def largest_change(results: Results, response: Response) -> Change | None:
    """The largest change of a response from the first level of a factor that intervals show."""
    shown = [one for one in _all_changes(results, response) if one.is_shown]
    return max(shown, key=lambda one: one.size, default=None)


def _is_unchanged(found: Sequence[Change]) -> bool:
    return bool(found) and all({*one.shown} == {Shown.NONE} for one in found)


def _all_changes(results: Results, response: Response) -> list[Change]:
    if response.explained:
        return []
    factors = results.study.factors
    return [change for factor in factors for change in _changes(results, response, factor)]


def _changes(results: Results, response: Response, factor: Factor) -> list[Change]:
    """Changes from the first level; none if a point has no number."""
    tables = [
        _by_level(results, response, factor, points)
        for points in settings_beside(results, factor).values()
    ]
    first, *others = [str(level.shown) for level in factor.levels]
    if not tables or any(one.keys() != {first, *others} for one in tables):
        return []
    mean = fmean if response.transform is None else _geometric
    means = {level: mean([one[level].mean for one in tables]) for level in (first, *others)}
    compared = _compared(results, response, factor)
    return [
        Change(
            factor.name,
            level,
            first,
            means[level],
            means[first],
            [_between(one[level], one[first]) for one in tables]
            if compared is None
            else [one.get(level, Shown.UNKNOWN) for one in compared],
        )
        for level in others
    ]


def _geometric(values: Sequence[float]) -> float:
    return exp(fmean(map(log, values)))


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


def _compared(
    results: Results, response: Response, factor: Factor
) -> list[dict[str, Shown]] | None:
    """Verdicts of the comparisons of a study, by setting and level; `None` if it has none."""
    if factor.name != results.study.compared:
        return None
    nothing = 0.0 if response.transform is None else 1.0
    tables = [differences for _, differences in results.comparisons(response.name)]
    return [
        {str(level): _judged(found, nothing) for level, found in one.items()} for one in tables
    ] or [{}]


def _judged(difference: Estimate, nothing: float) -> Shown:
    said = verdict(difference, nothing)
    is_single = difference.interval is None and not difference.repeated
    if said == "not judged" or is_single:
        return Shown.UNKNOWN
    if said:
        return Shown.NONE
    return Shown.MORE if difference.mean > nothing else Shown.LESS


def _is_exact(found: Estimate) -> bool:
    """True if it has an interval, or needs none since the seed changes nothing."""
    return found.interval is not None or found.deterministic


def _between(one: Estimate, first: Estimate) -> Shown:
    """Change between two points: they differ if their intervals do not meet."""
    if not (_is_exact(one) and _is_exact(first)):
        return Shown.UNKNOWN
    (low, high), (least, most) = (found.interval or (found.mean,) * 2 for found in (one, first))
    if low > most:
        return Shown.MORE
    return Shown.LESS if high < least else Shown.NONE


def _sentence(response: Response, change: Change) -> str:
    level, first = (textwrap.shorten(one, _LETTERS, placeholder="…") for one in change[1:3])
    there = f"with {change.factor} = {level} instead of {first}"
    count = len(change.shown)
    if change.is_mixed:
        more, less = (change.shown.count(one) for one in (Shown.MORE, Shown.LESS))
        return f"{response.name} is more in {more} and less in {less} of {count} settings {there}"
    unit = "" if response.unit == "1" else f" {response.unit}"
    ends = f"{number(change.reference)} to {number(change.mean)}{unit}"
    over = f", in the mean over {count} settings of the others" if count > 1 else ""
    least = [
        f"; in {times} of them {kind.value}"
        for kind, times in (
            (kind, change.shown.count(kind)) for kind in (Shown.NONE, Shown.UNKNOWN)
        )
        if times
    ]
    change_by = by(change.mean, change.reference)
    return f"{response.name} goes from {ends}{change_by} {there}{over}{''.join(least)}"


def by(mean: float, reference: float) -> str:
    """The change in percent, or as a factor where it is large; empty across or from 0."""
    if min(mean, reference) < 0.0 or reference == 0.0:
        return ""
    ratio = mean / reference
    if ratio > _LARGE:
        return f" ({number(ratio, 2)} times as much)"
    percent = 100.0 * (ratio - 1.0)
    return f" ({percent:+.0f} %)" if abs(percent) >= _WHOLE else f" ({percent:+.1f} %)"
