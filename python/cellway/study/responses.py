"""Responses of a study: numbers of a run's summary, of `explain`, or reductions of a series.

A response is stored under its definition, not under its name: renaming it or giving it another unit
asks for no new runs, and another definition is not taken for an old one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cellway.errors import StudyError
from cellway.runs.quantity import Quantity
from cellway.runs.series import Series
from cellway.statistics import Truncation, batch_means, mser5, reduce_series, stretch_means, worth
from cellway.statistics.batches import ENOUGH, TRUNCATED
from cellway.text.units import UNITS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MSER5 = "mser5"
BATCH_MEANS = "batch_means"
LOG = "log"
HALF_WIDTH = ": half-width"
"""Behind a definition, the half-width that one run gives by batch means."""
WORTH = ": worth"
"""Behind a definition, the number of independent values that one run is worth, of a mean."""
_MEANS = ("mean", "time_mean")
_THINNED = "the series was thinned: peaks and means are kept"
_EXTREMES = ("max", "min", "first", "last")
"""Reductions that thinning leaves unchanged, within a window of some slots."""
_NO_SAMPLES = (
    "the points of a thinned series are its extremes; `observe.distributions` counts quantiles, "
    "and a larger `observe.limit` keeps all points"
)
_OF_SAMPLES = ("quantile", "sum")
"""Reductions that need all samples."""
_POINTS_PER_STRETCH = 6
"""Points in a stretch, two slots of a thinned series, so that most of it has an exact area."""


@dataclass(frozen=True)
class Reading:
    """Numbers that a run gave for one response, by definition, and warnings for the user."""

    numbers: Mapping[str, float | None]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reduction:
    """One number of a series.

    Attributes:
        series: its name, such as ``"an2.edc-side.queue"``.
        how: a reduction of `cellway.statistics`, or ``"batch_means"``: the mean with an interval
            from this run alone.
        start: seconds before which nothing counts.
        end: seconds after which nothing counts; `None` for the end of the series.
        quantile: the fraction of samples below it, for ``"quantile"``.
        warm_up: ``"mser5"`` deletes what MSER-5 says, after `start`.
    """

    series: str
    how: str
    start: float = 0.0
    end: float | None = None
    quantile: float | None = None
    warm_up: str | None = None

    def __str__(self) -> str:
        """Definition of the reduction in words."""
        words = [f"{self.how} of {self.series}"]
        words += [] if self.quantile is None else [f"at {_written(self.quantile)}"]
        words += [] if self.start == 0.0 else [f"from {_written(self.start)} s"]
        words += [] if self.end is None else [f"to {_written(self.end)} s"]
        words += [] if self.warm_up is None else [f"after {self.warm_up}"]
        return " ".join(words)

    def read(self, series: Series) -> Reading:
        """The number, in the unit of the series; samples that are not numbers are left out.

        If there is no such number, it is `None`, with a warning. The points of a thinned series on
        change are extremes: reductions of samples use time means over equal stretches instead.
        """
        if series.means is not None:
            return self._of_means(series)
        import numpy as np  # noqa: PLC0415

        definition = str(self)
        numbers = np.isfinite(series.value)
        time, value = series.time[numbers], series.value[numbers]
        start, end = self.start, math.inf if self.end is None else self.end
        inside = np.flatnonzero((time >= start) & (time <= end))
        warnings: list[str] = []
        try:
            truncation = None
            if self.warm_up == MSER5:
                truncation = mser5(value[inside].tolist())
                inside = inside[truncation.require() :]
                start = float(time[inside[0]])
                warnings.append(f"{definition}: {_deleted(truncation, value[inside].tolist())}")
            if self.how == BATCH_MEANS:
                return self._batches(value[inside].tolist(), truncation, warnings)
            window = (start, min(end, float(series.time[-1])))
            found = reduce_series(time, value, self.how, window=window, p=self.quantile)
            samples = value[inside].tolist()
            if self.how == "time_mean":
                samples = _stretches(time, value, len(samples), window)
        except (ValueError, IndexError) as error:
            return Reading({definition: None}, (f"{definition}: {error}",))
        return Reading({definition: found, **self._worth(samples)}, tuple(warnings))

    def _of_means(self, series: Series) -> Reading:
        """The number from time means between kept points, and from their values for extremes."""
        import numpy as np  # noqa: PLC0415

        definition = str(self)
        numbers = np.isfinite(series.value) & np.isfinite(series.held)
        time, value, held = series.time[numbers], series.value[numbers], series.held[numbers]
        warnings = [] if self.how in _EXTREMES else [f"{definition}: {_THINNED}"]
        try:
            if self.how in _OF_SAMPLES:
                raise ValueError(_NO_SAMPLES)  # noqa: TRY301
            if not time.size:
                raise ValueError("no samples")  # noqa: TRY301
            start = max(self.start, float(time[0]))
            end = float(time[-1]) if self.end is None else self.end
            count = int(((time >= start) & (time <= end)).sum()) // _POINTS_PER_STRETCH
            truncation = None
            if self.warm_up == MSER5:
                means = stretch_means(time, held, max(count, 1), (start, end))
                truncation = mser5(means)
                skipped = truncation.require()
                start += skipped * (end - start) / max(count, 1)
                count -= skipped
                warnings.append(f"{definition}: {_deleted(truncation, means[skipped:])}")
            stretches = _stretches(time, held, count, (start, end))
            if self.how == BATCH_MEANS:
                return self._batches(stretches, truncation, warnings)
            how = "time_mean" if self.how == "mean" else self.how
            if self.how == "mean":
                warnings.append(f"{definition}: the time mean stands for the mean of samples")
            found = reduce_series(
                time, held if how == "time_mean" else value, how, window=(start, end)
            )
        except (ValueError, IndexError) as error:
            return Reading({definition: None}, (*warnings, f"{definition}: {error}"))
        return Reading({definition: found, **self._worth(stretches)}, tuple(warnings))

    def _worth(self, values: list[float]) -> dict[str, float | None]:
        """Number of independent values below a mean, by definition; absent for other numbers."""
        counts = self.how in _MEANS and len(values) > 1
        return {f"{self}{WORTH}": worth(values)} if counts else {}

    def _batches(
        self, values: list[float], truncation: Truncation | None, warnings: list[str]
    ) -> Reading:
        definition = str(self)
        found = replace(batch_means(values), warm_up=truncation)
        if found.warning:
            warnings.append(f"{definition}: {found}; replicate, or make the run longer")
        numbers = {
            definition: found.estimate.mean,
            definition + HALF_WIDTH: found.estimate.half_width,
            definition + WORTH: found.worth,
        }
        return Reading(numbers, tuple(warnings))


@dataclass(frozen=True)
class Response:
    """A response: one number per run, with a name and a unit of its own.

    Attributes:
        name: its name in tables and plots.
        source: its definition.
        unit: the unit in which it is shown; a key of `cellway.text.units.UNITS`, or any text for a
            number that is not converted.
        explained: true if it comes from `explain` and needs no run.
        transform: ``"log"`` for geometric means, ratios as comparisons, and effects on its natural
            logarithm; `None` for none.
    """

    name: str
    source: Quantity | Reduction
    unit: str = "1"
    explained: bool = False
    transform: str | None = None

    @cached_property
    def definition(self) -> str:
        """Name in the store: the source in words."""
        return f"explain:{self.source!s}" if self.explained else str(self.source)

    @cached_property
    def scale(self) -> float:
        """Size of `unit` in the unit of the stored number, which is divided by it."""
        return UNITS.get(self.unit, 1.0)

    def shown(self, numbers: Mapping[str, float | None]) -> float | None:
        """The number in `unit`; `None` when the run gave none."""
        return self.converted(numbers.get(self.definition))

    def converted(self, value: float | None) -> float | None:
        """A stored number in `unit`."""
        return None if value is None else value / self.scale

    def judged(self, numbers: Mapping[str, float | None]) -> float | None:
        """Number for statistics: in `unit`, or its logarithm with a `transform`."""
        return self.for_statistics(numbers.get(self.definition))

    def for_statistics(self, stored: float | None) -> float | None:
        """A stored number in `unit`, or its logarithm with a `transform`."""
        value = self.converted(stored)
        if value is None or self.transform != LOG:
            return value
        return math.log(value) if value > 0.0 else None

    def of_explanation(self, explained: Mapping[str, Any]) -> float:
        """The number that `explain` gives, in `unit`.

        Raises:
            StudyError: `explain` gives no such number.
        """
        assert isinstance(self.source, Quantity)  # noqa: S101
        try:
            return self.source.of(explained, "explanation") / self.scale
        except ValueError as error:
            raise StudyError(f"response `{self.name}`: {error}") from error

    def half_width(self, numbers: Mapping[str, float | None]) -> float | None:
        """Half-width by batch means of one run, in `unit`."""
        value = numbers.get(self.definition + HALF_WIDTH)
        return None if value is None else value / self.scale

    @property
    def worth_definition(self) -> str:
        """Name in the store of the independent values that a run is worth."""
        return self.definition + WORTH

    @property
    def truncated(self) -> bool:
        """True if MSER-5 deletes the warm-up."""
        return isinstance(self.source, Reduction) and self.source.warm_up == MSER5


def _stretches(
    time: "NDArray[np.float64]",
    means: "NDArray[np.float64]",
    count: int,
    window: tuple[float, float],
) -> list[float]:
    """Time means over equal stretches, from the first sample on; none where there is no room."""
    start, end = max(window[0], float(time[0])), window[1]
    return stretch_means(time, means, count, (start, end)) if count > 0 and start < end else []


def _deleted(truncation: Truncation, rest: list[float]) -> str:
    """Warning on the deletion by MSER-5, which may have been no warm-up if the rest is short."""
    left, enough = worth(rest), ENOUGH * TRUNCATED
    if left >= enough or not truncation.observations:
        return str(truncation)
    return (
        f"{truncation}; the rest is worth {left:.0f} independent values, and below {enough} it "
        "may have been a long queue instead of a warm-up, and means are too low; give `from` or "
        "`run.warm_up`"
    )


def _written(number: float) -> str:
    """Text of a number, short where that is exact: different definitions must differ."""
    short = f"{number:g}"
    return short if float(short) == number else repr(number)
