"""Results of a study: means with their intervals, comparisons, effects, tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cellway.errors import StudyError
from cellway.figures import draw
from cellway.notebook import display
from cellway.runs.tables import to_pandas
from cellway.statistics import (
    Anova,
    Estimate,
    Spread,
    TwoLevel,
    compare_to_first,
    estimate,
    exponential,
    spread,
)
from cellway.study import analysis, exactness, point_runs, results_data
from cellway.study.columns import to_xarray, with_numbers
from cellway.study.database import unwritable
from cellway.study.failures import Failure, failed_runs
from cellway.study.plan import Condition
from cellway.study.point_runs import EveryRun, KeptRuns
from cellway.study.record import Record
from cellway.study.responses import Response
from cellway.study.study import Study
from cellway.study.tables import kept_table, shown_table, to_csv, to_parquet

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import polars as pl
    import xarray as xr
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

RUNS = "runs.parquet"
BATCH_METHOD = "batch means of one run"
EXPLAINED = "explained"
"""Method of a number that needs no run."""


@dataclass(frozen=True, eq=False)
class Results:
    """Runs of a study, in the order of its points and replications.

    Attributes:
        study: the study.
        conditions: the scenario of each point.
        runs: the finished runs of each point, by replication.
        complete: true if no run is missing.
        folder: the folder that keeps them; `None` if none does.
        retried: number of runs that had failed at an earlier start and were done again.
        restored: number of runs that were done again because their stored rows were damaged, or
            their series were missing.
        part_done: true if the study is a part (`Study.part`) and has all of its runs; `complete`
            is false then.
        notes: what the user is told about files of the folder, such as a damaged one.
        expected: of joined studies, the runs that each expects at a point, by its name.
    """

    study: Study
    conditions: tuple[Condition, ...]
    runs: Sequence[Sequence[Record]]
    complete: bool
    folder: Path | None = None
    retried: int = 0
    restored: int = 0
    part_done: bool = False
    notes: tuple[str, ...] = ()
    expected: Mapping[str, int] = field(default_factory=dict)
    _estimates: dict[tuple[str, int], Estimate | None] = field(
        default_factory=dict, init=False, repr=False
    )
    _deterministic: dict[int, bool] = field(default_factory=dict, init=False, repr=False)

    @property
    def records(self) -> Sequence[Record]:
        """All runs, point by point."""
        if isinstance(self.runs, KeptRuns):
            return EveryRun(self.runs)
        return [record for point in self.runs for record in point]

    @property
    def models(self) -> tuple[str, ...]:
        """The models of the simulator that made the runs, sorted."""
        if isinstance(self.runs, KeptRuns):
            return self.runs.editions
        return tuple(sorted({record.edition for record in self.records}))

    @property
    def kernels(self) -> tuple[str, ...]:
        """Releases of the kernels whose TCP was measured, sorted; at most one."""
        return tuple(sorted({record.kernel for record in self._unusual if record.kernel}))

    @property
    def dates(self) -> tuple[str, ...]:
        """Starts of the measurements, ISO 8601, sorted."""
        return tuple(sorted(record.date for record in self._unusual if record.date))

    @property
    def marked(self) -> list[Record]:
        """Measured runs that are not to be trusted; `Record.marks` has the reasons."""
        return [record for record in self._unusual if record.marks]

    @property
    def failed(self) -> list[Record]:
        """Runs that could not finish; `failures` has the reasons."""
        return [record for record in self._unusual if record.status != "done"]

    @property
    def _unusual(self) -> Sequence[Record]:  # Some of them may have failed or be measured.
        return () if isinstance(self.runs, KeptRuns) else self.records

    @property
    def failures(self) -> list[Failure]:
        """Runs that could not finish, with reasons and the commands that repeat them."""
        return failed_runs(self.conditions, self.runs if self.failed else (), self.folder)

    @property
    def warnings(self) -> dict[str, int]:
        """Warnings of the finished runs, each with the number of runs that have it."""
        if isinstance(self.runs, KeptRuns):
            return self.runs.warnings
        done = (record for record in self.records if record.status == "done")
        return dict(Counter(warning for record in done for warning in record.warnings))

    def deterministic(self, point: int) -> bool:
        """True if the seed changes nothing at a point: its two or more runs are identical.

        `cellway.statistics.repeats` explains the term.
        """
        if point not in self._deterministic:
            self._deterministic[point] = point_runs.repeat(self.runs[point])
        return self._deterministic[point]

    @property
    def all_deterministic(self) -> bool:
        """True if the seed changes nothing at any point."""
        return all(self.deterministic(point) for point in range(len(self.conditions)))

    def response(self, name: str) -> Response:
        """The response called `name`.

        Raises:
            StudyError: there is none.
        """
        for response in self.study.responses:
            if response.name == name:
                return response
        known = ", ".join(response.name for response in self.study.responses)
        raise StudyError(f"no response {name!r}; there are {known}")

    def values(self, name: str, point: int) -> list[float]:
        """The numbers of a response at a point, by replication, in the response's unit."""
        response = self.response(name)
        if response.explained:
            condition = self.conditions[point]
            return [response.of_explanation(condition.scenario(self.study.seed).explain())]
        shown = map(
            response.converted, point_runs.numbers_of(self.runs[point], response.definition)
        )
        return [value for value in shown if value is not None]

    def estimate(self, name: str, point: int) -> Estimate | None:
        """Mean and interval of a response at a point; `None` when no run gave a number.

        With `transform` the mean is geometric; `None` if a number has no logarithm.
        """
        if (name, point) not in self._estimates:
            self._estimates[name, point] = self._estimated(name, point)
        return self._estimates[name, point]

    def _estimated(self, name: str, point: int) -> Estimate | None:
        values = self.values(name, point)
        if not values:
            return None
        if self.response(name).explained:
            return Estimate(values[0], None, 0, EXPLAINED)
        judged = [one for one in self._column(name, point) if one is not None]
        if len(judged) < len(values):
            return None
        if len(values) == 1:
            done = next(record for record in self.runs[point] if record.status == "done")
            width = self.response(name).half_width(done.metrics)
            if width is not None:
                return Estimate(values[0], width, 1, BATCH_METHOD)
        found = estimate(judged, deterministic=self.deterministic(point))
        length = exactness.run_length(self, name, point)
        if found.half_width is not None and length is not None:
            found = replace(found, warning=length.warning)
        return self._shown(name, found)

    def _shown(self, name: str, found: Estimate) -> Estimate:
        """Estimate converted back from the logarithm, if the response has a `transform`."""
        return exponential(found) if self.response(name).transform else found

    def without_logarithm(self, name: str) -> int:
        """Number of runs whose value is not positive, though its logarithm is asked for."""
        if not self.response(name).transform:
            return 0
        every = (self.values(name, point) for point in range(len(self.conditions)))
        return sum(value <= 0.0 for values in every for value in values)

    def estimates(self, name: str) -> list[Estimate | None]:
        """Estimates at all points; see `estimate`."""
        return [self.estimate(name, point) for point in range(len(self.conditions))]

    def exactness(self) -> str:
        """The widest relative half-width of each response, for a line of progress."""
        return exactness.widest(self)

    def inexact(self) -> dict[int, str]:
        """The points whose means are less exact than the stopping rule asks, and by how much."""
        return exactness.inexact(self)

    def short_runs(self, name: str) -> dict[int, str]:
        """The points whose runs are short for an interval of a response, shortest runs first.

        Known of means of series. With each point what is to be expected of its intervals.
        """
        return exactness.short_runs(self, name)

    def unvaried(self) -> list[int]:
        """The points where the stopping rule ended because nothing varies."""
        return exactness.unvaried(self)

    def column(self, factor: str) -> list[Any]:
        """The level of a factor at every point, as written."""
        return [condition.parameters[factor] for condition in self.conditions]

    def effects(self, name: str) -> TwoLevel:
        """Effects, allocation of variation and intervals of a two-level design.

        Raises:
            StudyError: another design, or not all runs are there.
        """
        return analysis.effects(
            self.study, self._balanced(name), self._repeated(name), self.all_deterministic
        )

    def anova(self, name: str) -> Anova:
        """Analysis of variance of a full factorial design; factors with one level do not count.

        Raises:
            StudyError: another design, no factor with several levels, or not all runs are there.
        """
        return analysis.anova(self.study, self._balanced(name), self._repeated(name))

    def spread(self, name: str) -> Spread | None:
        """Spread of the standard deviations of points; `None` without two that vary.

        Raises:
            StudyError: no replication has a number at every point.
        """
        return spread(self._balanced(name), self._repeated(name))

    def _repeated(self, name: str) -> list[bool]:
        """True for each point at which all runs gave the same number."""
        return [found is not None and found.repeated for found in self.estimates(name)]

    def _balanced(self, name: str) -> "NDArray[np.float64]":
        """Values by point and replication, for replications that have one at every point."""
        import numpy as np  # noqa: PLC0415

        table = self._aligned(name)
        if not table or not table[0]:
            raise StudyError(f"response {name!r}: no replication has a number at every point")
        return np.array(table)

    def _aligned(self, name: str) -> list[list[float]]:
        """Numbers by point of the replications that gave one at every point, as pairs."""
        points = range(len(self.conditions))
        return analysis.aligned([self._column(name, point) for point in points])

    def _column(self, name: str, point: int) -> list[float | None]:
        """Numbers of a point for statistics, by replication; `None` for missing ones."""
        response = self.response(name)
        stored = point_runs.numbers_by_replication(self.runs[point], response.definition)
        return [response.for_statistics(value) for value in stored]

    def left_out(self, name: str) -> int:
        """Number of runs that an analysis leaves out: replications that lack a number somewhere."""
        counted = sum(len(self.values(name, point)) for point in range(len(self.conditions)))
        return counted - sum(map(len, self._aligned(name)))

    def comparisons(self, name: str) -> Iterator[tuple[dict[str, Any], dict[str, Estimate]]]:
        """Differences of the compared factor's levels from its first, per setting of the others.

        They are paired: replication by replication, under equal seeds if these are common. If the
        pairs are less than half of the runs of a level, as may happen under a stopping rule, all
        runs count, by Welch's t (`cellway.statistics.difference`). The confidence holds for all
        levels of a setting together (Bonferroni).

        Yields:
            The other factors' levels, and the difference of each level, in the unit of the
            response; with `transform` its ratio.
        """
        factor, confidence = self.study.compared, self.study.confidence_of_comparison
        if factor is None:
            return
        for others, points in analysis.settings(self.conditions, factor):
            columns = {level: self._column(name, point) for level, point in points.items()}
            fewest = min(len(column) - column.count(None) for column in columns.values())
            if len(columns) > 1 and fewest > 1:
                deterministic = [
                    level for level, point in points.items() if self.deterministic(point)
                ]
                found = compare_to_first(columns, confidence, deterministic=deterministic)
                yield others, {key: self._shown(name, one) for key, one in found.items()}

    def to_polars(self) -> "pl.DataFrame":
        """One row per run: factors, replication, seed, responses in their units, and its origin."""
        factors = [factor.name for factor in self.study.factors]
        simulated = [response for response in self.study.responses if not response.explained]
        if isinstance(self.runs, KeptRuns):
            return kept_table(self.runs, factors, simulated)
        return shown_table(self.records, factors, simulated, measured=self.study.measures)

    def to_pandas(self) -> "pd.DataFrame":
        """The table of `to_polars` for pandas.

        Raises:
            CellwayError: pandas is not installed.
        """
        return to_pandas(self.to_polars())

    def to_xarray(self) -> "xr.Dataset":
        """Responses of all runs as arrays over the factors and `replication`, with units.

        Raises:
            CellwayError: xarray is not installed.
        """
        return to_xarray(self)

    def to_csv(self, path: str | Path) -> None:
        """Writes the table of `to_polars` to `path`, whole or not at all."""
        to_csv(self.to_polars(), Path(path))

    def export(self, folder: Path) -> None:
        """Writes `runs.parquet` into `folder`, whole or not at all: `to_polars`, with numbers.

        A factor whose levels have a unit has `NAME_number` and `NAME_unit` besides.

        Raises:
            StoreError: it cannot be written.
        """
        try:
            table = with_numbers(self.to_polars(), self.study.factors)
            to_parquet(table, folder / RUNS)
        except OSError as error:
            raise unwritable(folder, error, "all runs are safe") from error

    def as_data(self) -> dict[str, Any]:
        """For JSON: every point with its estimates, in the responses' units, and the failures."""
        return results_data.as_data(self)

    def _repr_html_(self) -> str:
        """The report as a frame, for notebooks."""
        return display(self)

    def plot(
        self,
        responses: Sequence[str] = (),
        *,
        across: str | None = None,
        panels: str | None = None,
        log: Literal["none", "x", "y", "xy"] | None = None,
    ) -> "Figure":
        """Responses over the factors, with intervals.

        Args:
            responses: names of the responses to show; empty for all.
            across: the factor along the horizontal axis, by default the one with most numbers.
            panels: the factor whose levels have a panel each, by default none where lines are few.
            log: the axes that are logarithmic, by default the horizontal one where levels are in
                equal ratios.

        Raises:
            ValueError: no run has a number to show.
            StudyError: a response or factor that the study does not have.
        """
        return draw("study", self, responses, across, panels, log)

    def __str__(self) -> str:
        """Means with their intervals, point by point, and the model if another made the runs."""
        return results_data.in_lines(self)
