"""Series as curves: owner, first point, and the points that the width of a figure can show."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cellway.runs.runs import Run
from cellway.runs.series import Series

Numbers = NDArray[np.float64]

COLUMNS = 450
"""Columns of a figure whose curves have more points than can be seen: two pixels each."""


class Curve(NamedTuple):
    """Points of a curve, whose values hold until the next one.

    Attributes:
        time: seconds.
        value: at each point.
        means: time means from each point to the next of a thinned series; `None` where the value
            holds.
    """

    time: Numbers
    value: Numbers
    means: Numbers | None = None

    @property
    def held(self) -> Numbers:
        """Values to average over time."""
        return self.value if self.means is None else self.means

    def band(self) -> tuple[Numbers, Numbers]:
        """Bounds of the values from each point to the next; if thinned, of nearby points."""
        if self.means is None:
            return self.value, self.value
        near = np.lib.stride_tricks.sliding_window_view(np.pad(self.value, (1, 3), mode="edge"), 5)
        return near.min(axis=1), near.max(axis=1)


def curve_of(series: Series, scale: float = 1.0) -> Curve:
    """The series with its values multiplied by `scale`."""
    return Curve(
        series.time, series.value * scale, None if series.means is None else series.means * scale
    )


def recorded_series(run: Run, quantity: str) -> list[Series]:
    """The series of `quantity` that have points."""
    found = [run.series(name) for name in run.series_names if name.endswith(f".{quantity}")]
    return [series for series in found if len(series)]


def series_with_points(run: Run, name: str) -> Series | None:
    """The series `name`, if it was recorded and has points."""
    found = run.series(name) if name in run.series_names else None
    return found if found is not None and len(found) else None


def owner(series: Series) -> str:
    """The flow or port: ``"an2.edc-side"`` of ``"an2.edc-side.queue"``."""
    return series.name.rpartition(".")[0]


def max_value(series: Series) -> float:
    """Largest value that is a number; before the first measurement there are none."""
    numbers = series.value[series.value == series.value]
    return float(numbers.max(initial=0.0))


def highest_within(series: Series, span: tuple[float, float]) -> float:
    """Largest value in `span` that is a number; 0 if there is none."""
    return float(np.nanmax(within(series, span)[1], initial=0.0))


def mostly_below(series: Series, span: tuple[float, float], part: float = 0.98) -> float:
    """Bound that a series does not exceed for this `part` of the known time in `span`; else 0."""
    ends = np.append(series.time[1:], np.inf).clip(*span)
    lasts = ends - series.time.clip(*span)
    known = (lasts > 0.0) & np.isfinite(series.value)
    if not known.any():
        return 0.0
    order = np.argsort(series.value[known])
    time = np.cumsum(lasts[known][order])
    at = min(int(time.searchsorted(part * time[-1])), len(time) - 1)
    return float(series.value[known][order][at])


def swings(time_value: tuple[Numbers, Numbers]) -> float:
    """Number of times that a curve goes from its minimum to its maximum or back."""
    value = time_value[1][np.isfinite(time_value[1])]
    spread = float(np.ptp(value)) if len(value) else 0.0
    return float(np.abs(np.diff(value)).sum()) / spread if spread else 0.0


def within(series: Series, span: tuple[float, float]) -> tuple[Numbers, Numbers]:
    """The points in `span`, with the values valid at its start and until its end.

    No value at the start where the first point comes later.
    """
    first, behind = (int(place) for place in series.time.searchsorted(span, side="right"))
    first = max(0, first - 1)
    held = series.value[first:behind]
    return np.append(series.time[first:behind], span[1:] if held.size else ()), np.append(
        held, held[-1:]
    )


def total(several: list[Series], scale: float = 1.0) -> Curve:
    """The sum of step curves, at the instants of all their points from where all have begun."""
    time = np.unique(np.concatenate([series.time for series in several]))
    time = time[time >= max(series.time[0] for series in several)]
    value, held = np.zeros(len(time)), np.zeros(len(time))
    for series in several:
        before = series.time.searchsorted(time, side="right") - 1
        value += series.value[before] * scale
        held += series.held[before] * scale
    thinned = any(series.means is not None for series in several)
    return Curve(time, value, held if thinned else None)


@dataclass(frozen=True)
class Steps:
    """A curve that keeps a value from each edge to the next; NaN where it has none.

    Attributes:
        edges: seconds; one more than values.
        minimum: of the values between two edges.
        mean: over the time that has a value.
        maximum: of the values between two edges.
    """

    edges: Numbers
    minimum: Numbers
    mean: Numbers
    maximum: Numbers


def exact(curve: Curve, span: tuple[float, float]) -> Steps:
    """Steps of a curve that holds from each point to the next, the last to the end of `span`."""
    inside = (curve.time > span[0]) & (curve.time < span[1])
    return _between(np.unique(np.concatenate([[span[0]], curve.time[inside], [span[1]]])), curve)


def columns(curve: Curve, span: tuple[float, float], count: int) -> Steps:
    """A curve in `count` columns of equal width; one without a point keeps the value before it."""
    return _between(np.linspace(span[0], span[1], count + 1), curve)


def bins(curve: Curve, span: tuple[float, float], width: float) -> Steps:
    """A curve in columns of `width` seconds, of which the last may be shorter."""
    count = math.ceil((span[1] - span[0]) / width - 1e-9)
    return _between(np.append(span[0] + width * np.arange(count), span[1]), curve)


def _between(edges: Numbers, curve: Curve) -> Steps:
    inside = (curve.time > edges[0]) & (curve.time < edges[-1])
    begins = np.unique(np.concatenate([edges[:-1], curve.time[inside]]))
    before = curve.time.searchsorted(begins, side="right") - 1
    averaged, lowest, highest = (
        np.where(before >= 0, numbers[np.maximum(before, 0)], np.nan)
        for numbers in (curve.held, *curve.band())
    )
    lasts = np.diff(np.append(begins, edges[-1]))
    known = np.isfinite(averaged)
    first = begins.searchsorted(edges[:-1])
    weight = np.add.reduceat(np.where(known, lasts, 0.0), first)
    area = np.add.reduceat(np.where(known, averaged * lasts, 0.0), first)
    mean = np.divide(area, weight, out=np.full(len(first), np.nan), where=weight > 0.0)
    # Rounding must not put a mean outside its values.
    minimum, maximum = np.fmin.reduceat(lowest, first), np.fmax.reduceat(highest, first)
    return Steps(edges, minimum, mean.clip(minimum, maximum), maximum)
