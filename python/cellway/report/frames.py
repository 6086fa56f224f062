"""Frames of a run: queues, rates, windows and losses at the places of its drawing, over time.

A frame is one of `FRAMES` equal stretches of the time axis. It has the largest queue and the losses
of its stretch, the windows of its middle, and the throughput of the bin of the chart in which its
middle lies. What was not recorded is absent.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cellway.plot.curves import Numbers, columns, curve_of, series_with_points
from cellway.plot.throughput import bin_width, binned
from cellway.report.topology import Edge, Topology, hops_of
from cellway.runs.runs import Run
from cellway.runs.series import Series
from cellway.text.units import SCALES

FRAMES = 400
"""Frames of a run: more would be less than two pixels of a slider."""
_LOST = (".lost_at.", ".lost_on.")
"""Marks, in names of series, before the port or the link at which a flow lost segments."""
_IDLE = 1.0
"""Cells or packets of a queue that never waits."""
_DIGITS = 3

Frames = dict[str, Any]
"""For JSON: `edges` and `boxes` of a drawing by their numbers, each with quantities by name, whose
`v` has a value for each frame."""


def frames_of(run: Run, path: Topology, span: tuple[float, float]) -> Frames | None:
    """Frames of the quantities recorded at the places of `path`; `None` if nothing was."""
    flows = [one for one in path.explained["flows"] if one["name"] in run.flows]
    rates = _rates(run, [one["name"] for one in flows], span)
    edges = {
        str(at): found
        for at, edge in enumerate(path.edges)
        if (found := _edge(run, edge, flows, rates, span))
    }
    boxes = {
        str(at): found
        for at, name in enumerate(path.columns)
        if (found := _box(run, _from(path, name, flows), rates, span))
    }
    return {"edges": edges, "boxes": boxes, "count": FRAMES} if edges or boxes else None


def _middles(span: tuple[float, float]) -> Numbers:
    return span[0] + (np.arange(FRAMES) + 0.5) * (span[1] - span[0]) / FRAMES


def _rates(run: Run, names: Iterable[str], span: tuple[float, float]) -> dict[str, Numbers]:
    """Throughput of flows in bit/s, by name, in each frame: as data arrive, if that is recorded."""
    found = {
        name: [series_with_points(run, f"{name}.{one}") for one in ("arrived", "acked")]
        for name in names
    }
    recorded = {
        name: series[0]
        for name, both in found.items()
        if (series := [one for one in both if one is not None])
    }
    width = bin_width([*recorded.values()], span) if recorded else 0.0
    return {
        name: _at(binned(series, span, width), _middles(span)) for name, series in recorded.items()
    }


def _at(series: Series, times: Numbers) -> Numbers:
    """Values that hold at `times`; NaN before the first."""
    before = series.time.searchsorted(times, side="right") - 1
    return np.where(before >= 0, series.value[np.maximum(before, 0)], np.nan)


def _from(path: Topology, box: str, flows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of the flows that begin in a box."""
    return [one["name"] for one in flows if path.box_of.get(one["path"][0]) == box]


def _edge(
    run: Run,
    edge: Edge,
    flows: Sequence[Mapping[str, Any]],
    rates: Mapping[str, Numbers],
    span: tuple[float, float],
) -> Frames:
    found: Frames = {}
    if (queue := _queue(run, edge.ports, span)) is not None:
        found["queue"] = queue
    ends = {
        (link["name"], link["from"])
        for family in edge.links
        for link in (*family.there, *family.back)
    }
    crossing = [
        rates[one["name"]]
        for one in flows
        if one["name"] in rates and not ends.isdisjoint(hops_of(one))
    ]
    if crossing:
        lines = [one["line_bits_per_second"] for link in edge.links for one in link.there]
        found["rate"] = _quantity(_sum(crossing) / SCALES["Mbit/s"], "Mbit/s")
        found["rate"]["full"] = sum(lines) / SCALES["Mbit/s"]
    places = {name for name, _ in ends} | {f"{start}.{name}" for name, start in ends}
    lost = [
        run.series(name).time
        for name in run.series_names
        if any(name.partition(mark)[2] in places for mark in _LOST)
    ]
    if lost:
        counts, _ = np.histogram(np.concatenate(lost), bins=FRAMES, range=span)
        found["lost"] = _quantity(counts.astype(float), "lost")
    return found


def _queue(
    run: Run, ports: Sequence[Mapping[str, Any]], span: tuple[float, float]
) -> Frames | None:
    """The fullest queue of the ports, and what fills it: a buffer, or its largest value.

    `None` if none was recorded, or none held more than what is being sent.
    """
    found = {port["name"]: series_with_points(run, f"{port['name']}.queue") for port in ports}
    recorded = [one for one in found.values() if one is not None]
    if not recorded:
        return None
    highest = [columns(curve_of(one), span, FRAMES).maximum for one in recorded]
    values = np.fmax.reduce(highest)
    if not np.nanmax(values) > _IDLE:
        return None
    queue = _quantity(values, f"{recorded[0].unit}s")
    buffers = [queue["buffer"] for port in ports for queue in port["queues"]]
    known = [one["size"] for one in buffers if one["kind"] == "per_port" and one["size"]]
    queue["full"] = max(known) if len(known) == len(buffers) else float(np.nanmax(values))
    queue["several"] = len(recorded) > 1
    return queue


def _box(
    run: Run, names: Sequence[str], rates: Mapping[str, Numbers], span: tuple[float, float]
) -> Frames:
    found: Frames = {}
    windows = [one for name in names if (one := series_with_points(run, f"{name}.cwnd"))]
    if windows:
        values = _sum([_at(one, _middles(span)) for one in windows]) / SCALES["KiB"]
        found["window"] = {**_quantity(values, "KiB"), "several": len(windows) > 1}
    if sent := [rates[name] for name in names if name in rates]:
        found["rate"] = _quantity(_sum(sent) / SCALES["Mbit/s"], "Mbit/s")
    return found


def _sum(several: Sequence[Numbers]) -> Numbers:
    """The sum of those that are known; NaN where none is."""
    known = np.isfinite(several).any(axis=0)
    return np.where(known, np.nansum(several, axis=0), np.nan)


def _quantity(values: Numbers, unit: str) -> Frames:
    short = [float(f"{one:.{_DIGITS}g}") if math.isfinite(one) else None for one in values.tolist()]
    whole = [int(one) if one is not None and one.is_integer() else one for one in short]
    return {"unit": unit, "v": whole}
