"""What a study's figure lacks: runs that failed or are missing, and means that do not exist."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.typing import ColorType

from cellway.plot.verdicts import mark
from cellway.study.responses import Response
from cellway.study.results import Results


class Gap(StrEnum):
    """Why a mean is of fewer runs than were asked for, or is not there."""

    FAILED = "runs failed"
    MISSING = "runs are missing"
    UNDEFINED = "no run has this number"
    BELOW = "0 or less, which no log scale has"


_MARKS = {Gap.FAILED: "x", Gap.MISSING: "+", Gap.UNDEFINED: "_", Gap.BELOW: "v"}
_FIRST = 0.015
_NEXT = 0.03
"""Parts of a panel from its edge inwards: where the marks of the first line are, and the next."""


def gap_of(results: Results, response: Response, point: int, *, log: bool = False) -> Gap | None:
    """The first that applies at a point; `None` where nothing lacks.

    Args:
        results: of the study.
        response: what is plotted.
        point: of the study, from 0.
        log: whether it is plotted on a logarithmic axis.
    """
    if response.explained:
        return None
    runs = results.runs[point]
    if any(record.status != "done" for record in runs):
        return Gap.FAILED
    if len(runs) < results.study.min_replications:
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
    """Marks at the upper edge of a panel, or the right one, at points and their places.

    What a logarithmic axis does not have is at the lower or left one.

    Args:
        axes: the panel.
        results: of the study.
        response: what is plotted.
        places: points of one line, and where along the axis they are.
        colour: of the line.
        number: of the line, from 0: marks of different lines are beside each other.
        along: the axis of `places`.
        log: whether the other one is logarithmic.
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
    """What the marks mean, for a legend; only what occurs."""
    points = range(len(results.conditions))
    found = {gap_of(results, one, point, log=log) for one in shown for point in points}
    return [
        mark(sign, "black", f"at the edge: {gap}") for gap, sign in _MARKS.items() if gap in found
    ]
