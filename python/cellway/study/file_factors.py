"""Factors in a study file; each level is tried at once, so that its fault has its place."""

from collections.abc import Sequence
from typing import Any

from cellway.document import Step, Table
from cellway.errors import ScenarioError
from cellway.scenario import Scenario, toml_value
from cellway.study.factors import Factor, Sets, Span
from cellway.study.plan import SEED
from cellway.study.study import OWN_SEED

WAYS = ("levels", "range", "log_range", "zip")
MAX_LEVELS = 10_000


def read_factor(name: str, table: Table, base: Scenario) -> Factor:
    """The factor that `table` describes.

    Raises:
        StudyError: it cannot be accepted, or `base` cannot take one of its levels.
    """
    ways = [way for way in WAYS if table.has(way)]
    if len(ways) != 1:
        given = f"has {' and '.join(ways)}" if ways else "has no levels"
        table.fail(f"factor `{name}` {given}; one of {', '.join(WAYS)} is expected")
    (way,) = ways
    factor = _zipped(name, table) if way == "zip" else _of_keys(name, way, table)
    table.done()
    if way == "levels":
        require_levels(
            table, base, [(("levels", at), level.sets) for at, level in enumerate(factor.levels)]
        )
    elif way == "zip":
        require_levels(
            table, base, [(("zip", at), level.sets) for at, level in enumerate(factor.levels)]
        )
    else:
        require_levels(table, base, [((way,), level.sets) for level in factor.levels])
    return factor


def _of_keys(name: str, way: str, table: Table) -> Factor:
    keys = table.texts("keys") if table.has("keys") else (table.text("key"),)
    if way == "levels":
        values = _values(table, way, f"factor `{name}`")
        return Factor.of(name, keys, values, _labels(table, len(values)))
    inside = table.table(way)
    first, last = (inside.value(end, (int, float, str), "a value") for end in ("from", "to"))
    steps = inside.whole("steps", least=2, most=MAX_LEVELS, default=2)
    whole = inside.yes("whole", default=False)
    inside.done()
    try:
        span = Span.between(first, last, logarithmic=way == "log_range", whole=whole)
    except ValueError as error:
        inside.fail(str(error))
    return Factor.spanning(name, keys, span, steps)


def _zipped(name: str, table: Table) -> Factor:
    inside = table.table("zip")
    columns = {key: _listed(inside, key, f"factor `{name}`") for key, _ in table.sets("zip")}
    if not columns:
        inside.fail(f"factor `{name}` has no levels; an empty design has no runs")
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1:
        inside.fail("the lists of a zip go together; equally long ones are expected")
    labels = _labels(table, lengths.pop())
    if not labels:
        _require_distinct(inside, next(iter(columns)), next(iter(columns.values())))
    return Factor.zipped(name, columns, labels)


def _labels(table: Table, levels: int) -> tuple[str, ...]:
    """What the levels are called; nothing when they are called by their values."""
    labels = table.texts("labels", optional=True)
    if labels and (len(labels) != levels or len(set(labels)) != levels):
        table.fail(
            f"`labels` names {levels} levels; as many different texts are expected", "labels"
        )
    return labels


def _values(table: Table, key: str, whose: str) -> list[Any]:
    values = _listed(table, key, whose)
    _require_distinct(table, key, values)
    return values


def _listed(table: Table, key: str, whose: str) -> list[Any]:
    values = table.value(key, (list,), "a list of levels")
    if not values:
        table.fail(f"{whose} has no levels; an empty design has no runs", key)
    if len(values) > MAX_LEVELS:
        table.fail(f"{whose} has {len(values)} levels; at most {MAX_LEVELS} are accepted", key)
    return list(values)


def _require_distinct(table: Table, key: str, values: Sequence[Any]) -> None:
    for at, value in enumerate(values):
        if value in values[:at]:
            table.fail_at((key, at), f"level {value!r} is listed twice")


def require_levels(
    table: Table, base: Scenario, levels: Sequence[tuple[tuple[Step, ...], Sets]]
) -> None:
    """Refuses levels that `base` cannot take, each at its place in `table`.

    Raises:
        StudyError: with the place of the first that is wrong; the place of the key when all are for
            the same
        reason.
    """
    wrong = [
        (path, sets, said) for path, sets in levels if (said := _complaint(base, sets)) is not None
    ]
    if not wrong:
        return
    path, sets, said = wrong[0]
    guilty = next((key for key, _ in sets if said.startswith(f"{key}=")), None)
    if path[0] in {"zip", "set"} and guilty is not None:
        table.fail_at((path[0], guilty, *path[1:]), said)
    reasons = {text.partition(": ")[2] for _, _, text in wrong}
    if path[0] == "levels" and len(wrong) == len(levels) > 1 and len(reasons) == 1:
        table.fail(f"{guilty}: {reasons.pop()}", "key" if table.has("key") else "keys")
    table.fail_at(path, said)


def _complaint(base: Scenario, sets: Sets) -> str | None:
    """What the scenario says against `sets`: ``key=value: message``; nothing when it takes them."""
    for key, value in sets:
        if key == SEED:
            return f"{key}={toml_value(value)}: {OWN_SEED}"
    try:
        base.with_sets(sets)
    except ScenarioError as error:
        return str(error).removeprefix("--set ")
    except TypeError as error:  # A date, say, which TOML has and a scenario has not.
        return str(error)
    return None
