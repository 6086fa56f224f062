"""Page of the command line: the help of every command, as it prints it."""

import contextlib
import io
import os

from cellway.cli.commands import COMMANDS, application
from cellway.cli.parameters import ExitError

PLACE = "reference/commands.md"


def commands_page() -> str:
    """The text of the page."""
    parts = ["# Commands", "", *_block(""), ""]
    for name, (_, about) in COMMANDS.items():
        parts += [f"## cellway {name}", "", about, "", *_block(name), ""]
    return "\n".join(parts)


def _block(name: str) -> list[str]:
    return ["```text", help_of(name).rstrip(), "```"]


def help_of(name: str) -> str:
    """What `--help` of a command prints, or with an empty name that of all of them."""
    os.environ["COLUMNS"] = "100"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(ExitError):
        application([name, "--help"] if name else ["--help"])()
    return printed.getvalue()
