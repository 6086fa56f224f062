"""One quantity of a run over time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Series:
    """One quantity over time, as read-only arrays of NumPy of shape ``(n,)``, float64.

    Attributes:
        name: such as ``"an2.edc-side.queue"`` or ``"bulk.cwnd"``.
        unit: of the values: ``"cell"``, ``"packet"``, ``"byte"``, ``"second"``.
        times: seconds since the start of the run, ascending.
        values: the value at each of `times`, in `unit`; NaN where there was none.
        means: for a thinned series on change, the exact time mean from each point to the next, of
            all values recorded between them, in `unit`; `None` where a value holds until the next
            point.
        thinned: number of times that points were dropped to stay within ``observe.limit``.
    """

    name: str
    unit: str
    times: "NDArray[np.float64]"
    values: "NDArray[np.float64]"
    means: "NDArray[np.float64] | None" = None
    thinned: int = 0

    def __len__(self) -> int:
        return len(self.times)

    @property
    def time(self) -> "NDArray[np.float64]":
        """The array `times`."""
        return self.times

    @property
    def value(self) -> "NDArray[np.float64]":
        """The array `values`."""
        return self.values

    @property
    def held(self) -> "NDArray[np.float64]":
        """Values to average over time: `means`, or else the values, valid until the next point."""
        return self.values if self.means is None else self.means

    @property
    def note(self) -> str:
        """Note on dropped points, in words; empty when the series was not thinned."""
        if not self.thinned:
            return ""
        times = "once" if self.thinned == 1 else f"{self.thinned} times"
        kept = (
            f"one sample in {2**self.thinned} is" if self.means is None else "peaks and means are"
        )
        return f"thinned {times}: {kept} kept"

    def time_mean(self, start: float | None = None, end: float | None = None) -> float:
        """The time average from `start` to `end`, in `unit`.

        It is exact, within floating point, between any two points. Where `start` or `end` cuts a
        thinned series between two points, `time_mean_error` bounds its error.

        Args:
            start: seconds; the first point for `None`, and for an earlier instant.
            end: seconds; the last point for `None`, or later: the last value holds.

        Raises:
            ValueError: the series has no point up to `end`.
        """
        from cellway.statistics import reduce_series  # noqa: PLC0415

        window = self._window(start, end)
        return reduce_series(self.times, self.held, "time_mean", window=window)

    def time_mean_error(self, start: float | None = None, end: float | None = None) -> float:
        """Bound of the error of `time_mean` where `start` or `end` cuts a gap of a thinned series.

        Values between two points of a thinned series lie between the extremes of the first, of the
        one before it and of the three behind it. A part of the gap can differ from the mean of the
        whole by their distance, for no longer than the shorter part lasts.

        Returns:
            A bound in `unit`; 0 where nothing was thinned, or both ends are points.

        Raises:
            ValueError: as for `time_mean`.
        """
        first, last = self._window(start, end)
        first = max(first, float(self.times[0]))
        if self.means is None or last <= first:
            return 0.0
        return sum(self._cut(at) for at in {first, last}) / (last - first)

    def _window(self, start: float | None, end: float | None) -> tuple[float, float]:
        if not len(self):
            raise ValueError(f"series {self.name} has no points")
        return (
            float(self.times[0]) if start is None else start,
            float(self.times[-1]) if end is None else end,
        )

    def _cut(self, at: float) -> float:
        """Bound of the error of the area of the gap at `at`, on the shorter side of `at`."""
        gap = int(self.times.searchsorted(at, side="right")) - 1
        if gap + 1 >= len(self):
            return 0.0
        near = self.values[max(gap - 1, 0) : gap + 4]
        shorter = min(at - float(self.times[gap]), float(self.times[gap + 1]) - at)
        return shorter * float(near.max() - near.min())

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores the state of a pickle and makes the arrays read-only again."""
        self.__dict__.update(state)
        read_only(self)


def read_only(series: Series) -> Series:
    """Makes the arrays of `series`, which nobody else has, read-only; returns it."""
    for array in (series.times, series.values, series.means):
        if array is not None:
            array.setflags(write=False)
    return series
