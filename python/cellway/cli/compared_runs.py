"""Two saved runs compared number by number: folders of `cellway run --out`, or its JSON."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellway.cli.comparison_settings import names_of, setting_lines
from cellway.cli.exits import BadInputError, unreadable
from cellway.cli.text import number, percent, say, say_json, table
from cellway.disk.folders import marker_of
from cellway.runs.runs import Run
from cellway.runs.saved import SUMMARY_KEYS

MOST = 40
"""Most numbers that are printed."""
EXPECTED = "a folder of `cellway run --out`, or the output of `cellway run --json`"
_ABSENT = "–"


@dataclass(frozen=True)
class _Saved:
    """A saved run: its numbers by path, and its keys as TOML, which a JSON summary lacks."""

    numbers: Mapping[str, float]
    keys: Mapping[str, str] | None


def is_run(path: Path) -> bool:
    """True if `path` is a file, or the folder of a run."""
    if not path.is_dir():
        return path.is_file()
    marker = marker_of(path)
    return marker is not None and marker.kind == "run"


def compare_runs(first: Path, second: Path, *, as_json: bool) -> None:
    """Prints the numbers in which two runs differ, the second minus the first."""
    for path in (first, second):
        if not is_run(path):
            raise BadInputError(f"{path}: not a run, as the other is; expected {EXPECTED}")
    one, other = _read(first), _read(second)
    settings = _settings(one, other)
    both = [path for path in one.numbers if path in other.numbers]
    apart = [path for path in both if one.numbers[path] != other.numbers[path]]
    alone = [
        [path for path in run.numbers if path not in beside.numbers]
        for run, beside in ((one, other), (other, one))
    ]
    if as_json:
        say_json(
            {
                "first": str(first),
                "second": str(second),
                "settings": settings,
                "numbers": [_as_data(path, one, other) for path in apart],
                "equal": len(both) - len(apart),
                "left_out": alone,
            }
        )
        return
    lines = [f"{second} minus {first}, a single pair of runs: no intervals", ""]
    known = settings is not None
    called = names_of(first, second)
    lines += (
        setting_lines(settings, called)
        if known
        else ["settings not compared: JSON of a run has none"]
    )
    lines += ["", *_table([_as_data(path, one, other) for path in apart[:MOST]])]
    more = len(apart) - MOST
    lines += [f"{more} more numbers differ; --json has all"] if more > 0 else []
    lines += [f"{len(both) - len(apart)} numbers are equal"]
    for path, paths in zip((first, second), alone, strict=True):
        lines += [f"numbers only in {path}: {len(paths)}, such as {paths[0]}"] if paths else []
    say(*lines)


def _read(path: Path) -> _Saved:
    try:
        if path.is_dir():
            run = Run.load(path)
            return _Saved(dict(_numbers("", run.summary)), run.scenario.settings())
        summary = json.loads(path.read_bytes())
    except OSError as error:
        raise unreadable(Path(error.filename or path), error, EXPECTED) from error
    except ValueError as error:
        raise BadInputError(f"{path}: not a saved run; expected {EXPECTED}") from error
    if not isinstance(summary, dict) or not summary.keys() >= SUMMARY_KEYS:
        raise BadInputError(f"{path}: not a saved run; expected {EXPECTED}")
    return _Saved(dict(_numbers("", summary)), None)


def _numbers(path: str, value: Any) -> Iterator[tuple[str, float]]:  # noqa: ANN401 - JSON
    """Numbers by dotted path; lists, such as those of tails, are left out."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers(f"{path}.{key}" if path else key, inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, value


def _settings(one: _Saved, other: _Saved) -> dict[str, tuple[str, str]] | None:
    """Both values of each key in which the scenarios differ; `None` without a scenario."""
    if one.keys is None or other.keys is None:
        return None
    ours, theirs = one.keys, other.keys
    return {
        key: (ours.get(key, _ABSENT), theirs.get(key, _ABSENT))
        for key in {**ours, **theirs}
        if ours.get(key) != theirs.get(key)
    }


def _as_data(path: str, one: _Saved, other: _Saved) -> dict[str, Any]:
    first, second = one.numbers[path], other.numbers[path]
    return {"number": path, "first": first, "second": second, "difference": second - first}


def _table(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return ["no number differs"]
    cells = [
        [
            row["number"],
            *(_shown(row[key], 6) for key in ("first", "second")),
            _shown(row["difference"], 4),
            percent(row["difference"] / abs(row["first"]), sign=True) if row["first"] else _ABSENT,
        ]
        for row in rows
    ]
    return table(["number", "first", "second", "difference", "of the first"], cells)


def _shown(value: float, digits: int) -> str:
    return str(value) if isinstance(value, int) else number(value, digits)
