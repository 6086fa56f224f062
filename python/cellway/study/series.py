"""The series of one run as one Parquet file, in long form.

Columns: `series` and `unit` (text), `time_s` (seconds), `value` (in `unit`), `mean` (for a thinned
series on change the time mean until its next point, else null) and `thinned` (number of times), one
row per point, in the order recorded; zstd. The floats come back bit by bit. A series without points
has no rows, so the file alone keeps the names and units.
"""

import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cellway.disk.files import whole_file
from cellway.errors import StoreError
from cellway.runs.series import Series, read_only

if TYPE_CHECKING:
    import polars as pl


def write_series(path: Path, recorded: Sequence[Series], replacing: Callable[[], object]) -> str:
    """Writes `recorded`, whose names differ, to `path`, whole or not at all; returns its SHA-256.

    Args:
        path: the file.
        recorded: at least one.
        replacing: called when all is written and `path` still has its former content, if there was
            any.

    Raises:
        OSError: the file cannot be written; `path` is as it was.
    """
    import polars as pl  # noqa: PLC0415

    names = pl.Enum([series.name for series in recorded])
    units = pl.Enum(sorted({series.unit for series in recorded}))
    points = pl.concat([_points(series, names, units) for series in recorded])
    # Written to memory first: a full disk is then an OSError with its number, and not an error of
    # Polars.
    content = io.BytesIO()
    points.write_parquet(content, compression="zstd")
    # A store has many files, and removes leftovers when it is opened.
    with whole_file(path, sweep=False) as file:
        file.write(content.getbuffer())
        file.flush()
        if path.exists():
            replacing()
    return hashlib.sha256(content.getbuffer()).hexdigest()


def is_whole(path: Path, digest: str) -> bool:
    """True if the file exists and is as it was written."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == digest
    except OSError:
        return False


def read_series(path: Path, units: Mapping[str, str], digest: str) -> dict[str, Series]:
    """Reads the series that `write_series` wrote, by name; the arrays are read-only.

    Args:
        path: the file.
        units: the unit of each series, in the order wanted; one without rows is a series without
            points.
        digest: the one that `write_series` returned.

    Raises:
        StoreError: the file is missing, cannot be read, or is no longer what `write_series` writes.
    """
    import polars as pl  # noqa: PLC0415

    try:
        content = path.read_bytes()
    except OSError as error:
        raise StoreError(
            f"{path}: cannot be read: {error.strerror}; start the study again, which runs it again"
        ) from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise StoreError(
            f"{path}: damaged, not as it was written; start the study again, which runs it again"
        )
    points = pl.read_parquet(content)
    found = points.partition_by("series", maintain_order=True, as_dict=True)
    nothing = points.clear()
    return {name: _series(name, unit, found.get((name,), nothing)) for name, unit in units.items()}


def _points(series: Series, names: "pl.Enum", units: "pl.Enum") -> "pl.DataFrame":
    import polars as pl  # noqa: PLC0415

    count = len(series)
    return pl.DataFrame(
        {
            "series": pl.Series([series.name], dtype=names).new_from_index(0, count),
            "unit": pl.Series([series.unit], dtype=units).new_from_index(0, count),
            "time_s": series.time,
            "value": series.value,
            "mean": pl.Series([None] * count, dtype=pl.Float64)
            if series.means is None
            else series.means,
            "thinned": pl.Series([series.thinned], dtype=pl.UInt32).new_from_index(0, count),
        }
    )


def _series(name: str, unit: str, points: "pl.DataFrame") -> Series:
    time, value = points["time_s"].to_numpy(), points["value"].to_numpy()
    if points.is_empty():
        return read_only(Series(name, unit, time, value))
    means = None if points["mean"].has_nulls() else points["mean"].to_numpy()
    return read_only(Series(name, unit, time, value, means, points["thinned"][0]))
