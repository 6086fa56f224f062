"""Panels of the queues at ports where cells or packets wait."""

from collections.abc import Mapping, Sequence
from typing import Any

from cellway.plot.colours import COLOURS
from cellway.plot.curves import highest_within, owner, recorded_series
from cellway.plot.panels import Line, Panel
from cellway.plot.ports import buffer_limits
from cellway.plot.throughput import spacing
from cellway.runs.runs import Run
from cellway.runs.series import Series

Span = tuple[float, float]

MAX_PORTS = len(COLOURS)
"""Ports in a panel; if there are more, the longest queues are plotted."""
FEW = 3
"""Cells or packets: a port that never holds more, and loses none, counts as idle."""
SHORT = 0.05
"""Part of the longest queue below which a queue is a line along the axis, and is not plotted."""
_ROOMY = 4
"""Most ports in a legend whose losses have a line of their own."""


def queue_panels(run: Run, span: Span, *, idle: bool = False) -> list[Panel]:
    """A panel per unit, because cells and packets do not add; none for a unit without queues.

    Args:
        run: with recorded series.
        span: of the time axis, seconds.
        idle: true includes idle ports.
    """
    every = recorded_series(run, "queue")
    recorded = every if idle else [one for one in every if makes_wait(run, owner(one))]
    units = dict.fromkeys(series.unit for series in recorded)
    return [_panel(run, [one for one in every if one.unit == unit], span) for unit in units]


def longest_idle(run: Run) -> str:
    """Note on the longest queue where all ports are idle; empty otherwise."""
    every = [owner(series) for series in recorded_series(run, "queue")]
    if not every or any(makes_wait(run, port) for port in every):
        return ""
    longest = max(every, key=lambda port: _max_queue(run, port))
    most = _counted(_max_queue(run, longest), run.summary["ports"][longest])
    return f"no port holds more than {most}"


def makes_wait(run: Run, port: str) -> bool:
    """True if `port` ever holds more than `FEW`, or loses anything."""
    return _max_queue(run, port) > FEW or _lost(run, port) > 0


def _counted(count: float, port: Mapping[str, Any]) -> str:
    return f"{count:g} {port['unit']}{'s' * (count != 1.0)}"


def _max_queue(run: Run, port: str) -> float:
    return float(run.summary["ports"][port]["max_queue"])


def _lost(run: Run, port: str) -> int:
    drops: Any = run.summary["ports"][port]["drops"]
    return int(sum(drops.values()))


def _is_whole(run: Run, span: Span) -> bool:
    return span == (0.0, run.summary["duration_s"])


def _longest(run: Run, series: Series, span: Span) -> float:
    """Longest queue of the whole run; for a part of it, the longest that was recorded."""
    whole = _is_whole(run, span)
    return _max_queue(run, owner(series)) if whole else highest_within(series, span)


def _panel(run: Run, recorded: list[Series], span: Span) -> Panel:
    """A panel of the ports that are not idle, the longest queue first.

    A grid of samples misses short peaks: the maximum of a queue is the summary's.
    """
    queues = {owner(series): _longest(run, series, span) for series in recorded}
    least = SHORT * max(queues.values())
    waiting = [one for one in recorded if makes_wait(run, owner(one))]
    long = [one for one in waiting if queues[owner(one)] > least or _lost(run, owner(one))]
    order = sorted(long or waiting or recorded, key=lambda series: -queues[owner(series)])
    shown = order[:MAX_PORTS]
    names = [owner(series) for series in shown]
    separator = ",\n" if len(shown) <= _ROOMY else ", "
    lines = [
        Line(one, _label(run, one, span, separator), colour)
        for one, colour in zip(shown, COLOURS, strict=False)
    ]
    limits = buffer_limits(run.scenario, names, max(queues.values()))
    others = [height for name, height in queues.items() if name not in names]
    text = f"Queue in front of {names[0]}" if len(shown) == 1 else "Queues at switch ports"
    top = 1.08 * max([*queues.values(), *(height for _, height in limits), 1.0])
    seen = [series for series in shown if queues[owner(series)] > 0.05 * top]
    missed = any(highest_within(series, span) < 0.8 * queues[owner(series)] for series in seen)
    note = _others(others) + ("; samples miss its peaks" if missed else "")
    return Panel(text + note, f"{recorded[0].unit}s", lines, limits, top)


def _others(queues: Sequence[float]) -> str:
    if not queues:
        return ""
    ports = "1 other port holds" if len(queues) == 1 else f"{len(queues)} other ports hold"
    return f" ({ports} at most {max(queues):g})"


def _label(run: Run, series: Series, span: Span, separator: str) -> str:
    """The longest queue that is shown, and the number of losses."""
    port, lost = owner(series), _lost(run, owner(series))
    losses = f"{separator}{lost} lost" if lost and _is_whole(run, span) else ""
    # A grid misses peaks between its samples; the summary has the maximum of the whole run.
    grid = 0.0 if _is_whole(run, span) or series.means is not None else spacing(series)
    wrapped = separator.replace(",", "") if "\n" in separator else " "
    samples = f"{wrapped}at samples every {1e3 * grid:g} ms" if grid else ""
    return f"{port}: maximum {_longest(run, series, span):g}{samples}{losses}"
