"""What can be said without running: `explain`, `validate`, `schema`."""

import argparse
import json
from pathlib import Path
from typing import Any

from cellway.cli.exits import BAD_INPUT, FINE, complain, explain_os_error
from cellway.cli.simulate import add_scenario, load
from cellway.errors import ScenarioError
from cellway.scenario import Scenario, schema
from cellway.text import explanation_text, schema_text


def add_commands(commands: Any) -> None:  # noqa: ANN401
    """Adds the commands of this file."""
    explain = commands.add_parser("explain", help="derived numbers before anything runs: ceilings, round trips, limits")
    add_scenario(explain)
    explain.add_argument("--json", action="store_true", help="as JSON")
    explain.set_defaults(perform=_explain)

    validate = commands.add_parser("validate", help="check scenario files; exit code 2 if one is wrong")
    validate.add_argument("files", nargs="+", type=Path, metavar="FILE")
    validate.set_defaults(perform=_validate)

    reference = commands.add_parser("schema", help="every key of the scenario language")
    reference.add_argument("--json", action="store_true", help="as JSON")
    reference.set_defaults(perform=_schema)


def _explain(chosen: argparse.Namespace) -> int:
    explained = load(chosen).explain()
    print(json.dumps(explained, indent=2) if chosen.json else explanation_text(explained))
    return FINE


def _validate(chosen: argparse.Namespace) -> int:
    """Checks every file, also behind a wrong one."""
    worst = FINE
    for file in chosen.files:
        try:
            Scenario.load(file)
        except ScenarioError as error:
            complain(str(error))
            worst = BAD_INPUT
        except OSError as error:
            complain(explain_os_error(error))
            worst = BAD_INPUT
        else:
            print(f"{file}: fine")
    return worst


def _schema(chosen: argparse.Namespace) -> int:
    described = schema()
    print(json.dumps(described, indent=2) if chosen.json else schema_text(described))
    return FINE
