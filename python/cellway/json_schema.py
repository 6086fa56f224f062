"""The scenario language as JSON Schema, draft 2020-12, for editors.

It has names, types, words, meanings and defaults, and says less than `cellway validate`: which keys
exclude each other, units and what sections say together are left to that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DRAFT = "https://json-schema.org/draft/2020-12/schema"
NAME = "NAME"
"""What stands for a name of the user's in a key."""
_PLAIN: Mapping[str, str] = {
    "boolean": "boolean",
    "integer": "integer",
    "matrix": "array",
    "list of integers": "array",
    "list of names": "array",
    "list of rates": "array",
    "two node names": "array",
}
_OR_NUMBER = ("fraction", "cells, packets or a fraction of the buffer")
_OR_FILE = ("list of milliseconds", "list of times and values")
_TABLES = ("table", "tables by name")


@dataclass
class _Place:
    """A key and what is inside it."""

    key: Mapping[str, Any] = field(default_factory=dict)
    inside: dict[str, "_Place"] = field(default_factory=dict)

    def at(self, parts: Sequence[str]) -> "_Place":
        place = self
        for part in parts:
            place = place.inside.setdefault(part, _Place())
        return place


def json_schema(described: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of scenario files.

    Args:
        described: what `cellway.schema` returns.
    """
    root = _Place()
    for key in described["keys"]:
        root.at(key["key"].split(".")).key = key
    return {
        "$schema": DRAFT,
        "title": f"cellway {described['version']}: a scenario",
        **_table(root),
    }


def _schema(place: _Place) -> dict[str, Any]:
    key = place.key
    said = {}
    if "meaning" in key:
        said["description"] = f"{key['meaning']} Accepted: {key['accepts']}."
    if key.get("default") is not None:
        said["default"] = key["default"]
    forms = _forms(place)
    return {**said, **(forms[0] if len(forms) == 1 else {"anyOf": forms})}


def _forms(place: _Place) -> list[dict[str, Any]]:
    """What the value may be."""
    key, variants = place.key, place.key.get("variants", [])
    kind = key.get("type", "table")
    words = [variant["name"] for variant in variants if variant["as_string"]]
    if kind == "list of words":
        return [{"type": "array", "items": {"enum": words}}]
    forms: list[dict[str, Any]] = [{"enum": words}] if words else []
    if kind in _PLAIN:
        forms.append({"type": _PLAIN[kind]} | (_range(key) if kind == "integer" else {}))
    elif kind == "number":
        forms.append({"type": "number"})
    elif kind in _OR_NUMBER:
        forms.append({"type": ["string", "number"]})
    elif kind in _OR_FILE:
        forms += [{"type": "array"}, {"type": "object", "required": ["file"]}]
    elif kind not in {*_TABLES, "variant"}:
        forms.append({"type": "string"})
    if place.inside or kind in _TABLES or any(not one["as_string"] for one in variants):
        forms.append(_table(place))
    elif kind == "variant":
        # A word without parameters may be written as a table with nothing inside.
        forms.append({"type": "object"})
    return forms


def _table(place: _Place) -> dict[str, Any]:
    known: dict[str, Any] = {
        variant["name"]: {"description": variant["meaning"]}
        for variant in place.key.get("variants", [])
    }
    for name, inside in place.inside.items():
        if name != NAME:
            known[name] = known.get(name, {}) | _schema(inside)
    of_names = place.inside.get(NAME)
    table: dict[str, Any] = {"type": "object", "properties": known}
    if of_names is not None:
        table["additionalProperties"] = _schema(of_names)
    elif known:
        table["additionalProperties"] = False
    required = [name for name, one in place.inside.items() if one.key.get("required")]
    return table | ({"required": required} if required else {})


def _range(key: Mapping[str, Any]) -> dict[str, int]:
    bounds = {"minimum": key.get("min"), "maximum": key.get("max")}
    return {name: int(bound) for name, bound in bounds.items() if bound is not None}
