"""One simulation and what it found."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cellway import _core
from cellway.scenario import Scenario

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

Progress = Callable[[float, float], object]
"""Called now and then with the simulated time and the duration, both in seconds."""


@dataclass(frozen=True, eq=False)
class Series:
    """One quantity over time, as read-only views of equal length.

    Attributes:
        name: such as ``"an2.edc-side.queue"`` or ``"bulk.cwnd"``.
        unit: of the values: ``"cell"``, ``"packet"``, ``"byte"``, ``"second"``.
        time: seconds since the start, ascending.
        value: in `unit`.
        means: of a series on change that was thinned, the exact time mean from each point to the next, of all
            that was recorded between them; `None` where `value` holds until the next point.
        thinned: how many times points were given up to stay within ``observe.limit``; 0 for none.
    """

    name: str
    unit: str
    time: "NDArray[np.float64]"
    value: "NDArray[np.float64]"
    means: "NDArray[np.float64] | None" = None
    thinned: int = 0

    def __len__(self) -> int:
        return len(self.time)

    @property
    def held(self) -> "NDArray[np.float64]":
        """What to average over time: `means`, or the values where they hold until the next point."""
        return self.value if self.means is None else self.means

    @property
    def note(self) -> str:
        """What was given up, in words; empty when nothing was."""
        if not self.thinned:
            return ""
        times = "once" if self.thinned == 1 else f"{self.thinned} times"
        kept = f"one sample in {2**self.thinned} is" if self.means is None else "peaks and means are"
        return f"thinned {times}: {kept} kept"

    def time_mean(self, start: float | None = None, end: float | None = None) -> float:
        """The time average from `start` to `end`, in `unit`.

        It is exact, as far as floating point goes, between any two points; how far it can be off where a
        thinned series is cut between two, `time_mean_error` says.

        Args:
            start: seconds; the first point for `None`, and for an earlier instant.
            end: seconds; the last point for `None`, or later: the last value holds.

        Raises:
            ValueError: no points, or none that begins by `end`.
        """
        from cellway.statistics import reduce_series  # noqa: PLC0415

        window = self._window(start, end)
        return reduce_series(self.time, self.held, "time_mean", window=window)

    def time_mean_error(self, start: float | None = None, end: float | None = None) -> float:
        """How far `time_mean` can be from the truth because `start` or `end` cuts what was thinned.

        Between two points of a thinned series no value lies outside those of the first, of the one before it
        and of the three behind it. So much can a part of the gap differ from the mean of the whole, for no
        longer than the shorter part lasts.

        Returns:
            A bound in `unit`; 0 where nothing was thinned, or both ends are points.

        Raises:
            ValueError: as for `time_mean`.
        """
        first, last = self._window(start, end)
        first = max(first, float(self.time[0]))
        if self.means is None or last <= first:
            return 0.0
        return sum(self._cut(at) for at in {first, last}) / (last - first)

    def _window(self, start: float | None, end: float | None) -> tuple[float, float]:
        if not len(self):
            raise ValueError(f"series {self.name} has no points")
        return (
            float(self.time[0]) if start is None else start,
            float(self.time[-1]) if end is None else end,
        )

    def _cut(self, at: float) -> float:
        """How far the area of the gap at `at` can be off, on the shorter side of `at`."""
        gap = int(self.time.searchsorted(at, side="right")) - 1
        if gap + 1 >= len(self):
            return 0.0
        near = self.value[max(gap - 1, 0) : gap + 4]
        shorter = min(at - float(self.time[gap]), float(self.time[gap + 1]) - at)
        return shorter * float(near.max() - near.min())

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Unpickled arrays are read-only again."""
        self.__dict__.update(state)
        read_only(self)


