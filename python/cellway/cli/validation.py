"""`cellway validate`: whether files are scenarios."""

from pathlib import Path
from typing import Annotated

import typer

from cellway.cli.exits import BAD_INPUT, BadInputError
from cellway.cli.options import read_scenario
from cellway.cli.text import say
from cellway.errors import ScenarioError


def validate(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Scenario files.", show_default=False)
    ],
) -> None:
    """Check scenario files; the first thing wrong with each goes to stderr, one line per file."""
    wrong = 0
    for file in files:
        try:
            read_scenario(file, [])
        except (BadInputError, ScenarioError) as error:
            typer.echo(str(error), err=True)
            wrong += 1
        else:
            say(f"{file}: fine")
    if wrong:
        raise typer.Exit(BAD_INPUT)
