"""Series as curves: whose they are, where they begin, and what is left of them at the width of a picture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cellway.run import Run, Series

Numbers = NDArray[np.float64]

COLUMNS = 450
"""Columns of a picture whose curves have more points than can be seen: two pixels each."""


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


def largest_value(series: Series) -> float:
    """Of the values that are numbers: before the first there are none."""
    numbers = series.value[series.value == series.value]
    return float(numbers.max(initial=0.0))


def within(series: Series, span: tuple[float, float]) -> tuple[Numbers, Numbers]:
    """The points in `span`, with the value that holds when it begins and the one that holds until it ends."""
    first, behind = (int(place) for place in series.time.searchsorted(span, side="right"))
    first = max(0, first - 1)
    held = series.value[first:behind]
    return np.append(series.time[first:behind], span[1]), np.append(held, held[-1:])


def total(several: list[Series]) -> tuple[Numbers, Numbers]:
    """The sum of steps, at every instant at which one of them has a point and all have begun."""
    time = np.unique(np.concatenate([series.time for series in several]))
    time = time[time >= max(series.time[0] for series in several)]
    value = np.zeros(len(time))
    for series in several:
        value += series.value[series.time.searchsorted(time, side="right") - 1]
    return time, value


@dataclass(frozen=True)
class Steps:
    """A curve that keeps a value from each edge to the next; NaN where it has none.

    Attributes:
        edges: seconds; one more than values.
        least: smallest value between two edges.
        mean: over the time that has a value.
        most: largest value.
    """

    edges: Numbers
    least: Numbers
    mean: Numbers
    most: Numbers


def exact(time: Numbers, value: Numbers, span: tuple[float, float]) -> Steps:
    """Every step of values that last from their `time` to the next, the last to the end of `span`."""
    inside = (time > span[0]) & (time < span[1])
    return _between(np.unique(np.concatenate([[span[0]], time[inside], [span[1]]])), time, value)


def columns(time: Numbers, value: Numbers, span: tuple[float, float], count: int) -> Steps:
    """The same in `count` columns of equal width; one without a point holds the value before it."""
    return _between(np.linspace(span[0], span[1], count + 1), time, value)


def _between(edges: Numbers, time: Numbers, value: Numbers) -> Steps:
    inside = (time > edges[0]) & (time < edges[-1])
    begins = np.unique(np.concatenate([edges[:-1], time[inside]]))
    before = time.searchsorted(begins, side="right") - 1
    held = np.where(before >= 0, value[np.maximum(before, 0)], np.nan)
    lasts = np.diff(np.append(begins, edges[-1]))
    known = np.isfinite(held)
    first = begins.searchsorted(edges[:-1])
    weight = np.add.reduceat(np.where(known, lasts, 0.0), first)
    area = np.add.reduceat(np.where(known, held * lasts, 0.0), first)
    mean = np.divide(area, weight, out=np.full(len(first), np.nan), where=weight > 0.0)
    # Rounding must not put a mean outside its values.
    least, most = np.fmin.reduceat(held, first), np.fmax.reduceat(held, first)
    return Steps(edges, least, mean.clip(least, most), most)
