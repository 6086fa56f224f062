"""`cellway merge`: folders of parts of a study, or of several machines, joined into one."""

from pathlib import Path
from typing import Annotated

from cellway.cli.exits import FAILED, BadInputError, require_writable, unreadable
from cellway.cli.options import AsJson, Force
from cellway.cli.parameters import Argument, ExitError
from cellway.cli.study_results import report
from cellway.cli.text import say, say_json
from cellway.study.merge import Merged, merge

Out = Annotated[
    Path,
    Argument(
        metavar="OUT",
        help="Folder of the joined study: missing, empty, or with runs of the same study.",
    ),
]
Folders = Annotated[
    list[Path], Argument(metavar="DIR", help="Folders of `cellway study`, which are only read.")
]


def merging(out: Out, folders: Folders, force: Force = False, as_json: AsJson = False) -> None:
    """Join folders of one study, or of its parts, of any machine; print its results.

    All runs must be of one model. A run that two folders have is kept once; other numbers for the
    same run are an error that names both. A merge that was ended may be repeated.
    """
    for folder in folders:
        if not folder.is_dir():
            raise BadInputError(f"{folder}: no such folder; expected the folder of a study")
    require_writable("OUT", out)
    try:
        merged = merge(out, folders, force=force)
    except OSError as error:
        raise unreadable(Path(error.filename or out), error, "the folder of a study") from error
    results = merged.results
    if as_json:
        damaged = {str(folder): count for folder, count in merged.damaged.items() if count}
        about = {"added": merged.added, "equal": merged.equal, "damaged": damaged}
        say_json({**results.as_data(), "merged": about})
    else:
        say(*report(results), "", *_merged(merged, out))
    if results.failed:
        raise ExitError(FAILED)


def _merged(merged: Merged, out: Path) -> list[str]:
    twice = f"; {merged.equal} runs were in several folders" if merged.equal else ""
    lines = [f"written to {out}: {merged.added} runs added{twice}"]
    lines += [
        f"note: {folder}: {count} damaged runs left out"
        for folder, count in merged.damaged.items()
        if count
    ]
    if not merged.results.complete:
        lines.append(f"note: not complete; cellway study {out} runs what is missing")
    return lines
