"""Equal greedy TCPs that meet at a port: their windows together, or utilisation of the line.

W is the sum of all windows. While W is at most C R + B, which path and buffer contain, no segment
is lost, and the part above C R waits at the port. Beyond that windows are halved: together, as one
(Lakshman and Madhow 1997), or independently (Appenzeller, Keslassy and McKeown 2004).
"""

import math
from dataclasses import dataclass

from cellway.errors import TheoryError
from cellway.prediction import dfba
from cellway.prediction.answer import Assumption, Predicted, Prediction, Refusal, Unit
from cellway.prediction.connections import Connection
from cellway.prediction.facts import Facts, Table
from cellway.theory import buffered_utilisation, desynchronised_utilisation, window_rate

NEAR = 0.1
"""Largest relative difference of round trips that count as equal."""
NARROWER = "the connections meet others at a line that is no faster; expected their bottleneck here"
MANY = 100
"""Fewest flows for which the normal distribution may hold."""


@dataclass(frozen=True)
class Together:
    """TCPs at one port.

    Attributes:
        facts: of the scenario.
        port: its entry in `explain`.
        flows: at least two.
    """

    facts: Facts
    port: Table
    flows: list[Connection]

    @property
    def of(self) -> str:
        """Name of the port, in words."""
        return f"port {self.port['name']}"

    @property
    def ceiling(self) -> float:
        """Largest data rate, bit/s."""
        return float(self.flows[0].tcp["ceiling_bits_per_second"])

    @property
    def round_trip(self) -> float:
        """Mean round trip, seconds, with empty queues."""
        return math.fsum(one.round_trip for one in self.flows) / len(self.flows)

    @property
    def frame(self) -> int:
        """Cells or packets per segment."""
        return int(self.flows[0].tcp["cells_per_segment"]) if self.port["unit"] == "cell" else 1

    def utilisation(self, name: str, value: float) -> Predicted:
        """Utilisation of the line, with its path in the summary of a run."""
        return Predicted(name, value, "1", f"ports.{self.port['name']}.utilisation")


def predicted(facts: Facts, port: Table) -> Prediction | Refusal | None:
    """Prediction for TCPs at a port; `None` where there are not several."""
    passing = facts.passing(port)
    flows = [Connection(facts, one.flow) for one in passing if one.flow["tcp"]]
    line = facts.link(port["node"], port["link"])
    rate = line["cell_bits_per_second"] or line["line_bits_per_second"]
    slowest = [one.flow["bottleneck"]["bits_per_second"] for one in flows]
    if len(flows) < 2 or min(slowest) < rate * (1 - 1e-6):  # noqa: PLR2004
        return None
    if all(one.flow["abr"] for one in flows):
        return None  # Each has a share of its own.
    met = Together(facts, port, flows)
    is_dfba = port["drop"] == "dfba" and len(port["queues"]) == 1
    reason = facts.varying([port["link"]])
    reason = reason or (_narrower(met, line) if is_dfba else _outside(met, len(passing)))
    if reason is not None:
        return Refusal(met.of, reason)
    return dfba.predicted(facts, port, flows) if is_dfba else _by_windows(met)


def _by_windows(met: Together) -> Prediction | Refusal:
    """Prediction by windows: no loss while all windows fit; beyond that they are halved."""
    flows = met.flows
    window = math.fsum(one.tcp["window_segments"] * one.segment for one in flows)
    found = window_rate(window, met.round_trip, met.ceiling)
    size = met.facts.buffer(met.port)
    waiting = found.queue / flows[0].segment * met.frame
    if size is None or waiting <= size:
        return _windows(met, found.rate / met.ceiling, waiting)
    try:
        return _halved(met, size)
    except TheoryError as error:
        return Refusal(met.of, str(error))


