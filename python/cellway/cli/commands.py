"""The commands of `cellway`, each in a module that is imported when it is called."""

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from cellway.cli.text import say

COMMANDS = {
    "init": "initial:initial",
    "run": "running:run",
    "study": "studies:study",
    "compare": "comparison:comparison",
    "explain": "describe:explain",
    "theory": "prediction:theory",
    "validate": "validation:validate",
    "capacity": "capacities:capacity",
    "migrate": "migration:migrate",
    "schema": "describe:schema",
    "plot": "drawing:plot",
    "reproduce": "reproduction:reproduce",
}
"""The function of each, behind the module that has it, in the order of the help."""


def application(arguments: Sequence[str]) -> typer.Typer:
    """The command line, with the one command that `arguments` call, or with all of them."""
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
    called = arguments[0] if arguments else ""
    for name in [called] if called in COMMANDS else COMMANDS:
        module, _, function = COMMANDS[name].partition(":")
        app.command(name)(getattr(import_module(f"cellway.cli.{module}"), function))
    return app


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
