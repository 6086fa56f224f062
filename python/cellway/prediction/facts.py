"""Facts of a scenario for formulas: flows, the links that they pass, the ports between."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cellway.scenario.scenario import Scenario

_TIME = re.compile(r"(\d+(?:\.\d+)?) (ps|ns|us|ms|s)")
_SECONDS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}

Table = Mapping[str, Any]


def seconds(text: str) -> float:
    """Seconds of a time as the resolved scenario writes it."""
    found = _TIME.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r}; a time of the resolved scenario is expected")
    return float(found[1]) * _SECONDS[found[2]]


@dataclass(frozen=True)
class Passage:
    """A flow at a port.

    Attributes:
        flow: its entry in `explain`.
        before: node and link by which it comes; `None` from a host.
        is_first: true if it passed no other port before.
    """

    flow: Table
    before: tuple[str, str]
    is_first: bool


class Facts:
    """Entries of `explain` and of the resolved scenario, by name."""

    def __init__(self, scenario: Scenario) -> None:
        self.explained = scenario.explain()
        self.resolved = tomllib.loads(scenario.to_toml())

    @property
    def name(self) -> str:
        """Name of the scenario."""
        return str(self.explained["scenario"])

    @property
    def flows(self) -> list[Table]:
        """Entries of the flows in `explain`."""
        return list(self.explained["flows"])

    @property
    def ports(self) -> list[Table]:
        """Entries of the ports of switches and edges in `explain`."""
        return list(self.explained["ports"])

    @property
    def measured(self) -> float:
        """Seconds of a run after its warm-up."""
        run = self.resolved["run"]
        return seconds(run["duration"]) - seconds(run.get("warm_up", "0 s"))

    @cached_property
    def _links(self) -> dict[tuple[str, str], Table]:
        return {(link["from"], link["name"]): link for link in self.explained["links"]}

    def link(self, node: str, name: str) -> Table:
        """The direction of a link that leaves `node`."""
        return self._links[node, name]

    def hops(self, flow: Table) -> list[tuple[str, str]]:
        """Nodes and links from the source of the data to its destination."""
        links = [hop["link"] for hop in flow["hops"]]
        return list(zip(flow["path"], links, strict=False))

    def said(self, flow: Table) -> Table:
        """Section of a flow in the resolved scenario."""
        return self.resolved["flow"][flow["name"]]  # type: ignore[no-any-return]

    def traffic(self, flow: Table) -> tuple[str, Table]:
        """Word and parameters of the flow's traffic."""
        traffic = self.said(flow)["traffic"]
        if isinstance(traffic, str):
            return traffic, {}
        ((word, parameters),) = traffic.items()
        return word, parameters

    def passing(self, port: Table) -> list[Passage]:
        """Flows whose data pass a port of a switch, in the order of the flows."""
        at = (port["node"], port["link"])
        found = []
        for flow in self.flows:
            hops = self.hops(flow)
            if at in hops and (index := hops.index(at)) > 0:
                found.append(Passage(flow, hops[index - 1], index == 1))
        return found

    def varying(self, links: list[str]) -> str | None:
        """Reason why formulas of constant rates do not apply to these links; `None` if they do."""
        for name in links:
            if isinstance(self.resolved["link"][name].get("capacity"), dict):
                return f"the rate of {name} varies; expected a constant one"
        return None

    def buffer(self, port: Table) -> int | None:
        """Buffer in cells or packets; `None` for an infinite one."""
        (queue,) = port["queues"]
        return queue["buffer"]["size"] if queue["buffer"]["kind"] != "infinite" else None

    def counts_in_service(self, port: Table) -> bool:
        """True if the cell or packet that is being sent counts as queued."""
        return bool(self.node(port["node"]).get("in_service", "counted") == "counted")

    def node(self, name: str) -> Table:
        """Section of a switch or an edge in the resolved scenario."""
        for section in ("switch", "edge"):
            if name in self.resolved.get(section, {}):
                return self.resolved[section][name]  # type: ignore[no-any-return]
        return {}
