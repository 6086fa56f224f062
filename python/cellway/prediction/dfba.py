"""VCs of greedy TCPs that share a port under Differential Fair Buffer Allocation."""

import math
import re

from cellway.errors import TheoryError
from cellway.prediction.answer import Assumption, Predicted, Prediction, Refusal
from cellway.prediction.connections import Connection
from cellway.prediction.facts import Facts, Table
from cellway.text.units import SCALES
from cellway.theory import DfbaBuffer, dfba_shares

CELL = 424
"""Bits of a cell."""
NEAR = 0.1
"""Largest relative difference of round trips that count as equal."""


def predicted(facts: Facts, port: Table, flows: list[Connection]) -> Prediction | Refusal:
    """Prediction for the VCs and the queue of a port with `drop.dfba`."""
    of, (queue,) = f"port {port['name']}", port["queues"]
    members = {
        name: [one for one in flows if facts.said(one.flow).get("vc") == name]
        for name in queue["vcs"]
    }
    if not all(members.values()) or sum(map(len, members.values())) != len(flows):
        return Refusal(of, "not every VC there has connections of its own; expected [vc.NAME]")
    services = [facts.resolved["vc"][name]["service"] for name in members]
    if not all("gfr" in service for service in services):
        return Refusal(of, "not every VC there is GFR; expected service.gfr")
    parameters = facts.node(port["node"])["drop"]["dfba"]
    trips = [one.round_trip for one in flows]
    buffer = DfbaBuffer(
        capacity=facts.link(port["node"], port["link"])["cells_per_second"],
        low=queue["thresholds"]["low"],
        high=queue["thresholds"]["high"],
        round_trip=math.fsum(trips) / len(trips),
        frame=flows[0].tcp["cells_per_segment"],
        alpha=float(parameters["alpha"]),
    )
    mcr = [_cells_per_second(str(service["gfr"]["mcr"])) for service in services]
    z = _scales(parameters["z"], mcr, services)
    try:
        found = dfba_shares(buffer, mcr, z, [len(some) for some in members.values()])
    except TheoryError as error:
        return Refusal(of, str(error))
    numbers = [
        Predicted("mean queue", found.mean_queue, "cell", f"ports.{port['name']}.mean_queue")
    ]
    for (name, some), cells in zip(members.items(), found.rates, strict=True):
        data = cells / buffer.frame * some[0].segment
        numbers.append(Predicted(f"throughput of {name}", data, "bit/s", _path(facts, some)))
    tcp = flows[0].said
    return Prediction(
        "DFBA shares",
        of,
        "formula of this program for DFBA of ATM Forum 98-0405",
        tuple(numbers),
        (
            Assumption(
                "selective acknowledgements",
                tcp["recovery"] in {"sack", "sack_pipe"},
                f"recovery is {tcp['recovery']}",
            ),
            Assumption(
                "every segment is acknowledged", tcp["ack"] == "every_segment", f"ack {tcp['ack']}"
            ),
            Assumption(
                "round trips are equal",
                max(trips) <= min(trips) * (1 + NEAR),
                f"{min(trips) * 1e3:.4g} to {max(trips) * 1e3:.4g} ms",
            ),
            Assumption("windows do not bind, and the link is full", None),
        ),
    )


def _scales(rule: str | Table, mcr: list[float], services: list[Table]) -> list[float]:
    """Z of each VC, by `drop.dfba.z`."""
    if not isinstance(rule, str):
        return [float(rule["constant"])] * len(mcr)
    if rule == "per_vc":
        return [float(service["gfr"]["z"]) for service in services]
    power = {"one": 0, "one_minus_share": 1, "one_minus_share_squared": 2}[rule]
    weights = math.fsum(mcr)
    return [(1 - own / weights if weights else 1.0) ** power for own in mcr]


def _cells_per_second(text: str) -> float:
    number, unit, _ = text.split(maxsplit=2)
    return float(number) * SCALES[unit] / CELL


def _path(facts: Facts, some: list[Connection]) -> str | None:
    """Path of the throughput of these flows together: they are a family of their own, or `None`."""
    families = {re.sub(r"\[\d+\]$", "", one.flow["name"]) for one in some}
    if len(families) != 1:
        return None
    (family,) = families
    pattern = re.compile(re.escape(family) + r"\[\d+\]")
    named = [flow["name"] for flow in facts.flows if pattern.fullmatch(flow["name"])]
    if set(named) != {one.flow["name"] for one in some}:
        return None
    return f"groups.families.{family}.goodput.sum_bits_per_second"
