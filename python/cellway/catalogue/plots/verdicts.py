"""Verdicts in figures of reproductions: a colour and a marker each."""

import math
from collections.abc import Iterable, Sequence

from matplotlib.lines import Line2D

from cellway.catalogue.rows import Result
from cellway.catalogue.verdict import Verdict
from cellway.plot.style import MUTED, mark

LOOKS = {
    Verdict.AGREES: ("#009E73", "o"),
    Verdict.UNDECIDED: ("#0072B2", "^"),
    Verdict.BECAUSE: ("#E69F00", "D"),
    Verdict.DIFFERS: ("#D55E00", "s"),
    Verdict.NOT_JUDGED: (MUTED, "X"),
}
BAND = "#CFE3F1"
"""Colour of the range within the tolerance."""
DECADES = 30.0
"""Ratio of numbers from which a logarithmic axis shows them better."""


def ours_are(*, quick: bool) -> str:
    """Name of our numbers in a legend; one run has no interval."""
    return "ours, one run" if quick else "ours, 95 %"


def verdict_marks(verdicts: Iterable[Verdict], *, quick: bool) -> list[Line2D]:
    """Legend entries for the markers of our numbers that occur."""
    found, what = set(verdicts), ours_are(quick=quick)
    shown = [verdict for verdict in LOOKS if verdict in found and verdict is not Verdict.NOT_JUDGED]
    return [mark(LOOKS[one][1], LOOKS[one][0], f"{what}: {one}") for one in shown]


def spans_decades(numbers: Sequence[float]) -> bool:
    """True if a logarithmic axis shows the numbers better, and can."""
    return bool(numbers) and min(numbers) > 0.0 and max(numbers) > DECADES * min(numbers)


def several_of(unit: str) -> str:
    """Plural of a unit behind a number: ``"cells"``."""
    return f"{unit}s" if unit in {"cell", "packet"} else unit


def half_width(result: Result) -> float:
    """Half-width of the interval; NaN, which is not drawn, where there is none."""
    width = result.ours.half_width if result.ours else None
    return math.nan if width is None else width


def short_labels(labels: Sequence[str]) -> list[str]:
    """The labels without the words that all of them begin and end with."""
    words = [label.split() for label in labels]
    if len(set(labels)) < len(labels) or len(labels) == 1:
        return list(labels)
    while all(len(one) > 1 for one in words) and len({one[0] for one in words}) == 1:
        words = [one[1:] for one in words]
    while all(len(one) > 1 for one in words) and len({one[-1] for one in words}) == 1:
        words = [one[:-1] for one in words]
    return [" ".join(one).strip(",:;") for one in words]
