"""Sources without TCP that meet at a port: M/D/1, N·D/D/1, on-off sources as a fluid."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from cellway.errors import TheoryError
from cellway.prediction.answer import Assumption, Predicted, Prediction, Refusal, Unit
from cellway.prediction.facts import Facts, Passage, Table, seconds
from cellway.theory import FluidQueue, PeriodicQueue, PoissonQueue

NEVER = 1e-6
"""Smallest loss that a run of ours could show."""
FAST = 10
"""Ratio to the rate of the port from which an access line counts as fast."""


@dataclass(frozen=True)
class Meeting:
    """Equal sources at one port.

    Attributes:
        facts: of the scenario.
        port: its entry in `explain`.
        passing: the flows.
        service: seconds for a cell or packet.
        rate: cells or packets per second of all flows, on average.
    """

    facts: Facts
    port: Table
    passing: list[Passage]
    service: float
    rate: float

    @property
    def of(self) -> str:
        """Name of the port, in words."""
        return f"port {self.port['name']}"

    @property
    def unit(self) -> Unit:
        """Unit of the queue."""
        return "packet" if self.port["unit"] == "packet" else "cell"

    @property
    def load(self) -> float:
        """Part of the time in which the line is busy."""
        return self.rate * self.service

    def path(self, name: str) -> str:
        """Path of a number of the port in the summary of a run."""
        return f"ports.{self.port['name']}.{name}"

    def queue(self, number: float) -> Predicted:
        """Mean queue, from the mean number with the cell in service."""
        mean = number if self.facts.counts_in_service(self.port) else number - self.load
        return Predicted("mean queue", mean, self.unit, self.path("mean_queue"))

    def utilisation(self) -> Predicted:
        """Utilisation of the line."""
        return Predicted("utilisation", self.load, "1", self.path("utilisation"))

    def delays(self, mean_wait: float, p99: float) -> tuple[Predicted, Predicted]:
        """Mean and 99 % quantile of delays, transmission included, from waits in service times."""
        mean, quantile = ((wait + 1) * self.service for wait in (mean_wait, p99))
        return (
            Predicted("mean delay at the port", mean, "s", self.path("delay.mean")),
            Predicted("delay at the port, p99", quantile, "s", self.path("delay.p99")),
        )


def predicted(facts: Facts, port: Table) -> Prediction | Refusal | None:
    """Prediction for the queue; `None` where TCP passes, or where no queue can arise."""
    passing = facts.passing(port)
    is_alone = facts.link(port["node"], port["link"])["ack_flows"] == 0
    has_tcp = any(one.flow["tcp"] for one in passing)
    if not passing or has_tcp or not is_alone or not _may_queue(facts, port, passing):
        return None
    of = f"port {port['name']}"
    reason = facts.varying([port["link"]]) or _outside(facts, port, passing)
    if reason is not None:
        return Refusal(of, reason)
    met = _meeting(facts, port, passing)
    model = MODELS[facts.traffic(passing[0].flow)[0]]
    try:
        return model(met)
    except TheoryError as error:
        return Refusal(of, f"{error}; the load is {met.load:.4g}")


def _outside(facts: Facts, port: Table, passing: list[Passage]) -> str | None:
    """Reason why no formula applies to these sources; `None` if one does."""
    loads = [facts.traffic(one.flow) for one in passing]
    (word, parameters), flow = loads[0], passing[0].flow
    if any(load != loads[0] for load in loads):
        words = ", ".join(sorted({word for word, _ in loads}))
        return f"sources of several kinds or rates meet ({words}); expected equal ones"
    if word not in MODELS:
        return f"sources are {word}; expected {', '.join(MODELS)}"
    if len(port["queues"]) != 1:
        return "service classes wait in queues of their own; expected one class"
    if not flow["raw"] and not isinstance(parameters.get("datagram"), str):
        return "datagrams differ in size; expected one size"
    if not flow["raw"] and flow["bottleneck"]["at"] != port["link"]:
        return f"{flow['name']} has its bottleneck at {flow['bottleneck']['at']}; expected it here"
    return None


def _may_queue(facts: Facts, port: Table, passing: list[Passage]) -> bool:
    """True if cells can arrive faster than they leave."""
    lines = {one.before for one in passing}
    speeds = [facts.link(*line)["line_bits_per_second"] for line in lines]
    out = facts.link(port["node"], port["link"])["line_bits_per_second"]
    return bool(sum(speeds) > out)


def _meeting(facts: Facts, port: Table, passing: list[Passage]) -> Meeting:
    first, count = passing[0].flow, len(passing)
    if first["raw"]:
        service = 1 / facts.link(port["node"], port["link"])["cells_per_second"]
        each = first["raw"]["offered_cells_per_second"]
    else:
        each = first["datagrams"]["per_second"]
        service = first["datagrams"]["load"] / each
    return Meeting(facts, port, passing, service, count * each)


def _common(met: Meeting) -> list[Assumption]:
    facts, passing = met.facts, met.passing
    own = len({one.before for one in passing}) == len(passing)
    direct = all(one.is_first for one in passing)
    impaired = [one.before[1] for one in passing if facts.link(*one.before).get("impairments")]
    scheduler = facts.node(met.port["node"]).get("scheduler", "fifo")
    drop = met.port["drop"]
    return [
        Assumption(
            "each source has an access line of its own, and no queue before this one",
            own and direct,
            "" if own and direct else "sources share a line, or pass another port before",
        ),
        Assumption("lines lose nothing", not impaired, ", ".join(impaired)),
        Assumption(
            "first in, first out, and only a full buffer discards",
            scheduler == "fifo" and drop == "tail",
            f"{scheduler}, {drop}",
        ),
    ]


def _never_full(met: Meeting, loss: float) -> Assumption:
    size = met.facts.buffer(met.port)
    if size is None:
        return Assumption("the buffer is never full", True, "it is infinite")
    text = f"{size} {met.unit}s; the model loses {loss:.2g} of them"
    return Assumption("the buffer is never full", loss < NEVER, text)


def _poisson(met: Meeting) -> Prediction:
    """M/D/1; behind access lines as fast as the port, waits at those lines are subtracted.

    In a tree of lines that take the same time for every cell, a cell waits as long in all as it
    would at the last line alone.
    """
    queue, count = PoissonQueue(met.load), len(met.passing)
    size = met.facts.buffer(met.port)
    # Places: the buffer and, if it is not counted there, the cell in service.
    places = 0 if size is None else size + (not met.facts.counts_in_service(met.port))
    loss = 0.0 if size is None else queue.loss(places)
    lines = [met.facts.link(*one.before)["line_bits_per_second"] for one in met.passing]
    out = met.facts.link(met.port["node"], met.port["link"])["line_bits_per_second"]
    is_tree = set(lines) == {out} and count > 1
    before = PoissonQueue(met.load / count).mean_wait() if is_tree else 0.0
    wait = queue.mean_wait() - before
    mean, p99 = met.delays(wait, queue.wait_quantile(0.99))
    numbers = [met.utilisation(), met.queue(met.load * (1 + wait)), mean]
    numbers += [] if is_tree else [p99]
    numbers += [] if size is None else [Predicted("loss", loss, "1")]
    slowest = f"the slowest is {min(lines) / out:.3g} times as fast"
    spread = (
        Assumption("access lines are as fast as the port, and share the waiting", True)
        if is_tree
        else Assumption(
            f"arrivals are a Poisson process: access lines at least {FAST} times as fast",
            min(lines) >= FAST * out,
            slowest,
        )
    )
    return Prediction(
        "M/D/1 behind access lines" if is_tree else "M/D/1",
        met.of,
        "Pollaczek 1930, Khintchine 1932; Franx 2001 for the law; Keilson 1966 for the loss",
        tuple(numbers),
        (spread, *_common(met), _never_full(met, loss)),
    )


def _periodic(met: Meeting) -> Prediction:
    count = len(met.passing)
    queue = PeriodicQueue(count, count / met.load)
    size = met.facts.buffer(met.port)
    loss = 0.0 if size is None else queue.work_above(float(size))
    mean, p99 = met.delays(queue.mean_wait(), queue.wait_quantile(0.99))
    run = met.facts.resolved["run"]
    starts = {str(met.facts.said(one.flow)["start"]) for one in met.passing}
    drawn = run["phase"] == "random" and len(starts) == 1
    return Prediction(
        "N·D/D/1",
        met.of,
        "Roberts and Virtamo 1991",
        (
            met.utilisation(),
            met.queue(queue.mean_number()),
            mean,
            # The quantile of a run is that of its own phases, which is another number.
            replace(p99, path=None),
        ),
        (
            Assumption(
                "phases are independent and uniform over a period",
                drawn,
                f"run.phase is {run['phase']}" if len(starts) == 1 else "starts differ",
            ),
            Assumption(
                "many sets of phases: a run has one for all of its time",
                None,
                "means are over runs with different seeds",
            ),
            *_common(met),
            _never_full(met, loss),
        ),
    )


def _fluid(met: Meeting) -> Prediction:
    _, parameters = met.facts.traffic(met.passing[0].flow)
    on, off = seconds(parameters["on"]), seconds(parameters["off"])
    count = len(met.passing)
    # A burst in cells: a source sends at its peak in bursts.
    peak = met.rate / count * (on + off) / on
    queue = FluidQueue(count, peak, on, off, 1 / met.service)
    size = met.facts.buffer(met.port)
    beyond = 0.0 if size is None else queue.above(float(size))
    burst = peak * on
    return Prediction(
        "on-off sources as a fluid",
        met.of,
        "Anick, Mitra and Sondhi 1982",
        (
            met.utilisation(),
            Predicted("mean queue of the bursts", queue.mean(), met.unit, met.path("mean_queue")),
            Predicted(
                "queue of the bursts, p99",
                queue.quantile(0.99),
                met.unit,
                met.path("queue_distribution.p99"),
            ),
        ),
        (
            Assumption(
                "cells are small beside a burst, and their own queue beside that of bursts",
                burst >= FAST * FAST and queue.mean() >= 1,
                f"{burst:.3g} {met.unit}s in a burst, {queue.mean():.3g} wait on average",
            ),
            *_common(met),
            _never_full(met, beyond),
        ),
    )


MODELS: Mapping[str, Callable[[Meeting], Prediction]] = {
    "cbr": _periodic,
    "poisson": _poisson,
    "exponential_on_off": _fluid,
}
"""Formula for each word of traffic."""
