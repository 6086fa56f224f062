"""Runs on disk: summary.json, scenario.toml and series.npz or series.csv, in a folder marked as a run's."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cellway.errors import CellwayError, StoreError
from cellway.folders import Marker
from cellway.replacement import Inside, reading, together
from cellway.run import Run, Series, restored_run
from cellway.scenario import Scenario

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SUMMARY = "summary.json"
SUMMARY_KEYS = {"scenario", "seed", "duration_s", "warm_up_s", "flows", "ports"}
SCENARIO = "scenario.toml"
SERIES = "series.npz"
SERIES_CSV = "series.csv"
RUN_FILES = (SCENARIO, SUMMARY, SERIES)
"""What the commands write."""
LONGEST = 60_000
"""Bytes of a series' name: an entry of a ZIP archive has at most 65 535."""


def save_run(
    run: Run, directory: Path, series: Literal["npz", "csv"] = "npz", *, force: bool = False
) -> Path:
    """Writes `run` into `directory`, in place of a run that was there before: all of its files or none.

    Raises:
        StoreError: the directory, or a file in it, is not ours to replace, and `force` is false; or a series
            has a name that is too long to keep.
        OSError: the directory cannot be made or written; what it held is still there.
    """
    recorded = [run.series(name) for name in run.series_names]
    with together(directory, run_marker(run.scenario), SUMMARY, force=force) as fresh:
        (fresh / SCENARIO).write_bytes(run.scenario.to_toml().encode())
        if recorded and series == "npz":
            _write_npz(fresh / SERIES, recorded)
        elif recorded:
            (fresh / SERIES_CSV).write_bytes(_csv_text(recorded).encode())
        (fresh / SUMMARY).write_bytes(f"{run.summary_json}\n".encode())
    return directory


def run_marker(scenario: Scenario) -> Marker:
    """What marks the folder of a run of `scenario`."""
    return Marker("run", Path(scenario.origin).stem)


def load_run(directory: Path) -> Run:
    """Reads a run that `save_run` wrote.

    Raises:
        OSError: a file is missing or unreadable.
        CellwayError: a file is not what `save_run` writes.
    """
    with reading(directory) as inside:
        return _load(directory, inside)


def _load(directory: Path, inside: Inside) -> Run:
    content = inside.path(SUMMARY).read_bytes()
    try:
        summary = content.decode().strip()
        _require_summary(json.loads(summary))
        return restored_run(Scenario.load(inside.path(SCENARIO)), summary, _load_series(inside))
    except (EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        if isinstance(error, CellwayError):
            raise
        raise CellwayError(f"{directory}: not a run that cellway saved: {error}") from error


def _require_summary(summary: object) -> None:
    if not isinstance(summary, dict) or not summary.keys() >= SUMMARY_KEYS:
        raise ValueError(f"{SUMMARY} is not a table with {', '.join(sorted(SUMMARY_KEYS))}")


def _load_series(inside: Inside) -> dict[str, Series]:
    if inside.has(SERIES):
        return _read_npz(inside.path(SERIES))
    if inside.has(SERIES_CSV):
        return _read_csv(inside.path(SERIES_CSV))
    return {}


def _write_npz(path: Path, recorded: list[Series]) -> None:
    """Three arrays per series: name:unit, name:time in seconds, name:value."""
    import numpy as np  # noqa: PLC0415

    arrays: dict[str, NDArray[np.float64] | NDArray[np.str_]] = {}
    for series in recorded:
        if len(series.name.encode()) > LONGEST:
            raise StoreError(
                f"the name of the series {series.name[:40]}… is longer than the {LONGEST} bytes that "
                f"{SERIES} can keep; shorter names, or series='csv', are expected"
            )
        arrays[f"{series.name}:unit"] = np.array(series.unit)
        arrays[f"{series.name}:time"] = series.time
        arrays[f"{series.name}:value"] = series.value
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def _read_npz(path: Path) -> dict[str, Series]:
    import numpy as np  # noqa: PLC0415

    # NumPy does not close a file of its own that it cannot read.
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        names = [name.removesuffix(":unit") for name in arrays.files if name.endswith(":unit")]
        return {
            name: _series(name, str(arrays[f"{name}:unit"]), arrays[f"{name}:time"], arrays[f"{name}:value"])
            for name in names
        }


def _csv_text(recorded: list[Series]) -> str:
    """One row per point: series, unit, time in seconds, value; floats as their shortest exact text."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["series", "unit", "time_s", "value"])
    for series in recorded:
        points = zip(series.time.tolist(), series.value.tolist(), strict=True)
        rows.writerows([series.name, series.unit, time, value] for time, value in points)
    return text.getvalue()


def _read_csv(path: Path) -> dict[str, Series]:
    import numpy as np  # noqa: PLC0415

    columns: dict[str, tuple[str, list[float], list[float]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            _, time, value = columns.setdefault(row["series"], (row["unit"], [], []))
            time.append(float(row["time_s"]))
            value.append(float(row["value"]))
    return {
        name: _series(name, unit, np.array(time), np.array(value))
        for name, (unit, time, value) in columns.items()
    }


def _series(name: str, unit: str, time: "NDArray[np.float64]", value: "NDArray[np.float64]") -> Series:
    time.setflags(write=False)
    value.setflags(write=False)
    return Series(name, unit, time, value)
