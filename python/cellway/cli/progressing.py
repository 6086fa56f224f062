"""`cellway progress`: runs done and time left of studies that run, on any machine."""

from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BadInputError, unreadable
from cellway.cli.options import AsJson
from cellway.cli.parameters import Argument
from cellway.cli.study_design import duration
from cellway.cli.text import say, say_json, table
from cellway.study.remaining import Progress, progress_of

Folders = Annotated[
    list[Path],
    Argument(metavar="DIR", help="Folders of `cellway study`, or of parts of a study."),
]


def progress(folders: Folders, as_json: AsJson = False) -> None:
    """Print how many runs of a study are done, and the time left, while it runs elsewhere.

    Of several folders, such as parts on several machines, the last to end says when all have ended.
    """
    found = [_read(folder) for folder in folders]
    left = [one.remaining for one in found if one.remaining is not None]
    unknown = any(one.remaining is None and one.done < one.runs for one in found)
    if as_json:
        rest = None if unknown else max(left, default=0.0)
        say_json({"folders": [one.as_data() for one in found], "remaining_seconds": rest})
        return
    rows = [
        [str(one.folder), f"{one.done} of {one.runs}", _time(one.elapsed), _left(one)]
        for one in found
    ]
    say(*table(["folder", "runs", "so far", "left"], rows, align="<>>>"))
    if len(found) > 1 and left and not unknown:
        say("", f"all: {sum(one.done for one in found)} of {sum(one.runs for one in found)} runs, "
            f"about {duration(max(left))} left")  # fmt: skip


def _read(folder: Path) -> Progress:
    if not folder.is_dir():
        raise BadInputError(f"{folder}: no such folder; expected the folder of a study")
    try:
        return progress_of(folder)
    except OSError as error:
        raise unreadable(Path(error.filename or folder), error, "the folder of a study") from error


def _time(seconds: float | None) -> str:
    return "–" if seconds is None else duration(seconds)


def _left(one: Progress) -> str:
    if one.done == one.runs:
        return "none"
    if one.elapsed is None:
        return "not running"
    return "not known yet" if one.remaining is None else f"about {duration(one.remaining)}"
