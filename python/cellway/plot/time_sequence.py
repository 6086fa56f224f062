"""The time-sequence diagram of one flow, as tcptrace draws it: bytes over time at the sender.

Each segment is a vertical bar from its first byte to its last one, when it is handed to the
interface. Below it are the acknowledged bytes, above it the ends of the windows; SACK blocks when
they arrive; and each lost segment at the time and place of the loss.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from cellway.plot.colours import COLOURS
from cellway.plot.curves import Numbers, series_with_points
from cellway.plot.spans import asked_span, run_line
from cellway.plot.style import figure, headline, legend_beside, quiet, share_time, title
from cellway.runs.runs import Run
from cellway.text.units import SCALES

_SENT, _RESENT, _ACKED, _SACKED = "#222222", COLOURS[1], COLOURS[2], COLOURS[3]
_WINDOW, _CWND = COLOURS[4], COLOURS[5]
_PLACES = (("x", COLOURS[0]), ("+", COLOURS[6]), ("1", COLOURS[7]), ("2", COLOURS[1]))
_UNITS = (("B", 20e3), ("kB", 20e6), ("MB", float("inf")))
"""Unit of the vertical axis, by the most bytes on it."""
_OF_SENT = {"colors": _SENT, "linewidths": 1.0, "label": "segment sent"}
_OF_RESENT = {"colors": _RESENT, "linewidths": 1.8, "label": "_sent again"}
_OF_BLOCKS = {"colors": _SACKED, "linewidths": 0.7, "label": "SACK block"}
_ROOM = 0.06
"""Margin above and below the drawing, as a part of the axis."""


@dataclass(frozen=True)
class Bars:
    """Segments or blocks: time, first byte and last byte of each."""

    time: Numbers
    first: Numbers
    last: Numbers

    def within(self, span: tuple[float, float]) -> "Bars":
        """Segments or blocks within a part of the time."""
        inside = (self.time >= span[0]) & (self.time <= span[1])
        return Bars(self.time[inside], self.first[inside], self.last[inside])

    def __len__(self) -> int:
        return len(self.time)


def plot_time_sequence(run: Run, flow: str, start: float = 0.0, end: float | None = None) -> Figure:
    """The time-sequence diagram of `flow`.

    Args:
        run: its scenario names the flow in ``observe.segments``.
        flow: such as ``"bulk"``.
        start: beginning of the time axis, seconds.
        end: its end, seconds; `None` for the end of the run.

    Raises:
        ValueError: its segments were not recorded, none within the time asked for, or `end` is not
            after `start`.
    """
    span = asked_span(run, start, end)
    made = figure(11.0, 6.0)
    axes = made.subplots()
    draw_time_sequence(axes, run, flow, span)
    share_time([axes], span, 0.0)
    legend_beside(axes)
    made.suptitle(run_line(run, span), x=0.01, ha="left", fontsize=11)
    return made


def plot_time_sequences(
    runs: Mapping[str, Run], flow: str, start: float = 0.0, end: float | None = None
) -> Figure:
    """The time-sequence diagrams of `flow` in several runs, one above the other.

    Args:
        runs: by the names of the panels; the scenario of each names the flow in
            ``observe.segments``.
        flow: such as ``"bulk"``.
        start: beginning of the common time axis, seconds.
        end: its end, seconds; `None` for the end of the longest run.

    Raises:
        ValueError: as `plot_time_sequence`, for the first run that has nothing to draw.
    """
    if len(runs) == 1:
        return plot_time_sequence(next(iter(runs.values())), flow, start, end)
    spans = {name: asked_span(run, start, end) for name, run in runs.items()}
    made = figure(11.0, 0.8 + 3.6 * len(runs))
    rows = list(made.subplots(len(runs), 1, squeeze=False)[:, 0])
    for axes, (name, run) in zip(rows, runs.items(), strict=True):
        try:
            draw_time_sequence(axes, run, flow, spans[name])
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
        title(axes, f"{name}: {run_line(run, spans[name])}{_missing(run, flow)}")
    if len({axes.get_ylabel() for axes in rows}) == 1:
        ends = [axes.get_ylim() for axes in rows]
        for axes in rows:
            axes.set_ylim(min(low for low, _ in ends), max(high for _, high in ends))
    share_time(rows, (start, max(last for _, last in spans.values())), 0.0)
    for axes in rows:
        legend_beside(axes)
    headline(made, f"{flow} in {', '.join(runs)}")
    return made


def draw_time_sequence(axes: Axes, run: Run, flow: str, span: tuple[float, float]) -> None:
    """Draws the time-sequence diagram on given axes, without a legend.

    Raises:
        ValueError: as `plot_time_sequence`.
    """
    recorded = sorted(
        name.removesuffix(".sent_length")
        for name in run.series_names
        if name.endswith(".sent_length")
    )
    if flow not in recorded:
        raise ValueError(
            f"the segments of {flow!r} were not recorded; expected a flow of TCP that "
            f"`observe.segments` names, here {', '.join(recorded) or 'none'}"
        )
    sent, resent = _segments(run, f"{flow}.sent"), _segments(run, f"{flow}.resent")
    shown = [bars.within(span) for bars in (sent, resent)]
    if not any(map(len, shown)):
        raise ValueError(f"no segment of {flow!r} was sent from {span[0]:g} to {span[1]:g} s")
    low = min(float(bars.first.min()) for bars in shown if len(bars))
    high = max(float(bars.last.max()) for bars in shown if len(bars))
    unit = next(name for name, most in _UNITS if high - low <= most)
    scale = 1.0 / SCALES[unit]
    quiet(axes)
    _lines(axes, run, flow, scale)
    _bars(axes, shown[0], scale, _OF_SENT)
    _bars(axes, shown[1], scale, _OF_RESENT)
    _dots(axes, shown[1], scale)
    _bars(axes, _blocks(run, flow).within(span), scale, _OF_BLOCKS)
    _losses(axes, run, flow, (sent, resent), scale)
    room = _ROOM * max(high - low, 1.0)
    axes.set_ylim((low - room) * scale, (high + room) * scale)
    axes.set_xlim(span)
    axes.set_ylabel(f"bytes of {flow}, {unit}", fontsize=9)
    title(axes, flow + _missing(run, flow))


def _missing(run: Run, flow: str) -> str:
    beyond = series_with_points(run, f"{flow}.unrecorded")
    if beyond is None:
        return ""
    return f" (recorded to {beyond.time[0]:g} s: `observe.limit` was reached)"


def _segments(run: Run, name: str) -> Bars:
    starts, lengths = (series_with_points(run, one) for one in (name, f"{name}_length"))
    if starts is None or lengths is None:
        return Bars(*(np.empty(0) for _ in range(3)))
    return Bars(starts.time, starts.value, starts.value + lengths.value)


def _blocks(run: Run, flow: str) -> Bars:
    starts, ends = (series_with_points(run, f"{flow}.sack_{end}") for end in ("start", "end"))
    if starts is None or ends is None:
        return Bars(*(np.empty(0) for _ in range(3)))
    return Bars(starts.time, starts.value, ends.value)


def _bars(axes: Axes, bars: Bars, scale: float, style: Mapping[str, Any]) -> None:
    if not len(bars):
        return
    ends = np.stack(
        [
            np.column_stack([bars.time, bars.first * scale]),
            np.column_stack([bars.time, bars.last * scale]),
        ],
        axis=1,
    )
    axes.add_collection(LineCollection(list(ends), zorder=3, **style))


def _dots(axes: Axes, bars: Bars, scale: float) -> None:
    """Draws segments that are sent again as dots, because they are few and must be seen."""
    if len(bars):
        middle = (bars.first + bars.last) / 2.0 * scale
        axes.plot(
            bars.time,
            middle,
            "D",
            color=_RESENT,
            markersize=5.0,
            linestyle="none",
            label="sent again",
            zorder=4,
        )


def _lines(axes: Axes, run: Run, flow: str, scale: float) -> None:
    """Draws windows and acknowledgements as steps: a value holds until the next."""
    for name, colour, style, label in (
        ("heard", _ACKED, "-", "acknowledged"),
        ("cwnd_edge", _CWND, "--", "acknowledged + cwnd"),
        ("heard_window", _WINDOW, "-", "acknowledged + advertised window"),
    ):
        series = series_with_points(run, f"{flow}.{name}")
        if series is not None:
            axes.step(
                series.time,
                series.value * scale,
                where="post",
                color=colour,
                linestyle=style,
                linewidth=1.1,
                label=label,
                zorder=2,
            )


def _losses(axes: Axes, run: Run, flow: str, segments: tuple[Bars, Bars], scale: float) -> None:
    """Draws a mark in the middle of each lost segment, by place."""
    first = np.concatenate([bars.first for bars in segments])
    last = np.concatenate([bars.last for bars in segments])
    order = np.argsort(first, kind="stable")
    first, last = first[order], last[order]
    places = [
        (kind, name.removeprefix(f"{flow}.{kind}."), name)
        for name in run.series_names
        for kind in ("lost_at", "lost_on")
        if name.startswith(f"{flow}.{kind}.")
    ]
    for (mark, colour), (kind, place, name) in zip(
        _PLACES * (1 + len(places) // len(_PLACES)), places, strict=False
    ):
        lost = run.series(name)
        near = np.searchsorted(first, lost.value).clip(max=len(first) - 1)
        middle = (first[near] + last[near]) / 2.0
        where = f"lost on link {place}" if kind == "lost_on" else f"lost at {place}"
        axes.plot(
            lost.time,
            middle * scale,
            mark,
            color=colour,
            markersize=8,
            markeredgewidth=1.8,
            linestyle="none",
            label=where,
            zorder=4,
        )
