"""Disks that are full or read-only, for the fixtures of `conftest.py`."""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

SIZE = 1 << 20
"""Bytes of a small disk."""
ReadOnly = Callable[[], AbstractContextManager[object]]
"""Makes a folder read-only for a while."""


def mount(*arguments: str | Path) -> bool:
    """Whether the mount was made; not everybody may."""
    command = shutil.which("mount")
    if command is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    return subprocess.run([command, *arguments], capture_output=True, check=False).returncode == 0
