"""The commands of `cellway`, each in a module that is imported when it is called."""

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from cellway.cli.text import say

COMMANDS = {
    "init": (
        "initial:initial",
        "List the scenarios and studies that come with cellway, or write one of them.",
    ),
    "run": ("running:run", "Simulate a scenario and print what it comes to."),
    "study": (
        "studies:study",
        "Run what a study lacks; print means with intervals, comparisons and effects.",
    ),
    "compare": (
        "comparison:comparison",
        "Compare two studies, the second minus the first; or a scenario's runs with theory.",
    ),
    "explain": (
        "describe:explain",
        "Print overheads, ceilings, round trips and shares, or a study's design, without a run.",
    ),
    "theory": (
        "prediction:theory",
        "Print what published formulas say of queues and flows, and the assumptions that fail.",
    ),
    "validate": (
        "validation:validate",
        "Check scenario and study files; every fault is a line on stderr.",
    ),
    "capacity": (
        "capacities:capacity",
        "Print the rates that a link has over a run, which is not run for it.",
    ),
    "migrate": (
        "migration:migrate",
        "Rename old keys and words in files; nothing else in them changes, comments included.",
    ),
    "schema": (
        "reference:schema",
        "Print every key of the scenario language, or of a study file, or the numbers of a run.",
    ),
    "plot": (
        "drawing:plot",
        "Draw queues, windows and round-trip times of a run over time, or what a study found.",
    ),
    "reproduce": (
        "reproduction:reproduce",
        "Re-run published results and judge them: agrees; undecided; differs, because; differs.",
    ),
}
"""The function of each, behind the module that has it, in the order of the help; and its line
there, which is the first of the function's own text: the list of all needs none of the modules."""


_LISTED = ("--help", "--version")
_COMPLETE = "_CELLWAY_COMPLETE"
"""Set by a shell that wants words to complete."""


def application(arguments: Sequence[str]) -> typer.Typer:
    """The command line, with the one command that `arguments` call, or with all of them.

    Where they ask for the version or the list of commands, these can only be listed.
    """
    # Help is plain text: it reads the same on a terminal, in a file and in a pipe.
    app = typer.Typer(
        name="cellway",
        help=(
            "How will TCP perform over this path? Cell-exact simulation of TCP over ATM and packet "
            "paths."
        ),
        invoke_without_command=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(options)
    if _COMPLETE not in os.environ and (not arguments or arguments[0] in _LISTED):
        for name, (_, line) in COMMANDS.items():
            app.command(name, help=line)(_nothing)
        return app
    called = arguments[0] if arguments else ""
    for name in [called] if called in COMMANDS else COMMANDS:
        module, _, function = COMMANDS[name][0].partition(":")
        app.command(name)(getattr(import_module(f"cellway.cli.{module}"), function))
    return app


def _nothing() -> None:
    """A command that is not called."""


def _version(wanted: bool) -> None:
    if wanted:
        from cellway import __version__  # noqa: PLC0415

        say(f"cellway {__version__}")
        raise typer.Exit


def options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """How will TCP perform over this path? A cell-exact simulator of TCP over ATM and packets."""
    if context.invoked_subcommand is None:
        say(context.get_help())
