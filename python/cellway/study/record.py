"""Runs as rows of the database; rows that were never written so are recognised."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from types import UnionType
from typing import Any, Literal

from cellway.runs.models import edition_of, kernel_of
from cellway.runs.runs import Run
from cellway.runs.series import Series

NUMBERS: Mapping[str, type | UnionType] = {
    "replication": int,
    "seed": int,
    "wall_seconds": float,
    "cpu_seconds": float,
}
"""Columns that are no text, with their types."""
NO_SERIES = "{}"
MEASURED = "measured"
"""Entry of a stored summary with the facts of a measurement."""
MARK = "not to be trusted: "
"""Beginning of a warning that a measurement gives of itself."""
_FRONT = re.compile(
    r'\{"scenario": ?"(?:[^"\\]|\\.)*", ?"version": ?"(?:[^"\\]|\\.)*", ?"seed": ?\d+'
)
"""Front of a summary, compact as the simulator writes it, or with spaces."""


@dataclass(frozen=True, slots=True)
class Record:
    """A run that came to an end.

    Attributes:
        key: SHA-256 (hex) of the resolved scenario, the seed and the model version.
        parameters: factor name to level, as written; what JSON can hold.
        replication: from 1.
        seed: the run's own.
        scenario_hash: SHA-256 (hex) of the resolved scenario without the seed.
        status: `"done"` or `"failed"`.
        metrics: response name to value; `None` where the run has none, never NaN.
        summary: as the simulator wrote it (JSON); empty when the run failed.
        wall_seconds: elapsed time of the run.
        cpu_seconds: of all threads of the run.
        model_version: maker of the run: the edition of the model, of a measurement with the kernel.
        host: the machine's name.
        warnings: for the user, one line each.
        outcome: digest of the results in the summary, where `summary` itself is no longer kept; see
            `digested`.
        measured: facts of a measurement, likewise from the summary; empty for a simulation.
    """

    key: str
    parameters: Mapping[str, Any]
    replication: int
    seed: int
    scenario_hash: str
    status: Literal["done", "failed"]
    metrics: Mapping[str, float | None]
    summary: str
    wall_seconds: float
    cpu_seconds: float
    model_version: str
    host: str
    warnings: tuple[str, ...]
    outcome: str = ""
    measured: Mapping[str, Any] = field(default_factory=dict)

    @property
    def edition(self) -> str:
        """Edition of the model that made the run, or the path of a measured one."""
        return edition_of(self.model_version)

    @property
    def kernel(self) -> str:
        """Release of the kernel whose TCP was measured; empty for a simulation."""
        return kernel_of(self.model_version)

    @property
    def date(self) -> str:
        """Start of a measurement, ISO 8601; empty for a simulation."""
        return str(self.measured.get("date", ""))

    @property
    def marks(self) -> tuple[str, ...]:
        """Reasons not to trust a measurement, which are among the warnings."""
        return tuple(one for one in self.warnings if one.startswith(MARK))


COLUMNS = tuple(one.name for one in fields(Record) if one.name not in {"outcome", "measured"})
"""Columns of the table of runs, which has `series`, `series_digest` and `digest` besides."""


def digested(record: Record) -> Record:
    """The record with a digest and facts instead of its summary, so that memory does not grow.

    Runs of one scenario with equal digests have equal summaries but for the seed and the name of
    the scenario's file.
    """
    if not record.summary:
        return replace(record, outcome="", measured={})
    facts: Mapping[str, Any] = {}
    if record.kernel:
        try:
            facts = dict(json.loads(record.summary).get(MEASURED, {}))
        except (ValueError, TypeError, AttributeError):  # The database is damaged there.
            facts = {}
    return replace(record, summary="", outcome=outcome_of(record.summary), measured=facts)


def outcome_of(summary: str) -> str:
    """SHA-256 (hex) of the results in a summary; empty where it does not begin as one does.

    The name of the scenario, the version and the seed, entries at its front, are no results: a
    study that is continued from its own folder has its scenario under another name, and versions of
    one edition of the model give equal results.
    """
    found = _FRONT.match(summary)
    if found is None:
        return ""
    return hashlib.sha256(summary[found.end() :].encode()).hexdigest()


def summary_text(run: Run) -> str:
    """The summary of a run as JSON, for a measurement with its facts as `MEASURED`."""
    if run.measured is None:
        return run.summary_json
    return json.dumps({**run.summary, MEASURED: dict(run.measured)})


def marks_of(run: Run | None) -> tuple[str, ...]:
    """Warnings that a run is not to be trusted."""
    marks = () if run is None or run.measured is None else run.measured["marks"]
    return tuple(f"{MARK}{mark}" for mark in marks)


class DamagedError(Exception):
    """A value that cellway never wrote."""


def json_of(value: object) -> str:
    """JSON of `value` with sorted keys.

    Raises:
        ValueError: `value` has a NaN or an infinity.
    """
    return json.dumps(value, sort_keys=True, allow_nan=False)


def row_of(record: Record, series: Sequence[Series]) -> tuple[Any, ...]:
    """Row of the database: `COLUMNS`, and the units of `series` by name.

    Raises:
        ValueError: a parameter or metric is NaN or infinite.
    """
    texts = {
        "parameters": json_of(dict(record.parameters)),
        "metrics": json_of(dict(record.metrics)),
        "warnings": json.dumps(record.warnings),
    }
    # In the order recorded, so not sorted.
    units = json.dumps({one.name: one.unit for one in series})
    return (*(texts.get(name, getattr(record, name)) for name in COLUMNS), units)


def digest_of(row: Sequence[Any]) -> str:
    """SHA-256 (hex) of `COLUMNS`, `series` and `series_digest`, by which damage is noticed."""
    return hashlib.sha256(json.dumps(row).encode()).hexdigest()


def record_of(row: tuple[Any, ...]) -> Record:
    """The run whose `COLUMNS` are `row`.

    Raises:
        DamagedError: `row_of` does not write such a row.
    """
    values = {
        name: checked(value, NUMBERS.get(name, str), name)
        for name, value in zip(COLUMNS, row, strict=True)
    }
    # Replications have equal levels.
    values["parameters"] = dict(_levels(values["parameters"]))
    values["metrics"] = _parsed(values["metrics"], dict, "metrics")
    for metric in values["metrics"].values():
        checked(metric, int | float | None, "metrics")
    warnings = tuple(
        checked(one, str, "warnings") for one in _parsed(values["warnings"], list, "warnings")
    )
    return Record(**(values | {"warnings": warnings}))


@lru_cache(maxsize=4096)
def _levels(text: str) -> Mapping[str, Any]:
    levels: Mapping[str, Any] = _parsed(text, dict, "parameters")
    return levels


def key_of(value: object) -> str:
    """Checks that `value` is the key of a run, which leads to no other folder, and returns it.

    Raises:
        DamagedError: it does not look like a key.
    """
    if not isinstance(value, str) or not value.isalnum():
        raise DamagedError(f"{value!r} is no key of a run")
    return value


def units_of(text: object) -> dict[str, str]:
    """The unit of each series, by name, in the order recorded.

    Raises:
        DamagedError: `text` has something else.
    """
    units = _parsed(text, dict, "series")
    return {name: checked(unit, str, "series") for name, unit in units.items()}


def checked(value: Any, kind: type | UnionType, column: str) -> Any:  # noqa: ANN401
    """Checks that `value` is of `kind`, and returns it.

    Raises:
        DamagedError: it is not.
    """
    if not isinstance(value, kind):
        raise DamagedError(f"`{column}` is {value!r}")
    return value


def _parsed(text: object, kind: type, column: str) -> Any:  # noqa: ANN401
    try:
        return checked(json.loads(checked(text, str, column)), kind, column)
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"`{column}` is not JSON: {error}") from error
