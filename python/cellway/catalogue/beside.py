"""Theory beside the rows of a paper."""

from cellway.catalogue.published import Row
from cellway.catalogue.runner import Reproduction
from cellway.prediction import Compared, beside_quantity, predict
from cellway.scenario.scenario import Scenario
from cellway.text.units import UNITS


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
