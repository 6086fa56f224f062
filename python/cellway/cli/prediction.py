"""`cellway theory` and `cellway compare SCENARIO`: formulas, and runs beside them."""

from pathlib import Path
from typing import Annotated

from cellway.cli import studies
from cellway.cli.alike import together
from cellway.cli.beside import NOTHING_ACCEPTED, shown
from cellway.cli.exits import BadInputError, require_file
from cellway.cli.figure_files import Size, fit, form_of, is_figure, save_figure
from cellway.cli.options import EITHER, AsJson, Force, Sets, read_scenario
from cellway.cli.parameters import Argument, Option
from cellway.cli.text import percent, say, say_json, table
from cellway.errors import Fault, FileError
from cellway.figures import SizeName
from cellway.prediction import Compared, Prediction, Theory, beside_runs, predict
from cellway.prediction.sweeps import Sweep, sweep
from cellway.scenario.scenario import Scenario

MARKS = {True: "holds", False: "violated", None: "not known"}


def theory(
    file: Annotated[
        Path,
        Argument(
            metavar="SCENARIO|STUDY",
            help="A scenario file, or a study: formulas at each of its points.",
        ),
    ],
    sets: Sets = [],
    plot: Annotated[
        Path | None, Option(metavar="FILE", help="For a study: draw the numbers over its levels.")
    ] = None,
    size: Size = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Print predictions of published formulas for queues and flows, and assumptions that fail."""
    if studies.is_study(file):
        if sets:
            raise BadInputError("--set: expected a scenario, not a study")
        _sweep(file, plot, size, force=force, as_json=as_json)
        return
    for option, given in (("--plot", plot), ("--size", size)):
        if given is not None:
            raise BadInputError(f"{option} {given}: expected a study, not a scenario")
    _, found = _theory(file, sets, EITHER)
    if as_json:
        say_json(found.as_data())
        return
    for one in found.predictions:
        say(*_prediction(one), "")
    if found.refusals:
        say("no formula for", *(f"  {one.of}: {one.reason}" for one in found.refusals))


def _sweep(
    file: Path, plot: Path | None, size: SizeName | None, *, force: bool, as_json: bool
) -> None:
    """Prints predictions at every point of a study."""
    if size is not None and plot is None:
        raise BadInputError(f"--size {size}: expected --plot FILE, which it is for")
    given = studies.read_study(file)
    if plot is not None:
        form_of("--plot", plot)
        require_file("--plot", plot, is_figure, force=force)
    found = sweep(given)
    if not any(point.numbers for point in found.points):
        raise _no_formula(file, found.points[0].theory)
    if as_json:
        say_json({"study": found.name, "points": [point.as_data() for point in found.points]})
    else:
        say(*_swept(found))
    if plot is not None:
        figure = found.plot()
        fit(figure, size)
        save_figure(figure, plot)
        if not as_json:
            say("", f"written to {plot}")


def _swept(found: Sweep) -> list[str]:
    """A line for each number of each point."""
    factors = list(found.points[0].levels)
    rows = [
        [
            *map(str, point.levels.values()),
            one.of,
            number.name,
            shown(number, number.value),
            one.model,
            str(len(one.violated) or ""),
        ]
        for point in found.points
        for one, number in point.numbers
    ]
    header = [*factors, "", "number", "theory", "formula", "violated"]
    silent = sum(1 for point in found.points if not point.numbers)
    lines = table(header, rows, align=">" * len(factors) + "<<><>")
    return [*lines, *([f"{silent} points have no formula"] if silent else [])]


def beside(file: Path, sets: list[str], runs: int, *, as_json: bool) -> None:
    """Prints theory beside simulation: `cellway compare SCENARIO`."""
    scenario, found = _theory(file, sets, "a scenario file, or the folders of two studies")
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
    undecided = "too wide to decide" if one.is_wide else ""
    within = {True: "within", False: "outside", None: undecided}[one.is_within]
    return [
        one.predicted.name,
        shown(one.predicted, one.predicted.value),
        shown(one.predicted, mean),
        "–" if width is None else f"± {shown(one.predicted, width)}",
        percent(one.difference, sign=True),
        within,
    ]


def _theory(file: Path, sets: list[str], expected: str) -> tuple[Scenario, Theory]:
    if studies.is_study(file):
        raise BadInputError(f"{file}: a study; expected a scenario")
    scenario = read_scenario(file, sets, expected=expected)
    found = predict(scenario)
    if not found.predictions:
        raise _no_formula(file, found)
    return scenario, found


def _no_formula(file: Path, found: Theory) -> FileError:
    """Error with the reasons why no formula applies, one per line with all that share it."""
    why = [f"{together(of)}: {reason}" for reason, of in refused(found).items()]
    why = why or [NOTHING_ACCEPTED]
    return FileError.of([Fault(str(file), 0, 0, f"no formula applies: {one}") for one in why])


def refused(found: Theory) -> dict[str, list[str]]:
    """Reasons why no formula applies, each with its ports and flows."""
    names: dict[str, list[str]] = {}
    for one in found.refusals:
        names.setdefault(one.reason, []).append(one.of)
    return names


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
