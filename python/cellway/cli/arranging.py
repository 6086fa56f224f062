"""Options of `cellway plot` that select and arrange the responses of a study."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cellway.cli.exits import INTERRUPTED, BadInputError
from cellway.cli.parameters import ExitError, Option
from cellway.cli.progress import counting_bar
from cellway.cli.studies import kept_results, note_models, read_study
from cellway.cli.text import complain
from cellway.plot.study_choice import Choice, Log, with_panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cellway.study import Response, Results


Responses = Annotated[
    list[str],
    Option("--response", metavar="RESPONSE", help="For a study: only this response; repeatable."),
]
Across = Annotated[
    str | None,
    Option(
        "--x",
        metavar="FACTOR",
        help="For a study: factor along the x axis; by default the one with most numbers.",
    ),
]
Panels = Annotated[
    str | None,
    Option(
        metavar="FACTOR",
        help="For a study: a panel for each level of this factor; by default where there would be "
        "more lines than colours.",
    ),
]
LogAxes = Annotated[
    Log | None,
    Option(help="For a study: logarithmic axes; by default x where levels are in equal ratios."),
]


def require_study(source: Path, arranged: Choice, *, studied: bool) -> None:
    """Refuses options that only a study's figure has.

    Raises:
        BadInputError: one was given for something else; the message names both.
    """
    given = {
        "--response": arranged.responses,
        "--x": arranged.across,
        "--panels": arranged.panels,
        "--log": arranged.log,
    }
    for option in (option for option, value in given.items() if value and not studied):
        raise BadInputError(f"{option}: {source} is not a study; only a study has factors")


def study_figures(
    named: Mapping[str, Path], sets: list[str], ports: list[str], arranged: Choice
) -> dict[str, "Figure"]:
    """Figures of a study, of the runs in a folder or all runs of a file, or of several together.

    Args:
        named: the studies by name; several have the same factors.
        sets: options for a run.
        ports: likewise.
        arranged: what is shown.

    Raises:
        BadInputError: options that only a run has.
        StudyError: names that the study does not have, or other factors.
        ExitError: it was stopped; nothing is drawn of a part.
    """
    from cellway.study.joined import joined  # noqa: PLC0415 - with results

    (source, *others) = named.values()
    if ports:
        raise BadInputError(f"--port {ports[0]}: {source} is a study; only a run has ports")
    if not others:
        return drawn(study_results(source, sets, arranged), arranged)
    found = {name: study_results(one, sets, Choice()) for name, one in named.items()}
    both = joined(found)
    _note_differences(found, with_panels(both, arranged))
    return drawn(both, arranged)


def _note_differences(named: Mapping[str, "Results"], shown: Sequence["Response"]) -> None:
    """Prints on stderr where studies of one figure define a response or spell a level otherwise."""
    from cellway.study import matching  # noqa: PLC0415 - with results

    (_, first), *others = named.items()
    for name, other in others:
        spelt = matching.spelt_otherwise(first, other)
        lines = [f"{name}: {line}" for line in matching.taken_as_equal(spelt)]
        both = ((one.name, matching.other_definition(one, first, other)) for one in shown)
        lines += [f"{name}: {response} is of {said}" for response, said in both if said]
        for line in lines:
            complain(f"note: {line}")


def study_results(source: Path, sets: list[str], arranged: Choice) -> "Results":
    """The runs in a folder, or all runs of a study file; `arranged` is checked before them.

    Raises:
        BadInputError: options that only a run has.
        StudyError: names that the study does not have.
        ExitError: it was stopped; nothing is shown of a part.
    """
    if sets:
        raise BadInputError(f"--set {sets[0]}: {source} is a study; write it into its [set] table")
    if source.is_dir():
        results = kept_results(source)
        note_models(source, results.models)
        return results
    given = read_study(source)
    arranged.check(given)
    with counting_bar(given.name) as progress:
        results = given.run(progress=progress)
    if not results.complete:
        raise ExitError(INTERRUPTED)
    return results


def drawn(results: "Results", arranged: Choice) -> dict[str, "Figure"]:
    """The figures of a study."""
    from cellway.plot import studies  # noqa: PLC0415 - with Matplotlib

    return studies.study_figures(results, arranged)
