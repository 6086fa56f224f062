"""The folder of a store: whose it is, of which model, what is left over, and what went wrong.

`study/store.py` says what lies in it.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cellway.disk.files import identity
from cellway.disk.folders import Marker, require_ours
from cellway.disk.replacement import remove_abandoned
from cellway.errors import StoreError
from cellway.runs.models import edition_of
from cellway.study.database import FILE, damaged, explanation
from cellway.study.partitions import FOLDER as PARTITIONS
from cellway.study.record import NO_SERIES, DamagedError, checked, key_of
from cellway.study.rows import Rows

SERIES = "series"
OURS = re.compile(r"[0-9a-f]{64}\.parquet")
UNFINISHED = re.compile(
    r"\.((\d{10}-)?[0-9a-f]{64}|runs|study|scenario|cellway)\.(parquet|toml|json)\.\w+\.partial"
)
"""Names that only cellway gives; whatever else lies in the folder is the user's."""


@contextmanager
def explained(folder: Path, database: sqlite3.Connection | None = None) -> Iterator[None]:
    """Says what the system and SQLite report, and what is damaged, as a `StoreError`."""
    try:
        yield
    except DamagedError as error:
        raise StoreError(damaged(folder, str(error))) from error
    except UnicodeDecodeError as error:
        raise StoreError(damaged(folder, "text that is not UTF-8")) from error
    except (OSError, sqlite3.Error) as error:
        raise StoreError(explanation(folder, error, _what_is_safe(folder, database))) from error


def _what_is_safe(folder: Path, database: sqlite3.Connection | None) -> str:
    if database is None:
        file = folder / FILE
        return (
            "runs stored before are safe"
            if file.exists() and file.stat().st_size
            else "no runs are stored yet"
        )
    try:
        ((count,),) = database.execute("SELECT count(*) FROM runs").fetchall()
    except sqlite3.Error:
        return "runs stored before are safe"
    return "1 run is safe" if count == 1 else f"{count} runs are safe"


def require_own(folder: Path, marker: Marker, *, force: bool) -> None:
    """Refuses a folder of somebody else, or one with a link in place of a file of ours."""
    require_ours(folder, marker, force=force)
    for name in (FILE, SERIES, PARTITIONS):
        if (folder / name).is_symlink():
            raise StoreError(
                f"{folder / name}: a symbolic link, which a study does not follow; choose another "
                "with --out"
            )


def require_model(folder: Path, database: sqlite3.Connection, version: str) -> None:
    """Refuses to add runs of the model `version` to those of another."""
    rows = database.execute(
        "SELECT model_version, count(*) FROM runs GROUP BY 1 ORDER BY 1"
    ).fetchall()
    others = any(edition_of(checked(found, str, "model_version")) != version for found, _ in rows)
    if others and Rows(database).has_others(version):
        there = ", ".join(f"{count} of {found}" for found, count in rows)
        raise StoreError(
            f"{folder}: holds runs of another model ({there}), to which none of this one, "
            f"{version}, are added; choose another folder with --out for new runs"
        )


def require_in_place(folder: Path, opened: Mapping[str, tuple[int, int] | None]) -> None:
    """Refuses to go on if files were removed or replaced, because rows would lack series."""
    for name, found in opened.items():
        if identity(folder / name) != found:
            raise StoreError(
                f"{folder / name}: removed or replaced while the study ran, with its contents; "
                "start the study again"
            )


def remove_unfinished(folder: Path) -> None:
    """Files that were never finished."""
    remove_abandoned(folder)
    for place in (folder, folder / SERIES, folder / PARTITIONS):
        for file in place.glob(".*.partial"):
            if UNFINISHED.fullmatch(file.name):
                file.unlink()


def remove_leftovers(folder: Path, database: sqlite3.Connection) -> None:
    """Series without a row."""
    if not (folder / SERIES).is_dir():
        return
    rows = database.execute("SELECT key FROM runs WHERE series <> ?", (NO_SERIES,)).fetchall()
    wanted = {series_file(folder, key_of(key)) for (key,) in rows}
    for file in {*(folder / SERIES).glob("*.parquet")} - wanted:
        if OURS.fullmatch(file.name):
            file.unlink()


def series_file(folder: Path, key: str) -> Path:
    """The file of a run's series."""
    assert key.isalnum(), key  # noqa: S101 - a digest; anything else could lead out of the folder
    return folder / SERIES / f"{key}.parquet"
