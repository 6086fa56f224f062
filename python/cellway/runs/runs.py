"""One simulation and its results."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellway import _core
from cellway.disk.files import write_text
from cellway.figures import draw
from cellway.notebook import display
from cellway.runs import tables
from cellway.runs.capture import Capture
from cellway.runs.models import MODEL_VERSION
from cellway.runs.saved import SavedRun, csv_text, read_run, write_run
from cellway.runs.series import Series
from cellway.runs.stack_ends import stack_at
from cellway.scenario.scenario import Scenario, require_scenario

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import xarray as xr
    from matplotlib.figure import Figure

    from cellway.result_types import ChannelSummary, FlowSummary, Groups, PortSummary, Summary

Progress = Callable[[float, float], object]
"""Function that is called now and then with the simulated time and the duration, in seconds."""


def sent_once(flows: "Mapping[str, FlowSummary]") -> "list[FlowSummary]":
    """Flows of a summary without relays, which only carry on the data of other flows."""
    return [flow for flow in flows.values() if "relay" not in flow]


@dataclass(frozen=True, eq=False)
class Run:
    """Results of a finished run.

    Attributes:
        scenario: the scenario of the run.
        summary: counters and averages, as plain dictionaries; the keys name their units. Editors
            know its type, `cellway.result_types.Summary`, and the meanings of its fields.
        summary_json: the summary as the simulator wrote it: identical for one scenario, seed and
            version.
        model: version of the simulator that made it; empty if it was saved without.
        measured: facts of a measurement: kernel, lateness, windows offered, and `marks`, the
            reasons not to trust it. `None` for a simulated run.
        stacks: facts of a run with stacks: `trace`, a hash of all packets that they sent, and by
            end, `flow.origin` or `flow.destination`, `ends`. `None` without stacks.
    """

    scenario: Scenario
    summary_json: str
    summary: "Summary"
    _units: Mapping[str, str]
    _thinned: Mapping[str, int]
    _fetch: Callable[[str], Series]
    model: str = MODEL_VERSION
    measured: Mapping[str, Any] | None = None
    stacks: Mapping[str, Any] | None = None

    @property
    def flows(self) -> "dict[str, FlowSummary]":
        """Results by flow: throughput (bit/s), segments, retransmissions, round-trip times (s).

        `window_probes` and `paws_discards` are counts of bytes sent beyond a closed window and of
        segments discarded for their timestamps.

        Where ``observe.distributions`` names the flow, `one_way_delay` and `jitter` (seconds) and
        `loss`.
        """
        return dict(self.summary.get("flows", {}))

    @property
    def groups(self) -> "Groups":
        """Results of flows together: `tcp`, and by name `protocols` and `families`.

        Each has `goodput` (bit/s: sum, mean, standard deviation, min, max), `fairness` and, at its
        `bottleneck`, `efficiency`.
        """
        return self.summary.get("groups", {}).copy()

    @property
    def channels(self) -> "dict[str, ChannelSummary]":
        """Results by link with data: `utilisation`, `efficiency` (0 to 1) and goodput (bit/s)."""
        return dict(self.summary.get("channels", {}))

    @property
    def ports(self) -> "dict[str, PortSummary]":
        """Results by switch port, ``"switch.link"``: queue, utilisation (0 to 1), drops by cause.

        Where VCs are distinguished, `vcs` has the queue and the drops of each. Where
        ``observe.distributions`` names the port, `queue_distribution` and `delay` (seconds) have
        quantiles and tails.
        """
        return dict(self.summary.get("ports", {}))

    @property
    def thinned(self) -> dict[str, int]:
        """Thinned series with the number of times each was thinned, to fit ``observe.limit``."""
        return {name: self._thinned[name] for name in self.series_names if self._thinned[name]}

    @property
    def series_names(self) -> tuple[str, ...]:
        """Names of the recorded series, sorted; empty without an ``[observe]`` table."""
        return tuple(sorted(self._units))

    def series(self, name: str) -> Series:
        """The recorded series `name`, without copying its values.

        Raises:
            KeyError: it was not recorded; the message lists the recorded series.
        """
        if name not in self._units:
            recorded = (
                ", ".join(self.series_names) or "nothing; the scenario has no [observe] table"
            )
            raise KeyError(f"no series {name!r}; recorded: {recorded}")
        return self._fetch(name)

    def only(self, patterns: Sequence[str]) -> "Run":
        """The run with those of its series alone that a pattern names.

        Args:
            patterns: names of series, or their ends behind a dot such as ``"cwnd"``; ``*`` stands
                for any text.

        Raises:
            ValueError: a pattern names no recorded series; the message lists those.
        """
        kept: dict[str, str] = {}
        for pattern in patterns:
            text = ".*".join(map(re.escape, pattern.split("*")))
            found = {
                name: unit
                for name, unit in self._units.items()
                if re.fullmatch(rf"(.*\.)?{text}", name)
            }
            if not found:
                recorded = ", ".join(self.series_names) or "nothing"
                raise ValueError(f"no series {pattern!r}; recorded: {recorded}")
            kept |= found
        return replace(self, _units=kept)

    def plot(
        self, start: float = 0.0, end: float | None = None, series: Sequence[str] = ()
    ) -> "Figure":
        """Queues, windows, data in flight, progress and round-trip times over time, one panel each.

        Args:
            start: beginning of the time axis, seconds.
            end: its end, seconds; `None` for the end of the run.
            series: patterns of the series to draw, as in `only`; empty for all, and delays.

        Raises:
            ValueError: no such series was recorded, or `end` is not after `start`.
        """
        return draw("run", self, start, end, series)

    def plot_port(self, port: str, start: float = 0.0, end: float | None = None) -> "Figure":
        """Rates, queue, active VCs and overload of a port that ABR sources share, above each other.

        Args:
            port: such as ``"sw1.bottleneck"``.
            start: beginning of the time axis, seconds.
            end: its end, seconds; `None` for the end of the run.

        Raises:
            ValueError: no rates were recorded at `port`, or `end` is not after `start`.
        """
        return draw("port", self, port, start, end)

    def plot_occupancy(self, port: str, start: float = 0.0, end: float | None = None) -> "Figure":
        """Each VC's part of a port's queue over time, in cells and as time at its minimum rate.

        Args:
            port: such as ``"first.trunk"``.
            start: beginning of the time axis, seconds.
            end: its end, seconds; `None` for the end of the run.

        Raises:
            ValueError: `vc_queue` was not recorded at `port`, or `end` is not after `start`.
        """
        return draw("occupancy", self, port, start, end)

    def plot_distributions(self, ports: Sequence[str] = (), flows: Sequence[str] = ()) -> "Figure":
        """Complementary distributions of queue lengths and delays.

        Args:
            ports: such as ``"first.trunk"``; without ports and flows, all that
                ``observe.distributions`` names.
            flows: names of flows, likewise.

        Raises:
            ValueError: no distribution was counted there.
        """
        return draw("distributions", self, ports, flows)

    def plot_regions(self, port: str, start: float = 0.0, end: float | None = None) -> "Figure":
        """Each VC in the four regions of Differential Fair Buffer Allocation at a port.

        Args:
            port: such as ``"first.trunk"``.
            start: beginning of the time looked at, seconds; the warm-up is left out in any case.
            end: its end, seconds; `None` for the end of the run.

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
            start: beginning of the time axis, seconds.
            end: its end, seconds; `None` for the end of the run.

        Raises:
            ValueError: its segments were not recorded, none in this time, or `end` is not after
                `start`.
        """
        return draw("time sequence", self, flow, start, end)

    def save(self, directory: str | Path, *, force: bool = False) -> Path:
        """Writes summary.json, scenario.toml (resolved) and the series; returns the folder.

        The files replace an earlier run together or not at all. A missing directory is made;
        `cellway.json` marks it as a run's.

        Args:
            directory: missing, empty, or of an earlier run.
            force: write into any other directory, too, and replace files that others wrote.

        Raises:
            StoreError: the directory holds something else.
            OSError: the directory cannot be made or written; its files are still there.
        """
        return write_run(self._saved(), Path(directory), force=force)

    def to_csv(self, path: str | Path) -> None:
        """Writes the series as CSV, a row per point: floats as shortest exact text.

        Raises:
            OSError: it cannot be written.
        """
        write_text(Path(path), csv_text(self._recorded().values()))

    def to_polars(self) -> "pl.DataFrame":
        """The series as a table of Polars, a row for each point, by name of the series.

        Columns: `series` and `unit` (String); `time_s` (Float64, seconds since the start); `value`
        and `mean` (Float64, in `unit`; `mean` null without one); `thinned` (UInt32).
        """
        return tables.to_polars(self._recorded().values())

    def to_pandas(self) -> "pd.DataFrame":
        """The table of `to_polars` for pandas.

        Raises:
            CellwayError: pandas is not installed.
        """
        return tables.to_pandas(self.to_polars())

    def to_xarray(self) -> "xr.Dataset":
        """The series as arrays over time, each with its unit as the attribute `units`.

        The dimension is `time` if all series have the same instants, else each has its own,
        ``"bulk.cwnd.time"``. Times are in seconds. `NAME.mean` are the means of a thinned series.

        Raises:
            CellwayError: xarray is not installed.
        """
        facts = {"scenario": self.scenario.origin, "seed": self.summary["seed"]}
        return tables.to_xarray(self._recorded().values(), {**facts, "model": self.model})

    @classmethod
    def load(cls, directory: str | Path) -> "Run":
        """Reads a saved run.

        Raises:
            OSError: a file is missing or unreadable.
            CellwayError: a file is not what `save` writes.
        """
        return restored_run(read_run(Path(directory)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the run as its parts."""
        return restored_run, (self._saved(),)

    def _saved(self) -> SavedRun:
        recorded = self._recorded()
        facts = (self.measured, self.stacks)
        return SavedRun(self.scenario, self.summary_json, recorded, self.model, *facts)

    def _recorded(self) -> dict[str, Series]:
        return {name: self.series(name) for name in self.series_names}

    def _repr_html_(self) -> str:
        """The report as a frame, for notebooks."""
        return display(self)

    def __repr__(self) -> str:
        return f"Run({self.scenario.origin!r}, flows={list(self.flows)}, series={len(self._units)})"


