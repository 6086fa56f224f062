"""Runs of a study that could not finish, with reasons and the commands that repeat them."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellway.scenario.scenario import toml_value
from cellway.study.own_files import SCENARIO
from cellway.study.plan import Condition
from cellway.study.record import Record


@dataclass(frozen=True)
class Failure:
    """A run that could not finish.

    Attributes:
        point: the place of its condition in the study, from 0.
        record: the run.
        reason: in one line.
        command: the command that runs it again, alone.
    """

    point: int
    record: Record
    reason: str
    command: str

    def as_data(self) -> dict[str, Any]:
        """Run, reason and command, for JSON."""
        return {
            "parameters": dict(self.record.parameters),
            "replication": self.record.replication,
            "seed": self.record.seed,
            "reason": self.reason,
            "command": self.command,
        }


def failed_runs(
    conditions: Sequence[Condition], runs: Sequence[Sequence[Record]], folder: Path | None
) -> list[Failure]:
    """Failed runs among `runs`, which are those of `conditions`; `folder` keeps them."""
    return [
        Failure(
            point, record, "; ".join(record.warnings), _command(conditions[point], record, folder)
        )
        for point, at_point in enumerate(runs)
        for record in at_point
        if record.status == "failed"
    ]


def _command(condition: Condition, record: Record, folder: Path | None) -> str:
    """Command on the scenario in the study's folder, or on the file that it was read from."""
    kept = None if folder is None else folder / SCENARIO
    scenario = str(kept) if kept is not None and kept.exists() else condition.base.origin
    sets = [*condition.base.sets, *condition.sets]
    changes = [word for key, value in sets for word in ("--set", f"{key}={toml_value(value)}")]
    command = "measure" if condition.is_measured else "run"
    return shlex.join(["cellway", command, scenario, *changes, "--seed", str(record.seed)])
