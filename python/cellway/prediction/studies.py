"""Theory beside the means of studies: responses that a formula predicts, at every point."""

from dataclasses import dataclass

from cellway.prediction import predict
from cellway.prediction.runs import Compared, beside_quantity
from cellway.runs.quantity import Quantity
from cellway.study import Results


@dataclass(frozen=True)
class AtPoint:
    """A response of a study beside its prediction.

    Attributes:
        point: index of the combination.
        response: its name.
        compared: in base units.
    """

    point: int
    response: str
    compared: Compared


def beside_study(results: Results) -> tuple[AtPoint, ...]:
    """Every response that a formula predicts, at every point that has runs."""
    asked = [
        (one, one.source)
        for one in results.study.responses
        if isinstance(one.source, Quantity) and not one.explained
    ]
    found = []
    for point, condition in enumerate(results.conditions):
        theory = predict(condition.scenario(results.study.seed)) if asked else None
        for response, quantity in asked:
            mean = results.estimate(response.name, point)
            if mean is not None and theory is not None:
                compared = beside_quantity(theory, quantity, mean, response.scale)
                found += [AtPoint(point, response.name, one) for one in compared]
    return tuple(found)
