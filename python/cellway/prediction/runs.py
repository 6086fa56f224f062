"""Theory beside simulation: every predicted number that a run has, too, over several seeds."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from cellway.prediction.answer import Predicted, Prediction, Theory
from cellway.prediction.facts import Facts
from cellway.quantity import NoNumberError, NothingThereError, Quantity
from cellway.runs import Run, run
from cellway.scenario import Scenario
from cellway.statistics import Estimate, estimate


@dataclass(frozen=True)
class Compared:
    """A predicted number and the same of runs.

    Attributes:
        prediction: whose number it is.
        predicted: the number.
        simulated: mean and 95 % interval; `None` if the runs have none.
    """

    prediction: Prediction
    predicted: Predicted
    simulated: Estimate | None

    @property
    def difference(self) -> float | None:
        """Theory minus simulation, relative to simulation; `None` if that is 0 or missing."""
        if self.simulated is None or self.simulated.mean == 0:
            return None
        return self.predicted.value / self.simulated.mean - 1

    @property
    def is_within(self) -> bool | None:
        """Whether the interval contains the prediction; `None` without an interval."""
        if self.simulated is None or self.simulated.interval is None:
            return None
        low, high = self.simulated.interval
        return low <= self.predicted.value <= high

    def as_data(self) -> dict[str, Any]:
        """As plain dictionaries, for JSON."""
        return {
            "of": self.prediction.of,
            "model": self.prediction.model,
            "violated": [one.text for one in self.prediction.violated],
            "predicted": asdict(self.predicted),
            "simulated": None if self.simulated is None else asdict(self.simulated),
            "difference": self.difference,
            "is_within": self.is_within,
        }


def beside_runs(scenario: Scenario, theory: Theory, replications: int) -> tuple[Compared, ...]:
    """`theory` of `scenario` beside runs with its seed and those that follow.

    Distributions at the ports in question are observed, which changes no result.

    Args:
        scenario: what is run.
        theory: what `predict` says of it.
        replications: runs, at least 1; two and more have intervals.

    Raises:
        RunError: a run could not finish.
    """
    observed = _observing(scenario, theory)
    first = Facts(scenario).resolved["run"]["seed"]
    seeded = [observed.with_set("run.seed", first + step) for step in range(replications)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(run, seeded))
    return tuple(
        Compared(one, number, _of_runs(runs, number.path))
        for one in theory.predictions
        for number in one.numbers
        if number.path is not None
    )


def _observing(scenario: Scenario, theory: Theory) -> Scenario:
    ports = [one.of.removeprefix("port ") for one in theory.predictions if one.of[:5] == "port "]
    if not ports:
        return scenario
    observe = Facts(scenario).resolved.get("observe", {})
    already: list[str] = observe.get("distributions", {}).get("ports", [])
    return scenario.with_set("observe.distributions.ports", sorted({*already, *ports}))


def _of_runs(runs: list[Run], path: str) -> Estimate | None:
    quantity = Quantity(path)
    try:
        return estimate([quantity.of(one.summary) for one in runs])
    except (NoNumberError, NothingThereError):
        return None
