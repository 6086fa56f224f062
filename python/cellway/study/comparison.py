"""Two studies side by side: the same response at equal levels, by pairs of equal seeds."""

from dataclasses import dataclass
from typing import Any

from cellway.errors import StudyError
from cellway.statistics import CONFIDENCE, Estimate, bonferroni, estimate, paired_difference
from cellway.study.responses import Response
from cellway.study.results import EXPLAINED, Results


@dataclass(frozen=True)
class Difference:
    """One response at one setting of the factors.

    Attributes:
        parameters: the levels, by factor, as the first study orders them.
        first: the mean of the first study over the pairs, in the unit of the response.
        second: that of the second.
        change: the mean of ``second - first``; its interval holds together with those of all other
            settings (Bonferroni). Without a half-width when there is one pair, when both are
            deterministic, so that the difference is exact, when no pair differs, or when no run is
            needed.
    """

    parameters: dict[str, Any]
    first: float
    second: float
    change: Estimate

    def as_data(self) -> dict[str, Any]:
        """For JSON: the levels, both means, and the difference with its half-width."""
        return {
            "parameters": self.parameters,
            "first": self.first,
            "second": self.second,
            "difference": self.change.mean,
            "half_width": self.change.half_width,
            "n": self.change.n,
            "method": self.change.method,
        }


@dataclass(frozen=True)
class Comparison:
    """One response of two studies.

    Attributes:
        response: as the first study has it; the second has one of the same name and unit.
        differences: by setting, in the order of the first study, without those that have no pair.
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
        """For JSON: the response, and its difference at every setting."""
        return {
            "name": self.response.name,
            "unit": self.response.unit,
            "points": [one.as_data() for one in self.differences],
            "not_compared": list(self.unpaired),
        }


def compare(first: Results, second: Results) -> list[Comparison]:
    """The second study minus the first, response by response, wherever both have the same levels.

    Raises:
        StudyError: the studies vary other factors, or share no setting or no response.
    """
    points = _shared_points(first, second)
    there = {
        (response.name, response.unit, response.explained) for response in second.study.responses
    }
    shared = [one for one in first.study.responses if (one.name, one.unit, one.explained) in there]
    if not shared:
        have = " and ".join(
            ", ".join(f"{one.name} in {one.unit}" for one in results.study.responses)
            for results in (first, second)
        )
        raise StudyError(f"no response is in both studies with its unit; they have {have}")
    return [_comparison(response, first, second, points) for response in shared]


def _shared_points(first: Results, second: Results) -> list[tuple[int, int]]:
    """The places of every setting that both studies have."""
    ours, theirs = (
        [factor.name for factor in results.study.factors] for results in (first, second)
    )
    if sorted(ours) != sorted(theirs):
        raise StudyError(
            f"the studies vary {', '.join(ours) or 'nothing'} and "
            f"{', '.join(theirs) or 'nothing'}; the same factors are expected"
        )
    known = {_setting(condition.parameters): at for at, condition in enumerate(second.conditions)}
    points = [
        (at, known[setting])
        for at, condition in enumerate(first.conditions)
        if (setting := _setting(condition.parameters)) in known
    ]
    if not points:
        raise StudyError(
            "the studies have no setting of their factors in common; equal levels are expected"
        )
    return points


def _setting(parameters: Any) -> str:  # noqa: ANN401
    return repr(sorted(parameters.items()))


def _comparison(
    response: Response, first: Results, second: Results, points: list[tuple[int, int]]
) -> Comparison:
    pairs = [_pairs(response.name, first, second, at) for at in points]
    exact = [first.deterministic(at) and second.deterministic(there) for at, there in points]
    compared = sum(
        len(ours) > 1 and not known for (ours, _), known in zip(pairs, exact, strict=True)
    )
    each = bonferroni(CONFIDENCE, max(compared, 1))
    differences, unpaired = [], []
    for (at, _), (ours, theirs), known in zip(points, pairs, exact, strict=True):
        parameters = dict(first.conditions[at].parameters)
        if not ours:
            unpaired.append(parameters)
            continue
        means = estimate(ours).mean, estimate(theirs).mean
        change = (
            Estimate(means[1] - means[0], None, 0, EXPLAINED)
            if response.explained
            else paired_difference(theirs, ours, each, deterministic=known)
        )
        differences.append(Difference(parameters, *means, change))
    models = first.models, second.models
    return Comparison(response, tuple(differences), tuple(unpaired), models)


def _pairs(
    name: str, first: Results, second: Results, points: tuple[int, int]
) -> tuple[list[float], list[float]]:
    """The numbers of both at a setting, in the order of the seeds that both have."""
    studies = list(zip((first, second), points, strict=True))
    if first.response(name).explained:
        ours, theirs = (results.values(name, at) for results, at in studies)
        return ours, theirs
    numbers = [
        {
            record.seed: value
            for record in results.runs[at]
            if (value := results.response(name).shown(record.metrics)) is not None
        }
        for results, at in studies
    ]
    seeds = sorted(numbers[0].keys() & numbers[1].keys())
    return [numbers[0][seed] for seed in seeds], [numbers[1][seed] for seed in seeds]
