"""The JSON Schema of the scenario language: it accepts what is shipped, and not everything."""

import json
import re
import sys
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

import cellway
from cellway import Scenario, run
from cellway.cli.reference import schema
from cellway.scenario.json_schema import json_schema
from common import SCENARIOS, SMALL, Command, text_of
from faults import Fault, faults

SCHEMA = json_schema(cellway.schema())
TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


def against(value: Any, schema: Mapping[str, Any], at: str = "$") -> list[str]:
    """What the parts of JSON Schema that we use say against `value`."""
    found = []
    if "anyOf" in schema and all(against(value, one, at) for one in schema["anyOf"]):
        found.append(f"{at}: {value!r} fits no alternative")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r} is none of {schema['enum']}")
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(is_a(value, kind) for kind in kinds):
        return [*found, f"{at}: {value!r} is no {' or '.join(kinds)}"]
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{at}: {value!r} is no {schema['pattern']}")
    if isinstance(value, list):
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        found += [] if least <= len(value) <= most else [f"{at}: not {least} to {most} entries"]
        items = schema.get("items", {})
        found += [fault for one in value for fault in against(one, items, at)]
    if isinstance(value, dict):
        if len(value) > schema.get("maxProperties", len(value)):
            found.append(f"{at}: several of {', '.join(value)}")
        found += [f"{at}: no {name}" for name in schema.get("required", []) if name not in value]
        for name, inside in value.items():
            of_others = schema.get("additionalProperties", {})
            known = schema.get("properties", {}).get(name, of_others)
            found += (
                [f"{at}: unknown {name}"]
                if known is False
                else against(inside, known, f"{at}.{name}")
            )
    return found


def is_a(value: Any, kind: str) -> bool:
    is_bool = isinstance(value, bool)
    return isinstance(value, TYPES[kind]) and (not is_bool or kind == "boolean")


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_what_is_shipped_is_accepted(file: Any) -> None:
    assert not against(tomllib.loads(file.read_text()), SCHEMA)


@faults("schema")
def test_what_is_wrong_is_found(fault: Fault) -> None:
    text = text_of("schema.toml")
    assert not against(tomllib.loads(text), SCHEMA)
    fault.require("; ".join(against(tomllib.loads(fault.put_into(text)), SCHEMA)))


def inside(schema: Mapping[str, Any], part: str) -> Mapping[str, Any]:
    """What stands under a key, or under any name."""
    for one in [schema, *schema.get("anyOf", [])]:
        if part in one.get("properties", {}):
            return dict(one["properties"][part])
        if part == "NAME" and isinstance(one.get("additionalProperties"), dict):
            return dict(one["additionalProperties"])
    raise AssertionError(part)


def test_every_example_and_every_default_is_accepted() -> None:
    for key in cellway.schema()["keys"]:
        schema: Mapping[str, Any] = SCHEMA
        for part in key["key"].split("."):
            schema = inside(schema, part)
        if key["type"] not in {"table", "tables by name"}:
            assert not against(tomllib.loads(f"x = {key['example']}")["x"], schema), key
        for variant in key.get("variants", []):
            if "example" in variant:
                value = tomllib.loads(f"x = {variant['example']}")["x"]
                assert not against({variant["name"]: value}, schema), (key["key"], variant)


def test_the_command_prints_it(cellway: Command) -> None:
    assert json.loads(cellway("schema", "--json").stdout) == SCHEMA


def test_a_prefix_chooses_keys(cellway: Command) -> None:
    shown = cellway("schema", "flow.bulk.tcp.timers").stdout.splitlines()
    assert shown[0].startswith("flow.NAME.tcp.timers  variant; default ")
    assert all(line.startswith(("flow.NAME.tcp.timers", "  ")) for line in shown[2:])
    keys = json.loads(cellway("schema", "run", "--json").stdout)["keys"]
    assert [key["key"] for key in keys][:2] == ["run", "run.duration"]
    assert all(key["key"].partition(".")[0] == "run" for key in keys)
    refused = cellway("schema", "flow.NAME.tpc")
    assert refused.returncode == 2
    assert "no key begins with this; did you mean flow.NAME.tcp" in refused.stderr


def test_the_numbers_of_a_run_are_listed(cellway: Command) -> None:
    for path, unit in [
        ("flows.NAME.throughput_bits_per_second", "bit/s"),
        ("flows.NAME.transfer.time_s", "s"),
        ("ports.NAME.max_queue", "cell"),
        ("ports.NAME.delay.p90", "s"),
        ("channels.NAME.efficiency", "1"),
        ("groups.families.NAME.fairness", "1"),
    ]:
        found = json.loads(cellway("schema", "--results", path, "--json").stdout)["numbers"]
        assert [(number["number"], number["unit"]) for number in found] == [(path, unit)]
    assert "flows.NAME.timeouts" in cellway("schema", "--results", "flows").stdout


def test_a_summary_fits_its_json_schema(cellway: Command) -> None:
    described = json.loads(cellway("schema", "--results", "--json").stdout)
    summary = json.loads(run(Scenario.parse(SMALL)).summary_json)
    assert against(summary, described) == []
    flow = described["properties"]["flows"]["additionalProperties"]
    assert flow["properties"]["throughput_bits_per_second"]["unit"] == "bit/s"
    del summary["flows"]["bulk"]["timeouts"]
    summary["flows"]["bulk"]["surprise"] = 1
    assert len(against(summary, described)) == 2


def test_a_narrow_terminal_has_keys_below_each_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    schema("flow.NAME.tcp")
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert any(line.startswith("flow.NAME.tcp.window  size in bytes, ") for line in lines)
    assert any(line.startswith('      "tahoe"') for line in lines)
