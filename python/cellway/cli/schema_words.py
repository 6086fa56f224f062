"""Search of `cellway schema` for a word in the names and meanings of keys and numbers."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from cellway.cli.text import wrapped

MOST = 8
"""Most names that are listed of a section."""
_FOLDED = str.maketrans("_-", "  ")
"""Letters that stand for the space between two words in names and in hyphenated words."""


def matching_keys(keys: Iterable[Mapping[str, Any]], word: str) -> dict[str, str]:
    """Meanings, by key, of keys whose name, meaning, or variants have `word`."""
    return {key["key"]: key["meaning"] for key in keys if _has(_texts(key), word)}


def matching_numbers(meanings: Mapping[str, str], word: str) -> dict[str, str]:
    """Meanings, by path, of numbers whose path or meaning has `word`."""
    return {path: said for path, said in meanings.items() if _has((path, said), word)}


def found_lines(word: str, keys: Mapping[str, str], numbers: Mapping[str, str]) -> list[str]:
    """Lines of what was found, by section, with the commands that say all of one."""
    lines = _group_lines(word, "key", keys, "cellway schema")
    if lines and numbers:
        lines.append("")
    return [*lines, *_group_lines(word, "number", numbers, "cellway schema --results")]


def _texts(key: Mapping[str, Any]) -> Iterable[str]:
    yield from (key["key"], key["meaning"])
    for one in key.get("variants", []):
        yield from (one["name"], one["meaning"])


def _has(texts: Iterable[str], words: str) -> bool:
    """True if the texts have each of `words`, in any order, at the beginning of a word."""
    text = "".join(f" {_folded(one)}" for one in texts)
    return all(f" {word}" in text for word in _folded(words).split())


def _folded(text: str) -> str:
    spaced = text.casefold().translate(_FOLDED).replace(".", " ").replace(":", " ")
    return " ".join(spaced.split())


def _group_lines(word: str, what: str, found: Mapping[str, str], command: str) -> list[str]:
    """A heading, and of each section its first names with the first sentence of each meaning."""
    if not found:
        return []
    count = f"{len(found)} {what}{'' if len(found) == 1 else 's'}"
    named = min(found, key=lambda name: not _has((name,), word))
    lines = [f"{count} with {word}; all of one: {command} {named}"]
    for section, group in groupby(sorted(found, key=_section), key=_section):
        names = [*group]
        lines.append(f"  {section}")
        lines += [line for name in names[:MOST] for line in _line(name, found[name])]
        if len(names) > MOST:
            lines.append(f"    {len(names) - MOST} more: {command} {section}")
    return lines


def _line(name: str, meaning: str) -> Sequence[str]:
    first = meaning.partition(". ")[0].removesuffix(".")
    return wrapped(f"{name}  {first}.", 4, 8)


def _section(name: str) -> str:
    return name.partition(".")[0]
