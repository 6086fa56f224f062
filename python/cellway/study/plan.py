"""Runs of a study, each with a key that depends on all that decides its result.

A run's key is the SHA-256 of its resolved scenario, its seed and the version of the model: runs
with the same key have the same result, so that one need not run again.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cellway.runs.models import MODEL_VERSION
from cellway.scenario.scenario import Scenario
from cellway.study.cost import Work, work
from cellway.study.factors import Sets

SEED = "run.seed"


@dataclass(frozen=True, eq=False)
class Condition:
    """Scenario that replications share, with its changes.

    Attributes:
        base: the scenario; `sets`: keys to change in it, in order.
        scenario_hash: SHA-256 of the resolved scenario but for its seed.
        work: estimated traffic of a run; the longest runs come first.
        seconds: of simulated time.
        observes: true if it records series.
        parameters: the values of the factors, by name, for tables.
    """

    base: Scenario
    sets: Sets
    scenario_hash: str
    work: Work
    seconds: float
    observes: bool
    parameters: Mapping[str, Any]

    @classmethod
    def of(
        cls, base: Scenario, sets: Iterable[tuple[str, Any]], parameters: Mapping[str, Any]
    ) -> "Condition":
        """Resolves `base` with `sets`.

        Raises:
            ScenarioError: the scenario cannot take them.
        """
        sets = tuple(sets)
        resolved = base.with_sets([*sets, (SEED, 0)])
        lines = [line for line in resolved.to_toml().splitlines() if not line.startswith("#")]
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        explained = resolved.explain()
        seconds = float(explained["duration_seconds"])
        observes = explained["observes"]
        return cls(base, sets, digest, work(explained), seconds, observes, parameters)

    def scenario(self, seed: int) -> Scenario:
        """The scenario of one run."""
        return self.base.with_sets([*self.sets, (SEED, seed)])

    def key(self, seed: int, model_version: str = MODEL_VERSION) -> str:
        """The key of the run with `seed`."""
        return hashlib.sha256(f"{self.scenario_hash}\n{seed}\n{model_version}".encode()).hexdigest()


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
