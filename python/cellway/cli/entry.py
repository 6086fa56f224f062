"""`cellway COMMAND …`: parsing, dispatch, exit codes."""

import os
import sys
from collections.abc import Sequence
from typing import Any

from cellway import __version__
from cellway.cli import inspect, reproduce, simulate
from cellway.cli.exits import BAD_INPUT, FAILED, INTERRUPTED, OneLineParser, complain, explain_os_error
from cellway.errors import CatalogueError, CellwayError, RunError, ScenarioError


def parser() -> OneLineParser:
    """All commands."""
    top = OneLineParser(prog="cellway", description="How will TCP perform over this path?")
    top.add_argument("--version", action="version", version=f"cellway {__version__}")
    commands: Any = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=OneLineParser)
    simulate.add_commands(commands)
    inspect.add_commands(commands)
    reproduce.add_commands(commands)
    return top


def perform(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code."""
    chosen = parser().parse_args(arguments)
    try:
        return int(chosen.perform(chosen))
    except RunError as error:
        complain(str(error))
        return FAILED
    except (ScenarioError, CatalogueError, CellwayError) as error:
        complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:
        # Whoever read our output has enough; the interpreter must not complain when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        complain(explain_os_error(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        complain("interrupted; nothing was written that was not finished")
        return INTERRUPTED


def main() -> None:
    """The `cellway` command."""
    sys.exit(perform())
