"""Options of `cellway plot` that select and arrange the responses of a study."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from cellway.cli.exits import INTERRUPTED, BadInputError
from cellway.cli.parameters import ExitError, Option
from cellway.cli.progress import counting_bar
from cellway.cli.studies import kept_results, note_models, read_study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cellway.plot.study_choice import Choice
    from cellway.plot.study_choice import Log as ChosenLog
    from cellway.study import Results


class Log(StrEnum):
    """Axes that are logarithmic."""

    NONE = "none"
    X = "x"
    Y = "y"
    XY = "xy"


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
    Option(
        help="For a study: logarithmic axes; by default x where levels are in equal ratios.",
    ),
]


@dataclass(frozen=True)
class Arrangement:
    """Options for a study's figure; see `cellway.plot.study_choice.Choice`."""

    responses: tuple[str, ...]
    across: str | None
    panels: str | None
    log: Log | None

    @property
    def in_name(self) -> str:
        """Text of the options for the file's name, so that the whole figure is not overwritten."""
        parts = [f"-{name}" for name in self.responses]
        parts += [f"-over-{self.across}"] if self.across else []
        parts += [f"-by-{self.panels}"] if self.panels else []
        return "".join(parts) + (f"-log-{self.log}" if self.log else "")

    def require_study(self, source: Path, *, studied: bool) -> None:
        """Refuses options that only a study's figure has.

        Raises:
            BadInputError: one was given for something else; the message names both.
        """
        given = {
            "--response": self.responses,
            "--x": self.across,
            "--panels": self.panels,
            "--log": self.log,
        }
        for option in (option for option, value in given.items() if value and not studied):
            raise BadInputError(f"{option}: {source} is not a study; only a study has factors")

    def choice(self) -> "Choice":
        """The same options for the module that plots."""
        from cellway.plot.study_choice import Choice  # noqa: PLC0415

        log = cast("ChosenLog | None", self.log and self.log.value)
        return Choice(self.responses, self.across, self.panels, log)

    def figures(self, results: "Results") -> dict[str, "Figure"]:
        """The figure under ``""``, or one per response where it would have too many panels."""
        from cellway.plot.studies import study_figures  # noqa: PLC0415

        return study_figures(results, self.choice())


def study_figures(
    source: Path, sets: list[str], ports: list[str], arranged: Arrangement
) -> dict[str, "Figure"]:
    """Figures of a study: of the runs in a folder, or of all runs for a study file.

    Raises:
        BadInputError: options that only a run has.
        StudyError: names that the study does not have.
        ExitError: it was stopped; nothing is drawn of a part.
    """
    if ports:
        raise BadInputError(f"--port {ports[0]}: {source} is a study; only a run has ports")
    if sets:
        raise BadInputError(f"--set {sets[0]}: {source} is a study; write it into its [set] table")
    if source.is_dir():
        results = kept_results(source)
        note_models(source, results.models)
        return arranged.figures(results)
    given = read_study(source)
    arranged.choice().check(given)
    with counting_bar(given.name) as progress:
        results = given.run(progress=progress)
    if not results.complete:
        raise ExitError(INTERRUPTED)
    return arranged.figures(results)
