"""A run over time: one panel per quantity, above each other on one time axis."""

from collections.abc import Callable, Sequence

from matplotlib.figure import Figure

from cellway.plot.curves import max_value, owner, recorded_series
from cellway.plot.marks import Marks, draw_marks, marks_of
from cellway.plot.panels import Line, Panel, draw_panel
from cellway.plot.ports import buffer_limits, receive_windows, segment_bytes
from cellway.plot.style import COLOURS, figure, legend_beside, share_time
from cellway.plot.throughput import bin_width, binned, mean_rate
from cellway.runs import Run
from cellway.series import Series
from cellway.units import SCALES, per

MAX_LINES = len(COLOURS)
"""Lines in a panel; of more ports the busiest are plotted, of more flows the slowest, too."""
SHORT = 0.01
"""Of the longest queue: shorter ones are a line along the axis, and are not plotted."""
SLOWEST = 2
"""Of many flows so many starved ones are plotted beside the fastest."""

_HEIGHT, _HEIGHT_OF_MARKS = 1.9, 0.8
"""Inches of a panel, and of that of the marks, to which each flow adds."""

KIB = SCALES["KiB"]


def plot_run(run: Run, start: float = 0.0, end: float | None = None) -> Figure:
    """Queues of busy ports, windows, data in flight, progress and round-trip times, if recorded.

    Where ``observe.segments`` names flows, their losses, retransmissions and timeouts are marked.

    Args:
        run: with recorded series.
        start: where the time axis begins, seconds.
        end: where it ends, seconds; `None` for the end of the run.

    Raises:
        ValueError: nothing of these was recorded, or `end` is not after `start`.
    """
    span = asked_span(run, start, end)
    panels = panels_of(run, span)
    if not panels:
        raise ValueError(
            "no queue, window, progress or round-trip time was recorded; an [observe] table in "
            "the scenario records time series"
        )
    marks = _marks(run)
    heights = [_HEIGHT for _ in panels] + [_HEIGHT_OF_MARKS + 0.3 * len(marks) for _ in marks][:1]
    made = figure(10.0, 1.0 + sum(heights))
    grid = made.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)
    rows = list(grid[:, 0])
    for axes, panel in zip(rows, panels, strict=False):
        draw_panel(axes, panel, span)
    if marks:
        draw_marks(rows[-1], marks, [_colours(run)[flow] for flow in marks], span)
    share_time(rows, span, run.summary["warm_up_s"])
    gap = 0.005 if all(panel.right is None for panel in panels) else 0.08
    for axes in rows:
        legend_beside(axes, gap)
    made.suptitle(_headline_of(run, span), x=0.01, ha="left", fontsize=11)
    made.align_ylabels()
    return made


def _marks(run: Run) -> dict[str, Marks]:
    """Those of the flows that are shown, as far as they were recorded."""
    found = {flow: marks_of(run, flow) for flow in _colours(run)}
    return {flow: marks for flow, marks in found.items() if marks is not None}


def panels_of(run: Run, span: tuple[float, float] | None = None) -> list[Panel]:
    """A panel for each recorded quantity except the rates of ABR, which belong to their port.

    Args:
        run: with recorded series.
        span: of the time axis, seconds; `None` for the whole run.
    """
    return list(panels_by_quantity(run, span or (0.0, run.summary["duration_s"])).values())


def panels_by_quantity(run: Run, span: tuple[float, float]) -> dict[tuple[str, str], Panel]:
    """The same, by quantity and unit: runs that recorded the same have the same keys."""
    return {(make.__name__, panel.label): panel for make in _PANELS for panel in make(run, span)}


def _is_part(run: Run, span: tuple[float, float]) -> bool:
    """Whether numbers of the whole run would mislead."""
    return span != (0.0, run.summary["duration_s"])


def _headline_of(run: Run, span: tuple[float, float]) -> str:
    """How the flows fared in this part of the run, as far as it was recorded."""
    if not _is_part(run, span):
        return headline(run)
    text = f"{run.summary['scenario']}, seed {run.summary['seed']}, {span[0]:g} to {span[1]:g} s"
    acked = recorded_series(run, "acked")
    if not acked or len(acked) < len(run.flows):
        return text
    together = sum(mean_rate(series, span) for series in acked) / SCALES["Mbit/s"]
    return f"{text}: {together:.4g} Mbit/s"


def asked_span(run: Run, start: float, end: float | None) -> tuple[float, float]:
    """From `start` to `end`, or to the end of `run`.

    Raises:
        ValueError: `end` is not after `start`, or one of them lies beyond the end of `run`.
    """
    duration = run.summary["duration_s"]
    last = duration if end is None else end
    if max(start, last) > duration:
        raise ValueError(
            f"the run ends at {duration:g} s, so that {max(start, last):g} s is beyond it"
        )
    if not 0.0 <= start < last:
        raise ValueError(
            f"nothing lies between {start:g} and {last:g} s; a start before the end is accepted"
        )
    return start, last


