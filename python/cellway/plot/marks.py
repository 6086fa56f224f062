"""A row of marks for each flow: segments lost, segments sent again, and timeouts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from cellway.plot.curves import Numbers, series_with_points
from cellway.plot.style import MUTED, quiet, title
from cellway.runs.runs import Run

_LOST, _RESENT, _TIMED_OUT = ("lost", "x", 0.27), ("sent again", "|", 0.0), ("timeout", "v", -0.27)
"""Name of each mark, its form, and its distance from the middle of the row of its flow."""


@dataclass(frozen=True)
class Marks:
    """Instants of one flow, in seconds.

    Attributes:
        lost: losses of segments, at any place.
        resent: retransmissions, as they were handed to the interface.
        timeouts: expiries of the retransmission timer; `None` where they are not known.
        by_timeout: retransmissions because of a timeout and not of duplicate acknowledgements;
            `None` where they are not known.
        end: instant at which `observe.limit` marks were reached; `None` if they were not.
    """

    lost: Numbers
    resent: Numbers
    timeouts: Numbers | None
    by_timeout: Numbers | None
    end: float | None


def marks_of(run: Run, flow: str) -> Marks | None:
    """Marks of `flow`; `None` where ``observe.segments`` does not name it."""
    if series_with_points(run, f"{flow}.sent") is None:
        return None
    places = [
        run.series(name).time
        for name in run.series_names
        if name.startswith((f"{flow}.lost_at.", f"{flow}.lost_on."))
    ]
    lost = np.sort(np.concatenate([np.empty(0), *places]))
    resent, heard = _times(run, f"{flow}.resent"), _times(run, f"{flow}.heard")
    expired = _times(run, f"{flow}.timeout")
    beyond = series_with_points(run, f"{flow}.unrecorded")
    # The first `most` points of each kind are kept; acknowledgements and new data have the most.
    most = max(len(heard), len(_times(run, f"{flow}.sent"))) if beyond is not None else np.inf
    ends = [one[-1] for one in (resent, expired, *places) if len(one) >= most]
    end = float(min(ends)) if ends else None
    if f"{flow}.timeout" in run.series_names:
        return Marks(lost, resent, expired, _times(run, f"{flow}.resent_by_timeout"), end)
    timeouts = _inferred(run, flow, resent, heard) if len(heard) < most else None
    return Marks(lost, resent, timeouts, None, end)


def _times(run: Run, name: str) -> Numbers:
    found = series_with_points(run, name)
    return np.empty(0) if found is None else found.time


def _inferred(run: Run, flow: str, resent: Numbers, heard: Numbers) -> Numbers | None:
    """Timeouts of a run of an older model: retransmissions at which no acknowledgement arrives.

    Only the timer sends such segments. A host whose processor takes time, or a sender that spaces
    its segments, sends later than it hears, so that this test fails. The timeouts found are
    accepted only if their number is the one that the flow counted.
    """
    found = resent[~np.isin(resent, heard)]
    measured = int((found >= run.summary["warm_up_s"]).sum())
    return found if measured == run.flows[flow]["timeouts"] else None


def draw_marks(
    axes: Axes, marks: Mapping[str, Marks], colours: Sequence[str], span: tuple[float, float]
) -> None:
    """A row per flow, the first one on top."""
    quiet(axes)
    title(axes, "Segments lost and sent again, and timeouts" + _missing(marks))
    for row, (colour, of_flow) in enumerate(zip(colours, marks.values(), strict=True)):
        for (_, form, offset), times in _kinds(of_flow):
            axes.plot(
                times,
                np.full(len(times), -row + offset),
                form,
                color=colour,
                markersize=5.0,
                markeredgewidth=1.1,
                linestyle="none",
            )
    for kind, form, _ in (_LOST, _RESENT, _TIMED_OUT):
        label = f"{kind}: {_counts(marks, kind, span)}"
        axes.plot([], [], form, color=MUTED, markersize=5.0, linestyle="none", label=label)
    axes.set_yticks([-row for row in range(len(marks))], list(marks))
    axes.set_ylim(0.5 - len(marks), 0.5)


def _kinds(marks: Marks) -> list[tuple[tuple[str, str, float], Numbers]]:
    timeouts = np.empty(0) if marks.timeouts is None else marks.timeouts
    return [(_LOST, marks.lost), (_RESENT, marks.resent), (_TIMED_OUT, timeouts)]


def _counts(marks: Mapping[str, Marks], kind: str, span: tuple[float, float]) -> str:
    """Number of marks of a kind that all flows have within `span`, in words."""
    times = [times for one in marks.values() for (name, _, _), times in _kinds(one) if name == kind]
    count = sum(int(((one >= span[0]) & (one <= span[1])).sum()) for one in times)
    reasons = [found for one in marks.values() if (found := one.by_timeout) is not None]
    late = sum(int(((one >= span[0]) & (one <= span[1])).sum()) for one in reasons)
    if kind == _RESENT[0] and late:
        return f"{count}, {late} of\nthem after timeouts"
    unknown = sum(one.timeouts is None for one in marks.values()) * (kind == _TIMED_OUT[0])
    note = f"; of {unknown} flow{'s' * (unknown > 1)} not known" if unknown else ""
    return f"{count}{note}"


def _missing(marks: Mapping[str, Marks]) -> str:
    ends = [one.end for one in marks.values() if one.end is not None]
    return f" (recorded to {min(ends):g} s: `observe.limit` was reached)" if ends else ""
