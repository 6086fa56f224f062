"""Imports between the rooms of the package go one way, also those within functions."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import cellway
from cellway.cli.commands import COMMANDS

PACKAGE = Path(cellway.__file__).parent
ROOMS = (
    "_core",
    "result_types",
    "errors",
    "figures",
    "notebook",
    "disk",
    "text",
    "statistics",
    "theory",
    "scenario",
    "runs",
    "netspec",
    "stack",
    "study",
    "prediction",
    "plot",
    "export",
    "report",
    "lab",
    "course",
    "catalogue",
    "cli",
)
"""Folders and modules of the package; each may import those before it. The first two are stubs."""
COMMAND = "cli/reproduction"
"""Modules that begin so are the command of the catalogue, and go where it goes."""
LEFT_OUT = """
import pkgutil, sys
from importlib import import_module
import cellway

sys.modules["cellway.catalogue"] = None  # Any import of it, or of a part of it, fails.
for module in pkgutil.walk_packages(cellway.__path__, "cellway."):
    if not module.name.startswith(("cellway.catalogue", sys.argv[1])):
        import_module(module.name)
        print(module.name)
print(*import_module("cellway.cli.commands").COMMANDS)
"""


def room_of(file: Path) -> str:
    return file.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(text: str) -> Iterator[tuple[int, str]]:
    """Line and room of every import of the package; of the façade, the name."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "relative imports are not looked at"
            names = [f"{node.module}.{name}" for name in names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "cellway" and rest != "__version__":
                yield node.lineno, rest.partition(".")[0]


def upward(room: str, text: str) -> list[tuple[int, str]]:
    allowed = ROOMS[: ROOMS.index(room) + 1]
    return [(line, other) for line, other in imported(text) if other not in allowed]


def test_every_room_has_a_place_in_the_order() -> None:
    files = (file for kind in ("*.py", "*.pyi") for file in PACKAGE.rglob(kind))
    assert {*ROOMS} == {room_of(file) for file in files} - {"__init__"}


@pytest.mark.parametrize("room", ROOMS[2:])
def test_a_room_imports_only_those_before_it(room: str) -> None:
    files = [file for file in PACKAGE.rglob("*.py") if room_of(file) == room]
    assert files
    found = {
        str(file.relative_to(PACKAGE)): arrows
        for file in files
        if (arrows := upward(room, file.read_text()))
    }
    assert found == {}


@pytest.mark.parametrize(("lower", "upper"), [*pairwise(ROOMS[1:])])
def test_an_upward_import_is_found_wherever_it_is(lower: str, upper: str) -> None:
    text = f"def asked():\n    from cellway.{upper} import x\n    import cellway.{lower}\n"
    assert upward(lower, text) == [(2, upper)]
    assert upward(upper, text) == []
    assert upward(lower, f"from cellway import {upper}") == [(1, upper)]


def test_a_name_of_the_facade_is_no_way_round() -> None:
    assert upward("cli", "from cellway import Study") == [(1, "Study")]


def test_all_else_can_be_imported_without_the_catalogue() -> None:
    command = [sys.executable, "-c", LEFT_OUT, f"cellway.{COMMAND.replace('/', '.')}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    *modules, commands = done.stdout.splitlines()
    assert {"cellway.plot.studies", "cellway.cli.drawing"} <= {*modules}
    assert commands.split() == [name for name in COMMANDS if name != "reproduce"]


def test_only_its_command_uses_the_catalogue_also_within_functions() -> None:
    others = {
        name: file.read_text()
        for file in PACKAGE.rglob("*.py")
        if not (name := str(file.relative_to(PACKAGE))).startswith(("catalogue/", COMMAND))
    }
    assert not [name for name, text in others.items() if "cellway.catalogue." in text]
    rooms = {name: {room for _, room in imported(text)} for name, text in others.items()}
    assert not [name for name, found in rooms.items() if "catalogue" in found]
