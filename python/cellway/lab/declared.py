"""Section `[lab]` of a scenario: its question, its controls, and the settings that it opens with.

    [lab]
    title = "Which queue in front of an access line?"
    compare = { B = { queue = "FQ-CoDel" } }
    [lab.control.queue]
    title = "drop policy of the router"
    keys = ["switch.router.drop"]
    levels = ["tail", "codel", "fq_codel"]
    labels = ["tail drop", "CoDel", "FQ-CoDel"]

A control is declared as a factor of a study is, with `levels`, `range` or `log_range`, and may have
a title. Levels that are numbers in order make a slider, others a choice.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

from cellway.errors import ScenarioError
from cellway.scenario.scenario import Scenario, toml_value
from cellway.study.factors import Factor, Level
from cellway.study.file_factors import read_factor
from cellway.text.document import Table, parse_document

SIDES = ("A", "B")
_WAYS = ("levels", "range", "log_range")
_OWN = "as in the file"
_FEW = 3
"""Least number of levels of a slider."""


@dataclass(frozen=True)
class Declared:
    """A laboratory as a scenario declares it.

    Attributes:
        title: the question; empty for that of the scenario's comment.
        controls: as `controls_of` has them; empty for those that the scenario suggests.
        compare: for each side the numbers of the stops with which it begins, by control.
    """

    title: str = ""
    controls: list[dict[str, Any]] = field(default_factory=list)
    compare: Mapping[str, list[int]] = field(default_factory=dict)


def declared(scenario: Scenario) -> Declared:
    """The laboratory of a scenario; an empty one without a section.

    Raises:
        ScenarioError: the section cannot be accepted, or the scenario cannot take a level.
    """
    document = parse_document(scenario.text.encode(), scenario.origin, ScenarioError)
    if not document.has("lab"):
        return Declared()
    lab = document.table("lab")
    lab.knows("title", "compare", "control")
    title = lab.text("title", "")
    controls = {}
    for name, table in lab.named("control"):
        control = table.attempt(partial(_control, name, table, scenario))
        if control is not None:
            controls[name] = control
    lab.refuse()
    compare = _compare(lab, controls) if lab.has("compare") else {}
    lab.done()
    lab.refuse()
    return Declared(title, [*controls.values()], compare)


def _control(name: str, table: Table, scenario: Scenario) -> dict[str, Any] | None:
    """The control that a table describes; `None` if the table has faults, which it keeps."""
    title = table.text("title", name)
    if table.has("zip"):
        table.fail(f"control `{name}` has a zip; expected one of {', '.join(_WAYS)}", "zip")
    factor = read_factor(name, table, scenario, besides=("title",))
    if factor is None:
        return None
    own = [scenario.with_sets(level.sets) == scenario for level in factor.levels]
    at = own.index(True) if True in own else None
    stops = [_stop(level, is_own=at == number) for number, level in enumerate(factor.levels)]
    if at is None:
        at = 0
        stops.insert(0, {"value": None, "label": _OWN})
        values = None
    else:
        values = [toml_value(value) for _, value in factor.levels[at].sets]
    kind = "slider" if _is_slider(factor) and stops[0]["label"] != _OWN else "choice"
    keys = [*factor.keys]
    return {"keys": keys, "title": title, "kind": kind, "stops": stops, "at": at, "own": values}


def _stop(level: Level, *, is_own: bool) -> dict[str, Any]:
    return {"value": None if is_own else toml_value(level.sets[0][1]), "label": str(level.shown)}


def _is_slider(factor: Factor) -> bool:
    numbers = factor.numbers
    ascends = all(low < high for low, high in pairwise(numbers))
    return len(numbers) == len(factor.levels) >= _FEW and ascends


def _compare(lab: Table, controls: Mapping[str, dict[str, Any]]) -> dict[str, list[int]]:
    """Numbers of the stops with which each side begins."""
    table = lab.table("compare")
    table.knows(*SIDES)
    found = {}
    for side in SIDES:
        chosen = dict(table.sets(side))
        found[side] = [
            _chosen(table, side, name, control, chosen.pop(name, None))
            for name, control in controls.items()
        ]
        for name in chosen:
            known = ", ".join(f"`{one}`" for one in controls)
            table.fail_at((side, name), f"no control `{name}`; expected one of {known}")
    table.done()
    return found


def _chosen(table: Table, side: str, name: str, control: Mapping[str, Any], label: object) -> int:
    if label is None:
        return int(control["at"])
    labels = [stop["label"] for stop in control["stops"]]
    if str(label) not in labels:
        known = ", ".join(f"`{one}`" for one in labels)
        table.fail_at((side, name), f"`{name}` has no level {label!r}; expected one of {known}")
    return labels.index(str(label))
