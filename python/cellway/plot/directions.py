"""Which directions of which flows pass a switch port."""

from itertools import pairwise
from typing import Any

from cellway.scenario import Scenario


def directions_through(scenario: Scenario, port: str) -> list[str]:
    """Flows whose cells pass `port`, and ``"NAME back"`` of those whose way back does.

    The way back is the path in reverse, over the first link of each pair of nodes.

    Args:
        scenario: where the path of each flow is described.
        port: such as ``"an2.edc-side"``.
    """
    explained = scenario.explain()
    joins: dict[tuple[str, str], str] = {}
    for link in explained["links"]:
        joins.setdefault((link["from"], link["to"]), link["name"])
    found = []
    for flow in explained["flows"]:
        if port in _forward(flow):
            found.append(flow["name"])
        if port in {f"{node}.{joins.get((node, to))}" for node, to in pairwise(flow["path"][::-1])}:
            found.append(f"{flow['name']} back")
    return found


def _forward(flow: dict[str, Any]) -> set[str]:
    return {f"{node}.{hop['link']}" for node, hop in zip(flow["path"], flow["hops"], strict=False)}
