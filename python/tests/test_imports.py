"""What `import cellway` costs."""

from importlib import import_module
from pathlib import Path

import pytest

from cellway.cli.commands import COMMANDS
from started import outcome

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
    loaded, modules = outcome(MEASURE, [], Path()).stdout.splitlines()
    assert not {name.partition(".")[0] for name in modules.split()} & set(HEAVY)
    assert int(loaded) < MAX_MODULES


LISTING = """
import sys, cellway.cli
try: cellway.cli.main()
finally: print(*sys.modules, file=sys.stderr)
"""


def modules_of(folder: Path, *command: str) -> list[str]:
    """Modules that a command has loaded at its end."""
    done = outcome(LISTING, command, folder)
    assert done.returncode == 0, done
    return done.stderr.split()


def test_a_run_without_series_needs_no_numpy(folder: Path) -> None:
    loaded = modules_of(folder, "reproduce", "magic-1997", "S4-T2-R2", "--quick")
    packages = {name.partition(".")[0] for name in loaded}
    assert not packages & {"numpy", "matplotlib", "scipy", "polars"}


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
    with_file = command in {"validate", "explain", "run"}
    loaded = modules_of(folder, command, *([small.name] if with_file else []))
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
