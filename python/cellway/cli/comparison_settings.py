"""Settings in which two compared studies differ."""

from collections.abc import Mapping
from pathlib import Path

from cellway.cli.text import table
from cellway.study import Results
from cellway.study.matching import shared_points

MOST = 12
"""Most settings that are printed."""
LONGEST = 24
"""Most letters of a folder's name that stands above a column."""
_ABSENT = "–"


def differing(first: Results, second: Results) -> dict[str, tuple[str, str]] | None:
    """Both values, as TOML, of each key in which the studies differ at a setting of both.

    Levels of factors are the same there. A key that one lacks has a dash. `None` with an imported
    study, which has no scenario.
    """
    if first.study.imported or second.study.imported:
        return None
    at, there = shared_points(first, second)[0]
    ours, theirs = _keys(first, at), _keys(second, there)
    return {
        key: (ours.get(key, _ABSENT), theirs.get(key, _ABSENT))
        for key in {**ours, **theirs}
        if ours.get(key) != theirs.get(key)
    }


def names_of(first: Path, second: Path) -> tuple[str, str]:
    """Names of two folders for titles of columns: their own, if these differ and are short."""
    one, other = first.resolve().name, second.resolve().name
    if one != other and max(len(one), len(other)) <= LONGEST:
        return one, other
    return "the first", "the second"


def setting_lines(keys: Mapping[str, tuple[str, str]] | None, called: tuple[str, str]) -> list[str]:
    """A table of the keys in which studies differ; a sentence if there are none."""
    if keys is None:
        return ["an imported study has no scenario whose settings could be compared"]
    if not keys:
        return ["the scenarios have the same value of every key"]
    rows = [[key, *values] for key, values in [*keys.items()][:MOST]]
    more = [f"{len(keys) - MOST} more; --json has all"] if len(keys) > MOST else []
    return [*table(["key that differs", *called], rows, align="<<<"), *more]


def _keys(results: Results, point: int) -> dict[str, str]:
    """Every key of the scenario of a point, and how its runs are made."""
    condition, seed = results.conditions[point], results.study.seed
    keys = condition.scenario(seed).settings()
    keys.pop("run.seed", None)
    return keys | {"first seed": str(seed), "way": str(condition.way)}
