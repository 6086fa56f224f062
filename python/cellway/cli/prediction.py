"""`cellway theory` and `cellway compare SCENARIO`: formulas, and runs beside them."""

from pathlib import Path
from typing import Annotated

import typer

from cellway.cli import studies
from cellway.cli.beside import reasons, shown
from cellway.cli.exits import BadInputError
from cellway.cli.options import AsJson, Sets, read_scenario
from cellway.cli.text import percent, say, say_json, table
from cellway.prediction import Compared, Prediction, Theory, beside_runs, predict
from cellway.scenario import Scenario

MARKS = {True: "holds", False: "violated", None: "not known"}


def theory(
    file: Annotated[
        Path, typer.Argument(metavar="SCENARIO", help="A scenario file.", show_default=False)
    ],
    sets: Sets = [],
    as_json: AsJson = False,
) -> None:
    """Print what published formulas say of queues and flows, and the assumptions that fail."""
    _, found = _theory(file, sets)
    if as_json:
        say_json(found.as_data())
        return
    for one in found.predictions:
        say(*_prediction(one), "")
    if found.refusals:
        say("no formula for", *(f"  {one.of}: {one.reason}" for one in found.refusals))


def beside(file: Path, sets: list[str], runs: int, *, as_json: bool) -> None:
    """Prints theory beside simulation: `cellway compare SCENARIO`."""
    scenario, found = _theory(file, sets)
    compared = beside_runs(scenario, found, runs)
    if as_json:
        say_json({"runs": runs, "numbers": [one.as_data() for one in compared]})
        return
    for one in found.predictions:
        rows = [_row(other) for other in compared if other.prediction is one]
        header = ["", "theory", f"mean of {runs} runs", "95 % interval", "theory is", ""]
        say(f"{one.of}: {one.model}", *table(header, rows, align="<>>>><"))
        say(*(f"  violated: {assumed.text} ({assumed.why})" for assumed in one.violated), "")


def _row(one: Compared) -> list[str]:
    mean = None if one.simulated is None else one.simulated.mean
    width = None if one.simulated is None else one.simulated.half_width
    within = {True: "within", False: "outside", None: ""}[one.is_within]
    return [
        one.predicted.name,
        shown(one.predicted, one.predicted.value),
        shown(one.predicted, mean),
        "–" if width is None else f"± {shown(one.predicted, width)}",
        percent(one.difference, sign=True),
        within,
    ]


def _theory(file: Path, sets: list[str]) -> tuple[Scenario, Theory]:
    if studies.is_study(file):
        raise BadInputError(f"{file}: a study; expected a scenario")
    scenario = read_scenario(file, sets)
    found = predict(scenario)
    if not found.predictions:
        raise BadInputError(f"{file}: no formula applies: {reasons(found)}")
    return scenario, found


def _prediction(one: Prediction) -> list[str]:
    lines = [f"{one.of}: {one.model} ({one.source})"]
    width = max(len(predicted.name) for predicted in one.numbers)
    lines += [
        f"  {predicted.name:<{width}}  {shown(predicted, predicted.value)}"
        for predicted in one.numbers
    ]
    lines.append("  assumes that")
    for assumed in one.assumptions:
        why = f" ({assumed.why})" if assumed.why else ""
        lines.append(f"    {MARKS[assumed.holds]:<9}  {assumed.text}{why}")
    return lines
