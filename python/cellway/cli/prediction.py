"""`cellway theory`: what formulas say of a scenario, and what they assume."""

from pathlib import Path
from typing import Annotated

import typer

from cellway.cli import studies
from cellway.cli.exits import BadInputError
from cellway.cli.options import AsJson, Sets, read_scenario
from cellway.cli.text import number, percent, say, say_json
from cellway.prediction import Predicted, Prediction, Theory, predict
from cellway.units import per

MARKS = {True: "holds", False: "VIOLATED", None: "not known"}


def theory(
    file: Annotated[
        Path, typer.Argument(metavar="SCENARIO", help="A scenario file.", show_default=False)
    ],
    sets: Sets = [],
    as_json: AsJson = False,
) -> None:
    """Print what published formulas say of queues and flows, and the assumptions that fail."""
    if studies.is_study(file):
        raise BadInputError(f"{file}: a study; expected a scenario")
    found = predict(read_scenario(file, sets))
    if not found.predictions:
        raise BadInputError(f"{file}: no formula applies: {_reasons(found)}")
    if as_json:
        say_json(found.as_data())
        return
    for one in found.predictions:
        say(*_prediction(one), "")
    if found.refusals:
        say("no formula for", *(f"  {one.of}: {one.reason}" for one in found.refusals))


def shown(one: Predicted, value: float | None) -> str:
    """`value`, of the kind of `one`, in the unit in which people read it."""
    if value is None:
        return "–"
    if one.unit == "1":
        return percent(value) if "path" not in one.name and value <= 1 else number(value)
    unit = {"s": "ms", "bit/s": "Mbit/s"}.get(one.unit, one.unit)
    return f"{number(value * per(unit)) if unit in {'ms', 'Mbit/s'} else number(value)} {unit}"


def _reasons(found: Theory) -> str:
    if not found.refusals:
        return (
            "no port where sources without TCP meet, and no flow with TCP; cellway.prediction "
            "lists what is accepted"
        )
    first, *others = found.refusals
    more = f" (and {len(others)} more)" if others else ""
    return f"{first.of}: {first.reason}{more}"


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
