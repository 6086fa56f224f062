"""What `import cellway` costs."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from cellway.cli.commands import COMMANDS

HEAVY = ("numpy", "matplotlib", "scipy", "polars", "rich")

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


MODULES = {
    "--version": 100,
    "--help": 107,
    "validate": 138,
    "explain": 141,
    "schema": 141,
    "run": 165,
}
"""The most that a command may load. Ten small ones take some 5 ms; the limit of each is what it
loads with Python 3.11 and a tenth more, for other versions of Python."""


@pytest.mark.parametrize("command", MODULES)
def test_a_command_loads_no_more_than_it_needs(command: str, small: Path, folder: Path) -> None:
    """Half of the start-up once was of commands that were not called, of formulas, of Pydantic."""
    script = (
        "import sys, cellway.cli\n"
        "try: cellway.cli.main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    with_file = command in {"validate", "explain", "run"}
    answer = subprocess.run(
        [sys.executable, "-c", script, command, *([small.name] if with_file else [])],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = answer.stderr.split()
    assert not {name.partition(".")[0] for name in loaded} & {*HEAVY, "tomllib", "sqlite3"}
    ours = {"cellway.study", "cellway.prediction", "cellway.catalogue", "cellway.netspec"}
    assert not {*loaded} & ours
    assert command == "run" or "cellway.runs.runs" not in loaded
    assert len(loaded) <= MODULES[command]


def test_the_list_of_commands_has_the_first_line_of_each() -> None:
    """It is written apart from them, to be printed without them."""
    for home, line in COMMANDS.values():
        module, _, function = home.partition(":")
        called = getattr(import_module(f"cellway.cli.{module}"), function)
        assert called.__doc__.splitlines()[0] == line
