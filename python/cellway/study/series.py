"""A run's series as one Parquet file: columns series, unit, time_s, value, a row per sample."""

from collections.abc import Sequence
from pathlib import Path

from cellway.files import whole_file
from cellway.run import Series


def write_series(path: Path, recorded: Sequence[Series]) -> None:
    """Writes `recorded` to `path`, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    import numpy as np  # noqa: PLC0415
    import polars as pl  # noqa: PLC0415

    lengths = [len(series) for series in recorded]
    names = pl.Series([series.name for series in recorded], dtype=pl.String)
    units = pl.Series([series.unit for series in recorded], dtype=pl.String)
    places = np.repeat(np.arange(len(recorded)), lengths)
    frame = pl.DataFrame(
        {
            "series": names.gather(places),
            "unit": units.gather(places),
            "time_s": np.concatenate([series.time for series in recorded]),
            "value": np.concatenate([series.value for series in recorded]),
        }
    )
    with whole_file(path) as file:
        frame.write_parquet(file, compression="zstd")


def read_series(path: Path) -> dict[str, Series]:
    """What `write_series` wrote, bit by bit; the arrays are read-only.

    Raises:
        OSError: the file cannot be read.
    """
    import polars as pl  # noqa: PLC0415

    found: dict[str, Series] = {}
    for group in pl.read_parquet(path).partition_by("series", maintain_order=True):
        name, unit = group["series"][0], group["unit"][0]
        time, value = group["time_s"].to_numpy().copy(), group["value"].to_numpy().copy()
        time.setflags(write=False)
        value.setflags(write=False)
        found[name] = Series(name, unit, time, value)
    return found
