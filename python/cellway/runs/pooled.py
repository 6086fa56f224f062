"""Quantiles over the samples of several distributions together, such as all pages of a family.

A distribution of delays in a summary has its least and greatest sample and, at sixteenths of an
octave, the part of the samples above. A sample between is taken from the middle of its sixteenth,
so a quantile is at most 1/32 too high or too low, apart from interpolation between samples; of
distributions with one or two samples each it is as exact as these.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any


def is_distribution(value: object) -> bool:
    """True for the table of a distribution of delays."""
    return isinstance(value, Mapping) and "samples" in value and isinstance(
        value.get("above"), Sequence
    )  # fmt: skip


def pooled_quantile(distributions: Iterable[Mapping[str, Any]], p: float) -> float | None:
    """Value below which a part `p` of all samples lies, by definition 7 of Hyndman and Fan.

    Args:
        distributions: tables of a summary; each sample of each counts once.
        p: from 0 to 1.

    Returns:
        The quantile in seconds; `None` without samples.
    """
    counts: Counter[float] = Counter()
    for one in distributions:
        counts.update(_samples(one))
    values = sorted(counts)
    until = [*accumulate(counts[value] for value in values)]
    if not until:
        return None
    place = p * (until[-1] - 1)
    below, above = (
        next(value for value, end in zip(values, until, strict=True) if end > rank)
        for rank in (math.floor(place), math.ceil(place))
    )
    return below + (place - math.floor(place)) * (above - below)


def _samples(one: Mapping[str, Any]) -> Counter[float]:
    """Number of samples by value; the least and the greatest are exact."""
    samples = one["samples"]
    if samples < 2:  # noqa: PLR2004
        return Counter([one["max"]][:samples])
    steps = [
        ((low + high) / 2.0, round((more - less) * samples))
        for (low, more), (high, less) in pairwise(one["above"])
        if more > less
    ]
    # The least sample is in the first step and the greatest in the last, also where rounding of a
    # number in the histogram puts it beyond the end of its step.
    ends = Counter([steps[0][0]]) + Counter([steps[-1][0]])
    inside: Counter[float] = Counter()
    for middle, count in steps:
        inside[min(max(middle, one["min"]), one["max"])] += count - ends[middle]
    return +inside + Counter([one["min"], one["max"]])
