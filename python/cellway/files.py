"""Reading with a limit, and writing that leaves nothing half written."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

TEXT_LIMIT = 1 << 20
"""Most bytes that a scenario, study or catalogue file may have."""
PARTIAL = ".partial"
"""How the name of a file ends that is still being written."""


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
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write that takes the name `path` only once it is complete.

    Raises:
        OSError: the file cannot be written; `path` is as it was.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=PARTIAL, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
        os.chmod(name, 0o666 & ~_umask())  # noqa: PTH101
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Writes `text` as UTF-8 to `path`, whole or not at all."""
    with whole_file(path) as file:
        file.write(text.encode())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
