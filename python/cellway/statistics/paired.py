"""Comparing alternatives that ran with the same seeds.

Source: Jain, The Art of Computer Systems Performance Analysis, section 13.4.1 (paired observations); Law,
section 10.2.1 and, for several alternatives against a standard, 10.3.1 with Bonferroni's inequality. With
common random numbers the values of one replication belong together, and the interval is that of their
differences.
"""

from collections.abc import Mapping, Sequence

from cellway.statistics.intervals import CONFIDENCE, Estimate, bonferroni, estimate


def paired_difference(
    first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE
) -> Estimate:
    """The mean of ``first - second`` and its half-width.

    Args:
        first: one value per replication.
        second: the values of the same replications under the other alternative, in the same order.
        confidence: between 0 and 1, exclusive.

    Raises:
        ValueError: none or unequal numbers of values, one that is not finite, or a confidence out of range.
    """
    return _difference(first, second, confidence, "paired t")


def compare_to_first(
    columns: Mapping[str, Sequence[float]], confidence: float = CONFIDENCE
) -> dict[str, Estimate]:
    """Each alternative minus the first, with intervals that all hold together.

    Args:
        columns: one value per replication for each alternative, replications in the same order; the first is
            what the others are compared with.
        confidence: that all intervals hold together.

    Returns:
        By alternative, the first left out: the mean of ``alternative - first`` and its half-width.

    Raises:
        ValueError: fewer than two alternatives, or what `paired_difference` refuses.
    """
    names = list(columns)
    if len(names) < 2:  # noqa: PLR2004
        raise ValueError("nothing to compare; give at least two alternatives")
    base, *others = names
    each = bonferroni(confidence, len(others))
    method = "paired t" if len(others) == 1 else f"paired t, Bonferroni over {len(others)}"
    return {name: _difference(columns[name], columns[base], each, method) for name in others}


def _difference(first: Sequence[float], second: Sequence[float], confidence: float, method: str) -> Estimate:
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} values do not pair; run both with the same seeds")
    return estimate([a - b for a, b in zip(first, second, strict=True)], confidence, method=method)
