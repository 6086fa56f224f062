"""`cellway compare`: two studies at equal levels, two runs, or theory beside a scenario's runs."""

from collections import Counter
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated

from cellway.cli import prediction, ways
from cellway.cli.compared_runs import compare_runs, is_run
from cellway.cli.comparison_settings import differing, names_of, setting_lines
from cellway.cli.exits import BadInputError, unreadable
from cellway.cli.import_command import refuse_table
from cellway.cli.options import AsJson, Sets
from cellway.cli.parameters import Argument, Option
from cellway.cli.studies import kept_results
from cellway.cli.study_results import BY, MAX_LISTED, remark, shown
from cellway.cli.text import number, percent, say, say_json, table
from cellway.runs.models import listed, note_of
from cellway.statistics import Estimate
from cellway.study import Comparison, Difference, Results, compare
from cellway.study.comparison import LeftOut, left_out
from cellway.study.matching import other_definition, spelt_otherwise, taken_as_equal
from cellway.study.results import EXPLAINED

First = Annotated[
    Path,
    Argument(
        metavar="DIR|FILE",
        help="Folder of `cellway study`; a run, as a folder or JSON; or a scenario file, alone.",
    ),
]
Second = Annotated[
    Path | None,
    Argument(metavar="DIR|FILE", help="Folder of a study, or a run, as the first is."),
]
Runs = Annotated[
    int | None,
    Option(min=2, max=1000, help="For a scenario: number of runs, with consecutive seeds."),
]
Paths = Annotated[
    int | None, Option(min=1, max=1000, help="With --measure: measured runs side by side.")
]
RUNS = 5


class Outcome(Enum):
    """Outcome of a difference, the second study minus the first, as far as runs show it."""

    MORE = "larger in the second"
    LESS = "larger in the first"
    SAME = "the same in both"
    OPEN = "not told apart"
    UNKNOWN = "not judged"