def headline(run: Run) -> str:
    """The scenario, its seed, and how its flows fared together over the measurement."""
    flows = run.flows.values()
    rate = sum(flow["measured_bits_per_second"] for flow in flows) / SCALES["Mbit/s"]
    again = sum(flow["retransmitted_segments"] for flow in flows)
    timeouts = sum(flow["timeouts"] for flow in flows)
    return (
        f"{run.summary['scenario']}, seed {run.summary['seed']}: {rate:.4g} Mbit/s, "
        f"{again} segments sent again, {timeouts} timeouts"
    )


def _queues(run: Run, span: tuple[float, float]) -> list[Panel]:
    """A panel per unit: cells and packets do not add; none where nothing ever waited."""
    every = recorded_series(run, "queue")
    waiting = [one for one in every if _max_queue(run, owner(one)) > 1.0]
    units = _units(waiting)
    recorded = [one for one in every if one.unit in units] or every
    return [
        _queue(run, unit, [one for one in recorded if one.unit == unit], span)
        for unit in _units(recorded)
    ]


def _max_queue(run: Run, port: str) -> float:
    return float(run.summary["ports"][port]["max_queue"])


def _queue(run: Run, unit: str, recorded: list[Series], span: tuple[float, float]) -> Panel:
    """The ports that ever made anything wait, the longest queue first.

    A grid of samples misses short peaks: the maximum of a queue is the summary's.
    """
    max_queues = {owner(series): _max_queue(run, owner(series)) for series in recorded}
    least = max(1.0, SHORT * max(max_queues.values()))
    waiting = [series for series in recorded if max_queues[owner(series)] > least] or recorded
    shown = sorted(waiting, key=lambda series: -max_queues[owner(series)])[:MAX_LINES]
    lines = [
        Line(one, _losses(run, one, span), colour)
        for one, colour in zip(shown, COLOURS, strict=False)
    ]
    limits = buffer_limits(
        run.scenario, [owner(series) for series in shown], max(max_queues.values())
    )
    text = f"Queue in front of {owner(shown[0])}" if len(shown) == 1 else "Queues at switch ports"
    others = [
        height
        for name, height in max_queues.items()
        if name not in {owner(series) for series in shown}
    ]
    ports = "1 other port holds" if len(others) == 1 else f"{len(others)} other ports hold"
    note = f" ({ports} at most {max(others):g})" if others else ""
    top = 1.08 * max([*max_queues.values(), *(height for _, height in limits), 1.0])
    seen = [series for series in shown if max_queues[owner(series)] > 0.05 * top]
    missed = any(max_value(series) < 0.8 * max_queues[owner(series)] for series in seen)
    note += "; samples miss its peaks" if missed else ""
    return Panel(text + note, f"{unit}s", lines, limits, top)


def _losses(run: Run, series: Series, span: tuple[float, float]) -> str:
    port, shown = owner(series), (series.time >= span[0]) & (series.time <= span[1])
    if _is_part(run, span):
        return f"{port}: maximum {max(series.value[shown], default=0.0):g}"
    found = run.ports[port]
    return f"{port}: maximum {found['max_queue']},\n{sum(found['drops'].values())} lost"


def _windows(run: Run, _span: tuple[float, float]) -> list[Panel]:
    """Growing windows solid, thresholds dashed, the receivers' windows dotted.

    Beyond the receiver's window cwnd means nothing; the axis ends a little above it. An ssthresh
    that was never set, or lies above the axis, is not plotted.
    """
    windows = _of_flows(run, "cwnd")
    if not windows:
        return []
    limits = receive_windows(run.scenario, [line.label for line in windows])
    highest = max(max_value(line.series) for line in windows)
    top = 1.1 * min([highest, *(1.2 * max(height for _, height in limits) for _ in limits[:1])])
    thresholds = {owner(series): series for series in recorded_series(run, "ssthresh")}
    lines = []
    for line in windows:
        lines.append(_in_kib(line, f"{line.label} cwnd"))
        threshold = thresholds.get(line.label)
        if threshold is not None and bool((threshold.value < top).any()):
            colour = line.colour if len(windows) > 1 else COLOURS[1]
            lines.append(Line(threshold, f"{line.label} ssthresh", colour, 1.0 / KIB, dashed=True))
    kept = [(name, height / KIB) for name, height in limits if height < top]
    and_threshold = " and slow-start threshold" if len(lines) > len(windows) else ""
    beyond = "; above this axis" if highest > top else ""
    text = f"Congestion window{and_threshold}{beyond}{_note(run, windows)}"
    return [Panel(text, "KiB", lines, kept, top / KIB, _segments(run, windows))]


