"""Gaps in a study's figure: runs that failed or are missing, and means that do not exist."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.typing import ColorType

from cellway.plot.style import mark
from cellway.study.joined import STUDY_FACTOR
from cellway.study.responses import Response
from cellway.study.results import Results


class Gap(StrEnum):
    """Reason why a mean has fewer runs than were asked for, or does not exist."""

    FAILED = "runs failed"
    MISSING = "runs are missing"
    UNDEFINED = "no run has this number"
    BELOW = "0 or less, which no log scale has"


_MARKS = {Gap.FAILED: "x", Gap.MISSING: "+", Gap.UNDEFINED: "_", Gap.BELOW: "v"}
_FIRST = 0.015
_NEXT = 0.03
"""Places of the marks, in parts of a panel from its edge inwards: of the first line, and of the
next."""


def gap_of(results: Results, response: Response, point: int, *, log: bool = False) -> Gap | None:
    """The first gap that applies at a point; `None` where nothing is missing.

    Args:
        results: of the study.
        response: the one that is plotted.
        point: of the study, from 0.
        log: true if the axis of the response is logarithmic.
    """
    if response.explained:
        return None
    runs = results.runs[point]
    if results.failed and any(record.status != "done" for record in runs):
        return Gap.FAILED
    name = str(results.conditions[point].parameters.get(STUDY_FACTOR))
    if len(runs) < results.expected.get(name, results.study.min_replications):
        return Gap.MISSING
    mean = results.estimate(response.name, point)
    if mean is None:
        return Gap.UNDEFINED
    return Gap.BELOW if log and mean.mean <= 0.0 else None


def draw_gaps(  # noqa: PLR0913
    axes: Axes,
    results: Results,
    response: Response,
    places: Sequence[tuple[int, float]],
    colour: ColorType,
    *,
    number: int = 0,
    along: Literal["x", "y"] = "x",
    log: bool = False,
) -> None:
    """Draws marks at the upper or right edge of a panel, for points at their places.

    Values that a logarithmic axis does not have are marked at the lower or left edge.

    Args:
        axes: the panel.
        results: of the study.
        response: the one that is plotted.
        places: points of one line, and their places along the axis.
        colour: of the line.
        number: of the line, from 0: marks of different lines are beside each other.
        along: the axis of `places`.
        log: true if the other axis is logarithmic.
    """
    transform = axes.get_xaxis_transform() if along == "x" else axes.get_yaxis_transform()
    for point, place in places:
        if (gap := gap_of(results, response, point, log=log)) is not None and math.isfinite(place):
            inwards = _FIRST + _NEXT * number
            across = inwards if gap is Gap.BELOW else 1.0 - inwards
            x, y = (place, across) if along == "x" else (across, place)
            axes.plot(
                x, y, _MARKS[gap], color=colour, markersize=6, markeredgewidth=1.6,
                transform=transform, clip_on=False, zorder=5,
            )  # fmt: skip


def gap_marks(results: Results, shown: Sequence[Response], *, log: bool = False) -> list[Line2D]:
    """Legend entries for the marks that occur."""
    points = range(len(results.conditions))
    found = {gap_of(results, one, point, log=log) for one in shown for point in points}
    return [
        mark(sign, "black", f"at the edge: {gap}") for gap, sign in _MARKS.items() if gap in found
    ]
