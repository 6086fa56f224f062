"""Replacement of several files of a folder together: all of them or none, whatever happens.

New files are written and flushed to a hidden folder inside, which then takes the name
`.cellway-complete`: from that instant on they are the content of the folder. Then they are moved to
their places one by one. A reader that finds only some of them moved, after `kill -9`, reads each
from where it is, and the next writer moves the rest. The kernel's lock on the folder keeps readers
and other writers out meanwhile, and ends with its process. The last file is removed first
and moved last, so that a folder that has it is whole for other programs, too.

A folder that is given as a symbolic link is followed. A link in the place of a file is replaced,
and its target stays as it is.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from cellway.disk.files import PARTIAL, flush, umask, write_text
from cellway.disk.folders import (
    COMPLETE,
    FIGURE,
    FRESH,
    MARKER,
    Marker,
    digest,
    is_ours,
    marker_of,
    place_of,
    read_marker,
    require_ours,
)
from cellway.errors import StoreError

try:
    import fcntl
except ImportError:  # Windows has no advisory locks on folders.
    fcntl = None  # type: ignore[assignment]

PATIENCE = 30.0
"""Seconds to wait for another process that moves its files, which takes some milliseconds."""
WAIT = 0.005


@contextmanager
def together(folder: Path, marker: Marker, last: str, *, force: bool = False) -> Iterator[Path]:
    """A new folder for files that take their places in `folder` together, when the block ends.

    Files of the earlier content that have no successor are removed; files of others stay. When
    anything fails, for instance because the disk is full, `folder` is as before.

    Args:
        folder: is made when it is not there.
        marker: the marker of the new content; its `files` are filled in here.
        last: the file without which the others are not whole.
        force: see `require_ours`.

    Raises:
        StoreError: `folder` is not ours to write, or another process has been writing it for too
            long.
        OSError: it cannot be written.
    """

    def check(names: Sequence[str] = ()) -> None:
        require_ours(folder, marker, names, force=force)

    check()
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        with locked(folder, check):
            fresh = _fresh(folder, stack)
        stack.enter_context(_removed_on_failure(fresh))
        yield fresh
        names = _flushed(fresh, last)
        with locked(folder, check):
            finish_replacement(folder)
            check(names)
            _commit(folder, fresh, marker, names)
            remove_abandoned(folder)


def replace_together(folder: Path, marker: Marker, texts: Mapping[str, str]) -> None:
    """Writes `texts` by name into `folder`, whose lock the caller has; all or none, in order.

    Raises:
        OSError: they cannot be written; `folder` is as before.
    """
    finish_replacement(folder)
    with ExitStack() as stack:
        fresh = _fresh(folder, stack)
        stack.enter_context(_removed_on_failure(fresh))
        for name, text in texts.items():
            (fresh / name).write_bytes(text.encode())
        _commit(folder, fresh, marker, _flushed(fresh, [*texts][-1]))


def note_figure(file: Path) -> None:
    """Adds `file`, a plot or report of the run beside it, to the run's marker; both go together."""
    folder = file.parent
    with suppress(OSError, StoreError), locked(folder):
        finish_replacement(folder)
        marker = read_marker(folder)
        if marker is not None and marker.kind == "run" and FIGURE.fullmatch(file.name):
            noted = replace(marker, figures={**marker.figures, file.name: digest(file)})
            write_text(folder / MARKER, noted.text())


class Inside:
    """Places of the files of a folder while nobody replaces them."""

    def __init__(self, folder: Path) -> None:
        """Reads the marker, if there is one."""
        self._folder = folder
        self._marker = marker_of(folder)

    @property
    def model(self) -> str:
        """The model that made a run, from its marker; empty where it is not known."""
        return "" if self._marker is None else self._marker.model

    def path(self, name: str) -> Path:
        """The path of the file called `name`, also if it is missing."""
        return place_of(self._folder, name)

    def has(self, name: str) -> bool:
        """True if the file is there and belongs to the content of the folder."""
        return (self._marker is None or name in self._marker.files) and self.path(name).exists()

    def is_missing(self, name: str) -> bool:
        """True if the folder should hold the file and does not."""
        written = self._marker is not None and name in self._marker.files
        return written and not self.path(name).exists()

    def lacks(self) -> list[str]:
        """Names of the files that the marker lists and the folder does not have."""
        return sorted(
            name for name in (self._marker.files if self._marker else ()) if self.is_missing(name)
        )

    def is_as_written(self, name: str) -> bool:
        """True if the file has the content that was written; always true without a marker."""
        return self._marker is None or is_ours(self._folder, name, self._marker)


