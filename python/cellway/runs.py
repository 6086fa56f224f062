"""One simulation and what it found."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cellway import _core
from cellway.capture import Capture
from cellway.figures import draw
from cellway.models import MODEL_VERSION
from cellway.saved import SavedRun, read_run, write_run
from cellway.scenario import Scenario, require_scenario
from cellway.series import Series

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Progress = Callable[[float, float], object]
"""Called now and then with the simulated time and the duration, both in seconds."""


def sent_once(flows: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Flows of a summary without relays, which carry on what others have sent."""
    return [flow for flow in flows.values() if "relay" not in flow]


@dataclass(frozen=True, eq=False)
class Run:
    """What a finished run says.

    Attributes:
        scenario: what was run.
        summary: counters and averages, as plain dictionaries; the keys name their units.
        summary_json: the same, as the simulator wrote it: identical for one scenario, seed and
            version.
        model: of the simulator, that made it; empty for one that was saved without.
    """

    scenario: Scenario
    summary_json: str
    summary: Mapping[str, Any]
    _units: Mapping[str, str]
    _thinned: Mapping[str, int]
    _fetch: Callable[[str], Series]
    model: str = MODEL_VERSION

    @property
    def flows(self) -> dict[str, Any]:
        """Per flow: throughput (bit/s), segments, retransmissions, round-trip times (seconds).

        `window_probes` and `paws_discards` are counts of bytes sent beyond a closed window and of
        segments discarded for their timestamps.

        Where ``observe.distributions`` names the flow, `one_way_delay` and `jitter` (seconds) and
        `loss`.
        """
        return dict(self.summary.get("flows", {}))

    @property
    def groups(self) -> dict[str, Any]:
        """Flows together: `tcp`, and by name `protocols` and `families`.

        Each has `goodput` (bit/s: sum, mean, standard deviation, min, max), `fairness` and, at its
        `bottleneck`, `efficiency`.
        """
        return dict(self.summary.get("groups", {}))

    @property
    def channels(self) -> dict[str, Any]:
        """Per link with data: `utilisation`, `efficiency` (0 to 1) and goodput (bit/s)."""
        return dict(self.summary.get("channels", {}))

    @property
    def ports(self) -> dict[str, Any]:
        """Per switch port, ``"switch.link"``: queue, utilisation (0 to 1), drops by cause.

        Where VCs are distinguished `vcs` has the queue and the drops of each; where
        ``observe.distributions`` names the port, `queue_distribution` and `delay` (seconds) have
        quantiles and tails.
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
            recorded = (
                ", ".join(self.series_names) or "nothing; the scenario has no [observe] table"
            )
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
        return draw("run", self, start, end)

    def plot_port(self, port: str, start: float = 0.0, end: float | None = None) -> "Figure":
        """Rates, queue, active VCs and overload of a port that ABR sources share, above each other.

        Args:
            port: such as ``"sw1.bottleneck"``.
            start: where the time axis begins, seconds.
            end: where it ends, seconds; `None` for the end of the run.

        Raises:
            ValueError: no rates were recorded at `port`, or `end` is not after `start`.
        """
        return draw("port", self, port, start, end)

    def plot_occupancy(self, port: str, start: float = 0.0, end: float | None = None) -> "Figure":
        """Each VC's part of a port's queue over time, in cells and as time at its minimum rate.

        Args:
            port: such as ``"first.trunk"``.
            start: where the time axis begins, seconds.
            end: where it ends, seconds; `None` for the end of the run.

        Raises:
            ValueError: `vc_queue` was not recorded at `port`, or `end` is not after `start`.
        """
        return draw("occupancy", self, port, start, end)

    def plot_distributions(self, ports: Sequence[str] = (), flows: Sequence[str] = ()) -> "Figure":
        """Complementary distributions of queue lengths and delays.

        Args:
            ports: such as ``"first.trunk"``; all that ``observe.distributions`` names for none.
            flows: likewise; for no ports and no flows all of both.

        Raises:
            ValueError: nothing was counted there.
        """
        return draw("distributions", self, ports, flows)

    def plot_regions(self, port: str, start: float = 0.0, end: float | None = None) -> "Figure":
        """Each VC in the four regions of Differential Fair Buffer Allocation at a port.

        Args:
            port: such as ``"first.trunk"``.
            start: the first second that is looked at; the warm-up is left out in any case.
            end: the last one, seconds; `None` for the end of the run.

        Raises:
            ValueError: another policy, no minimum cell rates, or `vc_queue` was not recorded at
                `port`.
        """
        return draw("regions", self, port, start, end)

    def plot_time_sequence(
        self, flow: str, start: float = 0.0, end: float | None = None
    ) -> "Figure":
        """Segments, acknowledgements, SACK blocks, windows and losses of one flow over time.

        Args:
            flow: such as ``"bulk"``; ``observe.segments`` names it.
            start: where the time axis begins, seconds.
            end: where it ends, seconds; `None` for the end of the run.

        Raises:
            ValueError: its segments were not recorded, none in this time, or `end` is not after
                `start`.
        """
        return draw("time sequence", self, flow, start, end)

    def save(
        self, directory: str | Path, series: Literal["npz", "csv"] = "npz", *, force: bool = False
    ) -> Path:
        """Writes summary.json, scenario.toml (resolved) and the series; returns the folder.

        They replace an earlier run together or not at all. The directory is made when it is not
        there, and marked as a run's by `cellway.json`.

        Args:
            directory: not there, empty, or of an earlier run.
            series: the form of the series.
            force: write into a directory that is none of these, too, and replace files that others
                wrote.

        Raises:
            StoreError: the directory is none of these.
            OSError: the directory cannot be made or written; its files are still there.
        """
        recorded = {name: self.series(name) for name in self.series_names}
        saved = SavedRun(self.scenario, self.summary_json, recorded, self.model)
        return write_run(saved, Path(directory), series, force=force)

    @classmethod
    def load(cls, directory: str | Path) -> "Run":
        """Reads what `save` wrote, from either form of the series.

        Raises:
            OSError: a file is missing or unreadable.
            CellwayError: a file is not what `save` writes.
        """
        saved = read_run(Path(directory))
        return restored_run(saved.scenario, saved.summary_json, saved.recorded, saved.model)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as scenario, summary, series and model."""
        recorded = {name: self.series(name) for name in self.series_names}
        return restored_run, (self.scenario, self.summary_json, recorded, self.model)

    def __repr__(self) -> str:
        return f"Run({self.scenario.origin!r}, flows={list(self.flows)}, series={len(self._units)})"


