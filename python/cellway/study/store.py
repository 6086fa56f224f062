"""The runs of a study on disk: one SQLite row per run, and beside it a Parquet file with the run's series.

The order of writing is what survives a kill at any moment: a series file gets its name only when it is
whole, and its row only after that. A file without a row is an orphan and goes when the store is next opened.
SQLite's write-ahead log takes care of the rows.
"""

import errno
import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NoReturn, Self, TypeVar

from cellway.errors import StoreError
from cellway.files import PARTIAL
from cellway.run import Series
from cellway.study.series import read_series, write_series

FORMAT = 1
"""Of the tables below; another one is refused."""
RUNS = "runs.sqlite"
LOCK = "lock"
SERIES = "series"
COMMIT_EVERY = 0.2
"""Seconds of results that a kill can cost."""

_TABLE = """\
CREATE TABLE IF NOT EXISTS runs (
    key TEXT PRIMARY KEY,
    parameters TEXT NOT NULL,
    replication INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    scenario_hash TEXT NOT NULL,
    status TEXT NOT NULL,
    metrics TEXT NOT NULL,
    summary TEXT NOT NULL,
    wall_seconds REAL NOT NULL,
    cpu_seconds REAL NOT NULL,
    model_version TEXT NOT NULL,
    host TEXT NOT NULL,
    warnings TEXT NOT NULL,
    series TEXT NOT NULL
) WITHOUT ROWID"""
_COLUMNS = (
    "key, parameters, replication, seed, scenario_hash, status, metrics, summary, wall_seconds, cpu_seconds, "
    "model_version, host, warnings"
)

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Record:
    """One run that came to an end.

    Attributes:
        key: SHA-256 of resolved scenario, seed and model version.
        parameters: the factors' levels as written, by name.
        replication: from 1.
        seed: root of the run's random streams.
        scenario_hash: SHA-256 of the resolved scenario but for its seed.
        status: ``"done"`` or ``"failed"``.
        metrics: what it gave, by definition, in the units of the summary; `None` where it gave nothing.
        summary: as the simulator wrote it, JSON; empty when it failed.
        wall_seconds: what it took, `cpu_seconds` of its thread.
        model_version: of the simulator, `host`: the machine's name.
        warnings: what the user should know.
    """

    key: str
    parameters: Mapping[str, Any]
    replication: int
    seed: int
    scenario_hash: str
    status: str
    metrics: Mapping[str, float | None]
    summary: str
    wall_seconds: float
    cpu_seconds: float
    model_version: str
    host: str
    warnings: tuple[str, ...] = ()


