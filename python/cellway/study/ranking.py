"""Order of a factor's levels by a response, with differences that hold for all pairs of levels."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellway.statistics import Estimate, bonferroni, difference, exponential
from cellway.study import point_runs
from cellway.study.analysis import settings
from cellway.study.results import Results


@dataclass(frozen=True)
class Ranking:
    """Levels of a factor at one setting of the others.

    Attributes:
        others: the levels of the other factors.
        means: by level, the highest first, in the unit of the response.
        differences: of the highest level less each other one, and of each other one less the
            lowest; with `transform` ratios.
    """

    others: Mapping[str, Any]
    means: Mapping[str, Estimate]
    differences: Mapping[tuple[str, str], Estimate]


def rankings(results: Results, name: str, factor: str) -> list[Ranking]:
    """Order of the levels of a factor, at each setting at which two or more have two runs.

    The highest level is found from the same runs as its difference to the next. So all pairs of
    levels of a setting share the risk (Bonferroni), and the interval holds for any pair.
    """
    confidence = results.study.confidence_of_comparison
    found = []
    for others, points in settings(results.conditions, factor):
        means = {level: results.estimate(name, at) for level, at in points.items()}
        known = {level: one for level, one in means.items() if one is not None}
        columns = {level: _column(results, name, points[level]) for level in known}
        fewest = min((len(one) - one.count(None) for one in columns.values()), default=0)
        if len(known) < len(points) or len(points) < 2 or fewest < 2:  # noqa: PLR2004
            continue
        order = sorted(known, key=lambda level: -known[level].mean)
        each = bonferroni(confidence, math.comb(len(order), 2))
        pairs = {(order[0], one): None for one in order[1:]}
        pairs |= {(one, order[-1]): None for one in order[:-1]}
        differences = {}
        for one, other in pairs:
            is_exact = results.deterministic(points[one]) and results.deterministic(points[other])
            change = difference(columns[one], columns[other], each, deterministic=is_exact)
            is_ratio = results.response(name).transform is not None
            differences[one, other] = exponential(change) if is_ratio else change
        found.append(Ranking(others, {level: known[level] for level in order}, differences))
    return found


def _column(results: Results, name: str, point: int) -> Sequence[float | None]:
    response = results.response(name)
    stored = point_runs.numbers_by_replication(results.runs[point], response.definition)
    return [response.for_statistics(value) for value in stored]
