"""The commands of `cellway`, each in a module."""

import os
import sys
from typing import Annotated

import typer

import cellway
from cellway.cli import (
    capacities,
    comparison,
    describe,
    drawing,
    migration,
    prediction,
    reproduction,
    running,
    studies,
    validation,
)
from cellway.cli.exits import guarded
from cellway.cli.text import say

# Help is plain text: it reads the same on a terminal, in a file and in a pipe.
app = typer.Typer(
    name="cellway",
    help=(
        "How will TCP perform over this path? Cell-exact simulation of TCP over ATM and packet "
        "paths."
    ),
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("run")(running.run)
app.command("study")(studies.study)
app.command("compare")(comparison.comparison)
app.command("explain")(describe.explain)
app.command("theory")(prediction.theory)
app.command("validate")(validation.validate)
app.command("capacity")(capacities.capacity)
app.command("migrate")(migration.migrate)
app.command("schema")(describe.schema)
app.command("plot")(drawing.plot)
app.command("reproduce")(reproduction.reproduce)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"cellway {cellway.__version__}")
        raise typer.Exit


@app.callback()
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


def main() -> None:
    """Runs the command line and leaves with its exit code; see `cellway.cli.exits`."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # The caller closed it, as `>&-` does: nobody wants to read.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(guarded(lambda: app(standalone_mode=False)))
