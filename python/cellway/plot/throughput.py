"""Throughput over time: data acknowledged in order, in bins of one width."""

import math
from collections.abc import Sequence

import numpy as np

from cellway.plot.curves import Numbers
from cellway.runs.series import Series
from cellway.text.units import SCALES

MOST_BINS = 100
"""Most bins in a panel: more could not be told apart, and would show single windows."""
ROUNDING = 1e-9
"""Seconds by which the time of a sample may be off, by rounding."""
FEWEST = 4
"""Samples in a bin."""
_STEPS = (1.0, 2.0, 5.0)
_UNITS = ("Mbit/s", "kbit/s", "bit/s")
"""Units of a rate: the first of which it has at least a tenth; smaller rates take the first."""


def bin_width(recorded: Sequence[Series], span: tuple[float, float]) -> float:
    """Seconds of a bin: 1, 2 or 5 times a power of ten, at most `MOST_BINS` of them.

    If samples are on a grid, each bin has the same number of several: else the grid would be seen.
    """
    least = (span[1] - span[0]) / MOST_BINS
    power = 10.0 ** math.floor(math.log10(least))
    widths = (power * 10.0**n * step for n in range(4) for step in _STEPS)
    enough = [width for width in widths if width >= least * (1.0 - 1e-9)]
    widest = max((spacing(series) for series in recorded), default=0.0)
    return next((width for width in enough if _is_multiple(width, widest)), enough[0])


def spacing(series: Series) -> float:
    """Seconds between samples on a grid; 0 for points at any time."""
    # The first interval may be cut where a flow starts.
    steps = np.diff(series.time[1:])
    is_grid = len(steps) > 0 and bool(np.allclose(steps, steps[0], rtol=1e-6))
    return float(steps[0]) if is_grid else 0.0


def _is_multiple(width: float, spacing: float) -> bool:
    count = width / spacing if spacing else FEWEST
    return count >= FEWEST - 1e-6 and abs(count - round(count)) < 1e-6 * count


def rate_unit(rate: float) -> str:
    """The unit in which to give `rate` bits per second."""
    return next((unit for unit in _UNITS if rate >= 0.1 * SCALES[unit]), _UNITS[0])


def rate_text(rate: float) -> str:
    """A rate in bits per second in words: ``"9.39 Mbit/s"``."""
    unit = rate_unit(rate)
    return f"{rate / SCALES[unit]:.4g} {unit}"


def acknowledged(series: Series, at: Numbers) -> Numbers:
    """Bytes acknowledged until each instant; 0 before the first point."""
    found = np.searchsorted(series.time, at + ROUNDING, side="right")
    return np.concatenate(([0.0], series.value))[found]


def mean_rate(series: Series, span: tuple[float, float]) -> float:
    """Mean rate in bits per second over a part of the run."""
    first, last = acknowledged(series, np.array(span))
    return 8.0 * float(last - first) / (span[1] - span[0])


def binned(series: Series, span: tuple[float, float], width: float) -> Series:
    """Rates in bits per second over bins, each at its start; the last bin may be shorter."""
    count = math.ceil((span[1] - span[0]) / width - 1e-9)
    edges = np.append(span[0] + width * np.arange(count), span[1])
    rates = 8.0 * np.diff(acknowledged(series, edges)) / np.diff(edges)
    # The last rate again, at the end of its bin.
    return Series(series.name, "bit/s", edges, np.append(rates, rates[-1:]))