@dataclass(frozen=True, eq=False)
class Run:
    """What a finished run says.

    Attributes:
        scenario: what was run.
        summary: counters and averages, as plain dictionaries; the keys name their units.
        summary_json: the same, as the simulator wrote it: identical for one scenario, seed and version.
    """

    scenario: Scenario
    summary_json: str
    summary: Mapping[str, Any]
    _units: Mapping[str, str]
    _thinned: Mapping[str, int]
    _fetch: Callable[[str], Series]

    @property
    def flows(self) -> dict[str, Any]:
        """Per flow: throughput (bits per second), segments, retransmissions, round-trip times (seconds)."""
        return dict(self.summary.get("flows", {}))

    @property
    def ports(self) -> dict[str, Any]:
        """Per switch port, ``"switch.link"``: queue, utilisation (0 to 1), drops by cause.

        Where VCs are told apart `vcs` has the queue and the drops of each; where ``observe.distributions``
        names the port, `queue_distribution` and `delay` (seconds) have quantiles and tails.
        """
        return dict(self.summary.get("ports", {}))

    @property
    def thinned(self) -> dict[str, int]:
        """How many times, of the series that gave up points to stay within ``observe.limit``."""
        return {name: self._thinned[name] for name in self.series_names if self._thinned[name]}

    @property
    def series_names(self) -> tuple[str, ...]:
        """What was recorded, sorted; empty without an ``[observe]`` table."""
        return tuple(sorted(self._units))

    def series(self, name: str) -> Series:
        """The recorded series `name`, without copying its values.

        Raises:
            KeyError: not recorded; the message lists what was.
        """
        if name not in self._units:
            recorded = ", ".join(self.series_names) or "nothing; the scenario has no [observe] table"
            raise KeyError(f"no series {name!r}; recorded: {recorded}")
        return self._fetch(name)

    def plot(self, start: float = 0.0, end: float | None = None) -> "Figure":
        """Queues, windows, data in flight, progress and round-trip times over time, one panel each.

        Args:
            start: where the time axis begins, seconds.
            end: where it ends, seconds; `None` for the end of the run.

        Raises:
            ValueError: nothing of these was recorded, or `end` is not after `start`.
        """
        from cellway.plot.runs import plot_run  # noqa: PLC0415

        return plot_run(self, start, end)

    def plot_port(self, port: str, start: float = 0.0, end: float | None = None) -> "Figure":
        """Rates, queue, active VCs and overload of a port that ABR sources share, above each other.

        Args:
            port: such as ``"sw1.bottleneck"``.
            start: where the time axis begins, seconds.
            end: where it ends, seconds; `None` for the end of the run.

        Raises:
            ValueError: no rates were recorded at `port`, or `end` is not after `start`.
        """
        from cellway.plot.allocations import plot_allocation  # noqa: PLC0415

        return plot_allocation(self, port, start, end)

    def plot_occupancy(self, port: str, start: float = 0.0, end: float | None = None) -> "Figure":
        """What each VC holds of the queue at a port over time, in cells and as time at its minimum rate.

        Args:
            port: such as ``"first.trunk"``.
            start: where the time axis begins, seconds.
            end: where it ends, seconds; `None` for the end of the run.

        Raises:
            ValueError: `vc_queue` was not recorded at `port`, or `end` is not after `start`.
        """
        from cellway.plot.occupancy import plot_occupancy  # noqa: PLC0415

        return plot_occupancy(self, port, start, end)

    def plot_distributions(self, ports: Sequence[str] = (), flows: Sequence[str] = ()) -> "Figure":
        """How often queues are longer and delays larger than any number: complementary distributions.

        Args:
            ports: such as ``"first.trunk"``; all that ``observe.distributions`` names for none.
            flows: likewise; for no ports and no flows all of both.

        Raises:
            ValueError: nothing was counted there.
        """
        from cellway.plot.distributions import plot_distributions  # noqa: PLC0415

        return plot_distributions(self, ports, flows)

    def plot_regions(self, port: str, start: float = 0.0, end: float | None = None) -> "Figure":
        """Where each VC was among the four regions of Differential Fair Buffer Allocation at a port.

        Args:
            port: such as ``"first.trunk"``.
            start: the first second that is looked at; the warm-up is left out in any case.
            end: the last one, seconds; `None` for the end of the run.

        Raises:
            ValueError: another policy, no minimum cell rates, or `vc_queue` was not recorded at `port`.
        """
        from cellway.plot.regions import plot_regions  # noqa: PLC0415

        return plot_regions(self, port, start, end)

    def save(
        self, directory: str | Path, series: Literal["npz", "csv"] = "npz", *, force: bool = False
    ) -> Path:
        """Writes summary.json, scenario.toml (resolved) and the series into `directory`; returns its path.

        They replace an earlier run together or not at all. The directory is made when it is not there, and
        marked as a run's by `cellway.json`.

        Args:
            directory: not there, empty, or of an earlier run.
            series: the form of the series.
            force: write into a directory that is none of these, too, and replace files that others wrote.

        Raises:
            StoreError: the directory is none of these.
            OSError: the directory cannot be made or written; what it held is still there.
        """
        from cellway.saved import save_run  # noqa: PLC0415

        return save_run(self, Path(directory), series, force=force)

    @classmethod
    def load(cls, directory: str | Path) -> "Run":
        """Reads what `save` wrote, from either form of the series.

        Raises:
            OSError: a file is missing or unreadable.
            CellwayError: a file is not what `save` writes.
        """
        from cellway.saved import load_run  # noqa: PLC0415

        return load_run(Path(directory))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as scenario, summary and series."""
        recorded = {name: self.series(name) for name in self.series_names}
        return restored_run, (self.scenario, self.summary_json, recorded)

    def __repr__(self) -> str:
        return f"Run({self.scenario.origin!r}, flows={list(self.flows)}, series={len(self._units)})"


def run(scenario: Scenario, progress: Progress | None = None) -> Run:
    """Simulates `scenario` to its end.

    The interpreter is free meanwhile: threads run side by side. Ctrl-C stops it.

    Args:
        scenario: what to run.
        progress: called now and then; an exception it raises stops the run and comes out here.

    Raises:
        RunError: the run could not finish.
    """
    outcome = _core.run(scenario._core, progress)  # noqa: SLF001
    units, thinned = outcome.units, outcome.thinned

    def fetch(name: str) -> Series:
        return Series(name, units[name], *outcome.series(name), thinned=thinned[name])

    return Run(scenario, outcome.summary_json, json.loads(outcome.summary_json), units, thinned, fetch)


def restored_run(scenario: Scenario, summary_json: str, recorded: Mapping[str, Series]) -> Run:
    """A `Run` from its parts, as after loading or unpickling."""
    units = {name: series.unit for name, series in recorded.items()}
    thinned = {name: series.thinned for name, series in recorded.items()}
    return Run(scenario, summary_json, json.loads(summary_json), units, thinned, recorded.__getitem__)


def read_only(series: Series) -> Series:
    """`series`, whose arrays nobody else has and nobody shall change."""
    for array in (series.time, series.value, series.means):
        if array is not None:
            array.setflags(write=False)
    return series
