"""`cellway compare`: what two studies found, at equal levels."""

from pathlib import Path
from typing import Annotated

import typer

from cellway.cli.exits import BadInputError, reason
from cellway.cli.options import AsJson
from cellway.cli.study_results import shown, verdict
from cellway.cli.text import number, percent, say, say_json, table
from cellway.study import Comparison, Difference, Results, compare, load_results
from cellway.study.results import EXPLAINED

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="What `cellway study` left.", show_default=False)
]


def comparison(first: Folder, second: Folder, as_json: AsJson = False) -> None:
    """Compare two studies at equal levels, by pairs of equal seeds: the second minus the first."""
    studies = _results(first), _results(second)
    found = compare(*studies)
    if as_json:
        say_json(
            {
                "first": str(first),
                "second": str(second),
                "responses": [one.as_data() for one in found],
            }
        )
        return
    lines = [f"{second} minus {first}, by pairs of equal seeds; each table together at 95 %"]
    for folder, results in zip((first, second), studies, strict=True):
        lines += (
            []
            if results.complete
            else [f"{folder}: not complete; cellway study {folder} continues"]
        )
    for one in found:
        lines += ["", *_table(one), *_notes(one, studies)]
    say(*lines)


def _results(folder: Path) -> Results:
    try:
        return load_results(folder)
    except OSError as error:
        raise BadInputError(
            f"{folder}: cannot be read: {reason(error)}; expected a folder that `cellway study` "
            "left"
        ) from error


def _table(found: Comparison) -> list[str]:
    unit = "" if found.response.unit == "1" else f", {found.response.unit}"
    rows = [_row(one) for one in found.differences]
    if not rows:
        return [f"{found.response.name}{unit}:"]
    factors = list(found.differences[0].parameters)
    header = [*factors, "first", "second", "difference", "of the first", ""]
    return [
        f"{found.response.name}{unit}:",
        *table(header, rows, align=">" * (len(header) - 1) + "<"),
    ]


def _row(one: Difference) -> list[str]:
    change = one.change
    exact = change.method == EXPLAINED
    alone = not exact and change.half_width is None and not change.repeated
    return [
        *(str(level) for level in one.parameters.values()),
        number(one.first),
        number(one.second),
        f"{number(change.mean)} (single pair)" if alone else shown(change),
        percent(change.mean / abs(one.first), sign=True) if one.first else "–",
        "" if exact or alone else verdict(change),
    ]


def _notes(found: Comparison, studies: tuple[Results, Results]) -> list[str]:
    definitions = [results.response(found.response.name).definition for results in studies]
    lines = (
        []
        if definitions[0] == definitions[1]
        else [f"note: {definitions[0]}, against {definitions[1]}"]
    )
    for parameters in found.unpaired:
        where = ", ".join(f"{name} = {level}" for name, level in parameters.items()) or "all runs"
        lines.append(f"not compared, no runs of equal seeds with a number in both: {where}")
    return lines
