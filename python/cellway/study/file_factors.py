"""Factors in a study file; each level is tried at once, so that its fault has its place."""

from collections.abc import Sequence
from typing import Any

from cellway.errors import ScenarioError
from cellway.scenario.scenario import Scenario, toml_value
from cellway.study.factors import Factor, Sets, Span
from cellway.study.plan import SEED, of_scenario, way_of_sets
from cellway.study.study import OWN_SEED
from cellway.text.document import Step, Table, in_backticks

_MEANT = {
    "geometric": "log_range",
    "logarithmic": "log_range",
    "log": "log_range",
    "logspace": "log_range",
    "linear": "range",
    "linspace": "range",
    "values": "levels",
}
"""Words of other programs for ways to give levels, with ours."""
_ABSENT = ("", "absent", "default", "missing", "none", "null", "omitted", "unset")
"""Words for a level without the key, which is a table without it."""
WAYS = ("levels", "range", "log_range", "zip")
MAX_LEVELS = 10_000


def read_factor(
    name: str, table: Table, base: Scenario | None, besides: Sequence[str] = ()
) -> Factor | None:
    """The factor that `table` describes; its levels are tried where there is a `base`.

    Args:
        name: its name in tables.
        table: its keys, and those of a caller, `besides`.
        base: the scenario that takes the levels.
        besides: keys that its caller has read.

    Raises:
        StudyError: the table cannot be accepted, or `base` cannot take its levels.
    """
    table.knows(*WAYS, "key", "keys", "labels", *besides)
    ways = [way for way in WAYS if table.has(way)]
    factor = table.attempt(lambda: _factor(name, table, ways))
    table.done()
    if factor is None or base is None:
        return factor
    (way,) = ways
    level_paths: list[tuple[Step, ...]] = (
        [(way, at) for at in range(len(factor.levels))]
        if way in {"levels", "zip"}
        else [(way,)] * len(factor.levels)
    )
    tried = [(path, level.sets) for path, level in zip(level_paths, factor.levels, strict=True)]
    require_levels(table, base, tried)
    return factor


def _factor(name: str, table: Table, ways: list[str]) -> Factor:
    table.refuse_others_words(_MEANT)
    expected = f"expected one of {in_backticks(WAYS)}"
    if not ways:
        table.fail_missing("levels", f"factor `{name}` has no levels; {expected}")
    if len(ways) > 1:
        table.fail(f"factor `{name}` has {' and '.join(map('`{}`'.format, ways))}; {expected}")
    (way,) = ways
    return _zipped(name, table) if way == "zip" else _of_keys(name, way, table)


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
    """Names of the levels; empty if they are named by their values."""
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
        StudyError: a level is wrong; if all are for the same reason, it has the place of the key.
    """
    wrong = [
        (path, sets, said) for path, sets in levels if (said := _complaint(base, sets)) is not None
    ]
    reasons = {text.partition(": ")[2] for _, _, text in wrong}
    if len(wrong) == len(levels) > 1 and len(reasons) == 1 and wrong[0][0][0] == "levels":
        guilty = _key_of_message(wrong[0][1], wrong[0][2])
        table.fail(f"{guilty}: {reasons.pop()}", "key" if table.has("key") else "keys")
    for path, sets, said in wrong:
        _refuse_level(table, path, sets, said)


def _key_of_message(sets: Sets, said: str) -> str | None:
    """The key that a message is about."""
    return next((key for key, _ in sets if said.startswith(f"{key}=")), None)


def _refuse_level(table: Table, path: tuple[Step, ...], sets: Sets, said: str) -> None:
    guilty = _key_of_message(sets, said)
    if path[0] in {"zip", "set"} and guilty is not None:
        path = (path[0], guilty, *path[1:])
    guilty = guilty or (sets[0][0] if len(sets) == 1 else None)
    table.attempt(lambda: table.fail_at(path, said + _without(guilty, sets)))


def _without(key: str | None, sets: Sets) -> str:
    """The way to a level without the key, for a level that tries to be one."""
    value = dict(sets).get(key) if key is not None else None
    is_tried = value == {} or (isinstance(value, str) and value.casefold() in _ABSENT)
    table, dot, name = (key or "").rpartition(".")
    if not (is_tried and dot):
        return ""
    return (
        f'; for a level without `{name}` the table is the key, with `labels`: key = "{table}", '
        f"levels = [{{ … }}, {{ …, {name} = … }}], where … are its other keys"
    )


def _complaint(base: Scenario, sets: Sets) -> str | None:
    """Message ``key=value: message`` of the scenario about `sets`; `None` when it takes them."""
    for key, value in sets:
        if key == SEED:
            return f"{key}={toml_value(value)}: {OWN_SEED}"
    try:
        way_of_sets(sets)
        base.with_sets(of_scenario(sets))
    except ScenarioError as error:
        return str(error.faults[0]).removeprefix("--set ")
    except (TypeError, ValueError) as error:  # A date, say, which TOML has and a scenario has not.
        return str(error)
    return None
