"""Runs that repeat each other: a number that no seed changes has no interval.

Student's t measures how much independent replications differ. If they do not differ, a half-width
of 0 would claim that the mean is known exactly, though only the seed was varied. Two cases look the
same in one response and are different:

- *deterministic*: the runs themselves are identical. At least two replications, of different
  seeds, agree in everything that they report, bit for bit but for the seed. The scenario leaves
  nothing to chance. The number holds for this scenario, with its phases and starting times, and
  for no other.
- *all the same*: this number is equal in all runs, but the runs differ elsewhere. No loss in any of
  ten runs does not make losses impossible, and the maximum of a queue may be the buffer every time.

Neither has an interval. Deterministic is a property of runs, which `repeat_each_other` decides; the
numbers of deterministic runs inherit it.
"""

from collections.abc import Hashable, Sequence

DETERMINISTIC = "deterministic: the seed changes nothing here"
ALL_THE_SAME = "all the same: no run differs in this number"
IN_SHORT = {DETERMINISTIC: "deterministic", ALL_THE_SAME: "all the same"}
"""The remark behind a number in a table."""
AT_LENGTH = {
    DETERMINISTIC: (
        f"{DETERMINISTIC}; all runs are identical, so there is no interval; other starting "
        "times or phases may give other values"
    ),
    ALL_THE_SAME: (
        "all the same: the runs differ, but not in this number, so there is no interval; further "
        "runs may have other values"
    ),
}
"""The remark under a table."""
WITHOUT_ERROR = {
    DETERMINISTIC: (
        "deterministic: the seed changes nothing at any point, so there is no error term"
    ),
    ALL_THE_SAME: (
        "all the same: at each point all runs agree in this number, so there is no error term"
    ),
}
"""The remark under an analysis of all points."""
IN_PROSE = (
    "Where these say *deterministic* the runs are identical\n"
    "whatever their seed, and where they say *all the same* the runs differ, but not in this "
    "number: there is no\n"
    "interval then, and the number is not better known than one that has one."
)
"""The remark in a text about tables of means."""


def repeat_each_other(outcomes: Sequence[Hashable]) -> bool:
    """True if runs of different seeds are identical: two or more, which agree in everything.

    Args:
        outcomes: for each run, its full output without the seed, or a digest of that.
    """
    return len(outcomes) > 1 and len(set(outcomes)) == 1


def equal(values: Sequence[float]) -> bool:
    """True if several numbers are equal, bit for bit."""
    return len(values) > 1 and min(values) == max(values)
