"""Runs of a study, each with a key that depends on all that decides its result.

A run's key is the SHA-256 of its resolved scenario, its seed and its maker. A simulated run is made
by an edition of the model: runs with the same key have the same result, so that one need not run
again. A measured run is made by that edition and a kernel: runs with the same key are of the same
experiment, and one is not measured again unless the user asks for it.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cellway.errors import StudyError
from cellway.runs.models import MEASURE, SIMULATE, WAYS, Way, maker
from cellway.scenario.scenario import Scenario, toml_value
from cellway.study.cost import Work, work
from cellway.study.factors import Sets

SEED = "run.seed"
WAY = "way"
"""Key of a study, beside those of its scenario: the way to make runs."""


def of_scenario(sets: Iterable[tuple[str, Any]]) -> Sets:
    """The keys of `sets` that are the scenario's: all but `WAY`."""
    return tuple((key, value) for key, value in sets if key != WAY)


def way_of_sets(sets: Iterable[tuple[str, Any]]) -> Way:
    """The way to make runs, by the last of `sets` that says it; by default they are simulated.

    Raises:
        ValueError: there is no such way.
    """
    said = dict(sets).get(WAY, SIMULATE)
    for way in WAYS:
        if said == way:
            return way
    raise ValueError(f"{WAY}={toml_value(said)}: expected `{SIMULATE}` or `{MEASURE}`")


@dataclass(frozen=True, eq=False)
class Condition:
    """Scenario that replications share, with its changes.

    Attributes:
        base: the scenario; `sets`: keys to change in it, in order.
        scenario_hash: SHA-256 of the resolved scenario but for its seed.
        work: estimated traffic of a run.
        seconds: of simulated time.
        observes: true if it records series.
        parameters: the values of the factors, by name, for tables.
        way: the way to make its runs.
        is_imported: true if its runs are those of another tool, without a scenario.
    """

    base: Scenario
    sets: Sets
    scenario_hash: str
    work: Work
    seconds: float
    observes: bool
    parameters: Mapping[str, Any]
    way: Way = SIMULATE
    is_imported: bool = False

    @classmethod
    def of(
        cls, base: Scenario, sets: Iterable[tuple[str, Any]], parameters: Mapping[str, Any]
    ) -> "Condition":
        """Resolves `base` with `sets`.

        Raises:
            ScenarioError: the scenario cannot take them.
            ValueError: a way that there is not.
        """
        sets = tuple(sets)
        way = way_of_sets(sets)
        sets = of_scenario(sets)
        resolved = base.with_sets([*sets, (SEED, 0)])
        lines = [line for line in resolved.to_toml().splitlines() if not line.startswith("#")]
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        explained = resolved.explain()
        seconds = float(explained["duration_seconds"])
        observes = explained["observes"]
        return cls(base, sets, digest, work(explained), seconds, observes, parameters, way)

    @classmethod
    def imported(cls, base: Scenario, parameters: Mapping[str, Any]) -> "Condition":
        """Condition of another tool's runs, known by its levels alone; `base` is not run."""
        digest = hashlib.sha256(repr(sorted(parameters.items())).encode()).hexdigest()
        return cls(base, (), digest, Work(), 0.0, False, parameters, is_imported=True)

    def scenario(self, seed: int) -> Scenario:
        """The scenario of one run.

        Raises:
            StudyError: the runs are those of another tool.
        """
        if self.is_imported:
            raise StudyError(
                f"{self.base.origin}: results of another tool, which cannot be run or explained; a "
                "study of cellway is expected"
            )
        return self.base.with_sets([*self.sets, (SEED, seed)])

    @property
    def is_measured(self) -> bool:
        """True if its runs are measured with the kernel's TCP."""
        return self.way == MEASURE

    def key(self, seed: int, made_by: str | None = None) -> str:
        """The key of the run with `seed`, of the present maker or another one."""
        made_by = maker(self.way) if made_by is None else made_by
        return hashlib.sha256(f"{self.scenario_hash}\n{seed}\n{made_by}".encode()).hexdigest()


@dataclass(frozen=True, eq=False, slots=True)
class PlannedRun:
    """One run to do.

    Attributes:
        condition: its scenario.
        replication: from 1.
        seed: root of its random streams.
        key: see `Condition.key`.
        recorded: series to keep: names, or `None` for all that the scenario observes.
    """

    condition: Condition
    replication: int
    seed: int
    key: str
    recorded: tuple[str, ...] | None = ()

    @classmethod
    def of(
        cls,
        condition: Condition,
        replication: int,
        seed: int,
        recorded: tuple[str, ...] | None = (),
    ) -> "PlannedRun":
        """Plans a run of `condition`."""
        return cls(condition, replication, seed, condition.key(seed), recorded)

    def recording(self, also: tuple[str, ...] | None) -> "PlannedRun":
        """The same run, which also keeps the series `also`."""
        both = (
            None
            if self.recorded is None or also is None
            else tuple(sorted({*self.recorded, *also}))
        )
        return replace(self, recorded=both)


def in_order(runs: Iterable[PlannedRun]) -> list[PlannedRun]:
    """Runs in the order in which they are made: one of each point, and then the longest first.

    The first runs tell how long the others will take, which estimates say to a factor of two.
    """
    return sorted(runs, key=lambda run: (run.replication > 1, -run.condition.work.seconds))