def comparison(
    first: First,
    second: Second = None,
    sets: Sets = [],
    runs: Runs = None,
    measure: Annotated[
        bool,
        Option(help="For a scenario: also measure it, by this machine's TCP, in real time."),
    ] = False,
    paths: Paths = None,
    out: Annotated[
        Path | None,
        Option(metavar="DIR", help="With --measure: keep every run there, and do missing ones."),
    ] = None,
    again: Annotated[
        bool, Option(help="With --out: discard the measured runs there, and measure again.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare two studies or two runs, the second minus the first; or a scenario with theory.

    With --measure theory, simulation and measurement stand side by side.
    """
    refuse_table("compare", [first] if second is None else [first, second])
    count = RUNS if runs is None else runs
    if not measure:
        _refuse("--measure", (("--paths", paths), ("--out", out), ("--again", again)))
    if second is None and first.suffix == ".json":
        raise BadInputError(f"{first}: a single run; expected a second one, or a scenario file")
    if second is None and not first.is_dir():
        if measure:
            ways.compare_ways(
                first, sets, count, paths=paths or 1, out=out, again=again, as_json=as_json
            )
        else:
            prediction.beside(first, sets, count, as_json=as_json)
        return
    if second is None:
        raise BadInputError(f"{first}: a single folder; expected a second one, or a scenario file")
    given = (("--set", sets), ("--runs", runs), ("--measure", measure))
    _refuse("a scenario, not two studies", given)
    if is_run(first) or is_run(second):
        compare_runs(first, second, as_json=as_json)
        return
    _studies(first, second, as_json=as_json)


def _refuse(expected: str, options: Sequence[tuple[str, object]]) -> None:
    """Refuses the first option that is given."""
    for option, given in options:
        if given:
            raise BadInputError(f"{option}: expected {expected}")


def _studies(first: Path, second: Path, *, as_json: bool) -> None:
    studies = _results(first), _results(second)
    found = compare(*studies)
    keys = differing(*studies)
    spelt = spelt_otherwise(*studies)
    if as_json:
        say_json(
            {
                "first": str(first),
                "second": str(second),
                "models": [list(one.models) for one in studies],
                "settings": keys,
                "taken_as_equal": spelt,
                "responses": [one.as_data() for one in found],
                "left_out": [one.as_data() for one in left_out(*studies)],
            }
        )
        return
    called = names_of(first, second)
    lines = [f"differences are {second} minus {first}, {BY}; intervals of a table together at 95 %"]
    lines += [*_models(*studies), *(f"note: {line}" for line in taken_as_equal(spelt))]
    lines += ["", *setting_lines(keys, called)]
    for one in found:
        lines += ["", *_table(one, called), *_larger(one, called), *_notes(one, studies)]
    alone = left_out(*studies)
    lines += [""] if any(one.settings or one.responses for one in alone) else []
    lines += _alone(first, alone[0]) + _alone(second, alone[1])
    say(*lines)


def _alone(folder: Path, alone: LeftOut) -> list[str]:
    """Lines on what only one of the studies has."""
    lines = []
    if count := len(alone.settings):
        shown = [
            ", ".join(f"{name} = {level}" for name, level in levels.items())
            for levels in alone.settings[:MAX_LISTED]
        ]
        more = [f"… and {count - MAX_LISTED} more"] if count > MAX_LISTED else []
        lines.append(f"not compared, only in {folder}: {'; '.join([*shown, *more])}")
    if alone.responses:
        lines.append(f"responses only in {folder}: {', '.join(alone.responses)}")
    return lines


def _results(folder: Path) -> Results:
    try:
        return kept_results(folder)
    except OSError as error:
        # If the folder is there, the message names the missing file.
        missing = Path(error.filename or folder) if folder.is_dir() else folder
        raise unreadable(missing, error, "a folder that `cellway study` left") from error


def _models(first: Results, second: Results) -> list[str]:
    """Note on the models that made the studies, unless the present one made both."""
    if first.models and second.models and first.models != second.models:
        one, other = listed(first.models), listed(second.models)
        return [f"note: the first is of {one}, the second of {other}"]
    note = note_of(first.models or second.models)
    return [] if note is None else [f"note: both were {note}"]


def _table(found: Comparison, called: tuple[str, str]) -> list[str]:
    unit = "" if found.response.unit == "1" else f", {found.response.unit}"
    rows = [_row(one) for one in found.differences]
    if not rows:
        return [f"{found.response.name}{unit}:"]
    factors = list(found.differences[0].parameters)
    header = [*factors, *called, "difference", "change", ""]
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
        "" if exact or alone else remark(change),
    ]


def _larger(found: Comparison, called: tuple[str, str]) -> list[str]:
    """A sentence on the number of settings at which either study is larger; none without any."""
    count = Counter(outcome(one.change) for one in found.differences)
    if not count:
        return []
    of = f"{found.response.name}, at {len(found.differences)} combinations of levels"
    words = {
        Outcome.MORE: f"larger in {called[1]}",
        Outcome.LESS: f"larger in {called[0]}",
        **{one: one.value for one in (Outcome.SAME, Outcome.OPEN, Outcome.UNKNOWN)},
    }
    counts = (f"{said} at {count[one]}" for one, said in words.items() if count[one])
    return [f"{of}: {', '.join(counts)}"]


def outcome(change: Estimate) -> Outcome:
    """Outcome of a difference by its interval, or by its value where that is exact."""
    if change.interval is None and not _is_exact(change):
        return Outcome.OPEN if change.repeated and not change.mean else Outcome.UNKNOWN
    least, most = change.interval or (change.mean, change.mean)
    if least <= 0.0 <= most:
        return Outcome.SAME if _is_exact(change) else Outcome.OPEN
    return Outcome.MORE if least > 0.0 else Outcome.LESS


def _is_exact(change: Estimate) -> bool:
    return change.deterministic or change.method == EXPLAINED


def _notes(found: Comparison, studies: tuple[Results, Results]) -> list[str]:
    other = other_definition(found.response, *studies)
    lines = [f"note: {other}"] if other else []
    for parameters in found.unpaired:
        where = ", ".join(f"{name} = {level}" for name, level in parameters.items()) or "all runs"
        lines.append(f"not compared, no runs of equal seeds with a number in both: {where}")
    return lines
