"""Selection and arrangement of a study's figure: responses, axis, panels, scales.

The command line reads its options into a `Choice`, so that this module needs no Matplotlib.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from cellway.errors import StudyError
from cellway.study.factors import Factor
from cellway.study.joined import STUDY_FACTOR
from cellway.study.responses import Response
from cellway.study.results import Results
from cellway.study.study import Study

Log = Literal["none", "x", "y", "xy"]
Setting = tuple[str, str | int | float | bool]
"""A factor by name, and one of its levels."""


@dataclass(frozen=True)
class Choice:
    """Options of a study's figure; the figure decides those that are not given.

    Attributes:
        responses: names of the responses to show; empty for all.
        across: the factor along the horizontal axis.
        panels: the factor whose levels have a panel each.
        log: the axes that are logarithmic; `None` for the horizontal one where levels are in equal
            ratios.
    """

    responses: tuple[str, ...] = ()
    across: str | None = None
    panels: str | None = None
    log: Log | None = None

    @property
    def arranges(self) -> bool:
        """True if it names the factor along the axis or of the panels."""
        return self.across is not None or self.panels is not None

    @property
    def in_name(self) -> str:
        """Text of the options for the file's name, so that the whole figure is not overwritten."""
        parts = [f"-{name}" for name in self.responses]
        parts += [f"-over-{self.across}"] if self.across else []
        parts += [f"-by-{self.panels}"] if self.panels else []
        return "".join(parts) + (f"-log-{self.log}" if self.log else "")

    @property
    def log_y(self) -> bool:
        """True if the vertical axis is logarithmic."""
        return self.log in {"y", "xy"}

    def check(self, study: Study) -> None:
        """Refuses names that the study does not have.

        Raises:
            StudyError: a name is unknown; the message has the option, the name, and known names.
        """
        for name in self.responses:
            _named("--response", name, study.responses)
        for option, factor in (("--x", self.across), ("--panels", self.panels)):
            if factor is not None:
                _named(option, factor, study.factors)
        if self.across is not None and self.across == self.panels:
            raise StudyError(f"--panels {self.panels}: is along the axis; expected another factor")
        if self.panels is not None and study.sampled:
            raise StudyError(
                f"--panels {self.panels}: every run of a {study.design.name} design has a level of "
                "its own; expected --x"
            )


_Named = TypeVar("_Named", Factor, Response)


def _named(option: str, name: str, among: Sequence[_Named]) -> _Named:
    for one in among:
        if one.name == name:
            return one
    what = "response" if option == "--response" else "factor"
    known = ", ".join(one.name for one in among) or "none"
    raise StudyError(f"{option} {name}: no {what} of this study; there are {known}")


class Column(NamedTuple):
    """Factor along the axis of a column of panels, and the setting of that column."""

    factor: Factor | None
    setting: Setting | None = None


def with_panels(results: Results, choice: Choice) -> list[Response]:
    """Responses with a panel: simulated ones, and chosen explained ones that can join none."""
    given = [
        one
        for one in results.study.responses
        if not choice.responses or one.name in choice.responses
    ]
    simulated = [one for one in given if not one.explained]
    units = {one.unit for one in simulated}
    alone = [one for one in given if one.explained and one.unit not in units]
    return [*simulated, *(alone if choice.responses else [])] or given


def beside(results: Results, choice: Choice, response: Response) -> list[Response]:
    """Explained responses in the unit of a simulated one, plotted in its panel."""
    return [
        one
        for one in results.study.responses
        if one.explained
        and not response.explained
        and one.unit == response.unit
        and (not choice.responses or one.name in choice.responses)
    ]


def settings_beside(
    results: Results, factor: Factor | None, panel: Setting | None = None
) -> dict[str, list[int]]:
    """The points of each setting of the factors other than `factor`, by the setting's name.

    With a `panel` only points at its level, which their names leave out.
    """
    varied = {one.name for one in results.study.factors if len(one.levels) > 1} - {
        factor.name if factor else "",
        panel[0] if panel else "",
    }
    settings: dict[str, list[int]] = {}
    for point, condition in enumerate(results.conditions):
        if panel is not None and condition.parameters[panel[0]] != panel[1]:
            continue
        others = [
            f"{name} = {value}" for name, value in condition.parameters.items() if name in varied
        ]
        settings.setdefault(", ".join(others), []).append(point)
    return settings


def columns(results: Results, choice: Choice, max_lines: int) -> list[Column]:
    """The columns of panels: one per factor of a sampled design, else one per level set apart."""
    study = results.study
    if study.sampled and study.factors:
        return [Column(one) for one in study.factors if choice.across in (None, one.name)]
    factor = _across(study.factors, choice)
    apart = _apart(results, factor, choice, max_lines)
    if apart is None:
        return [Column(factor)]
    return [Column(factor, (apart.name, level.shown)) for level in apart.levels]


def _across(factors: Sequence[Factor], choice: Choice) -> Factor | None:
    """The factor chosen, or the one with the most levels among those that are numbers."""
    if choice.across is not None:
        return _named("--x", choice.across, factors)
    left = [one for one in factors if one.name != choice.panels]
    # Studies in one figure are lines, not places, if anything else varies.
    left = [one for one in left if one.name != STUDY_FACTOR and len(one.levels) > 1] or left
    numbers = [one for one in left if one.kind == "number" and len(one.levels) > 1]
    return max(numbers or left, key=lambda one: len(one.levels), default=None)


def _apart(
    results: Results, factor: Factor | None, choice: Choice, max_lines: int
) -> Factor | None:
    """The factor whose levels are panels.

    Where lines could not be told apart, it is the smallest that leaves few enough.
    """
    if choice.panels is not None:
        return _named("--panels", choice.panels, results.study.factors)
    others = [one for one in results.study.factors if one != factor and len(one.levels) > 1]
    lines = len(settings_beside(results, factor))
    if lines <= max_lines or len(others) < 2:  # noqa: PLR2004
        return None
    others.sort(key=lambda one: len(one.levels))
    enough = [one for one in others if lines <= max_lines * len(one.levels)]
    return enough[0] if enough else others[-1]
