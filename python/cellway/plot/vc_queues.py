"""The queues of single VCs at a port, as recorded, with their colours."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from cellway.plot.colours import COLOURS
from cellway.plot.curves import Curve, Numbers, columns, curve_of, max_value, series_with_points
from cellway.runs.runs import Run
from cellway.runs.series import Series
from cellway.text.units import SCALES

MAX_VCS = len(COLOURS)
"""VCs in a figure; if there are more, those with the longest mean queues are plotted."""

_QUANTITY = ".vc_queue"


@dataclass(frozen=True)
class VcQueue:
    """One VC at a port.

    Attributes:
        name: as in `vcs` of the summary.
        series: its cells (or packets) in the buffer.
        colour: the same in every figure of the port.
        mean: over the measurement; over the samples, where the summary has no single VCs.
        mcr: minimum cell rate in cells per second; `None` without one.
    """

    name: str
    series: Series
    colour: str
    mean: float
    mcr: float | None

    @property
    def label(self) -> str:
        """The name, and the guaranteed minimum cell rate."""
        return (
            self.name
            if self.mcr is None
            else f"{self.name}, MCR {self.mcr / SCALES['kcell/s']:.4g} kcell/s"
        )


def ports_with_vcs(run: Run) -> list[str]:
    """Ports at which cells of single VCs were recorded, the longest queue first."""
    known = [port for port in run.ports if _series_at(run, port)]
    return sorted(known, key=lambda port: (-run.ports[port]["max_queue"], port))


def vc_queues(run: Run, port: str) -> list[VcQueue]:
    """The VCs with cells at `port`, by MCR and name; at most `MAX_VCS`, with the largest means.

    Raises:
        ValueError: no queues of single VCs were recorded at `port`.
    """
    recorded = {
        name: series for name, series in _series_at(run, port).items() if max_value(series) > 0.0
    }
    if not recorded:
        known = (
            ", ".join(ports_with_vcs(run))
            or 'no port; `observe.series` with "vc_queue" records them'
        )
        raise ValueError(
            f"no cells of single VCs were recorded at port {port!r}; recorded at: {known}"
        )
    counted: Any = run.ports[port].get("vcs", {})
    means = {
        name: counted.get(name, {}).get("mean_queue", _mean(run, one))
        for name, one in recorded.items()
    }
    shown = sorted(recorded, key=lambda name: -means[name])[:MAX_VCS]
    rates = {name: counted.get(name, {}).get("mcr_cells_per_second") for name in shown}
    shown.sort(key=lambda name: (rates[name] or 0.0, name))
    return [
        VcQueue(name, recorded[name], colour, means[name], rates[name])
        for name, colour in zip(shown, COLOURS, strict=False)
    ]


def minimum_rates(run: Run, port: str) -> float:
    """W: the sum of the minimum cell rates of all VCs that pass `port`, cells per second."""
    ports: Any = run.ports
    counted = ports.get(port, {}).get("vcs", {}).values()
    return float(sum(vc.get("mcr_cells_per_second") or 0.0 for vc in counted))


def whole_queue(run: Run, port: str) -> Curve:
    """The queue of all VCs: the recorded one, else the sum of theirs."""
    recorded = series_with_points(run, f"{port}.queue")
    if recorded is not None:
        return curve_of(recorded)
    several = list(_series_at(run, port).values())
    time = np.unique(np.concatenate([series.time for series in several]))
    value = np.sum([_steps_at(series.time, series.value, time) for series in several], axis=0)
    if all(series.means is None for series in several):
        return Curve(time, value)
    return Curve(
        time, value, np.sum([values_at(curve_of(series), time) for series in several], axis=0)
    )


def values_at(queue: Curve, instants: Numbers) -> Numbers:
    """The length of a queue at `instants`, or its mean if thinned; zero before its first point."""
    return _steps_at(queue.time, queue.held, instants)


def _steps_at(time: Numbers, value: Numbers, instants: Numbers) -> Numbers:
    before = time.searchsorted(instants, side="right") - 1
    return np.where(before >= 0, value[np.maximum(before, 0)], 0.0)


def _series_at(run: Run, port: str) -> dict[str, Series]:
    """Series of the VCs at `port` that have points, by VC."""
    names = [
        name
        for name in run.series_names
        if name.startswith(f"{port}.") and name.endswith(_QUANTITY)
    ]
    found = {name[len(port) + 1 : -len(_QUANTITY)]: run.series(name) for name in names}
    return {name: series for name, series in found.items() if len(series)}


def _mean(run: Run, series: Series) -> float:
    measured = (run.summary["warm_up_s"], run.summary["duration_s"])
    return float(columns(curve_of(series), measured, 1).mean[0])
