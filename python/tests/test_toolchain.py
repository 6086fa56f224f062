"""What `make` says on a machine that lacks a tool."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("bash", "sed", "cut", "sort", "head", "env")


def check(folder: Path, tools: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Runs the check where only `tools`, as scripts, and the check's own needs are installed."""
    for name in NEEDED:
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    for name, text in tools.items():
        (folder / name).write_text(f"#!/bin/bash\n{text}\n")
        (folder / name).chmod(0o755)
    return subprocess.run(
        [str(ROOT / "tools" / "check-toolchain"), "python3"],
        cwd=ROOT,
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


CC = {"cc": "true"}
CARGO = {"cargo": "echo cargo 1.95.0"}
PYTHON = {"python3": "true"}


@pytest.mark.parametrize(
    ("tools", "missing"),
    [
        (CARGO | PYTHON, "a C compiler"),
        (CC | PYTHON, "cargo, Rust 1.89 or later"),
        (CC | PYTHON | {"cargo": "echo cargo 1.80.0"}, "Rust 1.89 or later (found 1.80.0)"),
        (CC | CARGO, "python3, version 3.11 or later"),
        (
            CC | CARGO | {"python3": "[[ $2 == *version_info* ]] && exit 1; echo Python 3.9.1"},
            "found Python 3.9.1",
        ),
        (CC | CARGO | {"python3": "[[ $2 != *ensurepip* ]]"}, "python3 -m venv"),
    ],
)
def test_what_is_missing_is_named_with_what_helps(
    tmp_path: Path, tools: dict[str, str], missing: str
) -> None:
    reported = check(tmp_path, tools)
    assert reported.returncode == 1
    assert reported.stderr.startswith("missing: ")
    assert missing in reported.stderr
    assert reported.stderr.count("missing:") == 1
    assert "    help: " in reported.stderr


def test_a_complete_machine_is_silent(tmp_path: Path) -> None:
    reported = check(tmp_path, CC | CARGO | PYTHON)
    assert (reported.returncode, reported.stdout, reported.stderr) == (0, "", "")
