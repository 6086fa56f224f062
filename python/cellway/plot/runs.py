"""A run over time: one panel per quantity, above each other on one time axis."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

from cellway.plot.colours import COLOURS, SLOWEST
from cellway.plot.curves import (
    highest_within,
    max_value,
    mostly_below,
    owner,
    recorded_series,
    within,
)
from cellway.plot.delays import Cumulative, delays_of, draw_delays, spread_out
from cellway.plot.laws import law_panels
from cellway.plot.marks import Marks, draw_marks, marks_of
from cellway.plot.panels import Line, Panel, draw_panel
from cellway.plot.ports import receive_windows, segment_bytes
from cellway.plot.queues import longest_idle, queue_panels
from cellway.plot.spans import asked_span, is_part, run_line
from cellway.plot.style import figure, headline, legend_beside, share_time
from cellway.plot.throughput import bin_width, binned, mean_rate, rate_unit
from cellway.runs.runs import Run
from cellway.runs.series import Series
from cellway.text.units import SCALES, per

MAX_LINES = len(COLOURS)
"""Flows in a panel; if there are more, the fastest and the slowest are plotted."""

_OF = ("cwnd", "in_flight", "arrived", "acked", "rtt", "one_way_delay", "pacing_rate")
"""Series of flows that are curves."""
FAR = 4.0
"""Multiple of the usual values above which a curve leaves its axis."""

_HEIGHT, _HEIGHT_OF_MARKS, _HEIGHT_OF_DELAYS = 1.9, 0.8, 2.1
"""Inches of a panel, of the marks, of each flow in them, and of delays."""

ROUND_TRIP_TIME = "Round-trip time"
THRESHOLD = " and slow-start threshold"

KIB = SCALES["KiB"]


def plot_run(
    run: Run, start: float = 0.0, end: float | None = None, series: Sequence[str] = ()
) -> Figure:
    """Queues of busy ports, windows, data in flight, progress and round-trip times, if recorded.

    Where ``observe.segments`` names flows, their losses, retransmissions and timeouts are marked.
    The last panel has cumulative distributions: of one-way delays where ``observe.distributions``
    counts them, else of round-trip times.

    Args:
        run: with recorded series.
        start: beginning of the time axis, seconds.
        end: its end, seconds; `None` for the end of the run.
        series: patterns of the series to draw, as `Run.only` has them; empty for all, and delays.

    Raises:
        ValueError: no such series was recorded, or `end` is not after `start`.
    """
    span = asked_span(run, start, end)
    if series:
        run = run.only(series)
    panels = panels_of(run, span)
    if not panels:
        raise ValueError(nothing_recorded(run))
    marks, (counted, several) = _marks(run), delays_over(run, span)
    delays = [] if series else spread_out(several)
    heights = [
        *(_HEIGHT for _ in panels),
        *[_HEIGHT_OF_MARKS + 0.3 * len(marks) for _ in marks][:1],
        *[_HEIGHT_OF_DELAYS for _ in delays][:1],
    ]
    made = figure(10.0, 1.0 + sum(heights))
    rows = list(made.subplots(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0])
    over_time = rows[: len(heights) - bool(delays)]
    for axes, panel in zip(over_time, panels, strict=False):
        draw_panel(axes, panel, span)
    if marks:
        draw_marks(over_time[-1], marks, [flow_colours(run)[flow] for flow in marks], span)
    share_time(over_time, span, run.summary["warm_up_s"])
    if delays:
        draw_delays(rows[-1], counted, delays, colours_of(run, delays))
    gap = 0.005 if all(panel.right is None for panel in panels) else 0.08
    for axes in rows:
        legend_beside(axes, gap)
    headline(made, _idle(run, run_line(run, span)))
    made.align_ylabels()
    return made


def nothing_recorded(run: Run) -> str:
    """Reason why `run` has no panel, and the settings that would give it one."""
    text = (
        "no queue, window, progress or round-trip time was recorded; an [observe] table in the "
        "scenario records time series"
    )
    origin = run.scenario.origin
    if run.scenario.observes or not Path(origin).is_file():
        return text
    return f"{text}, and `cellway plot {origin}` runs it again with those of the default"


def _idle(run: Run, text: str) -> str:
    return "; ".join(filter(None, (text, longest_idle(run))))


def delays_over(
    run: Run, span: tuple[float, float], *, part: bool | None = None
) -> tuple[tuple[str, str], list[Cumulative]]:
    """Distributions of delays of the flows that are shown: a title, an axis, and one for each.

    Equal delays, which `spread_out` leaves out, are included.
    """
    measured = run.summary["warm_up_s"], run.summary["duration_s"]
    return delays_of(run, list(flow_colours(run)), span, measured, part=part)


def colours_of(run: Run, delays: Sequence[Cumulative]) -> list[str]:
    """Colours of distributions: those of the flows in other panels; families get others."""
    known = flow_colours(run)
    shown = {known[one.name] for one in delays if one.name in known}
    # Curves that other panels do not show take colours that these do not use, if any are left.
    left = [colour for colour in COLOURS if colour not in known.values()]
    left += [colour for colour in COLOURS if colour not in {*shown, *left}]
    others = iter(left)
    return [known[one.name] if one.name in known else next(others) for one in delays]


def _marks(run: Run) -> dict[str, Marks]:
    """Marks of the flows that are shown, as far as they were recorded."""
    found = {flow: marks_of(run, flow) for flow in flow_colours(run)}
    return {flow: marks for flow, marks in found.items() if marks is not None}


def panels_of(run: Run, span: tuple[float, float] | None = None) -> list[Panel]:
    """A panel for each recorded quantity except the rates of ABR, which belong to their port.

    Idle queues have none, unless nothing else was recorded.

    Args:
        run: with recorded series.
        span: of the time axis, seconds; `None` for the whole run.
    """
    shown = span or (0.0, run.summary["duration_s"])
    found = panels_by_quantity(run, shown) or panels_by_quantity(run, shown, idle=True)
    return list(found.values())


def panels_by_quantity(
    run: Run, span: tuple[float, float], *, idle: bool = False
) -> dict[tuple[str, str], Panel]:
    """Panels by quantity and unit: runs that recorded the same series have the same keys.

    Args:
        run: with recorded series.
        span: of the time axis, seconds.
        idle: true includes idle queues.
    """
    queues: Maker = partial(queue_panels, idle=idle)
    makers: dict[str, Maker] = {**_ABOVE, "queues": queues, **_PANELS}
    found = {
        (name, panel.label): panel for name, make in makers.items() for panel in make(run, span)
    }
    laws = law_panels(run, flow_colours(run))
    return found | {(f"law {name}", panel.label): panel for name, panel in laws.items()}


def _windows(run: Run, span: tuple[float, float]) -> list[Panel]:
    """Panels of congestion windows, solid, thresholds, dashed, and receivers' windows, dotted.

    Beyond the receiver's window cwnd has no effect; the axis ends a little above it. An ssthresh
    that was never set, or lies above the axis, is not plotted.
    """
    windows = _of_flows(run, "cwnd")
    if not windows:
        return []
    limits = receive_windows(run.scenario, [line.label for line in windows])
    usual = _usual(run, windows, span)
    top = 1.1 * min([usual, *(1.2 * max(height for _, height in limits) for _ in limits[:1])])
    thresholds = {owner(series): series for series in recorded_series(run, "ssthresh")}
    lines = [_in_kib(line, f"{line.label} cwnd") for line in windows]
    for line in windows:
        threshold = thresholds.get(line.label)
        if threshold is not None and bool((within(threshold, span)[1] < top).any()):
            colour = line.colour if len(flow_colours(run)) > 1 else COLOURS[1]
            label = "ssthresh of each" if len(windows) > 1 else f"{line.label} ssthresh"
            dashed = any(one.dashed for one in lines)
            label = f"_{label}" if dashed else label
            lines.append(Line(threshold, label, colour, 1.0 / KIB, dashed=True))
    kept = [(name, height / KIB) for name, height in limits if height < top]
    and_threshold = THRESHOLD if len(lines) > len(windows) else ""
    text = f"Congestion window{and_threshold}{_note(run, windows, 'cwnd')}"
    return [Panel(text, "KiB", lines, kept, top / KIB, _segments(run, windows))]


def _segments(run: Run, windows: Sequence[Line]) -> tuple[str, float] | None:
    """An axis in segments, where all flows shown have segments of one size."""
    sizes = set(segment_bytes(run.scenario, [line.label for line in windows]))
    return (f"segments of {max(sizes)} B", max(sizes) / KIB) if len(sizes) == 1 else None


def _in_flight(run: Run, span: tuple[float, float]) -> list[Panel]:
    lines = [_in_kib(line, line.label) for line in _of_flows(run, "in_flight")]
    text = f"Sent and not yet acknowledged{_note(run, lines, 'in_flight')}"
    return _levels(run, text, "KiB", lines, span)


def _levels(
    run: Run, text: str, unit: str, lines: Sequence[Line], span: tuple[float, float]
) -> list[Panel]:
    """A panel whose axis leaves out values far above all others."""
    if not lines:
        return []
    top = 1.1 * _usual(run, lines, span) * lines[0].scale
    return [Panel(text, unit, lines, top=top or None)]


def _usual(run: Run, lines: Sequence[Line], span: tuple[float, float]) -> float:
    """Upper end of the axis, without values `FAR` above nearly all."""
    highest = max(highest_within(line.series, span) for line in lines)
    measured = max(span[0], run.summary["warm_up_s"]), span[1]
    known = measured if measured[0] < measured[1] else span
    usual = max(mostly_below(line.series, known) for line in lines)
    return usual if highest > FAR * usual > 0.0 else highest


def _throughput(run: Run, span: tuple[float, float]) -> list[Panel]:
    """Bytes of each flow, with its mean rate after the warm-up or in the part shown.

    They count as they arrive. A run without that series has them as they are acknowledged: a
    repair acknowledges at once all data that came since the loss, and a bin may be above the line.
    """
    quantity, how = "arrived", "as data arrived"
    shown = _of_flows(run, quantity)
    if not shown:
        quantity, how = "acked", "as acknowledged in order"
        shown = _of_flows(run, quantity)
    if not shown:
        return []
    width = bin_width([line.series for line in shown], span)
    rates = [binned(line.series, span, width) for line in shown]
    unit = rate_unit(max(map(max_value, rates)))
    lines = [
        Line(one, f"{line.label}: {_rate(run, line, span, unit)}", line.colour, per(unit))
        for line, one in zip(shown, rates, strict=True)
    ]
    text = f"Throughput in bins of {width:g} s, {how}{_note(run, lines, quantity)}"
    return [Panel(text, unit, lines, binned=True)]


def _round_trips(run: Run, span: tuple[float, float]) -> list[Panel]:
    lines = [
        Line(line.series, line.label, line.colour, per("ms")) for line in _of_flows(run, "rtt")
    ]
    if not lines:
        return _one_way_delays(run, span)
    how = "of timed segments" if run.measured is None else "as the kernel smooths it"
    text = f"{ROUND_TRIP_TIME} {how}{_note(run, lines, 'rtt')}"
    return _levels(run, text, "ms", lines, span)


def _one_way_delays(run: Run, span: tuple[float, float]) -> list[Panel]:
    """Delays of flows that time no round trips, such as datagrams."""
    shown = _of_flows(run, "one_way_delay")
    lines = [Line(line.series, line.label, line.colour, per("ms")) for line in shown]
    return _levels(run, f"One-way delay{_note(run, lines, 'one_way_delay')}", "ms", lines, span)


def _capacities(run: Run, _span: tuple[float, float]) -> list[Panel]:
    """Rates of links that vary, above the queues before them."""
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
    """Rates that flows with `pacing` were told."""
    lines = [
        Line(line.series, line.label, line.colour, per("Mbit/s"))
        for line in _of_flows(run, "pacing_rate")
    ]
    return (
        [Panel(f"Pacing rate{_note(run, lines, 'pacing_rate')}", "Mbit/s", lines)] if lines else []
    )


Maker = Callable[[Run, tuple[float, float]], list[Panel]]

_ABOVE: Mapping[str, Maker] = {"capacities": _capacities}
_PANELS: Mapping[str, Maker] = {
    "windows": _windows,
    "pacing": _pacing,
    "in flight": _in_flight,
    "throughput": _throughput,
    "round trips": _round_trips,
}
"""Functions that make the panels, from top to bottom; queues are between the two lists."""


def _of_flows(run: Run, quantity: str) -> list[Line]:
    """Curves of the fastest and slowest flows, each in the same colour in every panel."""
    recorded = {owner(series): series for series in recorded_series(run, quantity)}
    shown = flow_colours(run).items()
    return [
        Line(_since_start(run, recorded[name]), name, colour)
        for name, colour in shown
        if name in recorded
    ]


def _since_start(run: Run, series: Series) -> Series:
    """The series from the start of its flow; earlier points belong to no connection."""
    start = run.flows[owner(series)].get("start_s") or 0.0
    kept = slice(max(0, int(series.time.searchsorted(start, side="right")) - 1), None)
    time = series.time[kept].clip(min=start)
    means = None if series.means is None else series.means[kept]
    return replace(series, times=time, values=series.values[kept], means=means)


def flow_colours(run: Run) -> dict[str, str]:
    """Colours of the flows that are shown, by name, the fastest first.

    Colours go by the order of names in the results, not by speed: other runs of the scenario
    have the same.
    """
    flows = run.summary["flows"]
    busiest = sorted(flows, key=lambda name: -flows[name]["throughput_bits_per_second"])
    # A source of datagrams has no window, nor any other series that would be a curve.
    recorded = [name for name in busiest if any(f"{name}.{one}" in run.series_names for one in _OF)]
    chosen = recorded or busiest
    if len(chosen) > MAX_LINES:
        chosen = chosen[: MAX_LINES - SLOWEST] + chosen[-SLOWEST:]
    others = [name for name in flows if name not in recorded]
    in_order = [name for name in flows if name in chosen] + others
    colours = dict(zip(dict.fromkeys(in_order), COLOURS, strict=False))
    return {name: colours[name] for name in [*chosen, *others] if name in colours}


def _note(run: Run, lines: Sequence[Line], quantity: str) -> str:
    """Note on the number of flows with `quantity`, if only some are shown."""
    flows = sum(owner(series) in run.flows for series in recorded_series(run, quantity))
    if len(lines) == flows:
        return ""
    if len(lines) < MAX_LINES:
        return f" ({len(lines)} of {flows} flows)"
    return f" (the {MAX_LINES - SLOWEST} fastest and the {SLOWEST} slowest of {flows} flows)"


def _rate(run: Run, line: Line, span: tuple[float, float], unit: str) -> str:
    """Mean rate of the measurement, or of the part that is shown."""
    rate = run.flows[line.label]["throughput_bits_per_second"]
    if is_part(run, span):
        rate = mean_rate(line.series, span)
    return f"{rate / SCALES[unit]:.4g} {unit}"


def _in_kib(line: Line, label: str) -> Line:
    return Line(line.series, label, line.colour, 1.0 / KIB)
