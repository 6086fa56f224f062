"""Counts and states of the flows of a run, by intervals of equal length."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cellway.errors import CellwayError
from cellway.runs.runs import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Numbers = NDArray[np.float64]


class NotRecordedError(CellwayError, ValueError):
    """A run lacks a series that a format needs."""


@dataclass(frozen=True)
class Interval:
    """Facts of one flow between two instants.

    Attributes:
        start: seconds.
        end: seconds.
        acked: bytes acknowledged in order between them.
        cwnd: bytes at the end; `None` if it was not recorded.
        rtt: the last round trip that was timed, seconds; `None` before the first.
    """

    start: float
    end: float
    acked: int
    cwnd: int | None
    rtt: float | None


def exported_flows(run: Run) -> list[str]:
    """Names of the flows with a series of acknowledged bytes, in the order of the summary.

    Raises:
        NotRecordedError: none has one.
    """
    names = [name for name in run.flows if f"{name}.acked" in run.series_names]
    if not names:
        raise NotRecordedError(
            "no flow has a series `acked`; expected a run of a flow with `tcp` and a table "
            '`[observe]`, with "acked" in `series` if it has that key'
        )
    return names


def intervals_of(run: Run, flow: str, length: float, *edges: float) -> Iterator[Interval]:
    """Intervals of `length` seconds between each two of `edges`; the last of each may be shorter.

    Args:
        run: with the series of the flow.
        flow: its name.
        length: seconds.
        edges: instants, ascending; the last one is the end.
    """
    acked = run.series(f"{flow}.acked")
    others = [_series(run, f"{flow}.{name}") for name in ("cwnd", "rtt")]
    instants = [instant for start, end in pairwise(edges) for instant in _grid(start, end, length)]
    for before, after in pairwise([*instants, edges[-1]]):
        cwnd, rtt = (_at(series, after) for series in others)
        yield Interval(
            start=before,
            end=after,
            acked=round(_count(acked.time, acked.value, after))
            - round(_count(acked.time, acked.value, before)),
            cwnd=None if cwnd is None else round(cwnd),
            rtt=rtt,
        )


def _grid(start: float, end: float, length: float) -> list[float]:
    """Instants from `start` to before `end`."""
    return [start + n * length for n in range(math.ceil((end - start) / length - 1e-9))]


def _series(run: Run, name: str) -> "tuple[_Numbers, _Numbers] | None":
    """Instants and values of a series without its gaps."""
    if name not in run.series_names:
        return None
    import numpy as np  # noqa: PLC0415

    series = run.series(name)
    known = np.isfinite(series.value)
    return series.time[known], series.value[known]


def _count(time: "_Numbers", value: "_Numbers", instant: float) -> float:
    """A count at an instant, in proportion between two points of its series."""
    import numpy as np  # noqa: PLC0415

    return float(np.interp(instant, time, value, left=0.0))


def _at(series: "tuple[_Numbers, _Numbers] | None", instant: float) -> float | None:
    """The last value that is known at an instant."""
    import numpy as np  # noqa: PLC0415

    if series is None:
        return None
    time, value = series
    known = int(np.searchsorted(time, instant, side="right"))
    return float(value[known - 1]) if known else None
