"""The commands of `cellway`, each in a module that is imported when it is called."""

import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import NoReturn

from cellway.cli.parameters import UsageError
from cellway.cli.text import help_columns, say, wrapped
from cellway.text.nearest import did_you_mean

COMMANDS = {
    "init": (
        "initial:initial",
        "List the scenarios and studies that come with cellway, or write one of them.",
    ),
    "run": ("running:run", "Simulate a scenario and print its results."),
    "measure": (
        "measuring:measure",
        "Send a scenario's traffic by this machine's TCP in real time, and print the results.",
    ),
    "shell": (
        "shelling:shell",
        "Open a shell at a host of a scenario, whose network is the path in real time.",
    ),
    "script": (
        "scripting:script",
        "Play packet scripts against the simulator's own TCP, or a program that is a transport.",
    ),
    "study": (
        "studies:study",
        "Run the missing runs of a study; print means with intervals, comparisons and effects.",
    ),
    "progress": (
        "progressing:progress",
        "Print how many runs of a study are done, and the time left, while it runs elsewhere.",
    ),
    "boundary": (
        "bounding:boundary",
        "Find where one alternative begins to beat another, over one or two factors of a study.",
    ),
    "merge": (
        "merging:merging",
        "Join folders of one study, or of its parts, of any machine; print its results.",
    ),
    "import": (
        "importing:importing",
        "Import a table of another tool's results as a study, to compare, analyse and draw it.",
    ),
    "compare": (
        "comparison:comparison",
        "Compare two studies or two runs, the second minus the first; or a scenario with theory.",
    ),
    "verify": (
        "verifying:verifying",
        "Make stored runs again and print for each if it is equal; exit code 1 if one differs.",
    ),
    "deposit": (
        "depositing:depositing",
        "Write a study to a ZIP file that others can check: files, hashes, versions, commands.",
    ),
    "explain": (
        "describe:explain",
        "Print overheads, ceilings, round trips and shares, or a study's design, without a run.",
    ),
    "theory": (
        "prediction:theory",
        "Print predictions of published formulas for queues and flows, and assumptions that fail.",
    ),
    "validate": (
        "validation:validate",
        "Check scenario and study files; every fault is a line on stderr.",
    ),
    "capacity": ("capacities:capacity", "Print the rates of a link over a run, without the run."),
    "schema": (
        "reference:schema",
        "Print every key of the scenario language, or of a study file, or the numbers of a run.",
    ),
    "doctor": (
        "measuring:doctor",
        "Say what this machine can measure, and how to get what is missing.",
    ),
    "plot": (
        "drawing:plot",
        "Draw queues, windows and round-trip times of a run over time, or the results of a study.",
    ),
    "export": (
        "exporting:export",
        "Write the flows of a run with TCP in the format of another tool.",
    ),
    "report": (
        "reporting:report",
        "Write one page with the path, numbers, charts and warnings of a run or a study.",
    ),
    "lab": (
        "laboratory:laboratory",
        "Open a laboratory in the browser: sliders run a scenario, two settings side by side.",
    ),
    "course": (
        "course:course",
        "List the units of the course, or print one: reading, laboratory, exercises.",
    ),
    "reproduce": (
        "reproduction:reproduce",
        "Re-run published results and judge them: agrees; undecided; differs, because; differs.",
    ),
}
"""The function of each command, behind its module, in the order of the help; and its line there,
the first of the function's docstring, so that the list of commands imports no module."""
if find_spec("cellway.catalogue") is None:  # It may be left out.
    del COMMANDS["reproduce"]

_OPTIONS = {
    "--version": "Print the version and exit.",
    "--install-completion": "Teach the shell the commands, their options and their values.",
    "--show-completion": "Print the script that --install-completion writes.",
    "--help": "Show this message and exit, as -h does; cellway COMMAND --help explains a command.",
}
"""Options that may stand in place of a command."""
ABOUT = (
    "How will TCP perform over this path? Cell-exact simulation of TCP over ATM and packet paths."
)


def application(words: Sequence[str]) -> Callable[[], object]:
    """The action that the words behind ``cellway`` ask for; its module is imported.

    The action raises the errors of `arguments.call` and of the command itself.
    """
    from cellway.cli import completion  # noqa: PLC0415

    if completion.VARIABLE in os.environ:
        return lambda: completion.offer([*COMMANDS], [*_OPTIONS])
    first = words[0] if words else "--help"
    if first in COMMANDS:
        from cellway.cli.arguments import call  # noqa: PLC0415

        command = function_of(first)
        return lambda: call(first, command, words[1:])
    own: dict[str, Callable[[], object]] = {
        "--version": _version,
        "--install-completion": completion.install,
        "--show-completion": completion.show,
        "--help": _help,
        "-h": _help,
    }
    return own.get(first, lambda: _unknown(first))


def function_of(name: str) -> Callable[..., object]:
    """The function of a command; imports its module."""
    module, _, function = COMMANDS[name][0].partition(":")
    found: Callable[..., object] = getattr(import_module(f"cellway.cli.{module}"), function)
    return found


def _version() -> None:
    from cellway._core import build_info  # noqa: PLC0415

    build = build_info()
    say(f"cellway {build['version']} (model {build['model']})")


def _help() -> None:
    say(
        "usage: cellway COMMAND [ARGUMENTS] [OPTIONS]",
        "",
        *wrapped(ABOUT, 0, 0, help_columns()),
        "",
        "commands:",
        *_listed({name: line for name, (_, line) in COMMANDS.items()}),
        "",
        "options:",
        *_listed(_OPTIONS),
    )


def _listed(entries: Mapping[str, str]) -> list[str]:
    """A line for each entry, with the texts in a column."""
    width = max(map(len, entries)) + 2
    lines = (f"  {name:<{width}}{text}" for name, text in entries.items())
    return [part for line in lines for part in wrapped(line, 0, width + 2, help_columns())]


def _unknown(word: str) -> NoReturn:
    if f"--{word}" in _OPTIONS:
        raise UsageError(f"no such command: {word}; did you mean cellway --{word}?")
    kind, known = ("option", _OPTIONS) if word.startswith("-") else ("command", COMMANDS)
    raise UsageError(f"no such {kind}: {word}{did_you_mean(word, known)} (cellway --help)")