class Store:
    """The runs of one study; `open` is the way in. One process at a time writes."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, lock: BinaryIO) -> None:
        """For `open`."""
        self._folder = folder
        self._connection = connection
        self._lock = lock
        self._committed_at = time.monotonic()

    @classmethod
    def open(cls, folder: Path, model_version: str) -> Self:
        """Opens the store in `folder`, which is made when it is not there, and removes orphans.

        Raises:
            StoreError: the folder cannot be written, is in use, holds something else, or runs of another
            model.
        """
        lock: BinaryIO | None = None
        connection: sqlite3.Connection | None = None
        try:
            (folder / SERIES).mkdir(parents=True, exist_ok=True)
            lock = _locked(folder / LOCK)
            connection = sqlite3.connect(folder / RUNS, isolation_level=None)
            _prepare(connection, folder, model_version)
            store = cls(folder, connection, lock)
            store._remove_orphans()
        except BaseException as error:
            if connection is not None:
                connection.close()
            if lock is not None:
                lock.close()
            if isinstance(error, OSError | sqlite3.Error):
                _refuse(folder, error, 0)
            raise
        return store

    def add(self, record: Record, series: Sequence[Series] = ()) -> None:
        """Keeps a run; one with the same key is replaced. Commits when the last time was a while ago.

        Raises:
            StoreError: it cannot be written; all that was committed is safe.
        """
        self._guarded(lambda: self._add(record, series))
        if time.monotonic() - self._committed_at >= COMMIT_EVERY:
            self.commit()

    def _add(self, record: Record, series: Sequence[Series]) -> None:
        if series:
            write_series(self._file(record.key), series)
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")
        values = (
            record.key,
            _json(dict(record.parameters)),
            record.replication,
            record.seed,
            record.scenario_hash,
            record.status,
            _json(dict(record.metrics)),
            record.summary,
            record.wall_seconds,
            record.cpu_seconds,
            record.model_version,
            record.host,
            _json(list(record.warnings)),
            _json([one.name for one in series]),
        )
        marks = ", ".join("?" * len(values))
        self._connection.execute(f"INSERT OR REPLACE INTO runs VALUES ({marks})", values)  # noqa: S608

    def set_metrics(self, key: str, metrics: Mapping[str, float | None]) -> None:
        """Replaces the numbers of a run that is there."""

        def change() -> None:
            if not self._connection.in_transaction:
                self._connection.execute("BEGIN")
            self._connection.execute("UPDATE runs SET metrics = ? WHERE key = ?", (_json(dict(metrics)), key))

        self._guarded(change)

    def commit(self) -> None:
        """Makes everything so far safe from a kill."""
        if self._connection.in_transaction:
            self._guarded(lambda: self._connection.execute("COMMIT"))
        self._committed_at = time.monotonic()

    def keys(self, status: str = "done") -> set[str]:
        """The keys of the runs that came to `status`."""
        return {
            key for (key,) in self._connection.execute("SELECT key FROM runs WHERE status = ?", (status,))
        }

    def records(self, keys: Sequence[str]) -> Iterator[Record]:
        """The runs with these keys, in this order; those that are not there are left out."""
        for key in keys:
            row = self._connection.execute(f"SELECT {_COLUMNS} FROM runs WHERE key = ?", (key,)).fetchone()  # noqa: S608
            if row is not None:
                yield _record(row)

    def series_names(self, key: str) -> list[str]:
        """The names of the series that are kept with a run."""
        row = self._connection.execute("SELECT series FROM runs WHERE key = ?", (key,)).fetchone()
        return [] if row is None else list(json.loads(row[0]))

    def series(self, key: str) -> dict[str, Series]:
        """The series that are kept with a run, by name; their arrays are read-only."""
        return read_series(self._file(key)) if self.series_names(key) else {}

    def close(self) -> None:
        """Commits and lets the next one in."""
        try:
            self.commit()
        finally:
            self._connection.close()
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _file(self, key: str) -> Path:
        return self._folder / SERIES / f"{key}.parquet"

    def _remove_orphans(self) -> None:
        kept = {
            f"{key}.parquet"
            for (key,) in self._connection.execute("SELECT key FROM runs WHERE series != '[]'")
        }
        for file in (self._folder / SERIES).iterdir():
            if file.name not in kept:
                file.unlink()
        for file in self._folder.glob(f"*{PARTIAL}"):
            file.unlink()

    def _guarded(self, call: Callable[[], _Found]) -> _Found:
        """`call`, whose failure takes back what is not committed."""
        try:
            return call()
        except (OSError, sqlite3.Error) as error:
            with suppress(sqlite3.Error):
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            with suppress(sqlite3.Error):
                (safe,) = self._connection.execute("SELECT count(*) FROM runs").fetchone()
                _refuse(self._folder, error, safe)
            _refuse(self._folder, error, 0)


def _prepare(connection: sqlite3.Connection, folder: Path, model_version: str) -> None:
    """Tables of this format, and no runs of another model.

    WAL with `synchronous = NORMAL` loses at most the last commits when the power fails, and nothing when the
    process dies.
    """
    (written,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if written not in {0, FORMAT} or (written == 0 and tables):
        raise StoreError(
            f"{folder / RUNS}: format {written}; this version reads {FORMAT}. Take another folder with --out"
        )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(_TABLE)
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    others = connection.execute(
        "SELECT DISTINCT model_version FROM runs WHERE model_version != ? ORDER BY model_version",
        (model_version,),
    ).fetchall()
    if others:
        known = ", ".join(version for (version,) in others)
        raise StoreError(
            f"{folder}: its runs are of model {known}, and this is {model_version}; different models are not "
            "mixed. Choose another folder with --out, or remove this one to run everything again"
        )


def _locked(path: Path) -> BinaryIO:
    """An open file that no other process has locked; the lock ends with this process, however it ends."""
    file = path.open("ab")
    try:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass
    except BlockingIOError:
        file.close()
        raise StoreError(
            f"{path.parent}: another study is writing there; wait for it, or choose another folder"
        ) from None
    return file


def _refuse(folder: Path, error: OSError | sqlite3.Error, safe: int) -> NoReturn:
    """One line about a failure of the file system or of SQLite."""
    text = str(error.strerror if isinstance(error, OSError) else error)
    full = "disk is full" in text or (
        isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}
    )
    kept = f"; {safe} runs are safe there" if safe else ""
    if full:
        raise StoreError(
            f"{folder}: the disk is full{kept}; make room and give the same command again"
        ) from error
    if "not a database" in text:
        raise StoreError(f"{folder / RUNS}: not a store of runs; choose another folder with --out") from error
    raise StoreError(
        f"{folder}: cannot be written: {text.lower()}{kept}; a folder of your own is expected"
    ) from error


def _record(row: Sequence[Any]) -> Record:
    (
        key,
        parameters,
        replication,
        seed,
        scenario_hash,
        status,
        metrics,
        summary,
        wall,
        cpu,
        model,
        host,
        warnings,
    ) = row
    return Record(
        key,
        json.loads(parameters),
        replication,
        seed,
        scenario_hash,
        status,
        json.loads(metrics),
        summary,
        wall,
        cpu,
        model,
        host,
        tuple(json.loads(warnings)),
    )


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
