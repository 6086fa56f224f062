"""Reads files with a limit, writes them whole or not at all, and checks names of files."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows has no advisory locks on files.
    fcntl = None  # type: ignore[assignment]

TEXT_LIMIT = 1 << 20
"""Most bytes that a scenario, study or catalogue file may have."""
PARTIAL = ".partial"
"""Ending of the name of a file that is still being written."""
_OPEN = "/proc/self/fd"
"""Folder where Linux lists the open files of a process; a file without a name is linked from it."""
NAME_LIMIT = 120
"""Most bytes of a name that becomes a file: systems take 255, and endings are added."""
NAME_DIGITS = 12


def read_limited(path: Path) -> bytes | None:
    """The bytes of `path`, or `None` when there are more than `TEXT_LIMIT`.

    At most one byte beyond the limit is read, whatever the file claims its size to be.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(TEXT_LIMIT + 1)
    return None if len(content) > TEXT_LIMIT else content


@contextmanager
def whole_file(path: Path, *, sweep: bool = True) -> Iterator[BinaryIO]:
    """A file to write that takes the name `path` only once it is complete.

    Where the system allows it, the file has no name until then, so that `kill -9` leaves nothing.
    Elsewhere it is called `.NAME.*.partial` and locked by its writer. With `sweep`, files of that
    form without a lock, which killed writers left, are removed first. A symbolic link called
    `path` is replaced; its target stays as it is.

    Raises:
        OSError: the file cannot be written; `path` is as it was.
    """
    if sweep:
        _remove_abandoned(path)
    descriptor, name = _nameless(path.parent), ""
    if descriptor is None:
        descriptor, name = _partial(path)
    # The descriptor stays open until the file has its name: it holds the lock, and a file
    # without a name. The stream is closed before: only then some systems report a full disk.
    kept = os.dup(descriptor) if fcntl is not None else None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
        if kept is not None and not name:
            name = _named(kept, path)
        os.chmod(name, 0o666 & ~umask())  # noqa: PTH101
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        if name:
            Path(name).unlink(missing_ok=True)
        raise
    finally:
        if kept is not None:
            os.close(kept)


def _nameless(folder: Path) -> int | None:
    """Opens a file in `folder` that has no name; `None` where the system has no such files."""
    if fcntl is None or not hasattr(os, "O_TMPFILE") or not Path(_OPEN).is_dir():
        return None
    try:
        descriptor = os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600)
    except OSError:  # A full or read-only disk says so again when a name is asked for.
        return None
    return _locked(descriptor)


def _partial(path: Path) -> tuple[int, str]:
    """Makes a file beside `path` that is still to be written; its descriptor and name."""
    import tempfile  # noqa: PLC0415 - with all of its own imports

    while True:
        descriptor, name = tempfile.mkstemp(
            prefix=f".{path.name}.", suffix=PARTIAL, dir=path.parent
        )
        _locked(descriptor)
        # Another writer may have found it before it was locked.
        if identity(Path(name)) is not None:
            return descriptor, name


def _named(descriptor: int, path: Path) -> str:
    """Gives a file without a name one beside `path`, which the caller renames at once."""
    files = os.open(_OPEN, os.O_RDONLY)
    try:
        while True:
            name = path.with_name(f".{path.name}.{os.urandom(4).hex()}{PARTIAL}")
            with suppress(FileExistsError):
                # With a folder given, the link to the open file is followed.
                os.link(str(descriptor), name, src_dir_fd=files, follow_symlinks=True)
                return str(name)
    finally:
        os.close(files)


def _remove_abandoned(path: Path) -> None:
    """Removes partial files of `path` that killed writers left and nobody holds any more."""
    left = re.compile(rf"\.{re.escape(path.name)}\.\w{{8}}{re.escape(PARTIAL)}")
    with suppress(OSError):
        for name in os.listdir(path.parent) if fcntl is not None else ():  # noqa: PTH208
            if left.fullmatch(name):
                _remove_unless_held(path.with_name(name))


def _remove_unless_held(file: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.unlink()
        finally:
            os.close(descriptor)


def _locked(descriptor: int) -> int:
    """Locks the file of `descriptor` for this process until it is closed; returns `descriptor`."""
    if fcntl is not None:
        with suppress(OSError):  # Some network file systems have no such locks.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def write_text(path: Path, text: str) -> None:
    """Writes `text` as UTF-8 to `path`, whole or not at all."""
    with whole_file(path) as file:
        file.write(text.encode())


def is_replaceable(path: Path, ours: Callable[[bytes], bool], most: int = -1) -> bool:
    """True if `path` may be replaced: it is missing or empty, or its content is `ours`.

    A device or a pipe holds nothing. A file that cannot be read is somebody else's. `most` limits
    the bytes that are read.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return True
        with path.open("rb") as file:
            content = file.read(most)
    except FileNotFoundError:
        return not path.is_symlink()
    except OSError:
        return False
    return not content or ours(content)


def identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of `path`, the same under every name; `None` when there is no such file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def flush(path: Path) -> None:
    """Flushes the file or folder to the disk; some systems refuse that for folders.

    Raises:
        OSError: the disk is full.
    """
    if fcntl is None and path.is_dir():  # Windows opens no folders.
        return
    # Windows flushes what may be written only.
    descriptor = os.open(path, os.O_RDONLY if fcntl is not None else os.O_RDWR)
    try:
        os.fsync(descriptor)
    except OSError:
        if not path.is_dir():
            raise
    finally:
        os.close(descriptor)


def require_name(name: str) -> None:
    """Refuses a name that cannot be that of a single file or folder, here and on other systems.

    Raises:
        ValueError: the fault and what is accepted; the caller puts the name in front.
    """
    if fault := _fault(name):
        raise ValueError(
            f"{fault}; a name of at most {NAME_LIMIT} bytes is expected, without / and \\ and "
            "control characters, that does not begin with a dot"
        )


def _fault(name: str) -> str:
    if not name.strip():
        return "is empty"
    if name.startswith("."):
        return "begins with a dot"
    if any(letter in "/\\" for letter in name):
        return "would be a path"
    if any(not letter.isprintable() for letter in name):
        # Bytes of a file name that are not UTF-8 are among these.
        return "has a character that cannot be written"
    length = len(name.encode())
    return f"has {length} bytes" if length > NAME_LIMIT else ""


def shortened(name: str) -> str:
    """`name` if it is short enough for a file, else its beginning and a digest of all of it."""
    encoded = name.encode("utf-8", "surrogateescape")
    if len(encoded) <= NAME_LIMIT:
        return name
    import hashlib  # noqa: PLC0415 - that of OpenSSL takes long

    digest = hashlib.sha256(encoded).hexdigest()[:NAME_DIGITS]
    return f"{encoded[: NAME_LIMIT - NAME_DIGITS - 1].decode(errors='ignore')}-{digest}"


def umask() -> int:
    """Permission bits that the process takes from new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
