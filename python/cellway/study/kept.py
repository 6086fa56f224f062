"""Stored runs that a plan asks for; to read, also those of other models of the simulator."""

from collections.abc import Iterator, Mapping

from cellway.runs.models import MODEL_VERSION
from cellway.study.plan import PlannedRun
from cellway.study.record import Record, json_of
from cellway.study.store import Store


def kept_runs(store: Store, planned: Mapping[str, PlannedRun]) -> Iterator[tuple[str, Record]]:
    """Stored runs among `planned`, one at a time, each with its key there.

    A run of another model has another key. It is found by its scenario and seed, or, if this
    cellway resolves the scenario differently, it is the last one stored with the same levels and
    seed.
    """
    found = set()
    for record in store.records(planned):
        found.add(record.key)
        yield record.key, record
    others = [name for name in store.model_versions() if name != MODEL_VERSION]
    if store.writes or not others or len(found) == len(planned):
        return
    by_levels = store.keys_by_levels(others)
    for key, run in planned.items():
        levels = json_of(dict(run.condition.parameters)), run.seed
        keys = [run.condition.key(run.seed, name) for name in others]
        keys += [by_levels[levels]] if levels in by_levels else []
        if key not in found and (one := next(store.records(keys), None)) is not None:
            yield key, one
