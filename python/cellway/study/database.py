"""The SQLite file of a study: opened for one writer and checked; its failures are one line."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cellway.errors import StoreError

try:
    import fcntl
except ImportError:  # Windows has no advisory locks on folders.
    fcntl = None  # type: ignore[assignment]

FILE = "runs.sqlite"
FORMAT = 3
"""Format of the tables; kept in `user_version`."""
APPLICATION = int.from_bytes(b"cell", "big")
"""The file's `application_id`, by which `file` and SQLite identify an application's files."""

SCHEMA = """\
CREATE TABLE runs (
    key TEXT NOT NULL PRIMARY KEY,
    status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
    model_version TEXT NOT NULL,
    replication INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    scenario_hash TEXT NOT NULL,
    parameters TEXT NOT NULL,
    metrics TEXT NOT NULL,
    warnings TEXT NOT NULL,
    wall_seconds REAL NOT NULL,
    cpu_seconds REAL NOT NULL,
    host TEXT NOT NULL,
    series TEXT NOT NULL,
    series_digest TEXT NOT NULL,
    digest TEXT NOT NULL,
    summary TEXT NOT NULL
)
"""
"""`parameters`, `metrics`, `warnings` and `series` (name to unit) are JSON, and `series_digest` is
the SHA-256 (hex) of the file of the series, empty where there is none; `digest` is that of the row
(see `record.digest_of`). Long columns come last, because SQLite reads a row from its front."""

INDEX = "CREATE INDEX IF NOT EXISTS runs_by_model ON runs (model_version, digest)"
"""Index for questions about all rows, so that their summaries are not read."""

FULL = {errno.ENOSPC, errno.EDQUOT}
UNWRITABLE = {errno.EROFS, errno.EACCES, errno.EPERM}
VAGUE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
"""SQLite's other message on a full disk, if the memory shared between processes does not fit."""
CORRUPT = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_CONSTRAINT,
}
"""Errors that a damaged file leads to: missing tables and columns, values of another type. Text
that is not UTF-8 is reported by Python and has no code."""
SHOWN = 100
"""Most characters of SQLite's message that are passed on."""
SHARED_MEMORY = 32 << 10
"""Bytes; SQLite takes that much at a time."""

NOT_A_STORE = (
    "not a file of runs that cellway wrote; move it away, or choose another folder with --out"
)


def open_to_write(folder: Path, *, shared: bool = False) -> sqlite3.Connection:
    """Opens the database of `folder` to write, or makes it; every statement is a transaction.

    Args:
        folder: the folder.
        shared: true if it may be on a network file system, where the write-ahead log, which needs
            memory that processes share, is not safe; a rollback journal is kept instead.

    Raises:
        StoreError: the file is something else, or of another format.
        sqlite3.Error: it cannot be read or written.
    """
    database = sqlite3.connect(folder / FILE, isolation_level=None)
    try:
        if not _is_store(database, folder):
            database.execute(f"PRAGMA journal_mode={'DELETE' if shared else 'WAL'}")
            with transaction(database):
                database.execute(SCHEMA)
                database.execute(f"PRAGMA application_id={APPLICATION}")
                database.execute(f"PRAGMA user_version={FORMAT}")
        elif shared:
            database.execute("PRAGMA journal_mode=DELETE")
        database.execute(INDEX)
        # With WAL, commits survive the end of the process at any moment; only a power failure can
        # undo them.
        database.execute(f"PRAGMA synchronous={'FULL' if shared else 'NORMAL'}")
    except BaseException:
        database.close()
        raise
    return database


