"""`cellway deposit`: a study with all that others need to check it, as one file."""

from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BadInputError, require_file, unreadable
from cellway.cli.options import Force
from cellway.cli.parameters import Argument, Option
from cellway.cli.studies import note_models
from cellway.cli.text import complain, say
from cellway.export.deposit import LIST, README, deposit, is_deposit


def depositing(
    folder: Annotated[Path, Argument(metavar="DIR", help="Folder of `cellway study`.")],
    out: Annotated[
        Path | None,
        Option(metavar="FILE", help="The ZIP file, by default the folder's name with .zip."),
    ] = None,
    authors: Annotated[
        list[str],
        Option("--author", metavar="AUTHOR", help="An author of the data. May be repeated."),
    ] = [],
    licence: Annotated[
        str, Option("--license", metavar="ID", help="Licence of the data, a name of SPDX.")
    ] = "CC-BY-4.0",
    force: Force = False,
) -> None:
    """Write a study to a ZIP file that others can check: files, hashes, versions, commands.

    The file is an RO-Crate. `cellway verify` compares an unpacked deposit with its list, and makes
    a sample of its runs again.
    """
    if not folder.is_dir():
        raise BadInputError(f"{folder}: no such folder; expected the folder of a study")
    file = out or folder.with_name(f"{folder.resolve().name}.zip")
    require_file("--out", file, is_deposit, force=force)
    try:
        results = deposit(folder, file, authors=authors, licence=licence)
    except OSError as error:
        raise unreadable(Path(error.filename or folder), error, "a whole folder") from error
    note_models(folder, results.models)
    if not results.complete:
        complain(f"note: {folder}: not complete")
    if not authors:
        complain(
            f"note: {README} and {LIST} name no author; the same command with --author NAME writes "
            "one into both"
        )
    say(f"written to {file}: {len(results.records)} runs")
