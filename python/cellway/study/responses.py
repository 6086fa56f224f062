"""What a study looks at: numbers of a run's summary, of `explain`, or reductions of a series.

A response is stored under its definition, not under its name: renaming it or giving it another unit asks for
no new runs, and another definition does not pass for an old one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cellway.errors import StudyError
from cellway.quantity import Quantity
from cellway.run import Series
from cellway.statistics import batch_means, mser5, reduce_series
from cellway.units import UNITS

MSER5 = "mser5"
BATCH_MEANS = "batch_means"
HALF_WIDTH = ": half-width"
"""Behind a definition, the half-width that one run gives by batch means."""


@dataclass(frozen=True)
class Reading:
    """What a run gave for one response: numbers by definition, and what the user should know."""

    numbers: Mapping[str, float | None]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reduction:
    """One number of a series.

    Attributes:
        series: its name, such as ``"an2.edc-side.queue"``.
        how: a reduction of `cellway.statistics`, or ``"batch_means"``: the mean with an interval from this
        run alone. start: seconds before which nothing counts; `end`: after which, `None` for all.
        share: for ``"quantile"``.
        warm_up: ``"mser5"`` deletes what MSER-5 says, after `start`.
    """

    series: str
    how: str
    start: float = 0.0
    end: float | None = None
    share: float | None = None
    warm_up: str | None = None

    def __str__(self) -> str:
        """All of it in words."""
        words = [f"{self.how} of {self.series}"]
        words += [] if self.share is None else [f"at {_written(self.share)}"]
        words += [] if self.start == 0.0 else [f"from {_written(self.start)} s"]
        words += [] if self.end is None else [f"to {_written(self.end)} s"]
        words += [] if self.warm_up is None else [f"after {self.warm_up}"]
        return " ".join(words)

    def read(self, series: Series) -> Reading:
        """The number, in the unit of the series; samples that are not numbers are left out.

        Where nothing can be said, it is `None` and a warning says why.
        """
        import numpy as np  # noqa: PLC0415

        definition = str(self)
        numbers = np.isfinite(series.value)
        time, value = series.time[numbers], series.value[numbers]
        start, end = self.start, math.inf if self.end is None else self.end
        inside = np.flatnonzero((time >= start) & (time <= end))
        warnings: list[str] = []
        try:
            if self.warm_up == MSER5:
                truncation = mser5(value[inside].tolist())
                inside = inside[truncation.require() :]
                start = float(time[inside[0]])
                warnings.append(f"{definition}: {truncation}")
            if self.how == BATCH_MEANS:
                return self._batches(value[inside].tolist(), warnings)
            window = (start, min(end, float(series.time[-1])))
            found = reduce_series(time, value, self.how, window=window, p=self.share)
        except (ValueError, IndexError) as error:
            return Reading({definition: None}, (f"{definition}: {error}",))
        return Reading({definition: found}, tuple(warnings))

    def _batches(self, values: list[float], warnings: list[str]) -> Reading:
        definition = str(self)
        found = batch_means(values)
        if not found.independent:
            warnings.append(f"{definition}: {found}; make the run longer")
        numbers = {definition: found.estimate.mean, definition + HALF_WIDTH: found.estimate.half_width}
        return Reading(numbers, tuple(warnings))


@dataclass(frozen=True)
class Response:
    """One number per run, with a name and a unit of its own.

    Attributes:
        name: what tables and plots call it.
        source: where it comes from.
        unit: it is shown in; a key of `cellway.units.UNITS`, or any text when it is not to be converted.
        explained: whether it comes from `explain` and needs no run.
    """

    name: str
    source: Quantity | Reduction
    unit: str = "1"
    explained: bool = False

    @property
    def definition(self) -> str:
        """What it is stored under: the source in words."""
        return f"explain:{self.source!s}" if self.explained else str(self.source)

    @property
    def scale(self) -> float:
        """The stored number divided by this is in `unit`."""
        return UNITS.get(self.unit, 1.0)

    def shown(self, numbers: Mapping[str, float | None]) -> float | None:
        """The number in `unit`; `None` when the run gave none."""
        value = numbers.get(self.definition)
        return None if value is None else value / self.scale

    def of_explanation(self, explained: Mapping[str, Any]) -> float:
        """The number that `explain` gives, in `unit`.

        Raises:
            StudyError: it gives none.
        """
        assert isinstance(self.source, Quantity)  # noqa: S101
        try:
            return self.source.of(explained, "explanation") / self.scale
        except ValueError as error:
            raise StudyError(f"response `{self.name}`: {error}") from error

    def half_width(self, numbers: Mapping[str, float | None]) -> float | None:
        """The half-width from one run alone, in `unit`, by batch means."""
        value = numbers.get(self.definition + HALF_WIDTH)
        return None if value is None else value / self.scale


def _written(number: float) -> str:
    """Short where that is exact: two definitions that differ must not read the same."""
    short = f"{number:g}"
    return short if float(short) == number else repr(number)
