"""The runs of a study on disk: a row per run in `runs.sqlite`, series in `series/<key>.parquet`.

Only the process that started the study writes. A run's series take their name before its row is
written, so that after the end of that process at any moment, `kill -9` included, every row has its
series. Series without a row are removed when the store is next opened. After a power
failure the last runs may be lost.
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from cellway.disk.files import identity
from cellway.disk.folders import Marker, mark
from cellway.disk.network import is_on_network
from cellway.disk.replacement import finish_replacement
from cellway.errors import StoreError
from cellway.runs.models import edition_of, kernel_of
from cellway.runs.series import Series
from cellway.study.columnar import renew_if_possible, said_of_damage, stored_table
from cellway.study.database import FILE, only_writer, open_to_read, open_to_write, transaction
from cellway.study.partitions import FOLDER as PARTITIONS
from cellway.study.record import (
    COLUMNS,
    NO_SERIES,
    Record,
    checked,
    json_of,
    key_of,
    record_of,
    row_of,
    units_of,
)
from cellway.study.rows import ALL, Row, Rows
from cellway.study.series import is_whole, read_series, write_series
from cellway.study.store_folder import (
    SERIES,
    explained,
    remove_leftovers,
    remove_unfinished,
    require_in_place,
    require_model,
    require_own,
    series_file,
)

if TYPE_CHECKING:
    import polars as pl

COMMIT_AFTER = 0.2
"""Seconds between commits: short runs share one, and few are done again after a crash."""


class Store:
    """The runs in one folder; a context manager. No transaction is open between calls.

    Every method raises `StoreError` when the disk is full or cannot be read or written. Committed
    runs stay; waiting ones are tried again by the next `commit`.
    """

    def __init__(
        self, folder: Path, database: sqlite3.Connection, stack: ExitStack, *, writes: bool
    ) -> None:
        self._folder = folder
        self._database = database
        self._stack = stack
        self._writes = writes
        self._opened = {FILE: identity(folder / FILE)} if writes else {}
        self._waiting: dict[str, tuple[Any, ...]] = {}
        self._with_series: set[str] = set()
        self._committed = time.monotonic()
        self._rows = Rows(database)
        self._changed = False
        self.notes: tuple[str, ...] = ()

    @classmethod
    def open(
        cls,
        folder: Path,
        model_version: str,
        marker: Marker | None = None,
        *,
        force: bool = False,
        shared: bool = False,
    ) -> Self:
        """The store in `folder`, to write; it is created if missing, and cleared of leftovers.

        Args:
            folder: missing, empty, or marked with `marker`.
            model_version: of all its runs.
            marker: the marker of the content; `None` leaves the check of the folder to the caller.
            force: use a folder that holds files of others, too.
            shared: keep a journal that is safe on a network file system.

        Raises:
            StoreError: the folder is not ours to write, another process writes it, it holds runs of
                another model, its file is something else or of another format, or the folder cannot
                be made or written.
        """
        with explained(folder), ExitStack() as stack:
            if marker is not None:
                require_own(folder, marker, force=force)
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(only_writer(folder))
            if marker is not None:
                require_own(folder, marker, force=force)
            # First, because a full disk may need their space to open the database.
            remove_unfinished(folder)
            if marker is not None:
                finish_replacement(folder)
                mark(folder, marker)
            database = open_to_write(folder, shared=shared or is_on_network(folder))
            stack.callback(database.close)
            require_model(folder, database, model_version)
            remove_leftovers(folder, database)
            return cls(folder, database, stack.pop_all(), writes=True)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The store in `folder`, only to read, of any model; another process may write it.

        Raises:
            StoreError: there is none, or its file is something else, of another format or
                unreadable.
        """
        with explained(folder), ExitStack() as stack:
            database = open_to_read(folder)
            stack.callback(database.close)
            return cls(folder, database, stack.pop_all(), writes=False)

    def keys(self, status: Literal["done", "failed"] = "done") -> set[str]:
        """The keys of all runs with this status."""
        rows = self._select("SELECT key FROM runs WHERE status = ?", status)
        with self._explained():
            return {key_of(key) for (key,) in rows}

    def every_key(self) -> set[str]:
        """The keys of all runs, also of failed and damaged ones."""
        return self.keys("done") | self.keys("failed")

    def absorb(self, rows: Iterable[Row]) -> None:
        """Adds rows of another store, all or none; their series must be in their places by then."""
        with self._explained():
            require_in_place(self._folder, self._opened)
            with transaction(self._database):
                self._rows.write(rows)
            self._changed = True

    def add(self, record: Record, series: Sequence[Series] = ()) -> None:
        """Keeps a run, replaces an earlier one with its key, and commits 0.2 s after the last time.

        Args:
            record: the run.
            series: its series, each under a name of its own.

        Raises:
            ValueError: a parameter or metric is NaN or infinite.
        """
        assert self._writes  # noqa: S101
        row, digest = row_of(record, series), ""
        if series:
            with self._explained():
                require_in_place(self._folder, self._opened)
                if SERIES not in self._opened:
                    (self._folder / SERIES).mkdir(exist_ok=True)
                    self._opened[SERIES] = identity(self._folder / SERIES)
                # No row may meet the series of another run: better no row, and the run is done
                # again.
                digest = write_series(
                    series_file(self._folder, record.key), series, lambda: self._forget(record.key)
                )
            self._with_series.add(record.key)
        self._waiting[record.key] = (*row, digest)
        if time.monotonic() - self._committed >= COMMIT_AFTER:
            self.commit()

    def commit(self) -> None:
        """Commits all added runs, so that they survive the end of this process."""
        if self._waiting:
            with self._explained():
                require_in_place(self._folder, self._opened)
                with transaction(self._database):
                    self._rows.write(self._waiting.values())
                self._changed = True
                written, self._waiting = self._waiting, {}
                # Series of an earlier run with the same key; its row needed them until now.
                for key in (key for key, row in written.items() if row[-2] == NO_SERIES):
                    series_file(self._folder, key).unlink(missing_ok=True)
        self._committed = time.monotonic()

    def require_series(self) -> None:
        """Raises an error if series that were added have been removed since.

        Raises:
            StoreError: some were.
        """
        there = {file.name for file in (self._folder / SERIES).glob("*.parquet")}
        lost = [key for key in self._with_series if f"{key}.parquet" not in there]
        if lost:
            raise StoreError(
                f"{self._folder / SERIES}: series of {len(lost)} runs were removed while the study "
                "ran; start the study again, which does these runs again"
            )

    def set_metrics(
        self, key: str, metrics: Mapping[str, float | None], warnings: Sequence[str]
    ) -> None:
        """Replaces the metrics and warnings of a run, recomputed from its summary; commits.

        Raises:
            KeyError: there is no such run.
            ValueError: a metric is NaN or infinite.
        """
        row = self._row(key)
        if row is None:
            raise KeyError(key)
        changed = {"metrics": json_of(metrics), "warnings": json_of(warnings)}
        with self._explained(), transaction(self._database):
            self._rows.write([tuple(changed.get(n, old) for n, old in zip(ALL, row, strict=True))])
            self._changed = True

    def get(self, key: str) -> Record | None:
        """The run with this key; `None` if there is none, or a damaged one."""
        row = self._row(key)
        with self._explained():
            return None if row is None else record_of(row[: len(COLUMNS)])

    def records(self, keys: Iterable[str]) -> Iterator[Record]:
        """Runs with these keys, one at a time and in this order, without missing ones."""
        for _, row in self.rows(keys):
            with self._explained():
                record = record_of(row[: len(COLUMNS)])
            yield record

    def rows(self, keys: Iterable[str]) -> Iterator[tuple[str, Row]]:
        """Rows with these keys, as they are stored, without missing and damaged ones."""
        self.commit()
        with self._explained():
            yield from self._rows.several(keys)

    def series(self, key: str) -> dict[str, Series]:
        """Series of a run, by name, in the order added; the arrays are read-only.

        Raises:
            KeyError: there is no such run.
        """
        units, digest = self._kept_series(key)
        return read_series(series_file(self._folder, key), units, digest) if units else {}

    def series_names(self, key: str) -> tuple[str, ...]:
        """Names of the series of a run, in the order added, even if their file is damaged.

        Raises:
            KeyError: there is no such run.
        """
        return tuple(self._kept_series(key)[0])

    def has_lost_series(self, key: str) -> bool:
        """True if the series of a run are missing or no longer as they were written.

        Raises:
            KeyError: there is no such run.
        """
        units, digest = self._kept_series(key)
        return bool(units) and not is_whole(series_file(self._folder, key), digest)

    def table(self) -> "pl.DataFrame | None":
        """All runs as columns, of a large store; `notes` then has damaged files.

        `columnar.stored_table` says when there is none.
        """
        self.commit()
        with self._explained():
            table, damaged = stored_table(self._folder, self._rows)
        self._changed |= bool(damaged)
        self.notes = tuple(map(said_of_damage, damaged))
        return table

    def times(self) -> list[tuple[int, str, float, float]]:
        """Number of the row, key, time and CPU time in seconds of each run."""
        return self._select("SELECT rowid, key, wall_seconds, cpu_seconds FROM runs")

    def last_row(self) -> int:
        """Number of the last row; rows that are added later have greater ones."""
        return int(self._select("SELECT max(rowid) FROM runs")[0][0] or 0)

    def model_versions(self) -> tuple[str, ...]:
        """Makers of the runs, sorted; with the content of damaged rows."""
        rows = self._select("SELECT DISTINCT model_version FROM runs ORDER BY 1")
        return tuple(version for (version,) in rows if isinstance(version, str))

    def has_others(self, version: str) -> bool:
        """True if an undamaged run is of another edition of the model than `version`."""
        with self._explained():
            editions = {edition_of(name) for name in self.model_versions()}
            return editions not in (set(), {version}) and self._rows.has_others(version)

    def kernels(self) -> dict[str, int]:
        """Number of measured runs by the release of their kernel, sorted."""
        self.commit()
        with self._explained():
            return self._rows.kernels()

    def discard_measured(self) -> None:
        """Removes all measured runs with their series."""
        rows = self._select("SELECT key, model_version FROM runs")
        with self._explained(), transaction(self._database):
            for key, name in rows:
                if isinstance(name, str) and kernel_of(name):
                    self._forget(key)
        with self._explained():
            remove_leftovers(self._folder, self._database)

    def keys_by_levels(self, models: Iterable[str]) -> dict[tuple[str, int], str]:
        """Key of the last stored run of one of `models`, by its levels and its seed.

        The levels are JSON as in the database.
        """
        wanted = set(models)
        rows = self._select("SELECT model_version, parameters, seed, key FROM runs ORDER BY rowid")
        return {(levels, seed): key for model, levels, seed, key in rows if model in wanted}

    @property
    def damaged(self) -> Set[str]:
        """Keys of runs that were asked for and are damaged."""
        return self._rows.damaged

    @property
    def folder(self) -> Path:
        """The folder of the store."""
        return self._folder

    @property
    def writes(self) -> bool:
        """True if the store was opened to write."""
        return self._writes

    def close(self) -> None:
        """Commits, and releases the lock even if that failed; may be called again."""
        with self._stack:
            try:
                self.commit()
            except StoreError:
                self._give_up()
                raise
            if self._writes and (self._changed or not (self._folder / PARTITIONS).is_dir()):
                self._changed = False
                renew_if_possible(self._folder, self._rows)

    def _give_up(self) -> None:
        """Removes the series of runs whose rows could not be stored, to free disk space."""
        lost, self._waiting = self._waiting, {}
        # Without series of its own, a run leaves those of an earlier row alone.
        for key in (key for key, row in lost.items() if row[-2] != NO_SERIES):
            with suppress(OSError):
                series_file(self._folder, key).unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # The disk that was full is still full: once is enough to say it.
        with suppress(StoreError) if isinstance(error, StoreError) else nullcontext():
            self.close()

    def _forget(self, key: str) -> None:
        self._database.execute("DELETE FROM runs WHERE key = ?", (key,))

    def _row(self, key: str) -> Row | None:
        """All that is stored of a run, if it is there and undamaged."""
        self.commit()
        with self._explained():
            return self._rows.get(key)

    def _select(self, statement: str, *values: str) -> list[tuple[Any, ...]]:
        """All rows at once, because a cursor that is not at its end keeps a transaction open."""
        self.commit()
        with self._explained():
            return self._database.execute(statement, values).fetchall()

    def _kept_series(self, key: str) -> tuple[dict[str, str], str]:
        """Unit of each series of a run, and the digest of their file."""
        row = self._row(key)
        if row is None:
            raise KeyError(key)
        units, digest = row[len(COLUMNS) :]
        with self._explained():
            return units_of(units), checked(digest, str, "series_digest")

    def _explained(self) -> AbstractContextManager[None]:
        return explained(self._folder, self._database)