def _segments(run: Run, windows: Sequence[Line]) -> tuple[str, float] | None:
    """An axis in segments, where all flows shown have segments of one size."""
    sizes = set(segment_bytes(run.scenario, [line.label for line in windows]))
    return (f"segments of {max(sizes)} B", max(sizes) / KIB) if len(sizes) == 1 else None


def _in_flight(run: Run, _span: tuple[float, float]) -> list[Panel]:
    lines = [_in_kib(line, line.label) for line in _of_flows(run, "in_flight")]
    return (
        [Panel(f"Sent and not yet acknowledged{_note(run, lines)}", "KiB", lines)] if lines else []
    )


def _throughput(run: Run, span: tuple[float, float]) -> list[Panel]:
    """What is acknowledged in order, each flow with its mean rate: after the warm-up, or shown."""
    shown = _of_flows(run, "acked")
    width = bin_width([line.series for line in shown], span)
    lines = [
        Line(
            binned(line.series, span, width),
            f"{line.label}: {_rate(run, line, span)}",
            line.colour,
            per("Mbit/s"),
        )
        for line in shown
    ]
    text = f"Throughput in bins of {width:g} s{_note(run, lines)}"
    highest = max((max_value(line.series) for line in lines), default=0.0)
    top = 1.08 * highest / SCALES["Mbit/s"] or None
    return [Panel(text, "Mbit/s", lines, top=top)] if lines else []


def _round_trips(run: Run, _span: tuple[float, float]) -> list[Panel]:
    lines = [
        Line(line.series, line.label, line.colour, per("ms")) for line in _of_flows(run, "rtt")
    ]
    return (
        [Panel(f"Round-trip time of timed segments{_note(run, lines)}", "ms", lines)]
        if lines
        else []
    )


def _capacities(run: Run, _span: tuple[float, float]) -> list[Panel]:
    """The rates of links that vary, above the queues before them."""
    recorded = recorded_series(run, "capacity")[:MAX_LINES]
    lines = [
        Line(one, _realised(run, owner(one)), colour, per("Mbit/s"))
        for one, colour in zip(recorded, COLOURS, strict=False)
    ]
    text = f"Capacity of {owner(recorded[0])}" if len(recorded) == 1 else "Capacities of links"
    return [Panel(text, "Mbit/s", lines)] if lines else []


def _realised(run: Run, link: str) -> str:
    capacity = run.summary["links"][link]["capacity"]
    mean = capacity["mean_bits_per_second"] / SCALES["Mbit/s"]
    return f"{link}: mean {mean:.3g} Mbit/s,\n{capacity['changes']} changes"


def _pacing(run: Run, _span: tuple[float, float]) -> list[Panel]:
    """What flows with `pacing` were told."""
    lines = [
        Line(line.series, line.label, line.colour, per("Mbit/s"))
        for line in _of_flows(run, "pacing_rate")
    ]
    return [Panel(f"Pacing rate{_note(run, lines)}", "Mbit/s", lines)] if lines else []


_PANELS: tuple[Callable[[Run, tuple[float, float]], list[Panel]], ...] = (
    _capacities,
    _queues,
    _windows,
    _pacing,
    _in_flight,
    _throughput,
    _round_trips,
)


def _of_flows(run: Run, quantity: str) -> list[Line]:
    """The flows that move most and least, each in the same colour in every panel."""
    recorded = {owner(series): series for series in recorded_series(run, quantity)}
    shown = _colours(run).items()
    return [Line(recorded[name], name, colour) for name, colour in shown if name in recorded]


def _colours(run: Run) -> dict[str, str]:
    """Of the flows that are shown, by name, the fastest first."""
    flows = run.summary["flows"]
    busiest = sorted(flows, key=lambda name: -flows[name]["throughput_bits_per_second"])
    if len(busiest) > MAX_LINES:
        busiest = busiest[: MAX_LINES - SLOWEST] + busiest[-SLOWEST:]
    return dict(zip(busiest, COLOURS, strict=False))


def _note(run: Run, lines: Sequence[Line]) -> str:
    """Of how many flows these are the fastest and the slowest."""
    flows = len(run.flows)
    if not lines or flows <= MAX_LINES:
        return ""
    return f" (the {MAX_LINES - SLOWEST} fastest and the {SLOWEST} slowest of {flows} flows)"


def _rate(run: Run, line: Line, span: tuple[float, float]) -> str:
    rate = run.flows[line.label]["throughput_bits_per_second"]
    if _is_part(run, span):
        rate = mean_rate(line.series, span)
    return f"{rate / SCALES['Mbit/s']:.3g} Mbit/s"


def _in_kib(line: Line, label: str) -> Line:
    return Line(line.series, label, line.colour, 1.0 / KIB)


def _units(recorded: Sequence[Series]) -> list[str]:
    return list(dict.fromkeys(series.unit for series in recorded))
