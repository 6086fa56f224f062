"""A port that ABR sources share: rates that it allocates, its queue, and its measurements."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from cellway.plot.colours import COLOURS
from cellway.plot.curves import (
    COLUMNS,
    Curve,
    Numbers,
    Steps,
    columns,
    curve_of,
    exact,
    max_value,
    owner,
    recorded_series,
    series_with_points,
    total,
)
from cellway.plot.ports import buffer_limits, vcs_through
from cellway.plot.queues import makes_wait
from cellway.plot.spans import asked_span, is_part, run_line
from cellway.plot.style import MUTED, figure, legend_beside, quiet, share_time, title
from cellway.runs.runs import Run
from cellway.runs.series import Series
from cellway.text.units import CELL_BITS, SCALES, per

MBIT = CELL_BITS / SCALES["Mbit/s"]
"""Mbit/s of cell in one cell per second."""

QUANTITIES = ("abr_capacity", "fair_share", "er", "overload", "active")
"""Series that an allocator with explicit rates records at its port."""

OVERLOADS = (0.1, 10.0)
"""Ends of the axis of z: the amount beyond a factor of ten does not matter."""

MOSTLY = 0.95
"""Part of the time in which the sum of rates lies within its axis."""

SPREAD = 1000.0
"""Ratio of the largest rate of a flow to the smallest that is plotted."""

_ABR, _SOURCES, _SHARE = COLOURS[0], COLOURS[1], COLOURS[2]
_CLASSES = {"abr": _ABR, "vbr": COLOURS[4], "ubr": COLOURS[3]}
_ONE_FLOW, _ACTIVE, _WITHOUT = "#A8A8A8", "#D8D4E4", "#F6DFA4"


def limiting_ports(run: Run) -> list[str]:
    """Ports that were ever overloaded (z above 1), by decreasing maximum z; if none, the nearest.

    If no z was recorded, as with ports that only mark cells: the port with the longest queue that
    a direction with a recorded ACR passes. A run without series of ABR has none.
    """
    ports = allocating_ports(run)
    return [port for port in ports if _max_overload(run, port) > 1.0] or ports[:1]


def allocating_ports(run: Run) -> list[str]:
    """Ports that can be plotted, the most overloaded first."""
    ports = {owner(series) for quantity in QUANTITIES for series in recorded_series(run, quantity)}
    if not ports:
        known = {owner(series) for series in recorded_series(run, "acr")}
        explained = run.scenario.explain()
        ports = {port for port in run.ports if known.intersection(vcs_through(explained, port))}
    return sorted(
        ports, key=lambda port: (-_max_overload(run, port), -run.ports[port]["max_queue"], port)
    )


def _max_overload(run: Run, port: str) -> float:
    """Largest recorded overload factor; without a series, its mean over the run."""
    found = series_with_points(run, f"{port}.overload")
    if found is None:
        return float(run.ports[port].get("allocation", {}).get("mean_overload") or 0.0)
    return max_value(found)


def plot_allocation(run: Run, port: str, start: float = 0.0, end: float | None = None) -> Figure:
    """Rates, queue, active VCs and overload of one port over time, as far as recorded.

    Above, the capacity that `port` shares out, the sum of the allowed cell rates (ACR) of the flows
    that pass it, and the rate of one of them; below, the queues of cells, by class; last, the
    active VCs N and the overload factor z, with gaps where there is no capacity.

    Args:
        run: with recorded series.
        port: one of `limiting_ports`, or any other that an allocator serves.
        start: beginning of the time axis, seconds.
        end: its end, seconds; `None` for the end of the run.

    Raises:
        ValueError: no series of an allocator was recorded at `port`, or `end` is not after `start`.
    """
    ports = allocating_ports(run)
    if port not in ports:
        known = (
            ", ".join(ports) or "no port; an [observe] table in the scenario records time series"
        )
        raise ValueError(f"no rates were recorded at port {port!r}; recorded at: {known}")
    view = _View(run, port, asked_span(run, start, end))
    panels = [draw for draw, series in _panels(view) if any(one is not None for one in series)]
    made = figure(10.0, 1.0 + 1.9 * len(panels))
    rows = list(made.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0])
    for axes, draw in zip(rows, panels, strict=True):
        quiet(axes)
        draw(axes, view)
    share_time(rows, view.span, run.summary["warm_up_s"])
    for axes in rows:
        legend_beside(axes, gap=0.035)
    if view.crowded:
        width = per("ms") * (view.span[1] - view.span[0]) / COLUMNS
        note = f"time in s (lines: means over {width:.3g} ms; bands: minimum to maximum)"
        rows[-1].set_xlabel(note, fontsize=9)
    made.suptitle(f"{port} in {run_line(run, view.span)}", x=0.01, ha="left", fontsize=11)
    made.align_ylabels(rows)
    return made


@dataclass
class _View:
    """A port from one instant to another."""

    run: Run
    port: str
    span: tuple[float, float]

    @cached_property
    def rates(self) -> list[Series]:
        """Allowed cell rates of the directions that pass the port."""
        names = (f"{vc}.acr" for vc in vcs_through(self.run.scenario.explain(), self.port))
        return [
            found for name in names if (found := series_with_points(self.run, name)) is not None
        ]

    @cached_property
    def crowded(self) -> bool:
        """True if there are more points than can be seen."""
        several = [*self.rates, *(self.at_port(quantity) for quantity in (*QUANTITIES, "queue"))]
        return any(self._inside(one.time) > 2 * COLUMNS for one in several if one is not None)

    def at_port(self, quantity: str) -> Series | None:
        """The series of the port, if it has points."""
        return series_with_points(self.run, f"{self.port}.{quantity}")

    def steps(self, curve: Curve) -> Steps:
        """A curve within the view."""
        return columns(curve, self.span, COLUMNS) if self.crowded else exact(curve, self.span)

    def _inside(self, time: Numbers) -> int:
        return int(((time > self.span[0]) & (time < self.span[1])).sum())


def _panels(view: _View) -> list[tuple[Callable[[Axes, _View], None], list[Series | None]]]:
    """Each panel, with the series that it can show."""
    rates: list[Series | None] = list(view.rates)
    several = rates if len(rates) > 1 else []
    queues = [view.at_port("queue"), *(view.at_port(f"{name}_queue") for name in _CLASSES)]
    return [
        (_of_the_port, [*rates, view.at_port("abr_capacity")]),
        (_of_one_flow, [*several, view.at_port("fair_share"), view.at_port("er")]),
        (_waiting, queues if makes_wait(view.run, view.port) else []),
        (_measured, [view.at_port("active"), view.at_port("overload")]),
    ]


def _of_the_port(axes: Axes, view: _View) -> None:
    """Draws capacity and sum; the axis leaves out short, high bursts of the sum."""
    axes.set_ylabel("Mbit/s of cell", fontsize=9)
    capacity = view.at_port("abr_capacity")
    given = 0.0
    if capacity is not None:
        shared = view.steps(curve_of(capacity, MBIT))
        given = _highest(shared)
        _draw(axes, shared, _ABR, "ABR capacity")
    if not view.rates:
        title(axes, "ABR capacity that is shared out")
        axes.set_ylim(0.0)
        return
    together = view.steps(total(view.rates, MBIT))
    label = f"sum of {len(view.rates)} ACRs" if len(view.rates) > 1 else "ACR of the only VC"
    _draw(axes, together, _SOURCES, label)
    mostly = float(np.nanquantile(together.maximum, MOSTLY))
    usual, highest = 1.2 * max(given, mostly), _highest(together)
    beyond = f" (beyond this axis, to {highest:.4g} Mbit/s)" if highest > 2.0 * usual else ""
    sources = "the sources may send together" if len(view.rates) > 1 else "the source may send"
    also = "ABR capacity, and what" if capacity is not None else "What"
    title(axes, f"{also} {sources}{beyond}")
    axes.set_ylim(0.0, usual if beyond else 1.08 * max(given, highest, 1e-3))


def _highest(steps: Steps) -> float:
    return float(np.nanmax(steps.maximum, initial=0.0))


def _of_one_flow(axes: Axes, view: _View) -> None:
    """Draws the rates of one flow; rates that are far apart are plotted by their ratios."""
    several = len(view.rates) > 1
    title(axes, f"What {'each of them' if several else 'it'} may send")
    axes.set_ylabel("Mbit/s of cell", fontsize=9)
    plotted = []
    for number, one in enumerate(view.rates):
        plotted.append(view.steps(curve_of(one, MBIT)))
        label = f"ACR of each of {len(view.rates)}" if several else "ACR"
        _line(axes, plotted[-1], _ONE_FLOW, label if number == 0 else None, width=0.5)
    share, last = view.at_port("fair_share"), view.at_port("er")
    assigned = share or last
    if assigned is not None:
        plotted.append(view.steps(curve_of(assigned, MBIT)))
        _draw(axes, plotted[-1], _SHARE, "fair share" if share else "ER given last")
    _limit_rates(axes, np.concatenate([steps.mean for steps in plotted]))


def _limit_rates(axes: Axes, values: Numbers) -> None:
    axes.set_ylim(0.0)
    seen = values[values > 0.0]
    if len(seen) and seen.max() > 10.0 * seen.min():
        axes.set_yscale("log", subs=range(2, 10))
        axes.set_ylim(max(seen.min() / 1.3, seen.max() / SPREAD), 1.3 * seen.max())
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0,)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())


def _waiting(axes: Axes, view: _View) -> None:
    """Draws the queues by class; a port with one class has one queue."""
    found = {name: view.at_port(f"{name}_queue") for name in _CLASSES}
    classes = {name: series for name, series in found.items() if series is not None}
    whole = view.at_port("queue")
    if not classes and whole is not None:
        classes = {"abr": whole}
    port: Any = view.run.ports[view.port]
    for name, series in classes.items():
        counted = port.get("classes", {}).get(name, port)
        steps = view.steps(curve_of(series))
        label = (
            f"{name.upper()}: maximum {_highest(steps):g}"
            if is_part(view.run, view.span)
            else f"{name.upper()}: maximum {counted['max_queue']},\n"
            f"{sum(counted['drops'].values())} lost"
        )
        _draw(axes, steps, _CLASSES[name], label)
    for name, height in buffer_limits(view.run.scenario, [view.port], port["max_queue"]):
        axes.axhline(height, color=MUTED, linewidth=0.9, linestyle=(0, (1, 1.5)), label=name)
    axes.set_ylim(0.0)
    axes.set_ylabel(f"{port['unit']}s", fontsize=9)
    title(axes, f"Queue in front of {view.port}")


def _measured(axes: Axes, view: _View) -> None:
    """Draws z as a line over N as an area, which has the axis on the right."""
    minimum, maximum = OVERLOADS
    title(axes, f"Overload z, plotted between {minimum:g} and {maximum:g}, and active VCs N")
    overload, active = view.at_port("overload"), view.at_port("active")
    if overload is not None:
        steps = view.steps(curve_of(overload))
        _draw(axes, steps, _SOURCES, "overload z", OVERLOADS)
        without = np.isnan(_to_last_edge(steps.mean)) & (steps.edges >= overload.time[0])
        if without.any():
            axes.fill_between(
                steps.edges,
                *OVERLOADS,
                where=without.tolist(),
                step="post",
                color=_WITHOUT,
                linewidth=0.0,
                label="no ABR capacity",
            )
    axes.axhline(1.0, color=MUTED, linewidth=0.9, linestyle=(0, (1, 1.5)), label="z = 1")
    axes.set_yscale("log")
    axes.set_ylim(0.9 * minimum, 1.1 * maximum)
    axes.set_yticks([minimum, 1.0, maximum], [f"{minimum:g}", "1", f"{maximum:g}"])
    axes.set_ylabel("z", fontsize=9)
    if active is None:
        return
    axes.fill_between([], [], color=_ACTIVE, label="active VCs N\n(axis on the right)")
    right = axes.twinx()
    counted = view.steps(curve_of(active))
    right.fill_between(
        counted.edges, _to_last_edge(counted.mean), step="post", color=_ACTIVE, linewidth=0.0
    )
    right.set_ylim(0.0, 1.25 * max(1.0, float(np.nanmax(counted.mean, initial=0.0))))
    right.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    right.tick_params(labelsize=8)
    right.spines["top"].set_visible(False)
    axes.set_zorder(right.get_zorder() + 1)
    axes.patch.set_visible(False)


def _draw(
    axes: Axes,
    steps: Steps,
    colour: str,
    label: str,
    limits: tuple[float, float] = (-np.inf, np.inf),
) -> None:
    """A line, within the band of its values; beyond `limits` both lie at the edge."""
    band = (_to_last_edge(steps.minimum.clip(*limits)), _to_last_edge(steps.maximum.clip(*limits)))
    if not np.array_equal(*band, equal_nan=True):
        axes.fill_between(steps.edges, *band, step="post", color=colour, alpha=0.25, linewidth=0.0)
    _line(
        axes,
        Steps(steps.edges, steps.minimum, steps.mean.clip(*limits), steps.maximum),
        colour,
        label,
    )


def _line(axes: Axes, steps: Steps, colour: str, label: str | None, width: float = 1.1) -> None:
    axes.plot(
        steps.edges,
        _to_last_edge(steps.mean),
        color=colour,
        linewidth=width,
        drawstyle="steps-post",
        label=label,
    )


def _to_last_edge(value: Numbers) -> Numbers:
    """The last value to the last edge."""
    return np.append(value, value[-1:])
