"""Partitions of the table of runs, `runs/*.parquet`, with which a large study opens in seconds.

A partition has the columns of 10 000 rows of `runs.sqlite`, but a digest in place of each summary.
It is written once and never changed; its name ends in the SHA-256 of its content. A row of it
counts while the database has a row of the same digest. So neither a damaged partition nor one of
an older state changes a number: such a file is removed by the next writer and written again. The
database has everything, and a folder without partitions is complete.
"""

import hashlib
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellway.disk.files import whole_file
from cellway.study.record import COLUMNS, NO_SERIES, DamagedError, digested, record_of
from cellway.study.rows import Row

if TYPE_CHECKING:
    import polars as pl

FOLDER = "runs"
ROWS = 10_000
"""Rows of a partition; fewer are read from the database."""
METRIC = "metric "
"""Beginning of the name of a column with the numbers of one definition."""
PARTITION = re.compile(r"\d{10}-([0-9a-f]{64})\.parquet")
"""Names of partitions: number of the first row, and the digest."""
EXACT = 2**53
"""Bound below which whole numbers are floats without a loss."""
TEXTS = (
    *("key", "status", "model_version", "scenario_hash", "host"),
    *("parameters", "warnings", "outcome", "defined", "digest"),
)
NUMBERS = ("wall_seconds", "cpu_seconds")
COUNTS = ("replication", "seed")


def sound_partitions(folder: Path) -> tuple[list[Path], list[Path]]:
    """Partitions of a study's folder that are as they were written, and those that are not.

    Raises:
        OSError: one cannot be read.
    """
    sound: list[Path] = []
    damaged: list[Path] = []
    for file in sorted((folder / FOLDER).glob("*.parquet")):
        if found := PARTITION.fullmatch(file.name):
            with file.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            (sound if digest == found[1] else damaged).append(file)
    return sound, damaged


def write_partition(folder: Path, first: int, frame: "pl.DataFrame") -> None:
    """Writes a partition whose first row has the number `first` in the database.

    Raises:
        OSError: it cannot be written.
    """
    content = io.BytesIO()
    frame.write_parquet(content, compression="zstd")
    digest = hashlib.sha256(content.getbuffer()).hexdigest()
    (folder / FOLDER).mkdir(exist_ok=True)
    with whole_file(folder / FOLDER / f"{first:010d}-{digest}.parquet") as file:
        file.write(content.getbuffer())


def scanned(files: Sequence[Path]) -> "pl.LazyFrame":
    """All rows of partitions, of which only the columns that are asked for are read."""
    import polars as pl  # noqa: PLC0415

    # Partitions may have the numbers of different responses.
    return pl.concat([pl.scan_parquet(file) for file in files], how="diagonal")


def frame_of(rows: Iterable[tuple[Row, str]]) -> "pl.DataFrame | None":
    """Rows of the database with their digests as columns; `None` where a number does not fit.

    A metric is a column `metric DEFINITION`, null where a run has none; `defined` has the
    definitions that the run was asked for, one a line.
    """
    import polars as pl  # noqa: PLC0415

    columns: dict[str, list[Any]] = {name: [] for name in (*TEXTS, *COUNTS, *NUMBERS, "series")}
    metrics: list[Mapping[str, float | None]] = []
    for row, digest in rows:
        try:
            record = digested(record_of(row[: len(COLUMNS)]))
        except DamagedError:  # The database says so where the run is asked for.
            return None
        about = dict(zip(COLUMNS, row, strict=False)) | {
            "outcome": record.outcome,
            "defined": "\n".join(sorted(record.metrics)),
            "digest": digest,
            "series": row[len(COLUMNS)] != NO_SERIES,
        }
        for name, column in columns.items():
            column.append(about[name])
        metrics.append(record.metrics)
    if any(isinstance(one, int) and abs(one) > EXACT for has in metrics for one in has.values()):
        return None
    kinds = dict.fromkeys(TEXTS, pl.String()) | dict.fromkeys(COUNTS, pl.Int64())
    made = [pl.Series(name, columns[name], kind) for name, kind in kinds.items()]
    made += [pl.Series(name, columns[name], pl.Float64) for name in NUMBERS]
    made += [pl.Series("series", columns["series"], pl.Boolean)]
    for name in sorted({name for has in metrics for name in has}):
        numbers = [has.get(name) for has in metrics]
        made.append(pl.Series(f"{METRIC}{name}", numbers, pl.Float64, strict=False))
    return pl.DataFrame(made)