def open_to_read(folder: Path) -> sqlite3.Connection:
    """Opens the database of `folder` to read; another process may be writing it.

    Raises:
        StoreError: there is none, the file is something else, or of another format.
        sqlite3.Error: it cannot be read.
    """
    if not (folder / FILE).exists():
        raise StoreError(f"{folder}: no study has stored runs here; expected a file {FILE}")
    try:
        return _opened_to_read(folder, "mode=ro")
    except sqlite3.OperationalError:
        # A rollback journal is of a killed writer: only who may write can undo its last commit.
        journal = folder / f"{FILE}-journal"
        if journal.exists() and journal.stat().st_size:
            return _opened_to_read(folder, "mode=rw")
        # WAL wants files beside the database even to read, which a full or read-only disk does not
        # allow. With an empty log the database is complete without them.
        log = folder / f"{FILE}-wal"
        if log.exists() and log.stat().st_size:
            raise
        return _opened_to_read(folder, "immutable=1")


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Makes the statements in the block one transaction: all or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        # A full disk makes SQLite roll back by itself.
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Keeps other writers out of `folder`; the kernel releases the lock when the process ends.

    The folder itself is locked, so that nothing is left behind. A process made meanwhile by `fork`
    without `exec` holds the lock too, until it ends.

    Raises:
        StoreError: another process has it.
    """
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def has_writer(folder: Path) -> bool:
    """True if a process writes `folder`, or if the system has no locks that say so."""
    if fcntl is None:
        return True
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def unwritable(folder: Path, error: OSError, safe: str) -> StoreError:
    """Error for a file of the study beside the database that cannot be written."""
    return StoreError(explanation(folder, error, safe))


def explanation(folder: Path, error: OSError | sqlite3.Error, safe: str) -> str:
    """Message of one line: the fault, its place, the runs that are safe, and the way out.

    Args:
        folder: of the study.
        error: the system's or SQLite's.
        safe: such as "12 runs are safe".
    """
    file = folder / FILE
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    number = error.errno if isinstance(error, OSError) else None
    if code == sqlite3.SQLITE_NOTADB:
        return f"{file}: {NOT_A_STORE}"
    if code in CORRUPT or (not code and isinstance(error, sqlite3.OperationalError)):
        return damaged(folder, str(error))
    if code == sqlite3.SQLITE_BUSY:
        return (
            f"{file}: locked by another program; {safe}; close that program and start the study "
            "again"
        )
    if number in FULL or code == sqlite3.SQLITE_FULL or (code in VAGUE and _is_full(folder)):
        return f"{folder}: the disk is full; {safe}; free some space and start the study again"
    reason = error.strerror if isinstance(error, OSError) else str(error)
    if number in UNWRITABLE or code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}:
        return (
            f"{folder}: cannot be written: {reason}; {safe}; make it writable, or choose another "
            "with --out"
        )
    return f"{folder}: {reason}; {safe}; mend that and start the study again"


def damaged(folder: Path, what: str) -> str:
    """Message of one line for a database that opens, but does not hold what was written."""
    # SQLite shows what it could not decode, which may be anything.
    said = " ".join(what.split())
    shown = said if len(said) <= SHOWN else f"{said[:SHOWN]}…"
    return f"{folder / FILE}: damaged: {shown}; restore a copy, or choose another folder with --out"


def _is_store(database: sqlite3.Connection, folder: Path) -> bool:
    """True if the tables are there, false if the file is empty; refuses other content."""
    ((application,),) = database.execute("PRAGMA application_id").fetchall()
    ((written,),) = database.execute("PRAGMA user_version").fetchall()
    ((objects,),) = database.execute("SELECT count(*) FROM sqlite_master").fetchall()
    if (application, written, objects) == (0, 0, 0):
        return False
    if application != APPLICATION:
        raise StoreError(f"{folder / FILE}: {NOT_A_STORE}")
    if written != FORMAT:
        raise StoreError(
            f"{folder / FILE}: format {written}, but this cellway reads format {FORMAT}; "
            "use the cellway that wrote it, or choose another folder with --out"
        )
    return True


def _require_store(database: sqlite3.Connection, folder: Path) -> None:
    if not _is_store(database, folder):
        raise StoreError(f"{folder}: no study has stored runs here yet")


def _opened_to_read(folder: Path, how: str) -> sqlite3.Connection:
    address = f"{(folder / FILE).absolute().as_uri()}?{how}"
    database = sqlite3.connect(address, uri=True, isolation_level=None)
    try:
        _require_store(database, folder)
    except BaseException:
        database.close()
        raise
    return database


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(
            f"{folder}: another process is writing this study; wait for it or stop it, "
            "or choose another folder with --out"
        ) from None
    except OSError:
        # Some network file systems have no such lock; those of SQLite still keep the file whole.
        return


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < SHARED_MEMORY
    except OSError:
        return False
