"""Cumulative distributions of delays, over packets or over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from cellway.plot.colours import COLOURS
from cellway.plot.curves import Numbers, owner, series_with_points
from cellway.plot.style import plain, plain_logarithmic, quiet, title
from cellway.plot.throughput import ROUNDING, acknowledged
from cellway.runs.runs import Run
from cellway.runs.series import Series
from cellway.text.units import per

if TYPE_CHECKING:
    from cellway.result_types import DelaySummary

Span = tuple[float, float]

ONE_WAY = ("Distribution of the one-way delay", "part of packets")
ROUND_TRIP = ("Distribution of the round-trip time of timed segments", "part of time")
"""Titles of the panel, and quantities that its axis counts."""
BY_SAMPLE = (ROUND_TRIP[0], "part of samples")
"""Title and quantity for a part of a run, in which the last value may hold most of the time."""
SMOOTHED = "Distribution of the round-trip time as the kernel smooths it"
"""Title for round-trip times of a measured run."""
FEWEST = 20
"""Fewest samples in a part of a run that make a distribution."""
_FEW = 4
"""Most curves in a legend with two lines for each."""
_ALIKE = 0.02
"""Largest difference of like delays, as a part of the largest one."""
_DECADES = 20.0
"""Ratio of the largest to the smallest delay from which the axis is logarithmic."""


@dataclass(frozen=True)
class Cumulative:
    """Cumulative distribution of one flow, or of several together.

    Attributes:
        name: of the flow, or of the flows together.
        delay: seconds, in ascending order.
        part: fraction of packets, or of the time, with at most each delay.
        median: seconds.
        p99: seconds, the 99 % quantile.
    """

    name: str
    delay: Numbers
    part: Numbers
    median: float
    p99: float


def _quantile(delay: Numbers, part: Numbers, fraction: float) -> float:
    return float(delay[min(int(part.searchsorted(fraction - 1e-12)), len(part) - 1)])


def delays_of(
    run: Run, flows: Sequence[str], span: Span, measured: Span, *, part: bool | None = None
) -> tuple[tuple[str, str], list[Cumulative]]:
    """Title, quantity of the axis, and the distributions of the delays that were observed.

    The whole run has the one-way delays that ``observe.distributions`` counts, one curve for each
    family if there are more flows than colours. Without them it has the round-trip times of `flows`
    from the series `rtt`, weighted by the time that each holds. A part of a run has the round-trip
    times that were recorded in it, each once.

    Args:
        run: with recorded series or distributions.
        flows: names of flows whose round-trip times are taken.
        span: the part of the run that is shown, seconds.
        measured: the part that was measured, seconds.
        part: true takes `span` for a part, false for the whole run; `None` compares the two.
    """
    is_part = span != (0.0, run.summary["duration_s"]) if part is None else part
    counted = {} if is_part else _counted(run)
    if counted:
        return ONE_WAY, [_packets(name, several) for name, several in counted.items()]
    within = max(span[0], measured[0]), span[1]
    within = within if within[0] < within[1] else span
    series = {name: series_with_points(run, f"{name}.rtt") for name in flows}
    found = {
        name: _samples(one, series_with_points(run, f"{name}.acked"), within)
        if is_part
        else _times(name, one, within)
        for name, one in series.items()
        if one is not None
    }
    text, quantity = BY_SAMPLE if is_part else ROUND_TRIP
    text = text if run.measured is None else SMOOTHED
    return (text, quantity), [one for one in found.values() if one is not None]


def spread_out(found: list[Cumulative]) -> list[Cumulative]:
    """All distributions, or none if they are one vertical line."""
    ends = [float(end) for one in found for end in (one.delay[0], one.delay[-1])]
    return found if ends and max(ends) - min(ends) > _ALIKE * max(ends) else []


def _counted(run: Run) -> "Mapping[str, Sequence[DelaySummary]]":
    """Counted one-way delays by flow, or by family if the flows are too many."""
    counted = {
        name: flow["one_way_delay"]
        for name, flow in run.flows.items()
        if flow.get("one_way_delay", {}).get("samples")
    }
    if len(counted) <= len(COLOURS):
        return {name: [one] for name, one in counted.items()}
    families = groupby(sorted(counted), key=lambda name: name.partition("[")[0])
    together = {family: [counted[name] for name in names] for family, names in families}
    return together if len(together) <= len(COLOURS) else {"all flows": list(counted.values())}


def _packets(name: str, several: Sequence[Mapping[str, Any]]) -> Cumulative:
    """Distribution of the packets of some flows together. A lone flow has quantiles of its own."""
    tails = [np.array(_ends(one), dtype=np.float64) for one in several]
    delay = np.unique(np.concatenate([tail[:, 0] for tail in tails]))
    weights = np.array([one["samples"] for one in several], dtype=np.float64)
    above = [np.interp(delay, tail[:, 0], tail[:, 1], left=1.0, right=0.0) for tail in tails]
    part = 1.0 - (weights[:, None] * np.array(above)).sum(axis=0) / weights.sum()
    own = [several[0][key] if len(several) == 1 else None for key in ("p50", "p99")]
    found = [
        _quantile(delay, part, fraction) if one is None else float(one)
        for one, fraction in zip(own, (0.5, 0.99), strict=True)
    ]
    return Cumulative(name, delay, part, *found)


def _ends(counted: Mapping[str, Any]) -> list[tuple[float, float]]:
    """Fraction of packets above each counted delay, from the smallest delay to the largest."""
    inside = [pair for pair in counted["above"] if counted["min"] < pair[0] < counted["max"]]
    return [(counted["min"], 1.0), *inside, (counted["max"], 0.0)]


def _times(name: str, series: Series, span: Span) -> Cumulative | None:
    """Distribution over the time in `span`; `None` for a series that lost points to thinning."""
    if series.means is not None:
        return None
    ends = np.append(series.time[1:], np.inf).clip(*span)
    lasts = ends - series.time.clip(*span)
    known = (lasts > 0.0) & np.isfinite(series.value)
    if not known.any():
        return None
    return _weighted(name, series.value[known], lasts[known])


def _samples(series: Series, acked: Series | None, span: Span) -> Cumulative | None:
    """Distribution of the samples in `span`; `None` for less than `FEWEST`, or a thinned series."""
    known = _fresh(series, acked) & (series.time >= span[0]) & (series.time <= span[1])
    if series.means is not None or known.sum() < FEWEST:
        return None
    return _weighted(owner(series), series.value[known], np.ones(int(known.sum())))


def _fresh(series: Series, acked: Series | None) -> NDArray[np.bool_]:
    """True for points that are new samples: a grid repeats the last one until there is another.

    A sample is new if its value differs. An equal value is taken for a new sample after a round
    trip, the interval between timed segments, if data were acknowledged since.
    """
    until = np.zeros(len(series)) if acked is None else acknowledged(acked, series.time)
    fresh = np.zeros(len(series), dtype=np.bool_)
    last = 0
    for at in np.flatnonzero(np.isfinite(series.value)):
        passed = series.time[at] - series.time[last] + ROUNDING >= series.value[at]
        alike = series.value[at] == series.value[last] and fresh[last]
        if not alike or (passed and until[at] > until[last]):
            fresh[at], last = True, int(at)
    return fresh


def _weighted(name: str, value: Numbers, weight: Numbers) -> Cumulative:
    order = np.argsort(value, kind="stable")
    delay, below = value[order], np.cumsum(weight[order])
    part = below / below[-1]
    middle, late = (_quantile(delay, part, fraction) for fraction in (0.5, 0.99))
    return Cumulative(name, delay, part, middle, late)


def draw_delays(
    axes: Axes, texts: tuple[str, str], found: Sequence[Cumulative], colours: Sequence[str]
) -> None:
    """Draws a curve for each distribution, in its colour; a logarithmic axis over decades.

    Packets are counted at some delays: between these a curve is straight.
    """
    quiet(axes)
    title(axes, texts[0])
    axes.set_ylabel(texts[1], fontsize=9)
    axes.set_xlabel("delay in ms", fontsize=9)
    scale = per("ms")
    for one, colour in zip(found, colours, strict=True):
        late = f",\n99 %: {plain(scale * one.p99)} ms" if len(found) <= _FEW else ""
        axes.plot(
            np.concatenate([one.delay[:1], one.delay]) * scale,
            np.concatenate([[0.0], one.part]),
            color=colour,
            linewidth=1.1,
            drawstyle="default" if texts == ONE_WAY else "steps-post",
            label=f"{one.name}: median {plain(scale * one.median)} ms{late}",
        )
    axes.set_ylim(0.0, 1.03)
    lowest, highest = min(one.delay[0] for one in found), max(one.delay[-1] for one in found)
    if 0.0 < _DECADES * lowest <= highest:
        axes.set_xscale("log")
        plain_logarithmic(axes.xaxis, *axes.get_xlim())