def _outside(met: Together, passing: int) -> str | None:
    """Reason why no formula applies to the flows here; `None` if one does."""
    line, flows = met.facts.link(met.port["node"], met.port["link"]), met.flows
    faults = {
        "other traffic than data of TCP meets there; expected greedy TCPs alone": passing
        != len(flows)
        or line["ack_flows"],
        "not all connections are greedy; expected greedy ones": any(
            met.facts.traffic(one.flow)[0] != "greedy" for one in flows
        ),
        "connections are paced by ABR; expected ubr": any(one.flow["abr"] for one in flows),
        "lines lose packets; expected losses of the buffer alone": any(
            one.flow.get("loss") for one in flows
        ),
        "connections differ; expected equal ones": any(one.said != flows[0].said for one in flows),
        "service classes wait in queues of their own; expected one class": len(met.port["queues"])
        != 1,
        NARROWER: _narrower(met, line) is not None,
        "VCs have buffers of their own; expected one of the port": met.port["queues"][0]["buffer"][
            "kind"
        ]
        not in {"infinite", "per_port"},
    }
    return next((reason for reason, is_so in faults.items() if is_so), None)


def _narrower(met: Together, line: Table) -> str | None:
    """Reason why a line before or behind the port limits the flows; `None` if none does."""
    return NARROWER if any(_is_narrower(met, one, line) for one in met.flows) else None


def _is_narrower(met: Together, one: Connection, line: Table) -> bool:
    """True if another line leaves a connection less than this one may."""
    hops = (met.facts.link(*hop) for hop in met.facts.hops(one.flow))
    here = line["line_bits_per_second"] / line["flows"]
    return any(
        hop["flows"] > line["flows"] and hop["line_bits_per_second"] / hop["flows"] < here
        for hop in hops
    )


def _windows(met: Together, used: float, waiting: float) -> Prediction:
    path = f"ports.{met.port['name']}.mean_queue"
    used = min(1.0, used)
    in_service = used if met.facts.counts_in_service(met.port) else 0.0
    unit: Unit = "packet" if met.port["unit"] == "packet" else "cell"
    return Prediction(
        "windows that the path and the buffer contain",
        met.of,
        "a window per round trip",
        (
            met.utilisation("utilisation", used),
            Predicted("mean queue", waiting + in_service, unit, path),
        ),
        (_equal_round_trips(met),),
    )


def _halved(met: Together, size: int) -> Prediction | Refusal:
    first, law = met.flows[0], met.flows[0].said["congestion"]
    if law != "reno":
        return Refusal(met.of, "windows grow by another law; expected congestion reno")
    path = met.ceiling * met.round_trip / first.segment
    ratio = size / met.frame / path
    together = buffered_utilisation("reno", path, ratio, first.segments_per_ack)
    numbers = [met.utilisation("utilisation, halved together", together)]
    if len(met.flows) >= MANY:
        least = desynchronised_utilisation(ratio, len(met.flows))
        numbers.append(met.utilisation("halved independently, at least", least))
    each = path * (1 + ratio) / len(met.flows)
    rule = first.said["recovery"]
    return Prediction(
        "windows halved by a full buffer",
        met.of,
        "Lakshman and Madhow 1997; Appenzeller, Keslassy and McKeown 2004",
        (*numbers, Predicted("buffer over the path's window", ratio, "1")),
        (
            _equal_round_trips(met),
            Assumption("only a full buffer discards", met.port["drop"] == "tail", met.port["drop"]),
            Assumption(
                "losses are repaired without timeouts",
                rule in {"new_reno", "new_reno_steady", "sack", "sack_pipe"} and each >= 10,  # noqa: PLR2004
                f"{rule}, windows of at most {each:.3g} segments",
            ),
            Assumption(
                "all windows are halved together",
                None,
                f"of {len(met.flows)} connections some may be spared, which leaves more",
            ),
        ),
    )


def _equal_round_trips(met: Together) -> Assumption:
    trips = [one.round_trip for one in met.flows]
    why = f"{min(trips) * 1e3:.4g} to {max(trips) * 1e3:.4g} ms"
    return Assumption("round trips are equal", max(trips) <= min(trips) * (1 + NEAR), why)
