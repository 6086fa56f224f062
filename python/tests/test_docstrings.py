"""Docstrings: their examples run, and what they list are attributes and arguments that exist."""

import ast
import doctest
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "cellway"
SECTION = re.compile(r"^(?:Attributes|Args):\n((?:    .*\n?|\n)+)", re.MULTILINE)
ENTRY = re.compile(r"^    \*{0,2}(\w+(?:, \w+)*)(?: \([^)]*\))?:", re.MULTILINE)
FILES = sorted(PACKAGE.rglob("*.py"))
EXAMPLES = [file for file in FILES if ">>> " in file.read_text()]


def identifier(file: Path) -> str:
    return file.relative_to(PACKAGE.parent).with_suffix("").as_posix()


@pytest.mark.parametrize("file", EXAMPLES, ids=identifier)
def test_examples_run(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testmod(importlib.import_module(identifier(file).replace("/", ".")))
    assert not failed
    assert tried


def listed(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """The entries of the docstring's sections, and lines in the place of one that are none."""
    for section in SECTION.findall(ast.get_docstring(node) or ""):
        for line in section.splitlines():
            if re.match(r"    \S", line):
                names = ENTRY.match(line)
                yield from names[1].split(", ") if names else [line]


def existing(node: ast.ClassDef | ast.FunctionDef) -> set[str]:
    if isinstance(node, ast.FunctionDef):
        return {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
    fields = [one.target for one in node.body if isinstance(one, ast.AnnAssign)]
    methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    return methods | {field.id for field in fields if isinstance(field, ast.Name)}


@pytest.mark.parametrize("file", FILES, ids=identifier)
def test_what_is_listed_exists_and_two_entries_are_two_lines(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names = existing(node)
            assert set(listed(node)) <= names, node.name
            text = " ".join((ast.get_docstring(node) or "").split())
            merged = [name for name in names if f". {name}: " in text]
            assert set(merged) <= opened(node), node.name


def opened(node: ast.ClassDef | ast.FunctionDef) -> set[str]:
    """Names at the start of a line, where an entry belongs."""
    found = ENTRY.findall(ast.get_docstring(node) or "")
    return {name for names in found for name in names.split(", ")}
