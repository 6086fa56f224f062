"""Runs the command as Windows lets it, on a system of POSIX: less of `os`, and stricter files."""

import errno
import os
import signal
import stat
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"}
"""Modules that Windows lacks."""
NAMES = [
    "O_CLOEXEC",
    "O_DIRECTORY",
    "O_NOFOLLOW",
    "O_NONBLOCK",
    "O_TMPFILE",
    "chown",
    "fchown",
    "fork",
    "forkpty",
    "getegid",
    "geteuid",
    "getgid",
    "getloadavg",
    "getpgid",
    "getpgrp",
    "getuid",
    "killpg",
    "lchown",
    "mkfifo",
    "nice",
    "openpty",
    "register_at_fork",
    "sched_getaffinity",
    "sched_setaffinity",
    "setsid",
    "statvfs",
    "sysconf",
    "tcgetpgrp",
    "tcsetpgrp",
    "wait",
]
"""Names of `os` that it lacks; NumPy for Linux asks `uname`, which it lacks too."""
SIGNALS = ["SIGALRM", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGTTIN", "SIGTTOU", "SIGUSR1", "SIGUSR2"]
_OPEN = Path("/proc/self/fd")
_MODE = os.O_RDONLY | os.O_WRONLY | os.O_RDWR


class Absent:
    """Finds none of `MODULES`."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def run() -> None:
    """Calls `cellway` with the arguments of the process."""
    sys.meta_path.insert(0, Absent)
    for module in MODULES:
        sys.modules.pop(module, None)
    for name in NAMES:
        if hasattr(os, name):
            delattr(os, name)
    for name in SIGNALS:
        delattr(signal, name)
    os.open = _opens_no_folders(os.open)
    os.fsync = _flushes_what_is_written(os.fsync)
    for name in ("rename", "replace", "unlink", "remove", "rmdir"):
        setattr(os, name, _needs_closed_files(getattr(os, name)))
    from cellway.cli import main  # noqa: PLC0415

    main()


def _opens_no_folders(original: Callable[..., int]) -> Callable[..., int]:
    def called(path: Any, *rest: Any, **named: Any) -> int:
        if isinstance(path, str | os.PathLike) and Path(path).is_dir():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return original(path, *rest, **named)

    return called


def _flushes_what_is_written(original: Callable[..., None]) -> Callable[..., None]:
    def called(descriptor: Any) -> None:
        # Linux tells how a file was opened.
        flags = int(Path(f"/proc/self/fdinfo/{descriptor}").read_text("ascii").split()[3], 8)
        if flags & _MODE == os.O_RDONLY:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        original(descriptor)

    return called


def _needs_closed_files(original: Callable[..., None]) -> Callable[..., None]:
    """Refuses to move or remove a file that is open, and a folder with such a file."""

    def called(*paths: Any, **named: Any) -> None:
        if named.get("dir_fd") is None:
            for path in paths:
                if held := _held(Path(path).absolute()):
                    raise PermissionError(errno.EACCES, f"is open: {held}", str(path))
        original(*paths, **named)

    return called


def _held(path: Path) -> Sequence[Path]:
    opened = []
    for link in _OPEN.iterdir():
        try:
            target = link.readlink()
        except FileNotFoundError:  # That of the list itself.
            continue
        if target.is_absolute() and stat.S_ISREG(link.stat().st_mode):
            opened.append(target)
    return [target for target in opened if target.is_relative_to(path.resolve())]
