"""Stored runs made again: a sample of a study, or a saved run, equal or not.

A run of the same edition of the model must give the same results, bit for bit; one of another
edition may. Measured runs and results of other tools cannot be made again.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellway.errors import StudyError
from cellway.runs.models import MODEL_VERSION
from cellway.runs.runs import Run, run
from cellway.study.campaign import load_results
from cellway.study.execution import perform
from cellway.study.plan import Condition, PlannedRun
from cellway.study.reading import record_of
from cellway.study.record import Record, digested, outcome_of
from cellway.study.study import Study

SAMPLE = 10
"""Runs of a study that are made again by default."""


class NoRunError(StudyError):
    """A study without a run that can be made again."""


@dataclass(frozen=True)
class Checked:
    """A stored run that was made again.

    Attributes:
        where: its levels, or the name of a saved run.
        seed: its seed.
        model: edition of the model that made the stored run; empty where it is not known.
        differs: what differs, in words; empty if all is equal.
    """

    where: str
    seed: int
    model: str
    differs: str

    @property
    def is_equal(self) -> bool:
        """True if the stored run and the new one have equal results."""
        return not self.differs

    def as_data(self) -> dict[str, object]:
        """For JSON."""
        return {
            "run": self.where,
            "seed": self.seed,
            "model": self.model,
            "equal": self.is_equal,
            "differs": self.differs,
        }

    def __str__(self) -> str:
        said = "equal" if self.is_equal else f"differs: {self.differs}"
        return f"{self.where}, seed {self.seed}, model {self.model or 'not known'}: {said}"


def verify_study(folder: str | Path, sample: int = SAMPLE) -> Iterator[Checked]:
    """Makes a sample of a study's runs again, one by one.

    Args:
        folder: of the study.
        sample: the number of runs; they are evenly spaced in the order of their keys.

    Raises:
        NoRunError: the folder has no run that can be made again.
        StoreError, ScenarioError, OSError: it cannot be read.
    """
    results = load_results(folder)
    runs = [
        (condition, record)
        for condition, records in zip(results.conditions, results.runs, strict=True)
        for record in records
        if record.status == "done" and not condition.is_measured and not condition.is_imported
    ]
    if not results.study.imported and not any(len(one) for one in results.runs):
        raise NoRunError(
            f"{folder}: no stored run belongs to its study and its scenario, as if they had been "
            "changed; expected runs that `cellway study` made with them"
        )
    if not runs:
        raise NoRunError(
            f"{folder}: no simulated run to make again; measured and imported are none"
        )
    chosen = _spaced(sorted(runs, key=lambda one: one[1].key), sample)
    return (_made_again(*one, results.study) for one in chosen)


def verify_run(folder: str | Path) -> Checked:
    """Makes a saved run again.

    Raises:
        StudyError: it was measured, or made with stacks.
        CellwayError, OSError: it cannot be read.
    """
    saved = Run.load(folder)
    if saved.measured is not None or saved.stacks is not None:
        raise StudyError(f"{folder}: measured or made with a stack; it cannot be made again here")
    again = run(saved.scenario)
    equal = outcome_of(saved.summary_json) == outcome_of(again.summary_json)
    differs = "" if equal else _first_difference(saved.summary_json, again.summary_json)
    seed = int(saved.summary["seed"])
    return Checked(str(folder), seed, saved.model, differs)


def _spaced(runs: Sequence[tuple[Condition, Record]], count: int) -> list[tuple[Condition, Record]]:
    """At most `count` of the runs, evenly spaced."""
    taken = min(count, len(runs))
    return [runs[at * len(runs) // taken] for at in range(taken)]


def _made_again(condition: Condition, record: Record, study: Study) -> Checked:
    """A stored run beside the same run made now."""
    responses = [one for one in study.responses if not one.explained]
    planned = PlannedRun.of(condition, record.replication, record.seed)
    finished = perform(planned)
    levels = ", ".join(f"{factor} = {level}" for factor, level in condition.parameters.items())
    where = levels or study.name
    if finished.run is None:
        return Checked(where, record.seed, record.edition, f"failed now: {finished.error}")
    again = digested(record_of(finished, responses))
    differs = ""
    if again.outcome != record.outcome:
        changed = [
            f"{name} was {record.metrics[name]!r} and is {number!r}"
            for name, number in again.metrics.items()
            if name in record.metrics and record.metrics[name] != number
        ]
        numbers = changed[0] if changed else "the summary, but no response"
        differs = f"{numbers}, by model {MODEL_VERSION}"
    return Checked(where, record.seed, record.edition, differs)


def _first_difference(stored: str, made: str) -> str:
    """The first number of two summaries that differs, with its path."""
    for path, old, new in _differences(json.loads(stored), json.loads(made), ""):
        if path not in {"scenario", "version", "seed"}:
            return f"{path} was {old!r} and is {new!r}"
    return "the order of entries"


def _differences(one: object, other: object, path: str) -> Iterator[tuple[str, object, object]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {**one, **other}:
            below = f"{path}.{name}" if path else str(name)
            yield from _differences(one.get(name), other.get(name), below)
    elif one != other:
        yield path, one, other
