"""Verdicts in figures of reproductions: a colour and a marker each."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from cellway.catalogue.rows import Result
from cellway.catalogue.verdict import Verdict
from cellway.plot.style import MUTED

LOOKS = {
    Verdict.AGREES: ("#009E73", "o"),
    Verdict.UNDECIDED: ("#0072B2", "^"),
    Verdict.BECAUSE: ("#E69F00", "D"),
    Verdict.DIFFERS: ("#D55E00", "s"),
    Verdict.NOT_JUDGED: (MUTED, "X"),
}
BAND = "#CFE3F1"
"""Colour of the range within the tolerance."""
_SHORT = 300.0
"""Ratio of the ends below which a logarithmic axis also has numbers between powers of ten."""
DECADES = 30.0
"""Ratio of numbers from which a logarithmic axis shows them better."""


def mark(
    marker: str,
    colour: str,
    label: str,
    *,
    line: Literal["none", "--"] = "none",
    open_inside: bool = False,
) -> Line2D:
    """A marker for a legend, on a line if one is given."""
    return Line2D(
        [],
        [],
        linestyle=line,
        linewidth=0.8,
        marker=marker,
        color=colour,
        markerfacecolor="white" if open_inside else colour,
        markersize=6,
        label=label,
    )


def verdict_marks(verdicts: Iterable[Verdict]) -> list[Line2D]:
    """Legend entries for the markers of our numbers that occur."""
    found = set(verdicts)
    shown = [verdict for verdict in LOOKS if verdict in found and verdict is not Verdict.NOT_JUDGED]
    return [mark(LOOKS[one][1], LOOKS[one][0], f"ours, 95 %: {one}") for one in shown]


def spans_decades(numbers: Sequence[float]) -> bool:
    """True if a logarithmic axis shows the numbers better, and can."""
    return bool(numbers) and min(numbers) > 0.0 and max(numbers) > DECADES * min(numbers)


def plain_logarithmic(axis: Axis, low: float, high: float) -> None:
    """Writes plain numbers on a logarithmic axis, and more of them where it is short."""
    few = high < _SHORT * low
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


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
