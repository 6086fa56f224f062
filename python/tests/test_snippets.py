"""Commands and programs of pages: those of how-tos run, those of other pages are checked."""

import ast
import re
import shlex
import shutil
import sys
import tomllib
from inspect import signature
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import pytest

from cellway.cli.commands import COMMANDS, function_of
from cellway.cli.parameters import Option
from common import ROOT
from snippets import is_shown, played, programs, run_in, snippets
from started import MAIN, Starter

PLAYED = [ROOT / "docs/tutorial.md", *sorted((ROOT / "docs/how-to").glob("*.md"))]
"""Pages whose commands run, from the first to the last."""
PAGES = [ROOT / "README.md", ROOT / "REPRODUCED.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOT_PRINTED = ("tc ",)
"""Beginnings of lines for other machines."""


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.stem)
def test_a_page_prints_what_it_shows(page: Path, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    environment = programs(tmp_path / "bin")
    for shown, printed in played(page, folder, environment):
        for number, line in enumerate(shown.text.splitlines(), shown.line + 1):
            if not line.startswith(NOT_PRINTED):
                assert is_shown(line, printed), f"{page.name}:{number}: not printed: {line}"


@pytest.mark.parametrize("line", ["all TCP 4 2.415", "call", "  2   x"])
def test_a_line_that_is_not_printed_is_found(line: str) -> None:
    printed = "all TCP      4        2.416      1.322\ncalls 2 y\n"
    assert not is_shown(line, printed)
    assert is_shown("TCP 4 2.416", printed)
    assert is_shown("all … 1.322", printed)


ELSEWHERE = ("pip ", "sudo ", "cellway lab", "cellway reproduce")
"""Commands of the README that other tests run, or that need root or a reader."""


def test_commands_and_programs_of_the_readme_run(tmp_path: Path, starter: Starter) -> None:
    """On the scenarios that it names, cut to five seconds."""
    environment = programs(tmp_path / "bin")
    shutil.copytree(ROOT / "scenarios", tmp_path / "scenarios")
    for file in (tmp_path / "scenarios").rglob("*.toml"):
        text = re.sub(r'((?:run\.)?duration"? = )"[\d.]+ s"', r'\1"5 s"', file.read_text())
        text = re.sub(r'((?:run\.)?warm_up"? = )"[\d.]+ s"', r'\1"0.5 s"', text)
        file.write_text(re.sub(r"replications = \d+", "replications = 2", text))
    shutil.copy(tmp_path / "scenarios/wan.toml", tmp_path / "my.toml")
    ran = 0
    for one in snippets(ROOT / "README.md"):
        if one.kind == "sh":
            lines = [line.partition(" #")[0].strip() for line in one.text.splitlines()]
            commands = [["bash", "-c", line] for line in lines if not is_elsewhere(line)]
        else:
            commands = [[sys.executable, "-c", one.text]] if one.kind == "python" else []
        for command in commands:
            if (words := plain(command[-1])) is not None:
                done = starter.run(MAIN, words, tmp_path)
            else:
                done = run_in(tmp_path, command, environment)
            assert done.returncode == 0, f"{command}: {done.stderr}"
            ran += 1
    assert ran > 15


def plain(line: str) -> list[str] | None:
    """Arguments of a call of `cellway` that needs no shell."""
    words = line.startswith("cellway ") and not re.search(r"[|&;<>$`*\n]", line)
    return shlex.split(line)[1:] if words else None


def is_elsewhere(line: str) -> bool:
    """True if a line of the README runs elsewhere; a target of `make` must exist."""
    if line.startswith("make "):
        assert f"\n{line.split()[1]}:" in (ROOT / "Makefile").read_text(), line
        return True
    return not line or line.startswith(ELSEWHERE)


def options_of(command: str) -> set[str]:
    """The options of a command, from the types of its function."""
    found = {"--help", "-h"}
    function = function_of(command)
    hints = get_type_hints(function, include_extras=True)
    for name in signature(function).parameters:
        kinds = get_args(hints[name]) if get_origin(hints[name]) is Annotated else ()
        for kind in kinds:
            if isinstance(kind, Option):
                found.add(kind.name or f"--{name.replace('_', '-')}")
    return found


def commands_in(text: str) -> list[list[str]]:
    """Calls of `cellway` in the lines of a shell, as words."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        for part in re.split(r"\|\|?|&&|;", line):
            try:
                words = shlex.split(part, comments=True)
            except ValueError:
                continue
            while words and (words[0] == "sudo" or "=" in words[0]):
                words = words[1:]
            if words and words[0] == "cellway" and len(words) > 1:
                found.append(words[1:])
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_of_a_page_have_the_options_that_it_names(page: Path) -> None:
    for one in snippets(page):
        if one.kind not in {"sh", "bash", "console"}:
            continue
        for command, *words in commands_in(one.text):
            if command.startswith("-"):
                continue
            assert command in COMMANDS, f"{page.name}:{one.line}: no command {command}"
            named = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}
            missing = named - options_of(command)
            assert not missing, f"{page.name}:{one.line}: cellway {command}: no {missing}"


def alternatives(text: str) -> list[str]:
    """The text, or its lines if each begins as the first does: values to choose from."""
    lines = text.splitlines()
    first = lines[0].partition("=")[0]
    return lines if len(lines) > 1 and all(one.startswith(first) for one in lines) else [text]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_texts_of_a_page_are_toml_and_python(page: Path) -> None:
    for one in snippets(page):
        try:
            if one.kind == "toml":
                for part in alternatives(one.text):
                    tomllib.loads(part)
            if one.kind == "python":
                ast.parse(one.text)
        except (SyntaxError, tomllib.TOMLDecodeError) as error:
            pytest.fail(f"{page.name}:{one.line}: {error}")
