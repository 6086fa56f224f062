"""Comparison of two studies: the same response at equal levels, by pairs of equal seeds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cellway.statistics import CONFIDENCE, Estimate, bonferroni, difference, estimate
from cellway.study.matching import in_words_of, setting, shared_points, shared_responses
from cellway.study.point_runs import numbers_by_seed
from cellway.study.responses import Response
from cellway.study.results import EXPLAINED, Results


@dataclass(frozen=True)
class Difference:
    """Difference of one response at one setting of the factors.

    Attributes:
        parameters: the levels, by factor, as the first study orders them.
        first: the mean of the first study over the runs that count, in the unit of the response.
        second: the mean of the second study.
        change: the mean of ``second - first``, by pairs or of all runs, as
            `cellway.statistics.difference` decides; its interval holds together with those of all
            other settings (Bonferroni). It has no half-width if there is one pair, if both are
            deterministic, so that the difference is exact, if no pair differs, or if no run is
            needed.
    """

    parameters: dict[str, Any]
    first: float
    second: float
    change: Estimate

    def as_data(self) -> dict[str, Any]:
        """Levels, both means, and the difference with its half-width, for JSON."""
        return {
            "parameters": self.parameters,
            "first": self.first,
            "second": self.second,
            "difference": self.change.mean,
            "half_width": self.change.half_width,
            "n": self.change.n,
            "method": self.change.method,
            "left_out": self.change.left_out,
        }


@dataclass(frozen=True)
class Comparison:
    """Comparison of one response of two studies.

    Attributes:
        response: as the first study has it; the second has one of the same name and unit.
        differences: by setting, in the order of the first study, without settings that have no
            pair.
        unpaired: the settings of both studies that have no pair of equal seeds with a number in
            both.
        models: the models of the simulator that made the runs of the first study, and those of the
            second.
    """

    response: Response
    differences: tuple[Difference, ...]
    unpaired: tuple[dict[str, Any], ...]
    models: tuple[tuple[str, ...], tuple[str, ...]]

    def as_data(self) -> dict[str, Any]:
        """Response, and its difference at every setting, for JSON."""
        return {
            "name": self.response.name,
            "unit": self.response.unit,
            "points": [one.as_data() for one in self.differences],
            "not_compared": list(self.unpaired),
        }


def compare(first: Results, second: Results) -> list[Comparison]:
    """Differences, second study minus first, of each response wherever both have the same levels.

    Raises:
        StudyError: the studies vary other factors, or share no setting or no response.
    """
    points = shared_points(first, second)
    shared = shared_responses(first, second)
    return [_comparison(response, first, second, points) for response in shared]


@dataclass(frozen=True)
class LeftOut:
    """Settings and responses that only one of two studies has, so that nothing compares them.

    Attributes:
        settings: the levels, by factor, of the settings of one study alone.
        responses: names with units of the responses of one study alone.
    """

    settings: tuple[dict[str, Any], ...]
    responses: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        """Settings and responses, for JSON."""
        return {"settings": list(self.settings), "responses": list(self.responses)}


def left_out(first: Results, second: Results) -> tuple[LeftOut, LeftOut]:
    """What the first study has alone, and what the second has alone."""
    second = in_words_of(first, second)
    return _alone(first, second), _alone(second, first)


def _alone(one: Results, other: Results) -> LeftOut:
    there = {setting(condition.parameters) for condition in other.conditions}
    settings = (dict(condition.parameters) for condition in one.conditions)
    responses = {(response.name, response.unit) for response in other.study.responses}
    return LeftOut(
        tuple(levels for levels in settings if setting(levels) not in there),
        tuple(
            f"{response.name} in {response.unit}"
            for response in one.study.responses
            if (response.name, response.unit) not in responses
        ),
    )


def _comparison(
    response: Response, first: Results, second: Results, points: list[tuple[int, int]]
) -> Comparison:
    independent = bool(first.study.imported or second.study.imported)
    numbers = [_by_seed(response.name, first, second, at) for at in points]
    if independent:
        numbers = [_apart(*both) for both in numbers]
    exact = [first.deterministic(at) and second.deterministic(there) for at, there in points]
    compared = sum(
        (_pairs(*both) > 1 or _comparable(*both, independent=independent)) and not known
        for both, known in zip(numbers, exact, strict=True)
    )
    each = bonferroni(CONFIDENCE, max(compared, 1))
    differences, unpaired = [], []
    for (at, _), (ours, theirs), known in zip(points, numbers, exact, strict=True):
        parameters = dict(first.conditions[at].parameters)
        if not (_pairs(ours, theirs) or _comparable(ours, theirs, independent=independent)):
            unpaired.append(parameters)
            continue
        change = difference(theirs, ours, each, deterministic=known)
        if response.explained:
            change = replace(change, n=0, method=EXPLAINED)
        differences.append(Difference(parameters, *_means(ours, theirs, change), change))
    models = first.models, second.models
    return Comparison(response, tuple(differences), tuple(unpaired), models)


def _by_seed(
    name: str, first: Results, second: Results, points: tuple[int, int]
) -> list[list[float | None]]:
    """Numbers of both studies at a setting, by the seeds of either; `None` for a missing one."""
    studies = list(zip((first, second), points, strict=True))
    if first.response(name).explained:
        return [list(results.values(name, at)) for results, at in studies]
    numbers = []
    for results, at in studies:
        response = results.response(name)
        stored = numbers_by_seed(results.runs[at], response.definition)
        numbers.append({seed: response.converted(value) for seed, value in stored.items()})
    seeds = sorted(numbers[0].keys() | numbers[1].keys())
    return [[found.get(seed) for seed in seeds] for found in numbers]


def _apart(
    ours: Sequence[float | None], theirs: Sequence[float | None]
) -> list[list[float | None]]:
    """Numbers of both without pairs: runs of different tools share no random numbers."""
    one, other = ([value for value in side if value is not None] for side in (ours, theirs))
    if min(len(one), len(other)) < 2:  # noqa: PLR2004 - Welch's t needs two of each
        return [list(ours), list(theirs)]
    return [[*one, *[None] * len(other)], [*[None] * len(one), *other]]


def _comparable(
    ours: Sequence[float | None], theirs: Sequence[float | None], *, independent: bool
) -> bool:
    """True if all runs of both count, without pairs."""
    counts = [len(side) - side.count(None) for side in (ours, theirs)]
    return independent and min(counts) >= 2  # noqa: PLR2004


def _pairs(ours: Sequence[float | None], theirs: Sequence[float | None]) -> int:
    return sum(None not in pair for pair in zip(ours, theirs, strict=True))


def _means(
    ours: Sequence[float | None], theirs: Sequence[float | None], change: Estimate
) -> tuple[float, float]:
    """Means of the runs that count: of all, or of pairs if runs without a partner are left out."""
    pairs = zip(ours, theirs, strict=True)
    rows = [pair for pair in pairs if None not in pair or not change.left_out]
    means = [
        estimate([value for value in column if value is not None]).mean
        for column in zip(*rows, strict=True)
    ]
    return means[0], means[1]
