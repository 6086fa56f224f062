"""Verdicts in figures of reproductions: a colour and a marker each, and their counts in titles."""

import math
from collections.abc import Iterable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cellway.catalogue.claims import Finding
from cellway.catalogue.markup import NONE, briefly
from cellway.catalogue.rows import Result, stated_of
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.verdict import Verdict, counts
from cellway.plot.style import MUTED, headline, mark

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
    return "ours, one run" if quick else "ours, 95 % interval"


def published_marks() -> list[Line2D | Patch]:
    """Legend entries for published numbers and the tolerance around them."""
    return [mark("o", "black", "published", open_inside=True), Patch(color=BAND, label="tolerance")]


def show_published(
    axes: Axes, found: Sequence[tuple[float, Result]], *, joined: bool = False
) -> None:
    """Draws the published numbers of rows at their places, each over its tolerance."""
    known = [
        (at, value, one.number.tolerance)
        for at, one in found
        if (value := one.number.published) is not None
    ]
    for at, value, tolerance in known:
        reach = tolerance.reach(value) if tolerance else 0.0
        ends = [value - reach, value + reach]
        axes.plot([at, at], ends, color=BAND, linewidth=9.0, solid_capstyle="butt", zorder=1)
    axes.plot(
        [at for at, _, _ in known],
        [value for _, value, _ in known],
        "o--" if joined else "o",
        color="black",
        markerfacecolor="white",
        markersize=6.5,
        linewidth=0.8,
        zorder=3,
    )


def judged_headline(
    made: Figure, text: str, found: Sequence[Result | Finding], reproduction: Reproduction
) -> None:
    """Writes a title with the counts of verdicts, and of a quick run its part of the runs."""
    said = briefly(counts(one.verdict for one in found))
    parts = ["not judged" if said == NONE else said]
    rows = [row for one in found for row in reproduction.paper.rows_of(one.code)]
    stated = sorted({*map(stated_of, rows)} - {1})
    if reproduction.quick and stated:
        most = f"{stated[0]} to {stated[-1]}" if len(stated) > 1 else f"{stated[0]}"
        parts.append(f"quick: 1 of {most} replications")
    headline(made, f"{text} ({'; '.join(parts)})")


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
