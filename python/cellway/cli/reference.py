"""`cellway schema`: the keys of the language, and the numbers of a run."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from cellway import _core
from cellway.cli.exits import BadInputError
from cellway.cli.parameters import Argument, Option
from cellway.cli.schema_words import found_lines, matching_keys, matching_numbers
from cellway.cli.text import megabits, say, say_json, table, wrapped
from cellway.lab.keys import KEYS
from cellway.scenario.scenario import schema as language

ALIGNED = 28
"""Width of the longest variant to which the others of its key are padded."""


def schema(
    prefix: Annotated[
        str | None,
        Argument(
            help="Beginning of keys, such as flow.NAME.tcp or link, or a word to search for in "
            "keys, numbers and their meanings; without it all keys."
        ),
    ] = None,
    as_json: Annotated[
        bool, Option("--json", help="Print JSON Schema, which editors and tools read, instead.")
    ] = False,
    study: Annotated[
        bool, Option("--study", help="Print the keys of a study file instead.")
    ] = False,
    results: Annotated[
        bool,
        Option(
            "--results",
            help="Print the numbers of a summary and of explain, which studies can use.",
        ),
    ] = False,
) -> None:
    """Print every key of the scenario language, or of a study file, or the numbers of a run."""
    if study and as_json:
        raise BadInputError(
            "--json: the keys of a study file are text; leave out --json, or --study"
        )
    if results:
        _numbers(prefix or "", as_json=as_json)
        return
    if study:
        import inspect  # noqa: PLC0415

        from cellway.study import file as study_file  # noqa: PLC0415 - not for scenarios

        say(*inspect.cleandoc(study_file.__doc__ or "").splitlines())
        return
    described = language()
    if as_json and prefix is None:
        from cellway.scenario.json_schema import json_schema  # noqa: PLC0415

        say_json(json_schema(described))
        return
    listed = [*described["keys"], *KEYS]
    keys = [key for key in listed if prefix is None or _begins(key["key"], prefix)]
    if not keys:
        if not as_json and (said := _found(prefix or "", listed)):
            say(*said)
            return
        meant = _meant(prefix or "", [key["key"] for key in listed])
        hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
        raise BadInputError(f"{prefix}: no key begins with this{hint} (cellway schema lists them)")
    if as_json:
        say_json({"keys": keys})
        return
    if prefix is None:
        say("NAME is a name of your own; a value in braces is a table with one key.")
        say("In parentheses is what holds without the key.")
        say("In --set, NAME may be a pattern: host.*.cpu_per_segment is that of every host.", "")
    say(*(line for key in keys for line in _entry(key)))
    if prefix is None:
        say("", *_standard_lines(described["lines"]))


def _begins(key: str, prefix: str) -> bool:
    """True if a key begins with `prefix`, part by part; a name of the user's matches any name."""
    parts, wanted = key.split("."), prefix.removesuffix(".").split(".")
    return len(parts) >= len(wanted) and all(
        part in (asked, "NAME", "WORD", "NUMBER")
        for part, asked in zip(parts, wanted, strict=False)
    )


def _found(word: str, listed: list[Mapping[str, Any]]) -> list[str]:
    """Keys and numbers whose names or meanings have `word`; empty if none has."""
    from cellway.study.summary_numbers import explained_numbers, numbers  # noqa: PLC0415

    known = {**numbers(), **explained_numbers()}
    meanings = {path: about.meaning for path, about in known.items()}
    return found_lines(word, matching_keys(listed, word), matching_numbers(meanings, word))


def _meant(prefix: str, keys: list[str]) -> list[str]:
    """Suggestions: keys that end in `prefix`, else one that is similar."""
    from difflib import get_close_matches  # noqa: PLC0415 - keys are seldom wrong

    end = prefix.rstrip(".")
    return [key for key in keys if key.endswith(f".{end}")] or get_close_matches(end, keys, 1)


def _numbers(prefix: str, *, as_json: bool) -> None:
    from cellway.study.summary_numbers import explained_numbers, numbers  # noqa: PLC0415

    if as_json and not prefix:
        say_json(json.loads(_core.summary_schema()))
        return
    listed = {**numbers(), **explained_numbers()}
    found = {path: about for path, about in listed.items() if _begins(path, prefix or path)}
    if not found and not as_json and (said := _found(prefix, [])):
        say(*said)
        return
    if not found:
        raise BadInputError(f"{prefix}: no number of a summary or of explain begins with this")
    if as_json:
        say_json(
            {"numbers": [{"number": path, **about._asdict()} for path, about in found.items()]}
        )
        return
    say("NAME is a flow, port, link or VC of the scenario; * in its place joins all of them.")
    say("WORD is a class of service or an impairment, NUMBER a length of the queue.")
    say("Numbers after explain: are known before a run.", "")
    for path, (unit, meaning) in found.items():
        say(f"{path}  {unit}".rstrip(), *wrapped(meaning, 4, 4))


def _standard_lines(lines: list[dict[str, Any]]) -> list[str]:
    rows = [
        [
            line["name"],
            megabits(line["line_bits_per_second"]),
            megabits(line.get("cell_bits_per_second")),
            megabits(line.get("packet_bits_per_second")),
            line["meaning"],
        ]
        for line in lines
    ]
    header = ["standard line", "line Mbit/s", "cell Mbit/s", "packet Mbit/s", "meaning"]
    return table(header, rows, align="<>>><")


def _entry(key: Mapping[str, Any]) -> list[str]:
    """Lines of a key: its type and default, its meaning, and each variant of its value."""
    absent = f"default {key['default']}" if key.get("default") else f"({key.get('if_absent')})"
    lines = wrapped(
        f"{key['key']}  {_type(key)}; {'required' if key['required'] else absent}", 0, 8
    )
    lines += wrapped(key["meaning"], 4, 4)
    shown = [(_variant(one), one["meaning"]) for one in key.get("variants", [])]
    width = max((len(word) for word, _ in shown if len(word) <= ALIGNED), default=0)
    return [
        *lines,
        *(
            line
            for word, meaning in shown
            for line in wrapped(f"{word:<{width}}  {meaning}", 6, width + 8)
        ),
    ]


def _variant(variant: dict[str, Any]) -> str:
    if variant["as_string"]:
        return f'"{variant["name"]}"'
    return f"{{ {variant['name']} = {variant.get('example') or '…'} }}"


def _type(key: Mapping[str, Any]) -> str:
    least, most = key.get("min"), key.get("max")
    return key["type"] if least is None or most is None else f"{key['type']}, {least} to {most}"
