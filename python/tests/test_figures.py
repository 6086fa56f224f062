"""Results name their figures: each name exists, and nothing below `plot/` is used otherwise."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import cellway
from cellway.figures import MADE_BY, FigureName

PACKAGE = Path(cellway.__file__).parent
ABOVE = {"plot", "plots", "report", "lab", "cli"}
"""Folders that may know figures themselves."""


def imported(file: Path) -> set[str]:
    """Everything that a module imports, at its top or within functions."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("figure", MADE_BY)
def test_every_figure_has_a_function_that_draws_it(figure: FigureName) -> None:
    module, _, name = MADE_BY[figure].partition(":")
    function = getattr(import_module(module), name)
    assert function.__module__ == module
    assert function.__annotations__["return"].__name__ == "Figure"


def test_nothing_that_is_plotted_imports_what_draws_it() -> None:
    files = [
        file for file in PACKAGE.rglob("*.py") if not ABOVE & {*file.relative_to(PACKAGE).parts}
    ]
    assert len(files) > 50
    known = {
        file.name
        for file in files
        if any(name.startswith("cellway.plot") for name in imported(file))
    }
    assert known == set()
