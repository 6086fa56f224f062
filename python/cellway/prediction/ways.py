"""Theory, simulation and measurement of one scenario side by side, over the same seeds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cellway.prediction.answer import Prediction, Theory
from cellway.runs.models import MEASURE, WAYS
from cellway.runs.quantity import Quantity
from cellway.scenario.scenario import Scenario
from cellway.statistics import Estimate
from cellway.study import Response, Results, Study
from cellway.study.plan import WAY
from cellway.study.response_names import missing_sources

MAX_FLOWS = 6
"""Most flows that have numbers of their own; of more, families have them together."""
MAX_LINKS = 4
"""Most bottlenecks that are listed."""
_SIMULATED, _MEASURED = range(2)
_FLOW = {
    "goodput": ("bit/s", "throughput_bits_per_second"),
    "delay, median": ("s", "one_way_delay.p50"),
    "delay, 99th percentile": ("s", "one_way_delay.p99"),
    "round trip, mean": ("s", "rtt.mean_s"),
    "segments sent again": ("", "retransmitted_segments"),
    "timeouts": ("", "timeouts"),
    "fast retransmits": ("", "fast_retransmits"),
}
"""Numbers of a flow: unit, and path in its part of the summary."""
_PORT = {
    "queue, mean": ("", "mean_queue"),
    "waiting, median": ("s", "delay.p50"),
    "waiting, 99th percentile": ("s", "delay.p99"),
    "lost: buffer full": ("", "drops.overflow"),
}


@dataclass(frozen=True)
class Number:
    """A number of the scenario, made in each way.

    Attributes:
        of: its place, as ``"flow bulk"``.
        name: in words.
        unit: base unit; ``""`` for a count, ``"1"`` for a fraction.
        quantity: path in the summary.
    """

    of: str
    name: str
    unit: str
    quantity: Quantity

    @property
    def response(self) -> Response:
        """The number as a response of a study, in its base unit."""
        return Response(f"{self.of}: {self.name}", self.quantity)


@dataclass(frozen=True)
class Beside:
    """A number by all ways.

    Attributes:
        number: the number.
        theory: formula and value, of each formula that predicts it.
        simulated: mean and interval over the seeds; `None` if no run has it.
        measured: likewise.
        difference: measurement minus simulation with its interval, by pairs of runs with equal
            seeds; `None` without two pairs.
    """

    number: Number
    theory: tuple[tuple[str, float], ...]
    simulated: Estimate | None
    measured: Estimate | None
    difference: Estimate | None

    @property
    def relative(self) -> float | None:
        """Measurement minus simulation, relative to simulation; `None` if that is 0 or missing."""
        if self.simulated is None or self.measured is None or not self.simulated.mean:
            return None
        return (self.measured.mean - self.simulated.mean) / abs(self.simulated.mean)

    def as_data(self) -> dict[str, Any]:
        """The number as plain dictionaries, for JSON."""
        found = {
            "simulated": self.simulated,
            "measured": self.measured,
            "difference": self.difference,
        }
        return {
            "of": self.number.of,
            "name": self.number.name,
            "unit": self.number.unit,
            "quantity": str(self.number.quantity),
            "theory": [{"model": model, "value": value} for model, value in self.theory],
            **{name: None if one is None else asdict(one) for name, one in found.items()},
            "relative": self.relative,
        }


def ways_study(scenario: Scenario, theory: Theory, runs: int) -> Study:
    """The study that makes the numbers of `scenario` by both ways, with its seed and those after.

    Distributions at the ports and flows in question are observed, which changes no result.
    """
    numbers = _numbers(scenario, theory)
    flows = [one.of.removeprefix("flow ") for one in numbers if one.of.startswith("flow ")]
    ports = [one.of.removeprefix("port ") for one in numbers if one.of.startswith("port ")]
    sets = [
        (f"observe.distributions.{kind}", sorted({*names}))
        for kind, names in (("flows", flows), ("ports", ports))
        if names
    ]
    study = Study(
        scenario.with_sets(sets),
        {WAY: list(WAYS)},
        replications=runs,
        responses=[one.response for one in numbers],
        seed=scenario._core.seed,  # noqa: SLF001
        compared=WAY,
        name=f"{Path(scenario.origin).stem[:80]} by all ways",
    )
    missing = missing_sources(study)
    return study.replaced(responses=[one for one in study.responses if one.name not in missing])


def beside_ways(scenario: Scenario, theory: Theory, results: Results) -> list[Beside]:
    """The numbers of the study of `ways_study`, each by all ways."""
    made = {response.name for response in results.study.responses}
    predicted = _predicted(theory)
    return [
        _beside(one, predicted.get(str(one.quantity), ()), results)
        for one in _numbers(scenario, theory)
        if one.response.name in made
    ]


def _beside(one: Number, theory: tuple[tuple[str, float], ...], results: Results) -> Beside:
    name = one.response.name
    difference = next((found.get(MEASURE) for _, found in results.comparisons(name)), None)
    simulated, measured = (results.estimate(name, point) for point in (_SIMULATED, _MEASURED))
    return Beside(one, theory, simulated, measured, difference)


def _predicted(theory: Theory) -> dict[str, tuple[tuple[str, float], ...]]:
    """Formula and value of each prediction, by path."""
    found: dict[str, tuple[tuple[str, float], ...]] = {}
    for one in theory.predictions:
        for number in one.numbers:
            if number.path is not None:
                found[number.path] = (*found.get(number.path, ()), (one.model, number.value))
    return found


def _numbers(scenario: Scenario, theory: Theory) -> list[Number]:
    """Numbers of flows with TCP, of their bottlenecks, and those that formulas predict."""
    explained = scenario.explain()
    flows = [flow for flow in explained["flows"] if flow["tcp"]]
    names = [flow["name"] for flow in flows]
    found = [*_together(names), *_of_flows(names), *_of_bottlenecks(flows, explained["ports"])]
    known = {str(one.quantity) for one in found}
    for one in theory.predictions:
        found += [other for other in _of_theory(one) if str(other.quantity) not in known]
        known |= {str(other.quantity) for other in found}
    return found


def _together(names: Sequence[str]) -> Iterator[Number]:
    if len(names) > 1:
        path = "groups.tcp.goodput.sum_bits_per_second"
        yield Number("all TCP", "goodput", "bit/s", Quantity(path))
        yield Number("all TCP", "fairness", "", Quantity("groups.tcp.fairness"))


def _of_flows(names: Sequence[str]) -> Iterator[Number]:
    if len(names) <= MAX_FLOWS:
        for name in names:
            for said, (unit, path) in _FLOW.items():
                yield Number(f"flow {name}", said, unit, Quantity(f"flows.{name}.{path}"))
        return
    families = {name.partition("[")[0]: "[" in name for name in names}
    for name, has_several in families.items():
        members = f"flows.{name}[*]" if has_several else f"flows.{name}"
        for said, (unit, path) in _FLOW.items():
            # Delays of several flows have no sum, and a mean of their quantiles is no quantile.
            if unit != "s":
                quantity = Quantity(f"{members}.{path}", "sum" if has_several else None)
                yield Number(f"flows {name}", said, unit, quantity)


def _of_bottlenecks(
    flows: Sequence[Mapping[str, Any]], ports: Sequence[Mapping[str, Any]]
) -> Iterator[Number]:
    known = {port["name"] for port in ports}
    places: dict[str, str] = {}
    for flow in flows:
        at = flow["bottleneck"]["at"]
        for hop, node in zip(flow["hops"], flow["path"], strict=False):
            if hop["link"] == at:
                places.setdefault(at, f"{node}.{at}")
    for link, port in list(places.items())[:MAX_LINKS]:
        yield Number(f"link {link}", "utilisation", "1", Quantity(f"channels.{link}.utilisation"))
        if port in known:
            for said, (unit, path) in _PORT.items():
                yield Number(f"port {port}", said, unit, Quantity(f"ports.{port}.{path}"))


def _of_theory(one: Prediction) -> Iterator[Number]:
    for number in one.numbers:
        if number.path is not None:
            unit = "" if number.unit in {"cell", "packet", "segment"} else number.unit
            yield Number(one.of, number.name, unit, Quantity(number.path))
