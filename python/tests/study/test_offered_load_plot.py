"""Goodput over an offered load: the diagonal, and columns of panels where lines are many."""

import numpy as np
import pytest

from cellway import Scenario, Study
from cellway.plot.studies import plot_study
from cellway.runs.quantity import Quantity
from cellway.study import Factor, Response, Results
from common import text_of

WIRE = text_of("wire.toml")
RULES = ["reno", "new_reno", "sack", "tahoe"]
LOADS = ["4 Mbit/s", "8 Mbit/s", "12 Mbit/s"]


def results(delays: list[str], unit: str = "Mbit/s") -> Results:
    """Three rules over three loads and so many delays."""
    rates = [f"{load} of payload" for load in LOADS]
    return Study(
        Scenario.parse(WIRE),
        [
            Factor.zipped("offered", {"flow.bulk.traffic.cbr.rate": rates}, LOADS),
            Factor.of("delay", ["link.far.delay"], delays),
            Factor.of("recovery", ["flow.bulk.tcp.recovery"], RULES),
        ],
        responses=[
            Response("goodput", Quantity("groups.tcp.goodput.sum_bits_per_second"), unit),
            Response("fairness", Quantity("groups.tcp.fairness")),
        ],
    ).run()


@pytest.fixture(scope="module")
def many() -> Results:
    return results(["1 ms", "2 ms", "5 ms"])


def labels(results: Results, panel: int = 0) -> list[str]:
    return plot_study(results).axes[panel].get_legend_handles_labels()[1]


def test_the_load_that_is_offered_is_the_diagonal(many: Results) -> None:
    goodput = plot_study(many).axes[0]
    (diagonal,) = (line for line in goodput.lines if line.get_label() == "all that is offered")
    assert list(np.asarray(diagonal.get_ydata())) == [0.0, 12.0]
    # Fairness has another unit, and so may have the goodput.
    assert "all that is offered" not in labels(many, 3)
    assert "all that is offered" not in labels(results(["1 ms"], "kbit/s"))


def test_many_lines_are_in_columns_by_the_factor_with_the_fewest_levels(many: Results) -> None:
    axes = plot_study(many).axes
    assert len(axes) == 2 * 3
    goodput = [one.get_title(loc="left") for one in axes[:3]]
    assert goodput == [f"goodput [Mbit/s], delay = {delay}" for delay in ("1 ms", "2 ms", "5 ms")]
    lines = [label for label in labels(many) if label.startswith("recovery")]
    assert lines == [f"recovery = {rule}" for rule in RULES]
    assert len(plot_study(results(["1 ms", "2 ms"])).axes) == 2
