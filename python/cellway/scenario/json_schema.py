"""The scenario language as JSON Schema, draft 2020-12, for editors.

It has names, types, units, words, meanings and defaults. `cellway validate` checks more: keys that
exclude each other, ranges of quantities, and keys of several sections together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DRAFT = "https://json-schema.org/draft/2020-12/schema"
NAME = "NAME"
"""Placeholder for a name of the user's in a key."""
_PLAIN: Mapping[str, str] = {
    "boolean": "boolean",
    "integer": "integer",
    "matrix": "array",
    "list of integers": "array",
    "list of names": "array",
    "list of rates": "array",
    "two sizes": "array",
    "two times": "array",
    "sizes with weights": "array",
}
_TIME, _SIZE = "(ps|ns|us|ms|s|min|h|d)", "(B|kB|MB|GB|KiB|MiB|GiB)"
_CELLS, _PACKETS = "[kM]?cell", "k?packet"
_RATE = r"([kMG]?bit/s\s+of\s+(line|cell|payload)|[kM]?cell/s(\s+of\s+cell)?)"
_UNITS: Mapping[str, str] = {
    "time": _TIME,
    "time or distribution": _TIME,
    "time or schedule": _TIME,
    "distance": "k?m",
    "rate": _RATE,
    "rate or standard line": _RATE,
    "size in bytes": _SIZE,
    "size or distribution": _SIZE,
    "cells": _CELLS,
    "packets": _PACKETS,
    "cells or packets": f"({_CELLS}|{_PACKETS})",
    "cells, packets, bytes or a time": f"({_CELLS}|{_PACKETS}|{_SIZE}|{_TIME})",
    "cells, packets or a fraction of the buffer": f"({_CELLS}|{_PACKETS})",
}
_OR_NUMBER = ("cells, packets or a fraction of the buffer",)
_OR_FILE = ("list of milliseconds", "list of times and values")
_TABLES = ("table", "tables by name")


@dataclass
class _Place:
    """A key and the keys inside it."""

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
        described: the result of `cellway.schema`.
    """
    root = _Place()
    lines = [line["name"] for line in described["lines"]]
    for key in described["keys"]:
        root.at(key["key"].split(".")).key = {**key, "lines": lines}
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
    """Schemas of all forms that the value of a key may have."""
    key, variants = place.key, place.key.get("variants", [])
    kind = key.get("type", "table")
    words = [variant["name"] for variant in variants if variant["as_string"]]
    if kind == "list of words":
        return [{"type": "array", "items": {"enum": words}}]
    forms: list[dict[str, Any]] = [{"enum": words}] if words else []
    forms += _of_type(kind, key)
    if place.inside or kind in _TABLES or any(not one["as_string"] for one in variants):
        forms.append(_table(place))
    elif kind == "variant":
        # A word without parameters may be written as a table with nothing inside.
        forms.append({"type": "object", "maxProperties": 1})
    return forms


def _of_type(kind: str, key: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Schemas of a value of one type, without words and tables."""
    if kind in _PLAIN:
        return [{"type": _PLAIN[kind]} | (_range(key) if kind == "integer" else {})]
    if kind in _UNITS:
        numbers = [{"type": "number"}] if kind in _OR_NUMBER else []
        lines = [{"enum": key["lines"]}] if kind == "rate or standard line" else []
        return [_quantity(_UNITS[kind]), *numbers, *lines]
    if kind in _OR_FILE:
        return [{"type": "array"}, {"type": "object", "required": ["file"]}]
    of_others: dict[str, list[dict[str, Any]]] = {
        "number": [{"type": "number"}],
        "fraction": [{"type": ["string", "number"]}],
        "time or word": [_quantity(_TIME), {"enum": ["change"]}],
        "two node names": [
            {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}
        ],
        **{table: [] for table in (*_TABLES, "variant")},
    }
    return of_others.get(kind, [{"type": "string"}])


def _quantity(unit: str) -> dict[str, Any]:
    """A number with its unit; no quantity is negative."""
    return {"type": "string", "pattern": rf"^\s*[0-9._]+\s*{unit}\s*$"}


def _table(place: _Place) -> dict[str, Any]:
    variants = place.key.get("variants", [])
    known = {variant["name"]: _variant(variant, place.key) for variant in variants}
    for name, inside in place.inside.items():
        if name != NAME:
            known[name] = known.get(name, {}) | _schema(inside)
    of_names = place.inside.get(NAME)
    table: dict[str, Any] = {"type": "object", "properties": known}
    if variants:
        table["maxProperties"] = 1
    if of_names is not None:
        table["additionalProperties"] = _schema(of_names)
    elif known:
        table["additionalProperties"] = False
    required = [name for name, one in place.inside.items() if one.key.get("required")]
    return table | ({"required": required} if required else {})


def _variant(variant: Mapping[str, Any], key: Mapping[str, Any]) -> dict[str, Any]:
    """Schema of the value behind the name of a variant, where it is one value of a type."""
    said = {"description": variant["meaning"]}
    forms = _of_type(variant["value"], {"lines": key["lines"]}) if "value" in variant else []
    return said | (forms[0] if len(forms) == 1 else {"anyOf": forms} if forms else {})


def _range(key: Mapping[str, Any]) -> dict[str, int]:
    bounds = {"minimum": key.get("min"), "maximum": key.get("max")}
    return {name: int(bound) for name, bound in bounds.items() if bound is not None}
