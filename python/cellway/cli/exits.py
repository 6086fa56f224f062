"""Exit codes, and how every failure becomes one of them with a line on stderr for each fault.

| code | meaning |
|---|---|
| 0 | fine |
| 1 | a run failed, or a published number is missed without a reason |
| 2 | bad input: a scenario, an option, a file; nothing was written |
| 130 | Ctrl-C, SIGTERM or SIGHUP |
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from cellway.cli.parameters import ExitError
from cellway.cli.text import complain, discard_stdout
from cellway.disk import signals
from cellway.disk.files import is_replaceable
from cellway.errors import CatalogueError, CellwayError, FileError, RunError

FINE = 0
FAILED = 1
BAD_INPUT = 2
INTERRUPTED = signals.INTERRUPTED


class BadInputError(CellwayError):
    """An input of the user's that cannot be used: what, where, and what would be accepted."""


def guarded(call: Callable[[], object]) -> int:
    """Calls `call` and turns errors for the user into an exit code and lines on stderr.

    Any other error is a bug of ours and is raised, unless a signal came: then the signal is its
    cause, whatever error a library made of it.
    """
    heard = False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal heard
        heard = True
        raise KeyboardInterrupt

    code = FINE
    try:
        with signals.hearing(interrupt):
            code = _called(call)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Exception as error:  # noqa: BLE001 - raised again unless it is for the user.
        if not heard:
            return _of_error(error)
        code = INTERRUPTED
    except BaseException:  # A panic in a library of Rust.
        if not heard:
            raise
        code = INTERRUPTED
    return _say("interrupted", INTERRUPTED) if code == INTERRUPTED else code


def _called(call: Callable[[], object]) -> int:
    """Calls `call`; returns its exit code."""
    try:
        call()
    except ExitError as end:
        return end.code
    return FINE


def _of_error(error: Exception) -> int:
    """Prints an error and returns its exit code; the closed end of a pipe is not printed."""
    if isinstance(error, RunError):
        return _say(f"the run failed: {error}", FAILED)
    if isinstance(error, FileError | BadInputError | CatalogueError):
        lines = str(error).splitlines() if isinstance(error, FileError) else [str(error)]
        return max(_say(line, BAD_INPUT) for line in lines)
    if isinstance(error, BrokenPipeError):
        discard_stdout()
        return FINE
    if isinstance(error, CellwayError | OSError):
        return _say(_of_system(error), BAD_INPUT)
    raise error


def reason(error: OSError) -> str:
    """Reason why the system refused, in lower case: ``no such file or directory``."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


def unreadable(path: Path, error: OSError, expected: str) -> BadInputError:
    """Error for a `path` that is missing or cannot be read, where `expected` is accepted."""
    missing = isinstance(error, FileNotFoundError)
    why = "no such file or folder" if missing else f"cannot be read: {reason(error)}"
    return BadInputError(f"{path}: {why}; expected {expected}")


def require_writable(option: str, folder: Path) -> None:
    """Refuses a folder that can be neither written nor made, before time is spent on its content.

    Raises:
        BadInputError: with `option` and the folder in front.
    """
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir():
        raise BadInputError(
            f"{option} {folder}: {existing} is not a folder; expected a folder that can be made"
        )
    if not os.access(existing, os.W_OK | os.X_OK):
        raise BadInputError(
            f"{option} {folder}: {existing} cannot be written; expected a writable folder"
        )


def require_file(
    option: str, file: Path, ours: Callable[[bytes], bool], *, force: bool, most: int = -1
) -> None:
    """Refuses a file that cannot be written where it is wanted, or whose content is not `ours`.

    `most` limits the bytes of the file that are read.

    Raises:
        BadInputError: with `option` and the file in front, and a way out.
    """
    if file.is_dir():
        raise BadInputError(f"{option} {file}: a folder; expected the name of a file")
    require_writable(option, file.parent)
    if not force and not is_replaceable(file, ours, most):
        raise BadInputError(
            f"{option} {file}: the file exists, and cellway did not write it; "
            "expected another name, or --force to replace it"
        )


def unwritable(option: str, path: Path, error: OSError) -> BadInputError:
    """Error for a failure to write `path` in spite of all checks."""
    return BadInputError(
        f"{option} {path}: cannot be written: {reason(error)}; expected a writable place"
    )


def _of_system(error: Exception) -> str:
    if isinstance(error, OSError):
        # An error without a file name mostly comes from stdout on a full disk.
        return f"{error.filename or 'reading or writing failed'}: {reason(error)}"
    return str(error)


def _say(message: str, code: int) -> int:
    complain(" ".join(message.split("\n")))
    return code
