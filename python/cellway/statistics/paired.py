"""Differences of schemes that were tried under the same chances: the paired t interval.

With common random numbers replication r of two schemes sees the same arrivals, so that their difference
varies less than they do.
Source: Law, Simulation Modeling and Analysis, sections 10.2.1 and 11.2.
"""

from collections.abc import Mapping, Sequence

from cellway.statistics.intervals import CONFIDENCE, Estimate, estimate

PAIRED_T = "paired t"


def paired_difference(
    first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE
) -> Estimate:
    """Mean and half-width of ``second - first``, pair by pair.

    Raises:
        ValueError: not equally many values, or none.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} values; pairs are needed")
    found = estimate([b - a for a, b in zip(first, second, strict=True)], confidence)
    return Estimate(found.mean, found.half_width, found.n, PAIRED_T)


def compare_to_first(
    columns: Mapping[str, Sequence[float]], confidence: float = CONFIDENCE
) -> dict[str, Estimate]:
    """The difference of every other scheme from the first; the intervals hold together (Bonferroni).

    Args:
        columns: per scheme its values, replication by replication; two schemes at least.
        confidence: that all the intervals hold at once.

    Raises:
        ValueError: fewer than two schemes, or not equally many values.
    """
    if len(columns) < 2:  # noqa: PLR2004
        raise ValueError("one scheme alone cannot be compared; two or more are needed")
    first, *others = columns
    each = 1.0 - (1.0 - confidence) / len(others)
    return {other: paired_difference(columns[first], columns[other], each) for other in others}
