"""Stopping rule over a comparison: replicate until differences from the first level are decided.

A difference is decided when its interval excludes 0, or is narrow enough. The samples are looked at
several times, and the rule stops at the first look at which all are decided. Intervals of 95 % at
each look would then hold together in about 80 % of studies only, because each look is a chance of
an error. So looks share the risk: K looks are fixed in advance, and each interval has the
confidence ``1 - alpha / (K · m)`` for m differences. All intervals of all looks hold together with
``1 - alpha``, whatever their dependence, also at the look where the rule stops.

Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials",
Biometrika 70 (1983): a risk that is spent over the looks, here the same at each, with Bonferroni's
inequality in place of their joint distribution, so that Student's t is exact for normal
differences. Law, section 10.3.1, for several alternatives against a standard.

Looks are at `min`, and each at half as many again as the one before, the last at `max`: 9 looks
from 5 to 100. An interval of 100 replications is 1.4 times as wide as one of a single look.

Differences that are all the same have no interval and do not count, as in `stopping`.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from cellway.statistics.intervals import CONFIDENCE, Estimate, bonferroni, check_confidence
from cellway.statistics.paired import paired_difference

GROWTH = 1.5
"""Ratio of the replications of two looks."""


class Verdict(StrEnum):
    """Next step of the rule."""

    DECIDED = "decided"
    UNVARIED = "no difference varies"
    MORE = "more"
    AT_MOST = "stopped at most"
    """The most replications allowed left a difference undecided."""


class Finding(StrEnum):
    """Judgement of one difference, a level minus the first one."""

    MORE = "more"
    LESS = "less"
    NARROW = "narrow"
    """The interval contains 0, and is as narrow as the rule asks."""
    OPEN = "not decided"


@dataclass(frozen=True)
class DifferenceRule:
    """Rule for replications: each difference from the first level excludes 0 or is narrow.

    Attributes:
        half_width: the half-width that is narrow enough, as a share of the mean of the first level;
            positive.
        min: replications at the first look, at least 2.
        max: replications at the last look.
        confidence: that the intervals of all looks and differences hold together.

    Raises:
        ValueError: a number out of its range.
    """

    half_width: float
    min: int = 5
    max: int = 100
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        if not 0.0 < self.half_width < math.inf:
            raise ValueError(f"half-width {self.half_width} is out of range; it is positive")
        if self.min < 2:  # noqa: PLR2004
            raise ValueError(f"at least {self.min} replications give no interval; take 2 or more")
        if self.max < self.min:
            raise ValueError(f"at most {self.max} replications are fewer than at least {self.min}")
        check_confidence(self.confidence)

    @cached_property
    def looks(self) -> tuple[int, ...]:
        """Numbers of replications at which the rule judges."""
        found = [self.min]
        while found[-1] < self.max:
            found.append(min(math.ceil(GROWTH * found[-1]), self.max))
        return tuple(found)

    def each(self, differences: int) -> float:
        """Confidence of the interval of each of so many differences at each look."""
        return bonferroni(self.confidence, len(self.looks) * differences)

    def finding(self, found: Estimate, first: float) -> Finding:
        """Judgement of a difference with its interval, where the first level has the mean `first`.

        A difference that is the same in all pairs is its own interval. One of logarithms has no
        such mean: `first` is 1, and the half-width is the share by which a ratio may be off.
        """
        if found.half_width is None and not found.repeated:
            return Finding.OPEN
        width = found.half_width or 0.0
        if abs(found.mean) > width:
            return Finding.MORE if found.mean > 0.0 else Finding.LESS
        return Finding.NARROW if width <= self.half_width * abs(first) else Finding.OPEN


@dataclass(frozen=True)
class Judged:
    """Judgement of the replications so far.

    Attributes:
        verdict: the next step.
        replications: their number so far.
        suggested: the total number to run before asking again; `replications` unless `verdict` is
            MORE.
        differences: by response and level, the mean of ``level - first`` with its interval.
        undecided: responses and levels whose difference is not decided.
    """

    verdict: Verdict
    replications: int
    suggested: int
    differences: Mapping[tuple[str, str], Estimate]
    undecided: tuple[tuple[str, str], ...]


def judge(
    samples: Mapping[str, Mapping[str, Sequence[float]]],
    rule: DifferenceRule,
    logarithms: Collection[str] = (),
) -> Judged:
    """Judges the replications so far.

    Args:
        samples: for each response and level one number per replication, equally many and in the
            same order of replications; the first level is that which the others are compared with.
        rule: what must be decided.
        logarithms: responses whose numbers are logarithms, so that differences are ratios.

    Raises:
        ValueError: nothing to compare, unequal numbers of values, or one that is not finite.
    """
    pairs = {
        (name, level): (values, next(iter(levels.values())))
        for name, levels in samples.items()
        for level, values in [*levels.items()][1:]
    }
    if not pairs:
        raise ValueError("nothing to compare; give a response with at least two levels")
    count = len(next(iter(pairs.values()))[0])
    each = rule.each(len(pairs))
    differences = {key: paired_difference(*both, each) for key, both in pairs.items()}
    undecided = tuple(
        key
        for key, found in differences.items()
        if rule.finding(found, 1.0 if key[0] in logarithms else math.fsum(pairs[key][1]) / count)
        is Finding.OPEN
    )
    if not undecided and count >= rule.min:
        varies = any(not found.repeated for found in differences.values())
        verdict = Verdict.DECIDED if varies else Verdict.UNVARIED
        return Judged(verdict, count, count, differences, ())
    later = [look for look in rule.looks if look > count]
    if not later:
        return Judged(Verdict.AT_MOST, count, count, differences, undecided)
    return Judged(Verdict.MORE, count, later[0], differences, undecided)
