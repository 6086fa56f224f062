"""Cells of each VC in a port's queue over time, beside its guarantee."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cellway.plot.curves import COLUMNS, Curve, Numbers, columns, curve_of, exact
from cellway.plot.ports import buffer_limits
from cellway.plot.spans import asked_span, is_part, run_line
from cellway.plot.style import MUTED, figure, legend_beside, quiet, share_time, title
from cellway.plot.vc_queues import MAX_VCS, VcQueue, vc_queues, whole_queue
from cellway.runs.runs import Run
from cellway.text.units import per

_WHOLE = "#B8B8B8"


def plot_occupancy(run: Run, port: str, start: float = 0.0, end: float | None = None) -> Figure:
    """Cells of every VC at `port` over time, and the whole queue in grey.

    Where VCs have minimum cell rates, a panel below shows the same as times: the cells of each over
    its rate. At a port that shares its buffer by guarantees these times stay close together.

    Args:
        run: with recorded series `vc_queue`.
        port: such as ``"first.trunk"``.
        start: beginning of the time axis, seconds.
        end: its end, seconds; `None` for the end of the run.

    Raises:
        ValueError: no cells of single VCs were recorded at `port`, or `end` is not after `start`.
    """
    vcs = vc_queues(run, port)
    span = asked_span(run, start, end)
    promised = [vc for vc in vcs if vc.mcr]
    made = figure(10.0, 7.0 if promised else 4.6)
    heights = [3, 2] if promised else [1]
    rows = list(
        made.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    )
    crowded = any(_inside(vc.series.time, span) > 2 * COLUMNS for vc in vcs)
    _cells(rows[0], run, port, (vcs, span, crowded))
    for axes in rows[1:]:
        _times(axes, run, promised, (span, crowded))
    share_time(rows, span, run.summary["warm_up_s"])
    for axes in rows:
        legend_beside(axes)
    if crowded:
        width = per("ms") * (span[1] - span[0]) / COLUMNS
        rows[-1].set_xlabel(f"time in s (lines: means over {width:.3g} ms)", fontsize=9)
    made.suptitle(f"{port} in {run_line(run, span)}", x=0.01, ha="left", fontsize=11)
    made.align_ylabels(rows)
    return made


def _cells(
    axes: Axes, run: Run, port: str, plotted: tuple[list[VcQueue], tuple[float, float], bool]
) -> None:
    vcs, span, crowded = plotted
    quiet(axes)
    found = run.ports[port]
    passing = len(found.get("vcs", {}))
    note = f" (the {MAX_VCS} of {passing} with most)" if passing > len(vcs) == MAX_VCS else ""
    title(axes, f"Queue in front of {port}, and the part of each VC{note}")
    axes.set_ylabel(f"{found['unit']}s", fontsize=9)
    queue = whole_queue(run, port)
    mean, most = found["mean_queue"], float(found["max_queue"])
    if is_part(run, span):
        part = columns(queue, span, 1)
        mean, most = float(part.mean[0]), float(part.maximum[0])
    whole = f"all: mean {mean:.4g},\nmaximum {most:g}"
    _line(axes, queue, (span, crowded), _WHOLE, whole)
    for vc in vcs:
        label = f"{vc.label}:\nmean {_mean(run, vc, span):.4g}"
        _line(axes, curve_of(vc.series), (span, crowded), vc.colour, label)
    for name, height in buffer_limits(run.scenario, [port], found["max_queue"]):
        axes.axhline(height, color=MUTED, linewidth=0.9, linestyle=(0, (1, 1.5)), label=name)
    axes.set_ylim(0.0)


def _mean(run: Run, vc: VcQueue, span: tuple[float, float]) -> float:
    """Mean queue of a VC over the measurement, or over the part that is shown."""
    return float(columns(curve_of(vc.series), span, 1).mean[0]) if is_part(run, span) else vc.mean


def _times(
    axes: Axes, run: Run, vcs: list[VcQueue], view: tuple[tuple[float, float], bool]
) -> None:
    quiet(axes)
    title(axes, "How long the part of each VC takes at its minimum cell rate")
    axes.set_ylabel("ms", fontsize=9)
    for vc in vcs:
        rate = (vc.mcr or np.nan) / per("ms")
        label = f"{vc.name}: mean {_mean(run, vc, view[0]) / rate:.3g} ms"
        _line(axes, curve_of(vc.series, 1.0 / rate), view, vc.colour, label)
    axes.set_ylim(0.0)


def _inside(time: Numbers, span: tuple[float, float]) -> int:
    return int(((time > span[0]) & (time < span[1])).sum())


def _line(
    axes: Axes, curve: Curve, view: tuple[tuple[float, float], bool], colour: str, label: str
) -> None:
    span, crowded = view
    steps = columns(curve, span, COLUMNS) if crowded else exact(curve, span)
    levels = np.append(steps.mean, steps.mean[-1:])
    axes.plot(steps.edges, levels, color=colour, linewidth=0.9, drawstyle="steps-post", label=label)
