"""`cellway verify`: stored runs made again, and the files of a deposit compared with its list."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cellway.cli.exits import FAILED, BadInputError, unreadable
from cellway.cli.options import AsJson, is_study
from cellway.cli.parameters import Argument, ExitError, Option
from cellway.cli.text import complain, say, say_json
from cellway.export.deposit import LIST, RESULTS, changed_in
from cellway.runs.models import MODEL_VERSION
from cellway.study.verification import SAMPLE, Checked, NoRunError, verify_run, verify_study

if TYPE_CHECKING:
    from collections.abc import Iterable

Folder = Annotated[
    Path,
    Argument(metavar="DIR", help="Folder of a study or of a run, or a deposit that was unpacked."),
]


def verifying(
    folder: Folder,
    sample: Annotated[
        int, Option(min=1, max=100_000, help="Runs of a study that are made again.")
    ] = SAMPLE,
    as_json: AsJson = False,
) -> None:
    """Make stored runs again and print for each if it is equal; exit code 1 if one differs.

    Runs of a study are a sample, evenly spaced in the order of their keys. The files of a deposit
    are compared with its list first.
    """
    if not folder.is_dir():
        raise BadInputError(f"{folder}: no such folder; expected that of a study, run or deposit")
    is_deposit = (folder / LIST).is_file()
    place = folder / RESULTS if is_deposit else folder
    try:
        changed = changed_in(folder) if is_deposit else []
        if not as_json:
            say(*(f"{name}: not as deposited" for name in changed))
        runs = _made_again(place, sample, may_lack=is_deposit)
        found = []
        for one in runs:
            found.append(one)
            if not as_json:
                say(str(one))
    except OSError as error:
        raise unreadable(Path(error.filename or place), error, "a whole folder") from error
    equal = sum(one.is_equal for one in found)
    if as_json:
        runs_said = [one.as_data() for one in found]
        say_json({"model": MODEL_VERSION, "runs": runs_said, "changed_files": changed})
    else:
        say(f"{equal} of {len(found)} runs equal, made again by model {MODEL_VERSION}")
    if changed or equal < len(found):
        raise ExitError(FAILED)


def _made_again(place: Path, sample: int, *, may_lack: bool) -> "Iterable[Checked]":
    """The runs made again; none, with a note, if a deposit has no simulated ones."""
    if not is_study(place):
        return [verify_run(place)]
    try:
        return verify_study(place, sample)
    except NoRunError as error:
        if not may_lack:
            raise
        complain(f"note: {error}")
        return []
