"""Keys of the section `[lab]`, for `cellway schema`, as the language describes its own.

`declared.py` reads them; no other key of a scenario is read outside of the simulator.
"""

from collections.abc import Mapping, Sequence
from typing import Any


def _key(key: str, kind: str, absent: str, meaning: str) -> dict[str, Any]:
    about = {"key": f"lab.{key}", "type": kind, "required": not absent, "meaning": meaning}
    return {**about, "if_absent": absent} if absent else about


KEYS: Sequence[Mapping[str, Any]] = (
    _key("title", "text", "the name of the scenario", "The question that the laboratory answers."),
    _key(
        "compare",
        "table",
        "both as in the file",
        "Settings with which A and B begin: for each a table of labels of levels by the names of "
        'controls, such as { B = { queue = "FQ-CoDel" } }.',
    ),
    _key(
        "control.NAME.title",
        "text",
        "the name of the control",
        "Title of the control, beside its slider or choice.",
    ),
    _key(
        "control.NAME.keys",
        "list of keys",
        "one `key`",
        "Keys of the scenario that the control sets, all to the same value.",
    ),
    _key("control.NAME.key", "key", "`keys`", "Key of the scenario that the control sets."),
    _key(
        "control.NAME.levels",
        "list of values",
        "`range` or `log_range`",
        "Values of the keys. Three or more numbers in order, that of the scenario among them, make "
        "a slider, all others a choice.",
    ),
    _key(
        "control.NAME.labels",
        "list of texts",
        "the values",
        "Labels of the levels, as many as there are.",
    ),
    _key(
        "control.NAME.range",
        "table",
        "`levels` or `log_range`",
        'Levels at equal distances: { from = "3 ms", to = "27 ms", steps = 5 }; whole = true '
        "rounds them.",
    ),
    _key(
        "control.NAME.log_range",
        "table",
        "`levels` or `range`",
        'Levels of equal ratios: { from = "1 ms", to = "100 ms", steps = 3 }.',
    ),
)
