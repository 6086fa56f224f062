"""A run over time: one panel per quantity, above each other on one time axis."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cellway.plot.rooms import buffer_limits, receive_windows
from cellway.plot.style import COLOURS, MUTED, figure, quiet, title
from cellway.run import Run, Series

MOST_LINES = len(COLOURS)
"""Lines in a panel; of more flows or ports the busiest are drawn."""

KIB = 1024.0


@dataclass(frozen=True)
class Line:
    """One curve: `label` is what the legend says; values are `scale` times those of the series."""

    series: Series
    label: str
    colour: str
    scale: float = 1.0
    dashed: bool = False


@dataclass(frozen=True)
class Panel:
    """Curves of one quantity.

    Attributes:
        title: what is shown, and of how many.
        label: of the vertical axis, with the unit.
        lines: the curves.
        limits: names and heights of horizontal lines.
        top: upper end of the axis; `None` leaves it to the curves.
    """

    title: str
    label: str
    lines: Sequence[Line]
    limits: Sequence[tuple[str, float]] = field(default=())
    top: float | None = None


def plot_run(run: Run, start: float = 0.0, end: float | None = None) -> Figure:
    """Queues of busy ports, windows, data in flight, progress and round-trip times, as far as recorded.

    Args:
        run: with recorded series.
        start: where the time axis begins, seconds.
        end: where it ends, seconds; `None` for the end of the run.

    Raises:
        ValueError: nothing was recorded, or `end` is not after `start`.
    """
    last = run.summary["duration_s"] if end is None else end
    if not 0.0 <= start < last:
        raise ValueError(f"nothing lies between {start:g} and {last:g} s; a start before the end is accepted")
    panels = [panel for make in _PANELS for panel in make(run)]
    if not panels:
        raise ValueError("nothing was recorded; an [observe] table in the scenario records time series")
    made = figure(10.0, 1.0 + 1.9 * len(panels))
    rows = made.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axes, panel in zip(rows, panels, strict=True):
        # Matplotlib leaves labels that begin with an underscore out of the legend.
        note = "warm-up, not measured" if axes is rows[0] else "_warm-up"
        _draw(axes, panel, (start, last))
        if run.summary["warm_up_s"] > start:
            axes.axvspan(start, run.summary["warm_up_s"], color="#EEEEEE", zorder=0, label=note)
        axes.legend(
            loc="upper left", bbox_to_anchor=(1.005, 1.04), fontsize=8, frameon=False, borderaxespad=0.0
        )
    rows[-1].set_xlabel("time in s", fontsize=9)
    rows[-1].set_xlim(start, last)
    made.suptitle(_headline(run), x=0.01, ha="left", fontsize=11)
    made.align_ylabels()
    return made


def _draw(axes: Axes, panel: Panel, span: tuple[float, float]) -> None:
    quiet(axes)
    title(axes, panel.title)
    axes.set_ylabel(panel.label, fontsize=9)
    for line in panel.lines:
        time, value = _within(line.series, span)
        axes.plot(
            time,
            value * line.scale,
            color=line.colour,
            linewidth=0.9 if line.dashed else 1.1,
            linestyle=(0, (4, 2)) if line.dashed else "solid",
            drawstyle="steps-post",
            label=line.label,
        )
    for name, height in panel.limits:
        axes.axhline(height, color=MUTED, linewidth=0.9, linestyle=(0, (1, 1.5)), label=name)
    axes.set_ylim(0.0, panel.top)


def _within(series: Series, span: tuple[float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points in `span`, with the value that holds when it begins and the one that holds until it ends."""
    first, behind = (int(place) for place in series.time.searchsorted(span, side="right"))
    first = max(0, first - 1)
    held = series.value[first:behind]
    return np.append(series.time[first:behind], span[1]), np.append(held, held[-1:])


def _headline(run: Run) -> str:
    flows = run.flows.values()
    rate = sum(flow["throughput_bits_per_second"] for flow in flows) / 1e6
    again = sum(flow["retransmitted_segments"] for flow in flows)
    timeouts = sum(flow["timeouts"] for flow in flows)
    return (
        f"{run.summary['scenario']}, seed {run.summary['seed']}: {rate:.4g} Mbit/s, "
        f"{again} segments sent again, {timeouts} timeouts"
    )


def _queues(run: Run) -> list[Panel]:
    """A panel per unit: cells and packets do not add."""
    recorded = _recorded(run, "queue")
    return [_queue(run, unit, [one for one in recorded if one.unit == unit]) for unit in _units(recorded)]