def run(
    scenario: Scenario,
    progress: Progress | None = None,
    *,
    pcap: Capture | str | Path | None = None,
    stacks: Mapping[str, str | Sequence[str]] | None = None,
) -> Run:
    """Simulates `scenario` to its end.

    Other threads run meanwhile, because the interpreter lock is released. Ctrl-C stops the run.

    Args:
        scenario: the scenario to run.
        progress: called now and then; an exception that it raises stops the run and is raised here.
        pcap: a pcapng file to write with the packets of all flows that have `tcp`, each captured at
            its source host; a `Capture` names other hosts.
        stacks: programs at ends of flows with `tcp`, by flow, or by ``flow.origin`` and
            ``flow.destination``: a command, or its words. `model` is the simulator's own TCP on the
            wire, which an end has that no program is for. `docs/stacks.md` has their protocol.

    Raises:
        RunError: the run could not finish, or a stack did not keep to the protocol.
        ScenarioError: no packets can be captured there.
        StackError: a program cannot be started, or a flow or end cannot have a stack.
        OSError: the capture cannot be written.
        TypeError: `scenario` is a path, or something else that is no scenario.
    """
    require_scenario(scenario)
    if pcap is None:
        return _run(scenario, progress, stacks, None)
    with (pcap if isinstance(pcap, Capture) else Capture(pcap)).writing() as capture:
        return _run(scenario, progress, stacks, capture)


