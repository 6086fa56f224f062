"""Runs on disk, in a marked folder: summary.json, scenario.toml, series.npz and facts."""

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellway.disk.folders import Marker
from cellway.disk.replacement import Inside, reading, together
from cellway.errors import CellwayError, ScenarioError, StoreError
from cellway.runs.series import Series, read_only
from cellway.scenario.scenario import Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

SUMMARY = "summary.json"
SUMMARY_KEYS = {"scenario", "seed", "duration_s", "warm_up_s", "flows", "ports"}
SCENARIO = "scenario.toml"
SERIES = "series.npz"
MEASURED = "measured.json"
STACKS = "stacks.json"
RUN_FILES = (SCENARIO, SUMMARY, SERIES)
"""Files of a run as the commands write them."""
LONGEST = 60_000
"""Most bytes of a series' name: an entry of a ZIP archive has at most 65 535."""
COLUMNS_CSV = ("series", "unit", "time_s", "value", "mean", "thinned")


@dataclass(frozen=True)
class SavedRun:
    """Parts of a run that are kept on disk.

    Attributes:
        scenario: the scenario of the run.
        summary_json: as the simulator wrote it.
        recorded: the series by name.
        model: version of the simulator that made it; empty where it is not known.
        measured: facts of a measurement; `None` for a simulated run.
        stacks: facts of stacks; `None` without any.
    """

    scenario: Scenario
    summary_json: str
    recorded: Mapping[str, Series]
    model: str
    measured: Mapping[str, Any] | None = None
    stacks: Mapping[str, Any] | None = None


def write_run(run: SavedRun, directory: Path, *, force: bool = False) -> Path:
    """Writes `run` into `directory`, all of its files or none; replaces an earlier run.

    Raises:
        StoreError: the directory, or a file in it, is not ours to replace, and `force` is false; or
            a series has a name that is too long to keep.
        OSError: the directory cannot be made or written; its files are still there.
    """
    recorded = list(run.recorded.values())
    marker = replace(run_marker(run.scenario), model=run.model)
    with together(directory, marker, SUMMARY, force=force) as fresh:
        (fresh / SCENARIO).write_bytes(run.scenario.to_toml().encode())
        if recorded:
            _write_npz(fresh / SERIES, recorded)
        for name, facts in ((MEASURED, run.measured), (STACKS, run.stacks)):
            if facts is not None:
                (fresh / name).write_bytes(f"{json.dumps(facts, indent=2)}\n".encode())
        (fresh / SUMMARY).write_bytes(f"{run.summary_json}\n".encode())
    return directory


def _load_scenario(file: Path) -> Scenario:
    """Loads the scenario of a run. A damaged one, which nobody wrote by hand, is one fault."""
    try:
        return Scenario.load(file)
    except ScenarioError as error:
        raise ScenarioError(error.in_one_line, error.faults) from error


def run_marker(scenario: Scenario) -> Marker:
    """The marker of the folder of a run of `scenario`."""
    return Marker("run", Path(scenario.origin).stem)


def read_run(directory: Path) -> SavedRun:
    """Reads a run that `write_run` wrote.

    Raises:
        OSError: a file is missing or unreadable.
        CellwayError: a file differs from what `write_run` writes.
    """
    with reading(directory) as inside:
        return _load(directory, inside)


def _load(directory: Path, inside: Inside) -> SavedRun:
    for name in (SUMMARY, *inside.lacks()):
        if name != SCENARIO:
            _require_as_written(inside, name)
    content = inside.path(SUMMARY).read_bytes()
    try:
        summary = content.decode().strip()
        _require_summary(json.loads(summary))
        scenario = _load_scenario(inside.path(SCENARIO))
        facts = [_load_facts(inside, name) for name in (MEASURED, STACKS)]
        return SavedRun(scenario, summary, _load_series(inside), inside.model, *facts)
    except (EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        if isinstance(error, CellwayError):
            raise
        raise CellwayError(f"{directory}: not a run that cellway saved: {error}") from error


def _load_facts(inside: Inside, name: str) -> dict[str, Any] | None:
    _require_as_written(inside, name)
    if not inside.has(name):
        return None
    facts: dict[str, Any] = json.loads(inside.path(name).read_bytes())
    return facts


def _require_summary(summary: object) -> None:
    if not isinstance(summary, dict) or not summary.keys() >= SUMMARY_KEYS:
        raise ValueError(f"{SUMMARY} is not a table with {', '.join(sorted(SUMMARY_KEYS))}")


def _load_series(inside: Inside) -> dict[str, Series]:
    _require_as_written(inside, SERIES)
    return _read_npz(inside.path(SERIES)) if inside.has(SERIES) else {}


def _require_as_written(inside: Inside, name: str) -> None:
    """Refuses a file that no longer has the numbers of the run."""
    if inside.is_missing(name) or (inside.has(name) and not inside.is_as_written(name)):
        what = "missing" if inside.is_missing(name) else "damaged, not as it was written"
        raise CellwayError(f"{inside.path(name)}: {what}; run {SCENARIO} beside it again")


def _write_npz(path: Path, recorded: list[Series]) -> None:
    """Arrays per series: name:unit, name:time (s), name:value, name:thinned, perhaps name:mean."""
    import numpy as np  # noqa: PLC0415

    arrays: dict[str, NDArray[np.float64] | NDArray[np.str_]] = {}
    for series in recorded:
        if len(series.name.encode()) > LONGEST:
            raise StoreError(
                f"the name of the series {series.name[:40]}… is longer than the {LONGEST} bytes "
                f"that {SERIES} can keep; a shorter name is expected"
            )
        arrays[f"{series.name}:unit"] = np.array(series.unit)
        arrays[f"{series.name}:time"] = series.time
        arrays[f"{series.name}:value"] = series.value
        arrays[f"{series.name}:thinned"] = np.array(series.thinned)
        if series.means is not None:
            arrays[f"{series.name}:mean"] = series.means
    # As numpy.savez_compressed does; but a signal may leave the archive open for a moment, and the
    # file is the archive's own, so that it is not closed before.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def _read_npz(path: Path) -> dict[str, Series]:
    import numpy as np  # noqa: PLC0415

    # NumPy does not close a file of its own that it cannot read.
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        names = [name.removesuffix(":unit") for name in arrays.files if name.endswith(":unit")]
        return {name: _from_npz(arrays, name) for name in names}


def _from_npz(arrays: "Mapping[str, NDArray[Any]]", name: str) -> Series:
    unit, thinned = str(arrays[f"{name}:unit"]), int(arrays[f"{name}:thinned"])
    means = arrays.get(f"{name}:mean")
    return read_only(
        Series(name, unit, arrays[f"{name}:time"], arrays[f"{name}:value"], means, thinned)
    )


def csv_text(recorded: Iterable[Series]) -> str:
    """One row per point, as `COLUMNS_CSV`: floats as shortest exact text, empty for no mean."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS_CSV)
    for series in recorded:
        means = [""] * len(series) if series.means is None else series.means.tolist()
        points = zip(series.time.tolist(), series.value.tolist(), means, strict=True)
        rows.writerows([series.name, series.unit, *point, series.thinned] for point in points)
    return text.getvalue()
