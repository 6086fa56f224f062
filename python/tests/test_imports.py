"""What `import cellway` costs."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from cellway.cli.commands import COMMANDS

HEAVY = ("numpy", "matplotlib", "scipy", "polars", "rich", "typer")

MEASURE = """
import sys
before = len(sys.modules)
import cellway
print(len(sys.modules) - before)
print(*sys.modules)
"""


MAX_MODULES = 200
"""Modules of the standard library and ours: some 0.2 s, which depends on the machine's load."""


def test_importing_is_quick_and_brings_nothing_heavy() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True
    ).stdout
    loaded, modules = answer.splitlines()
    assert not {name.partition(".")[0] for name in modules.split()} & set(HEAVY)
    assert int(loaded) < MAX_MODULES


def test_a_run_without_series_needs_no_numpy() -> None:
    script = (
        "import sys, cellway.cli\n"
        "try: cellway.cli.main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script, "reproduce", "magic-1997", "S4-T2-R1", "--quick"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in answer.stderr.split()}
    assert not loaded & {"numpy", "matplotlib", "scipy", "polars"}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], [], ["validate"], ["run"]])
def test_a_command_brings_no_more_than_it_needs(
    arguments: list[str], small: Path, folder: Path
) -> None:
    """Half of the start-up once was of commands that were not called, and of formulas."""
    script = (
        "import sys, cellway.cli\n"
        "try: cellway.cli.main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    needs_file = arguments in (["validate"], ["run"])
    answer = subprocess.run(
        [sys.executable, "-c", script, *arguments, *([small.name] if needs_file else [])],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(answer.stderr.split())
    assert not {name.partition(".")[0] for name in loaded} & {
        "numpy",
        "polars",
        "matplotlib",
        "scipy",
        "rich",
    }
    ours = {"cellway.study", "cellway.prediction", "cellway.catalogue", "cellway.netspec"}
    assert not loaded & ours
    assert arguments[:1] == ["run"] or "cellway.runs" not in loaded


def test_the_list_of_commands_has_the_first_line_of_each() -> None:
    """It is written apart from them, to be printed without them."""
    for home, line in COMMANDS.values():
        module, _, function = home.partition(":")
        called = getattr(import_module(f"cellway.cli.{module}"), function)
        assert called.__doc__.splitlines()[0] == line
