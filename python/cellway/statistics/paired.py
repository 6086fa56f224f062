"""Comparison of alternatives that ran with the same seeds.

Source: Jain, The Art of Computer Systems Performance Analysis, section 13.4.1 (paired
observations); Law, section 10.2.1 and, for several alternatives against a standard, 10.3.1 with
Bonferroni's inequality. With common random numbers the values of one replication belong together,
and the interval is that of their differences. Where both alternatives are deterministic the
difference is exact, and has no interval.

Alternatives under a stopping rule have unequal numbers of replications. Pairs count while they are
at least half of the replications of the alternative that has more. Else all replications of both
do, by B. L. Welch, "The generalization of 'Student's' problem when several different population
variances are involved", Biometrika 34 (1947), with Satterthwaite's degrees of freedom: Law, section
10.2.2. Seeds that both have then make the interval wider than it need be, not too narrow.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from cellway.statistics.intervals import CONFIDENCE, Estimate, bonferroni, estimate, student_t
from cellway.statistics.repeats import ALL_THE_SAME, DETERMINISTIC, equal


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
        deterministic: true if the runs of each alternative are known to be identical.

    Raises:
        ValueError: none or unequal numbers of values, one that is not finite, or a confidence out
            of range.
    """
    if len(first) != len(second):
        raise ValueError(
            f"{len(first)} and {len(second)} values do not pair; run both with the same seeds"
        )
    differences = [a - b for a, b in zip(first, second, strict=True)]
    return estimate(differences, confidence, method="paired t", deterministic=deterministic)


def unpaired_difference(
    first: Sequence[float],
    second: Sequence[float],
    confidence: float = CONFIDENCE,
    *,
    deterministic: bool = False,
) -> Estimate:
    """Mean of `first` less that of `second`, of all values of both, by Welch's t.

    Args:
        first: one value per replication, at least two.
        second: values of the other alternative, in any number.
        confidence: between 0 and 1, exclusive.
        deterministic: true if the runs of each alternative are known to be identical.

    Returns:
        An estimate whose n is the number of all values; without a half-width where neither varies.

    Raises:
        ValueError: fewer than two values of either, one that is not finite, or a confidence out of
            range.
    """
    if min(len(first), len(second)) < 2:  # noqa: PLR2004
        raise ValueError(f"{len(first)} and {len(second)} values; Welch's t needs two of each")
    means = [estimate(values, confidence).mean for values in (first, second)]
    count = len(first) + len(second)
    difference = means[0] - means[1]
    if equal(first) and equal(second):
        return Estimate(difference, None, count, DETERMINISTIC if deterministic else ALL_THE_SAME)
    errors = [
        math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)
        for values, mean in zip((first, second), means, strict=True)
    ]
    total = sum(errors)
    free = total**2 / sum(
        error**2 / (len(values) - 1) for error, values in zip(errors, (first, second), strict=True)
    )
    return Estimate(difference, student_t(free, confidence) * math.sqrt(total), count, "Welch t")


def difference(
    first: Sequence[float | None],
    second: Sequence[float | None],
    confidence: float = CONFIDENCE,
    *,
    deterministic: bool = False,
) -> Estimate:
    """Mean of ``first - second``: by pairs where these are many, else of all replications.

    Args:
        first: one value per replication, `None` for those without.
        second: values of the other alternative, in the same order; it may have more or fewer.
        confidence: between 0 and 1, exclusive.
        deterministic: true if the runs of each alternative are known to be identical.

    Raises:
        ValueError: neither a pair nor two values of each, or what the other two refuse.
    """
    ours, theirs = ([value for value in values if value is not None] for values in (first, second))
    pairs = [(a, b) for a, b in zip(first, second, strict=False) if a is not None and b is not None]
    few = min(len(ours), len(theirs)) < 2  # noqa: PLR2004
    if few or (len(pairs) > 1 and 2 * len(pairs) >= max(len(ours), len(theirs))):
        found = paired_difference(
            [a for a, _ in pairs], [b for _, b in pairs], confidence, deterministic=deterministic
        )
        return replace(found, left_out=len(ours) + len(theirs) - 2 * len(pairs))
    return unpaired_difference(ours, theirs, confidence, deterministic=deterministic)


def compare_to_first(
    columns: Mapping[str, Sequence[float | None]],
    confidence: float = CONFIDENCE,
    *,
    deterministic: Collection[str] = (),
) -> dict[str, Estimate]:
    """Differences of each alternative from the first, with intervals that all hold together.

    Args:
        columns: one value per replication for each alternative, replications in the same order,
            `None` where one has none; the others are compared with the first.
        confidence: that all intervals hold together; an exact difference has none and counts for
            none.
        deterministic: the alternatives whose runs are known to be identical.

    Returns:
        By alternative, the first left out: the mean of ``alternative - first`` and its half-width.

    Raises:
        ValueError: fewer than two alternatives, or what `difference` refuses.
    """
    names = list(columns)
    if len(names) < 2:  # noqa: PLR2004
        raise ValueError("nothing to compare; give at least two alternatives")
    base, *others = names
    exact = [name for name in others if base in deterministic and name in deterministic]
    intervals = max(len(others) - len(exact), 1)
    each = bonferroni(confidence, intervals)
    found = {
        name: difference(columns[name], columns[base], each, deterministic=name in exact)
        for name in others
    }
    if intervals == 1:
        return found
    together = f", Bonferroni over {intervals}"
    return {
        name: one if one.repeated else replace(one, method=one.method + together)
        for name, one in found.items()
    }
