"""Bisection for the value of a factor at which one alternative begins to beat another.

A difference is judged at the ends of a range and then in the middle of what is left, until the
boundary lies between two values of different verdicts that are near enough. Where a difference is
not decided, both sides of the undecided values are searched: the boundary has an interval from the
last value at which one alternative wins to the first at which the other does. It assumes that there
is one boundary, and holds if all verdicts on it are right.
"""

import math
from dataclasses import dataclass, field

from cellway.statistics import Estimate


@dataclass
class Bracket:
    """Verdicts along a range, from 0 to 1.

    Attributes:
        within: width of the gap between two verdicts that is near enough, as a share of the range.
        found: differences by place.
    """

    within: float
    found: dict[float, Estimate] = field(default_factory=dict)

    @property
    def low(self) -> float | None:
        """Last place with the verdict of the lower end; `None` where that is undecided."""
        return self._last(0.0)

    @property
    def high(self) -> float | None:
        """First place with the verdict of the upper end; `None` where that is undecided."""
        return self._last(1.0)

    @property
    def has_boundary(self) -> bool:
        """True unless both ends have the same verdict, or verdicts change more than once."""
        signs = sign(self.found[0.0]), sign(self.found[1.0])
        low, high = self.low, self.high
        ordered = low is None or high is None or low < high
        return signs[0] != signs[1] and ordered

    @property
    def is_near(self) -> bool:
        """True if the boundary is known as well as asked."""
        low, high = self.low, self.high
        if low is None or high is None or not self.has_boundary:
            return False
        return high - low <= self.within

    def next_place(self) -> float | None:
        """The place to judge next; `None` if nothing more would be learned."""
        for end in (0.0, 1.0):
            if end not in self.found:
                return end
        if not self.has_boundary:
            return None
        low, high = self.low, self.high
        least, most = 0.0 if low is None else low, 1.0 if high is None else high
        between = [at for at in sorted(self.found) if least < at < most]
        gaps = []
        if low is not None:
            gaps.append((least, between[0] if between else most))
        if high is not None:
            gaps.append((between[-1] if between else least, most))
        wide = [gap for gap in gaps if gap[1] - gap[0] > self.within]
        return sum(wide[0]) / 2 if wide else None

    @property
    def crossing(self) -> float | None:
        """Place at which the line between the two nearest decided differences is 0."""
        low, high = self.low, self.high
        if low is None or high is None or not self.has_boundary:
            return None
        one, other = self.found[low].mean, self.found[high].mean
        return low + (high - low) * one / (one - other)

    def _last(self, end: float) -> float | None:
        wanted = sign(self.found[end])
        same = [at for at, found in self.found.items() if sign(found) == wanted]
        return (min(same) if end else max(same)) if wanted else None


def most_places(within: float) -> int:
    """Most places that a bracket judges: both ends, and the bisection of both sides."""
    return 2 + 2 * math.ceil(math.log2(1.0 / within))


def sign(found: Estimate) -> int:
    """1 or -1 for a difference that is decided, 0 for one whose interval contains 0.

    A difference that is the same in all pairs is decided unless it is 0.
    """
    least, most = found.interval or (found.mean, found.mean)
    if found.half_width is None and not found.repeated:
        return 0
    return (least > 0.0) - (most < 0.0)