def _queue(run: Run, unit: str, recorded: list[Series]) -> Panel:
    """The ports that ever made anything wait, the longest queue first.

    A grid of samples misses short peaks: the largest queue is the summary's.
    """
    largest = {_owner(series): float(run.ports[_owner(series)]["max_queue"]) for series in recorded}
    waiting = [series for series in recorded if largest[_owner(series)] > 1.0] or recorded
    shown = sorted(waiting, key=lambda series: -largest[_owner(series)])[:MOST_LINES]
    lines = [
        Line(one, _losses(run, _owner(one)), colour) for one, colour in zip(shown, COLOURS, strict=False)
    ]
    limits = buffer_limits(run.scenario, [_owner(series) for series in shown], max(largest.values()))
    text = f"Queue in front of {_owner(shown[0])}" if len(shown) == 1 else "Queues at switch ports"
    others = [height for name, height in largest.items() if name not in {_owner(series) for series in shown}]
    ports = "1 other port holds" if len(others) == 1 else f"{len(others)} other ports hold"
    note = f" ({ports} at most {max(others):g})" if others else ""
    top = 1.08 * max([*largest.values(), *(height for _, height in limits), 1.0])
    missed = any(_largest(series) < 0.8 * largest[_owner(series)] for series in shown)
    note += "; samples miss its peaks" if missed else ""
    return Panel(text + note, f"{unit}s", lines, limits, top)


def _losses(run: Run, port: str) -> str:
    found = run.ports[port]
    return f"{port}: largest {found['max_queue']},\n{sum(found['drops'].values())} lost"


def _windows(run: Run) -> list[Panel]:
    """Growing windows solid, thresholds dashed, the receivers' windows dotted.

    Beyond the receiver's window cwnd means nothing; the axis ends a little above it. An ssthresh that was
    never set, or lies above the axis, is not drawn.
    """
    windows = _of_flows(run, "cwnd")
    if not windows:
        return []
    limits = receive_windows(run.scenario, [line.label for line in windows])
    highest = max(_largest(line.series) for line in windows)
    top = 1.1 * min([highest, *(1.2 * max(height for _, height in limits) for _ in limits[:1])])
    thresholds = {_owner(series): series for series in _recorded(run, "ssthresh")}
    lines = []
    for line in windows:
        lines.append(_in_kib(line, f"{line.label} cwnd"))
        threshold = thresholds.get(line.label)
        if threshold is not None and bool((threshold.value < top).any()):
            colour = line.colour if len(windows) > 1 else COLOURS[1]
            lines.append(Line(threshold, f"{line.label} ssthresh", colour, 1.0 / KIB, dashed=True))
    kept = [(name, height / KIB) for name, height in limits if height < top]
    and_threshold = " and slow-start threshold" if len(lines) > len(windows) else ""
    beyond = "; goes beyond this axis" if highest > top else ""
    text = f"Congestion window{and_threshold}{beyond}{_note(run, windows)}"
    return [Panel(text, "KiB", lines, kept, top / KIB)]


def _largest(series: Series) -> float:
    """Of the values that are numbers: before the first there are none."""
    numbers = series.value[series.value == series.value]
    return float(numbers.max(initial=0.0))


def _in_flight(run: Run) -> list[Panel]:
    lines = [_in_kib(line, line.label) for line in _of_flows(run, "in_flight")]
    return [Panel(f"Sent and not yet acknowledged{_note(run, lines)}", "KiB", lines)] if lines else []


def _progress(run: Run) -> list[Panel]:
    """Bytes acknowledged, each flow with its mean rate after the warm-up."""
    lines = [
        Line(line.series, f"{line.label}: {_rate(run, line.label)}", line.colour, 1e-6)
        for line in _of_flows(run, "acked")
    ]
    return [Panel(f"Acknowledged in order{_note(run, lines)}", "MB", lines)] if lines else []


def _round_trips(run: Run) -> list[Panel]:
    lines = [Line(line.series, line.label, line.colour, 1e3) for line in _of_flows(run, "rtt")]
    return [Panel(f"Round-trip time of timed segments{_note(run, lines)}", "ms", lines)] if lines else []


_PANELS: tuple[Callable[[Run], list[Panel]], ...] = (_queues, _windows, _in_flight, _progress, _round_trips)


def _of_flows(run: Run, quantity: str) -> list[Line]:
    """The flows that move most, each in the same colour in every panel."""
    flows = run.summary["flows"]
    busiest = sorted(flows, key=lambda name: -flows[name]["throughput_bits_per_second"])[:MOST_LINES]
    recorded = {_owner(series): series for series in _recorded(run, quantity)}
    colours = dict(zip(busiest, COLOURS, strict=False))
    return [Line(recorded[name], name, colours[name]) for name in busiest if name in recorded]


def _note(run: Run, lines: Sequence[Line]) -> str:
    """Of how many flows these are the fastest."""
    flows = len(run.flows)
    return f" (the {MOST_LINES} fastest of {flows} flows)" if lines and flows > MOST_LINES else ""


def _rate(run: Run, flow: str) -> str:
    return f"{run.summary['flows'][flow]['throughput_bits_per_second'] / 1e6:.3g} Mbit/s"


def _in_kib(line: Line, label: str) -> Line:
    return Line(line.series, label, line.colour, 1.0 / KIB)


def _recorded(run: Run, quantity: str) -> list[Series]:
    """The series of `quantity` that have points."""
    found = [run.series(name) for name in run.series_names if name.endswith(f".{quantity}")]
    return [series for series in found if len(series)]


def _owner(series: Series) -> str:
    return series.name.rpartition(".")[0]


def _units(recorded: Sequence[Series]) -> list[str]:
    return list(dict.fromkeys(series.unit for series in recorded))
