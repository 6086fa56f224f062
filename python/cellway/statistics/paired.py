"""Comparing alternatives that ran with the same seeds.

Source: Jain, The Art of Computer Systems Performance Analysis, section 13.4.1 (paired
observations); Law, section 10.2.1 and, for several alternatives against a standard, 10.3.1 with
Bonferroni's inequality. With common random numbers the values of one replication belong together,
and the interval is that of their differences. Where both alternatives are deterministic the
difference is exact, and has no interval.
"""

from collections.abc import Collection, Mapping, Sequence

from cellway.statistics.intervals import CONFIDENCE, Estimate, bonferroni, estimate


def paired_difference(
    first: Sequence[float],
    second: Sequence[float],
    confidence: float = CONFIDENCE,
    *,
    deterministic: bool = False,
) -> Estimate:
    """The mean of ``first - second`` and its half-width.

    Args:
        first: one value per replication.
        second: the values of the same replications under the other alternative, in the same order.
        confidence: between 0 and 1, exclusive.
        deterministic: whether the runs of each alternative are known to be identical.

    Raises:
        ValueError: none or unequal numbers of values, one that is not finite, or a confidence out
            of range.
    """
    return _difference(first, second, confidence, "paired t", deterministic=deterministic)


def compare_to_first(
    columns: Mapping[str, Sequence[float]],
    confidence: float = CONFIDENCE,
    *,
    deterministic: Collection[str] = (),
) -> dict[str, Estimate]:
    """Each alternative minus the first, with intervals that all hold together.

    Args:
        columns: one value per replication for each alternative, replications in the same order; the
            first is what the others are compared with.
        confidence: that all intervals hold together; an exact difference has none and counts for
            none.
        deterministic: the alternatives whose runs are known to be identical.

    Returns:
        By alternative, the first left out: the mean of ``alternative - first`` and its half-width.

    Raises:
        ValueError: fewer than two alternatives, or what `paired_difference` refuses.
    """
    names = list(columns)
    if len(names) < 2:  # noqa: PLR2004
        raise ValueError("nothing to compare; give at least two alternatives")
    base, *others = names
    exact = [name for name in others if base in deterministic and name in deterministic]
    intervals = max(len(others) - len(exact), 1)
    each = bonferroni(confidence, intervals)
    method = "paired t" if intervals == 1 else f"paired t, Bonferroni over {intervals}"
    return {
        name: _difference(columns[name], columns[base], each, method, deterministic=name in exact)
        for name in others
    }


def _difference(
    first: Sequence[float],
    second: Sequence[float],
    confidence: float,
    method: str,
    *,
    deterministic: bool,
) -> Estimate:
    if len(first) != len(second):
        raise ValueError(
            f"{len(first)} and {len(second)} values do not pair; run both with the same seeds"
        )
    differences = [a - b for a, b in zip(first, second, strict=True)]
    return estimate(differences, confidence, method=method, deterministic=deterministic)
