"""Theory beside simulation: every predicted number that runs have, too."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from cellway.prediction.answer import Predicted, Prediction, Theory
from cellway.runs.quantity import ANY, NoNumberError, NothingThereError, Quantity
from cellway.runs.runs import Run
from cellway.runs.side_by_side import run_all
from cellway.scenario.scenario import Scenario
from cellway.statistics import Estimate, estimate

WIDE = 0.2
"""Half-width of an interval over its mean, above which the interval decides nothing."""


@dataclass(frozen=True)
class Compared:
    """A predicted number and the same number of runs.

    Attributes:
        prediction: the prediction that the number belongs to.
        predicted: the number.
        simulated: mean and 95 % interval, in the base unit; `None` if the runs have none.
    """

    prediction: Prediction
    predicted: Predicted
    simulated: Estimate | None

    @property
    def ratio(self) -> float | None:
        """Theory over simulation; `None` if that is 0 or missing."""
        if self.simulated is None or self.simulated.mean == 0:
            return None
        return self.predicted.value / self.simulated.mean

    @property
    def difference(self) -> float | None:
        """Theory minus simulation, relative to simulation; `None` if that is 0 or missing."""
        return None if self.ratio is None else self.ratio - 1

    @property
    def is_wide(self) -> bool:
        """True if the interval is too wide beside the mean to decide anything."""
        half = None if self.simulated is None else self.simulated.half_width
        return half is not None and half > WIDE * abs(self.simulated.mean)  # type: ignore[union-attr]

    @property
    def is_within(self) -> bool | None:
        """True if the interval contains the prediction; `None` if there is none, or a wide one."""
        if self.simulated is None or self.simulated.interval is None or self.is_wide:
            return None
        low, high = self.simulated.interval
        return low <= self.predicted.value <= high

    def as_data(self) -> dict[str, Any]:
        """The comparison as plain dictionaries, for JSON."""
        return {
            "of": self.prediction.of,
            "model": self.prediction.model,
            "violated": [one.text for one in self.prediction.violated],
            "predicted": asdict(self.predicted),
            "simulated": None if self.simulated is None else asdict(self.simulated),
            "ratio": self.ratio,
            "difference": self.difference,
            "is_wide": self.is_wide,
            "is_within": self.is_within,
        }


def beside_runs(scenario: Scenario, theory: Theory, replications: int) -> tuple[Compared, ...]:
    """`theory` of `scenario` beside runs with its seed and the seeds after it.

    Distributions at the ports in question are observed, which changes no result.

    Args:
        scenario: the scenario to run.
        theory: its prediction by `predict`.
        replications: runs, at least 1; two and more have intervals.

    Raises:
        RunError: a run could not finish.
    """
    observed = _observing(scenario, theory)
    first = scenario._core.seed  # noqa: SLF001
    seeded = [observed.with_set("run.seed", first + step) for step in range(replications)]
    runs = run_all(seeded)
    return _all(theory, lambda path: _of_runs(runs, path))


def beside_run(theory: Theory, finished: Run) -> tuple[Compared, ...]:
    """`theory` of a scenario beside one run of it; numbers that the run lacks are left out."""
    found = _all(theory, lambda path: _of_runs([finished], path))
    return tuple(one for one in found if one.simulated is not None)


def beside_quantity(
    theory: Theory, quantity: Quantity, simulated: Estimate, scale: float = 1.0
) -> tuple[Compared, ...]:
    """Prediction of one quantity beside its mean over runs.

    A quantity of several flows or ports has a prediction if each of them has.

    Args:
        theory: the prediction of the scenario by `predict`.
        quantity: of the summary.
        simulated: its mean over runs.
        scale: the base unit over that of `simulated`.
    """
    half = simulated.half_width
    base = replace(
        simulated,
        mean=simulated.mean * scale,
        half_width=None if half is None else half * scale,
    )
    if ANY in quantity.path:
        return _joined(theory, quantity, base)
    found = _all(theory, lambda path: base if path == quantity.path else None)
    return tuple(one for one in found if one.simulated is not None)


def _all(theory: Theory, simulated: Callable[[str], Estimate | None]) -> tuple[Compared, ...]:
    return tuple(
        Compared(one, number, simulated(number.path))
        for one in theory.predictions
        for number in one.numbers
        if number.path is not None
    )


def _joined(theory: Theory, quantity: Quantity, base: Estimate) -> tuple[Compared, ...]:
    """Prediction of a path with `*`: the same reduction of the predictions of each name."""
    kind, last = quantity.path.partition(".")[0], quantity.path.rpartition(".")[2]
    tree: dict[str, dict[str, float]] = {}
    told: dict[str, Prediction] = {}
    for one in theory.predictions:
        part, _, name = one.of.partition(" ")
        for number in one.numbers:
            if f"{part}s" == kind and number.path == f"{kind}.{name}.{last}":
                tree.setdefault(name, {last: number.value})
                told.setdefault(name, one)
    known = theory.parts.get(kind, ())
    if not tree or set(tree) != set(known):
        return ()
    try:
        value = quantity.of({kind: tree})
    except (NoNumberError, NothingThereError):
        return ()
    first = next(iter(told.values()))
    assumed = {text.text: text for one in told.values() for text in one.assumptions}
    assumed |= {text.text: text for one in told.values() for text in one.violated}
    models = sorted({one.model for one in told.values()})
    together = replace(first, model=", ".join(models), of=kind, assumptions=tuple(assumed.values()))
    unit = next(number.unit for number in first.numbers if (number.path or "").endswith(last))
    return (Compared(together, Predicted(str(quantity), value, unit, quantity.path), base),)


def _observing(scenario: Scenario, theory: Theory) -> Scenario:
    ports = [one.of.removeprefix("port ") for one in theory.predictions if one.of[:5] == "port "]
    if not ports:
        return scenario
    already = scenario._core.observed_ports or []  # noqa: SLF001
    return scenario.with_set("observe.distributions.ports", sorted({*already, *ports}))


def _of_runs(runs: list[Run], path: str) -> Estimate | None:
    quantity = Quantity(path)
    try:
        return estimate([quantity.of(one.summary) for one in runs])
    except (NoNumberError, NothingThereError):
        return None
