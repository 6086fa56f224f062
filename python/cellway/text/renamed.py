"""Names that changed: keys and words of study and catalogue files, and fields of summaries.

All of them are listed here. An old name in a file is refused with the new one in the message, and
`cellway migrate` rewrites the file. An old field of a saved summary is read under its new name. No
key or word of a scenario file has changed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cellway import _core

Path = tuple[str | int, ...]
"""Path from the root of a document to a value: keys, and indices from 0."""
KEYS: Mapping[tuple[str, ...], Mapping[str, str]] = {
    ("study", "replications"): {"least": "min", "most": "max"},
    ("response", "*"): {"share": "quantile"},
    ("expected",): {"least": "min", "most": "max"},
}
"""Old keys and new ones, by the table that the key is in; `*` is any name."""
WORDS: Mapping[str, Mapping[str, str]] = {
    "reduce": {"least": "min", "largest": "max", "least_ratio": "min_ratio"},
}
"""Old words and new ones, by key."""
FIELDS: Mapping[str, Mapping[str, str]] = {
    "delay": {"least": "min", "largest": "max"},
    "one_way_delay": {"least": "min", "largest": "max"},
    "queue_distribution": {"largest": "max"},
}
"""Old fields and new ones, by the field of a summary that they are in."""
_QUANTITY = "quantity"


@dataclass(frozen=True)
class Change:
    """One old name in a text.

    Attributes:
        line: from 1.
        column: from 1, of the first character of the name or of the text that it is in.
        old: the name, or the whole text that ends with it.
        new: the present name.
    """

    line: int
    column: int
    old: str
    new: str


def key_now(path: Sequence[str | int], key: str) -> str | None:
    """The present name of `key` in the table at `path`; `None` for a name that did not change."""
    names = [step for step in path if isinstance(step, str)]
    for table, keys in KEYS.items():
        fits = (step in ("*", name) for step, name in zip(table, names, strict=False))
        if len(names) == len(table) and all(fits):
            return keys.get(key)
    return None


def word_now(key: str, word: str) -> str | None:
    """The present name of the value `word` of `key`; `None` for one that did not change."""
    return _quantity_now(word) if key == _QUANTITY else WORDS.get(key, {}).get(word)


def hint(old: str, new: str | None) -> str:
    """The end of a message about `old`; empty if it has no new name."""
    return f"; `{old}` is called `{new}` now, and `cellway migrate` rewrites files" if new else ""


def changes(text: str) -> list[Change]:
    """Every old name in the TOML `text`, in the order of the text.

    Raises:
        ValueError: the text is not TOML.
    """
    import tomllib  # noqa: PLC0415 - not for validate and run

    root = tomllib.loads(text)
    places = {tuple(path): (key, value) for path, key, value in _core.toml_places(text)}
    found = [
        Change(*places[path][part], old, new)
        for path, part, old, new in _old_names(root, ())
        if path in places
    ]
    return sorted(found, key=lambda change: (change.line, change.column))


def rewritten(text: str, found: Sequence[Change]) -> str:
    """`text` with `found` changed; everything else stays, comments included."""
    lines = text.split("\n")
    for change in reversed(found):
        line, at = lines[change.line - 1], change.column - 1
        lines[change.line - 1] = line[:at] + line[at:].replace(change.old, change.new, 1)
    return "\n".join(lines)


def fields_now(summary: Any) -> Any:  # noqa: ANN401
    """A tree of tables with its old fields under their new names."""
    if isinstance(summary, list):
        return [fields_now(item) for item in summary]
    if not isinstance(summary, dict):
        return summary
    return {
        name: _renamed(fields_now(inside), FIELDS.get(name, {})) for name, inside in summary.items()
    }


def _renamed(inside: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401
    if not isinstance(inside, dict) or not names:
        return inside
    return {names.get(name, name): value for name, value in inside.items()}


def _old_names(inside: object, path: Path) -> Iterator[tuple[Path, int, str, str]]:
    """The old names inside: path, 0 for the key or 1 for the value, old text and new text."""
    items: Iterator[tuple[str | int, object]] = iter(())
    if isinstance(inside, dict):
        items = iter(inside.items())
    elif isinstance(inside, list):
        items = iter(enumerate(inside))
    for key, value in items:
        if isinstance(key, str) and (new := key_now(path, key)):
            yield (*path, key), 0, key, new
        if isinstance(key, str) and isinstance(value, str) and (new := word_now(key, value)):
            yield (*path, key), 1, value, new
        yield from _old_names(value, (*path, key))


def _quantity_now(quantity: str) -> str | None:
    """The path with its last name renamed; `None` if that did not change."""
    found = re.search(r"(?:^|\.)([^.]+)\.([^.]+)$", quantity)
    new = FIELDS.get(found[1], {}).get(found[2]) if found else None
    return f"{quantity.removesuffix(found[2])}{new}" if found and new else None
