"""Pages of the scenario language: a page for each section of a file, a heading for each key."""

from collections.abc import Mapping, Sequence
from typing import Any

from cellway import schema

PLACE = "reference/language"


def language_pages() -> dict[str, str]:
    """Texts of the pages by name."""
    keys = schema()["keys"]
    sections = [*dict.fromkeys(_section(one) for one in keys)]
    pages = {f"{PLACE}/index.md": _index(keys, sections)}
    for section in sections:
        own = [one for one in keys if _section(one) == section]
        pages[f"{PLACE}/{section.replace('.', '-')}.md"] = "\n".join(
            [f"# Keys of `{section}`\n", *(entry(one) for one in own)]
        )
    return pages


def _section(key: Mapping[str, Any]) -> str:
    """The page of a key: its first word, for a part of a flow or a link the second one, too."""
    first, *rest = key["key"].split(".")
    if first == "flow" and len(rest) > 1 and rest[1] in {"tcp", "traffic"}:
        return f"flow.{rest[1]}"
    return first if not rest or first != "switch" or rest[1:2] != ["drop"] else "switch.drop"


def _index(keys: Sequence[Mapping[str, Any]], sections: Sequence[str]) -> str:
    rows = [
        f"| [`{one}`]({one.replace('.', '-')}.md) | {sum(_section(key) == one for key in keys)} |"
        for one in sections
    ]
    return "\n".join(
        [
            "# The scenario language",
            "",
            f"A scenario is a TOML file. It has {len(keys)} keys; a misspelt one is refused with",
            "its line and its column. `cellway schema` prints them all,",
            "`cellway schema flow.bulk.tcp` those of a part, and `cellway schema --json` a JSON",
            "Schema for editors.",
            "",
            "`NAME` is a name of your own. In `--set`, `NAME` may be a pattern:",
            "`host.*.cpu_per_segment` is that of every host.",
            "",
            "| section | keys |",
            "|---|---|",
            *rows,
            "",
            "The [scenarios that come with cellway](../../scenarios/index.md) use them.",
            "",
        ]
    )


def entry(key: Mapping[str, Any]) -> str:
    """The heading of a key, its type, what holds without it, its meaning and its words."""
    absent = f"default `{key['default']}`" if key.get("default") else key.get("if_absent", "")
    kind = key["type"]
    if key.get("min") is not None and key.get("max") is not None:
        kind += f", {key['min']} to {key['max']}"
    lines = [
        f"### `{key['key']}`",
        "",
        f"*{kind}*; {'required' if key['required'] else absent}",
        "",
        key["meaning"],
        "",
    ]
    if variants := key.get("variants", []):
        rows = [f"| `{_written(one)}` | {one['meaning']} |" for one in variants]
        lines += ["| value | meaning |", "|---|---|", *rows, ""]
    return "\n".join(lines)


def _written(variant: Mapping[str, Any]) -> str:
    if variant["as_string"]:
        return f'"{variant["name"]}"'
    return f"{{ {variant['name']} = {variant.get('example') or '…'} }}"
