"""A study in a process of its own, which a test kills: its module imports what a study needs."""

import os
import sys
from pathlib import Path

from cellway.cli import main


def command(folder: Path, out: Path) -> None:
    """`cellway study` of the file in `folder`; what it says is kept in a file there."""
    said = os.open(folder / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(said, sys.stdout.fileno())
    os.dup2(said, sys.stderr.fileno())
    sys.argv = ["cellway", "study", str(folder / "study.toml"), "--out", str(out)]
    main()