def run(
    scenario: Scenario,
    progress: Progress | None = None,
    *,
    pcap: Capture | str | Path | None = None,
) -> Run:
    """Simulates `scenario` to its end.

    The interpreter is free meanwhile: threads run side by side. Ctrl-C stops it.

    Args:
        scenario: what to run.
        progress: called now and then; an exception it raises stops the run and comes out here.
        pcap: a pcapng file to write with the packets of all flows that have `tcp`, each at the host
            that it comes from; `Capture` has other points.

    Raises:
        RunError: the run could not finish.
        ScenarioError: nothing can be captured there.
        OSError: the capture cannot be written.
        TypeError: a path, or something else that is no scenario.
    """
    require_scenario(scenario)
    if pcap is None:
        outcome = _core.run(scenario._core, progress)  # noqa: SLF001
    else:
        with (pcap if isinstance(pcap, Capture) else Capture(pcap)).writing() as capture:
            outcome = _core.run(scenario._core, progress, capture)  # noqa: SLF001
    units, thinned = outcome.units, outcome.thinned

    def fetch(name: str) -> Series:
        # The core cannot say so if its own import of NumPy is interrupted.
        import numpy  # noqa: F401, PLC0415

        return Series(name, units[name], *outcome.series(name), thinned=thinned[name])

    return Run(
        scenario, outcome.summary_json, json.loads(outcome.summary_json), units, thinned, fetch
    )


def restored_run(
    scenario: Scenario, summary_json: str, recorded: Mapping[str, Series], model: str = ""
) -> Run:
    """A `Run` from its parts, as after loading or unpickling."""
    units = {name: series.unit for name, series in recorded.items()}
    thinned = {name: series.thinned for name, series in recorded.items()}
    summary, fetch = json.loads(summary_json), recorded.__getitem__
    return Run(scenario, summary_json, summary, units, thinned, fetch, model)