def _run(
    scenario: Scenario,
    progress: Progress | None,
    stacks: Mapping[str, str | Sequence[str]] | None,
    capture: tuple[Callable[[bytes], object], list[str], bool, str] | None,
) -> Run:
    core = scenario._core  # noqa: SLF001
    if stacks is None:
        return run_of(scenario, _core.run(core, progress, capture))
    given = [stack_at(end, command) for end, command in stacks.items()]
    outcome, facts = _core.run_with_stacks(core, given, progress, capture)
    return run_of(scenario, outcome, stacks=json.loads(facts))


def run_of(
    scenario: Scenario,
    outcome: "_core.Outcome",
    measured: Mapping[str, Any] | None = None,
    stacks: Mapping[str, Any] | None = None,
) -> Run:
    """A `Run` of a finished simulation or measurement, with the facts of how it was made."""
    units, thinned = outcome.units, outcome.thinned

    def fetch(name: str) -> Series:
        # The core cannot say so if its own import of NumPy is interrupted.
        import numpy  # noqa: F401, PLC0415

        return Series(name, units[name], *outcome.series(name), thinned=thinned[name])

    summary = json.loads(outcome.summary_json)
    core = (scenario, outcome.summary_json, summary, units, thinned, fetch)
    return Run(*core, measured=measured, stacks=stacks)


def restored_run(saved: SavedRun) -> Run:
    """A `Run` from its parts, as after loading or unpickling."""
    recorded = saved.recorded
    units = {name: series.unit for name, series in recorded.items()}
    thinned = {name: series.thinned for name, series in recorded.items()}
    summary, facts = json.loads(saved.summary_json), (saved.model, saved.measured, saved.stacks)
    fetch = recorded.__getitem__
    return Run(saved.scenario, saved.summary_json, summary, units, thinned, fetch, *facts)
