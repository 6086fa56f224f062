"""Scripted losses in ns-2 and here: what differs has a reason that docs/against-ns2.md lists."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COMPARE = Path(__file__).parents[2] / "tools" / "ns2" / "compare.py"


@pytest.mark.skipif(shutil.which("ns") is None, reason="ns-2 is not installed (package ns2)")
def test_no_case_differs_without_a_reason() -> None:
    words = [sys.executable, str(COMPARE), "--every", "40", "vanilla", "tahoe", "sack_pipe"]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(lines) == 3
    assert all("'agree'" in line and "unexplained" not in line for line in lines), lines
