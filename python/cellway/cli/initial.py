"""`cellway init`: the scenarios and studies that are shipped, as files to begin with."""

from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BadInputError, require_file, unwritable
from cellway.cli.options import AsJson, Force
from cellway.cli.parameters import Argument, Option
from cellway.cli.text import say, say_json, table
from cellway.errors import CellwayError
from cellway.scenario.shipped import STUDIES, called, shipped


def initial(
    name: Annotated[
        str | None, Argument(help="Name of a scenario or study; without it all are listed.")
    ] = None,
    out: Annotated[
        Path, Option(metavar="DIR", help="Folder for its files; by default the current one.")
    ] = Path(),
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """List the scenarios and studies that come with cellway, or write one of them."""
    if name is None:
        _list(as_json=as_json)
        return
    try:
        wanted = called(name)
    except CellwayError as error:
        raise BadInputError(str(error)) from error
    for path, text in wanted.files.items():
        require_file("--out", out / path, text.encode().__eq__, force=force)
    try:
        files = wanted.write(out)
    except OSError as error:
        raise unwritable("--out", Path(error.filename or out), error) from error
    if as_json:
        say_json({"name": wanted.name, "files": [str(file) for file in files]})
        return
    command = "study" if wanted.name.startswith(STUDIES) else "run"
    say(*(f"written to {file}" for file in files), "", f"now: cellway {command} {files[0]}")


def _list(*, as_json: bool) -> None:
    known = shipped()
    if as_json:
        say_json([{"name": one.name, "about": one.about} for one in known])
        return
    say(
        *table(["name", "about"], [[one.name, one.about] for one in known], align="<<"),
        "",
        "cellway init NAME writes one of them, and the files that it needs, into this folder.",
    )
