"""`cellway migrate`: files of an earlier version in today's words."""

from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BAD_INPUT, BadInputError
from cellway.cli.parameters import Argument, ExitError, Option
from cellway.cli.text import say
from cellway.disk.files import TEXT_LIMIT, read_limited, write_text
from cellway.text import renamed
from cellway.text.document import parse_document


def migrate(
    files: Annotated[
        list[Path],
        Argument(metavar="FILE", help="Scenario, study and catalogue files."),
    ],
    check: Annotated[
        bool,
        Option("--check", help="Change nothing; exit with 2 if a file has an old name."),
    ] = False,
) -> None:
    """Rename old keys and words in files; nothing else in them changes, comments included."""
    old = 0
    texts = [(file, _text(file)) for file in files]
    for file, text in texts:
        found = renamed.changes(text)
        for change in found:
            say(f"{file}:{change.line}:{change.column}: {change.old} is {change.new} now")
        if not found:
            say(f"{file}: nothing to rename")
        elif not check:
            write_text(file, renamed.rewritten(text, found))
        old += len(found)
    if check and old:
        raise ExitError(BAD_INPUT)


def _text(file: Path) -> str:
    content = read_limited(file)
    if content is None:
        raise BadInputError(f"{file}:1:1: more than {TEXT_LIMIT} bytes; at most 1 MiB is accepted")
    parse_document(content, str(file), BadInputError)
    return content.decode()
