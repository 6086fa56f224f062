"""Theory beside the means of studies and of reproductions of papers.

Each response or row whose quantity a formula predicts, at every point.
"""

from dataclasses import dataclass

from cellway.catalogue.published import Row
from cellway.catalogue.runner import Reproduction
from cellway.prediction import predict
from cellway.prediction.runs import Compared, beside_quantity
from cellway.runs.quantity import Quantity
from cellway.scenario.scenario import Scenario
from cellway.study import Results
from cellway.text.units import UNITS


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


def beside_rows(reproduction: Reproduction) -> tuple[tuple[Row, Compared], ...]:
    """Every row of a paper that a formula predicts, and that has runs."""
    found = []
    for result in reproduction.results:
        row = result.number
        if not isinstance(row, Row) or row.explained or result.ours is None:
            continue
        theory = predict(Scenario.load(row.scenario).with_sets(list(row.sets)))
        compared = beside_quantity(theory, row.quantity, result.ours, UNITS[row.unit])
        found += [(row, one) for one in compared]
    return tuple(found)
