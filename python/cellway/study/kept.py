"""Stored runs that a plan asks for; to read, also those of other models of the simulator."""

from collections.abc import Iterator, Mapping

from cellway.runs.models import WAYS, Way, maker, way_of
from cellway.study.plan import PlannedRun
from cellway.study.record import Record, json_of
from cellway.study.store import Store


def kept_runs(store: Store, planned: Mapping[str, PlannedRun]) -> Iterator[tuple[str, Record]]:
    """Stored runs among `planned`, one at a time, each with its key there.

    A run of another model or kernel has another key. It is found by its scenario and seed, or, if
    this cellway resolves the scenario differently, it is the last one stored with the same levels
    and seed, made the same way.
    """
    found = set()
    for record in store.records(planned):
        found.add(record.key)
        yield record.key, record
    if store.writes or len(found) == len(planned):
        return
    others: dict[Way, list[str]] = {way: [] for way in WAYS}
    for name in store.model_versions():
        if name != maker(way_of(name)):
            others[way_of(name)].append(name)
    by_levels = {way: store.keys_by_levels(names) for way, names in others.items() if names}
    for key, run in planned.items():
        way = run.condition.way
        levels = json_of(dict(run.condition.parameters)), run.seed
        keys = [run.condition.key(run.seed, name) for name in others[way]]
        if (last := by_levels.get(way, {}).get(levels)) is not None:
            keys.append(last)
        if key not in found and (one := next(store.records(keys), None)) is not None:
            yield key, one
