"""`cellway validate`: checks scenario and study files."""

import re
from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BAD_INPUT, BadInputError
from cellway.cli.options import EITHER, AsJson, Script, is_study, read_scenario, read_workload
from cellway.cli.parameters import Argument, ExitError
from cellway.cli.text import complain, say, say_json
from cellway.errors import Fault, FileError, ScenarioError, StudyError

_EXPECTED = re.compile(r"(.*)[;:] expected (.*)", re.DOTALL)
"""Last "expected" of a message: a name of the user's may have the same word."""
_LAB = re.compile(r"\blab\b|\\[uUx]")
"""Word without which no text has a section of a laboratory; a key may be quoted, with escapes."""
_IS_EXPECTED, _MEANT = " is expected", "; did you mean "
"""Words before or behind what is accepted, and before a suggestion, in a message."""


def validate(
    files: Annotated[list[Path], Argument(metavar="FILE", help="Scenario and study files.")],
    netspec: Script = None,
    as_json: AsJson = False,
) -> None:
    """Check scenario and study files; every fault is a line on stderr.

    With --json all notes and faults are printed instead, each fault with file, line, column,
    message and what is accepted.
    """
    faults: list[Fault] = []
    noted: list[dict[str, str]] = []
    wrong = 0
    for file in files:
        said: list[str] = []
        try:
            said = _notes_of_study(file) if is_study(file) else _notes(file, netspec)
        except (BadInputError, ScenarioError, StudyError) as error:
            wrong += 1
            faults += error.faults if isinstance(error, FileError) else [Fault.read(str(error))]
            if not as_json:
                complain(str(error))
            continue
        noted += [{"file": str(file), "message": line} for line in said]
        if not as_json:
            say(f"{file}: fine", *(f"note: {line}" for line in said))
    if as_json:
        say_json({"faults": [_as_data(fault) for fault in faults], "notes": noted})
    if wrong:
        raise ExitError(BAD_INPUT)


def _as_data(fault: Fault) -> dict[str, str | int | None]:
    """A fault for JSON; one without a place in a file has no line and no column."""
    told = _EXPECTED.fullmatch(fault.message)
    message, accepted = told.groups() if told else (fault.message, "")
    accepted, _, meant = accepted.partition(_MEANT)
    if fault.message.endswith(_IS_EXPECTED):
        message, _, accepted = fault.message.removesuffix(_IS_EXPECTED).rpartition("; ")
    return {
        "file": fault.origin,
        "line": fault.line or None,
        "column": fault.column or None,
        "message": message + (_MEANT + meant if meant else ""),
        "accepted": accepted or None,
    }


def _notes(file: Path, netspec: Path | None) -> list[str]:
    """Notes for a reader of the results, those on flows of a script included."""
    if netspec is None:
        scenario = read_scenario(file, [], expected=EITHER)
    else:
        bare = read_scenario(file, [], awaits_flows=True, expected=EITHER)
        scenario = read_workload(netspec, bare).scenario
    if _LAB.search(scenario.text):
        from cellway.lab.declared import declared  # noqa: PLC0415 - with the reader of studies

        declared(scenario)
    return list(scenario.explain()["warnings"])


def _notes_of_study(file: Path) -> list[str]:
    """Notes on the study itself, and on its points with the levels that have each."""
    from cellway.cli.studies import read_study  # noqa: PLC0415 - not for scenarios
    from cellway.cli.study_notes import notes_of_study  # noqa: PLC0415 - likewise

    given = read_study(file)
    try:
        return [*given.overridden(), *notes_of_study(given)]
    except StudyError:
        given.require_scenarios()
        raise
