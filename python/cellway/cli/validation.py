"""`cellway validate`: whether files are scenarios or studies."""

import sys
from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BAD_INPUT, BadInputError
from cellway.cli.options import Script, is_study, read_scenario, read_workload
from cellway.cli.parameters import Argument, ExitError
from cellway.cli.text import say
from cellway.errors import ScenarioError, StudyError


def validate(
    files: Annotated[
        list[Path],
        Argument(metavar="FILE", help="Scenario and study files."),
    ],
    netspec: Script = None,
) -> None:
    """Check scenario and study files; the first fault of each is a line on stderr."""
    wrong = 0
    for file in files:
        said: list[str] = []
        try:
            if is_study(file):
                from cellway.cli.studies import read_study  # noqa: PLC0415

                given = read_study(file)
                given.conditions()
                said = given.overridden()
            elif netspec is not None:
                read_workload(netspec, read_scenario(file, [], awaits_flows=True))
            else:
                read_scenario(file, [])
        except (BadInputError, ScenarioError, StudyError) as error:
            print(str(error), file=sys.stderr)  # noqa: T201
            wrong += 1
        else:
            say(f"{file}: fine", *(f"note: {line}" for line in said))
    if wrong:
        raise ExitError(BAD_INPUT)
