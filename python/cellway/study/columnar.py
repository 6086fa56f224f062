"""The table of a store from its partitions: rows that the database still has, and its newest ones.

The database decides which rows count: it lists the digests of all its rows, from an index.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from cellway.study.partitions import ROWS, frame_of, scanned, sound_partitions, write_partition
from cellway.study.rows import Rows

if TYPE_CHECKING:
    import polars as pl


def stored_table(folder: Path, rows: Rows) -> "tuple[pl.DataFrame | None, list[Path]]":
    """All rows as columns, and the partitions that are damaged and were not used.

    There is no table where a study is small, or partitions do not have all but its newest rows:
    the rows are then read one by one.

    Raises:
        OSError, sqlite3.Error: they cannot be read.
    """
    import polars as pl  # noqa: PLC0415

    sound, damaged = sound_partitions(folder)
    if not sound:
        return None, damaged
    there = pl.DataFrame(rows.digests(), schema=["number", "digest"], orient="row")
    kept = scanned(sound).join(there.lazy(), on="digest", how="semi").collect()
    newest = there.join(kept.lazy().select("digest").collect(), on="digest", how="anti")
    if newest.height >= ROWS * (1 + len(damaged)) or kept["digest"].is_duplicated().any():
        return None, damaged
    read = list(rows.numbered(newest["number"].to_list()))
    last = frame_of(read) if read else kept.clear()
    if last is None or len(read) < newest.height:
        return None, damaged
    return pl.concat([kept, last], how="diagonal"), damaged


def said_of_damage(file: Path) -> str:
    """Note for the user on a damaged partition."""
    return f"{file}: damaged, not as it was written; its runs are taken from the database"


def renew_if_possible(folder: Path, rows: Rows) -> None:
    """Renews the partitions; without them a study only opens more slowly."""
    with suppress(OSError, sqlite3.Error):
        renew_partitions(folder, rows)


def renew_partitions(folder: Path, rows: Rows) -> None:
    """Writes partitions of rows that have none, and removes those of rows that have changed.

    Raises:
        OSError, sqlite3.Error: they cannot be read or written.
    """
    import polars as pl  # noqa: PLC0415

    sound, damaged = sound_partitions(folder)
    if not sound and not damaged and rows.count() < ROWS:
        return
    numbers = {digest: number for number, digest in rows.digests()}
    for file in sound:
        digests = pl.scan_parquet(file).select("digest").collect()["digest"].to_list()
        if numbers.keys() >= {*digests}:
            for digest in digests:
                del numbers[digest]
        else:
            damaged.append(file)
    for file in damaged:
        file.unlink()
    for chunk in _chunks(sorted(numbers.values())):
        frame = frame_of(rows.numbered(chunk))
        if frame is not None and frame.height:
            write_partition(folder, chunk[0], frame)


def _chunks(numbers: list[int]) -> Iterator[list[int]]:
    every = iter(numbers)
    while len(chunk := list(islice(every, ROWS))) == ROWS:
        yield chunk