@contextmanager
def reading(folder: Path) -> Iterator[Inside]:
    """Keeps writers out of `folder` while its files are read; its disk may be read-only."""
    with ExitStack() as stack:
        with suppress(OSError):
            stack.enter_context(locked(folder, shared=True))
        yield Inside(folder)


def finish_if_possible(folder: Path) -> None:
    """Moves files that a killed process left unmoved, unless the folder cannot be written."""
    if (folder / COMPLETE).is_dir():
        with suppress(OSError), locked(folder):
            finish_replacement(folder)


def finish_replacement(folder: Path) -> None:
    """Moves complete files to their places in `folder`, whose lock the caller has.

    Raises:
        OSError: it cannot be written; complete files stay readable.
    """
    complete = folder / COMPLETE
    if not complete.is_dir():
        return
    marker = read_marker(complete)
    # The marker is moved last: without it everything is in its place.
    if marker is not None and marker.files:
        _move(folder, marker)
    complete.rmdir()
    flush(folder)


def _move(folder: Path, marker: Marker) -> None:
    complete, before = folder / COMPLETE, read_marker(folder)
    *others, last = marker.files
    if (complete / last).exists():
        (folder / last).unlink(missing_ok=True)
    if before is not None:
        for name in {*before.files, *before.figures} - marker.files.keys():
            if is_ours(folder, name, before):
                (folder / name).unlink(missing_ok=True)
    for name in (*others, last, MARKER):
        if (complete / name).exists():
            (complete / name).replace(folder / name)


@contextmanager
def locked(
    folder: Path, while_waiting: Callable[[], object] = lambda: None, *, shared: bool = False
) -> Iterator[None]:
    """Locks `folder`, with other readers if `shared`; calls `while_waiting` now and then.

    Raises:
        StoreError: another process held the lock for too long.
        OSError: the folder cannot be opened.
    """
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        end = time.monotonic() + PATIENCE
        while not _lock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX):
            while_waiting()
            if time.monotonic() > end:
                raise StoreError(f"{folder}: another process is writing it; wait for it or stop it")
            time.sleep(WAIT)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, how: int) -> bool:
    """Takes the lock if it is free; true also where there are none, as on some network disks."""
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _fresh(folder: Path, stack: ExitStack) -> Path:
    """Makes a hidden folder, locked so that others see that it is still being filled."""
    fresh = Path(tempfile.mkdtemp(prefix=FRESH, suffix=PARTIAL, dir=folder))
    stack.enter_context(locked(fresh))
    return fresh


@contextmanager
def _removed_on_failure(fresh: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def _flushed(fresh: Path, last: str) -> list[str]:
    """The names in `fresh`, `last` at the end, once all of them have reached the disk."""
    names = [*sorted(file.name for file in fresh.iterdir() if file.name != last), last]
    for name in names:
        flush(fresh / name)
    return names


def _commit(folder: Path, fresh: Path, marker: Marker, names: Sequence[str]) -> None:
    files = {name: digest(fresh / name) for name in names}
    write_text(fresh / MARKER, replace(marker, files=files, figures={}).text())
    fresh.chmod(0o777 & ~umask())
    flush(fresh)
    fresh.rename(folder / COMPLETE)
    flush(folder)
    finish_replacement(folder)


def remove_abandoned(folder: Path) -> None:
    """Removes folders that killed processes left and nobody fills any more."""
    for left in folder.glob(f"{FRESH}*{PARTIAL}") if fcntl is not None else ():
        with suppress(OSError):
            descriptor = os.open(left, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                if _lock(descriptor, fcntl.LOCK_EX):
                    shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(descriptor)
