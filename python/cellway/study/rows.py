"""Rows of the table of runs: a row that differs from what was written counts as missing.

Every row has a digest of its content.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice
from typing import Any

from cellway.runs.models import WITH_KERNEL, kernel_of
from cellway.study.record import COLUMNS, digest_of

ALL = (*COLUMNS, "series", "series_digest")
BATCH = 200
"""Rows that are read at a time."""
Row = tuple[Any, ...]
"""Values of the columns in `ALL`."""


class Rows:
    """The runs of a database, by key."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._columns = ", ".join((*ALL, "digest"))
        self._damaged: set[str] = set()
        # Damaged text need not be UTF-8; the digest tells.
        database.text_factory = _decoded

    @property
    def damaged(self) -> Set[str]:
        """Keys of the rows that were asked for and are damaged."""
        return self._damaged

    def get(self, key: str) -> Row | None:
        """The row of a run, if it is there and undamaged.

        Raises:
            sqlite3.Error: it cannot be read.
        """
        query = f"SELECT {self._columns} FROM runs WHERE key = ?"  # noqa: S608
        row = self._database.execute(query, (key,)).fetchone()
        if row is None or _is_intact(row):
            return None if row is None else row[: len(ALL)]
        self._damaged.add(key)
        return None

    def several(self, keys: Iterable[str]) -> Iterator[tuple[str, Row]]:
        """Rows of the runs that are there and undamaged, with their keys, in the order of `keys`.

        Raises:
            sqlite3.Error: they cannot be read.
        """
        every = iter(keys)
        while batch := list(islice(every, BATCH)):
            marks = ", ".join("?" for _ in batch)
            query = f"SELECT {self._columns} FROM runs WHERE key IN ({marks})"  # noqa: S608
            found = {row[0]: row for row in self._database.execute(query, batch).fetchall()}
            for key in batch:
                row = found.get(key)
                if row is not None and _is_intact(row):
                    yield key, row[: len(ALL)]
                elif row is not None:
                    self._damaged.add(key)

    def write(self, rows: Iterable[Row]) -> None:
        """Inserts rows, each in the place of an earlier one with its key.

        Raises:
            sqlite3.Error: they cannot be written.
        """
        marks = ", ".join("?" for _ in self._columns.split(","))
        self._database.executemany(
            f"INSERT OR REPLACE INTO runs ({self._columns}) VALUES ({marks})",  # noqa: S608
            ((*row, digest_of(row)) for row in rows),
        )

    def count(self) -> int:
        """Number of rows, also of damaged ones.

        Raises:
            sqlite3.Error: they cannot be counted.
        """
        ((count,),) = self._database.execute("SELECT count(*) FROM runs").fetchall()
        return int(count)

    def kernels(self) -> dict[str, int]:
        """Number of measured runs by the release of their kernel, sorted.

        Raises:
            sqlite3.Error: they cannot be read.
        """
        query = "SELECT model_version, count(*) FROM runs GROUP BY 1 ORDER BY 1"
        found: dict[str, int] = {}
        for name, count in self._database.execute(query).fetchall():
            if isinstance(name, str) and (kernel := kernel_of(name)):
                found[kernel] = found.get(kernel, 0) + count
        return found

    def digests(self) -> list[tuple[int, str]]:
        """Number and digest of each row; the number says where a row is, for `numbered`.

        A damaged one is left out where it is no text that a digest could be.

        Raises:
            sqlite3.Error: they cannot be read.
        """
        found = self._database.execute("SELECT rowid, digest FROM runs").fetchall()
        return [one for one in found if isinstance(one[1], str) and one[1].isascii()]

    def numbered(self, numbers: Sequence[int]) -> Iterator[tuple[Row, str]]:
        """Undamaged rows with these numbers, in their order, each with its digest.

        Raises:
            sqlite3.Error: they cannot be read.
        """
        for at in range(0, len(numbers), BATCH):
            batch = numbers[at : at + BATCH]
            marks = ", ".join("?" for _ in batch)
            query = f"SELECT {self._columns} FROM runs WHERE rowid IN ({marks})"  # noqa: S608
            for row in self._database.execute(f"{query} ORDER BY rowid", batch).fetchall():
                if _is_intact(row):
                    yield row[: len(ALL)], row[-1]

    def has_others(self, version: str) -> bool:
        """True if an undamaged run is of another edition of the model than `version`.

        Raises:
            sqlite3.Error: the rows cannot be read.
        """
        query = (
            f"SELECT {self._columns} FROM runs WHERE model_version <> ?1 "  # noqa: S608
            "AND substr(model_version, 1, length(?2)) <> ?2"
        )
        found = self._database.execute(query, (version, f"{version}{WITH_KERNEL}")).fetchall()
        return any(map(_is_intact, found))


def _is_intact(row: Row) -> bool:
    try:
        return bool(row[-1] == digest_of(row[:-1]))
    except TypeError:  # Bytes, where text was written.
        return False


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")
