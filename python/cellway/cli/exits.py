"""Exit codes, and the one place where an error becomes a line on stderr."""

import argparse
import sys
from typing import NoReturn

from cellway.errors import CellwayError

FINE = 0
FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130


class InputError(CellwayError):
    """Something on the command line cannot be accepted."""


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line; the usage is a `--help` away."""

    def error(self, message: str) -> NoReturn:
        """Exits with 2."""
        complain(f"{self.prog}: {message}; see `{self.prog} --help`")
        sys.exit(BAD_INPUT)


def complain(message: str) -> None:
    """Prints an error as a single line."""
    print(" ".join(message.split()), file=sys.stderr)


def explain_os_error(error: OSError) -> str:
    """What could not be read or written, and why."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{(error.strerror or str(error)).lower()}"
