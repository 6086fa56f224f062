"""Predictions of formulas at every point of a study, without a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cellway import figures
from cellway.prediction import predict
from cellway.prediction.answer import Predicted, Prediction, Theory
from cellway.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class SweptPoint:
    """A point of a study with its predictions.

    Attributes:
        levels: of the factors, by name.
        theory: the predictions for its scenario.
    """

    levels: Mapping[str, Any]
    theory: Theory

    @property
    def numbers(self) -> list[tuple[Prediction, Predicted]]:
        """All predicted numbers, each with its prediction."""
        return [(one, number) for one in self.theory.predictions for number in one.numbers]

    def as_data(self) -> dict[str, Any]:
        """The point as plain dictionaries, for JSON."""
        return {"levels": dict(self.levels), **self.theory.as_data()}


@dataclass(frozen=True)
class Sweep:
    """Predictions of formulas at all points of a study.

    Attributes:
        name: of the study.
        points: in the order of its design.
    """

    name: str
    points: tuple[SweptPoint, ...]

    def plot(self) -> "Figure":
        """Draws every number that a run has, too, over the factor with most numbers.

        Raises:
            ValueError: there is nothing to draw.
        """
        return figures.draw("sweep", self)


def sweep(study: Study) -> Sweep:
    """`predict` at every point of `study`."""
    points = (
        SweptPoint(condition.parameters, predict(condition.scenario(study.seed)))
        for condition in study.conditions()
    )
    return Sweep(study.name, tuple(points))
