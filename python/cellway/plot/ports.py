"""Limits of ports and receivers that `explain` gives, as lines to draw."""

from collections.abc import Iterable, Mapping
from typing import Any

from cellway.scenario.scenario import Scenario
from cellway.text.units import size_text

_WORDS = {"per_port": "per port", "per_vc": "per VC", "shared": "shared"}


def buffer_limits(
    scenario: Scenario, ports: Iterable[str], highest: float
) -> list[tuple[str, float]]:
    """Names and heights of the buffers of `ports`, without buffers far above `highest`.

    Args:
        scenario: describes the switches and edges.
        ports: such as ``"an2.edc-side"``.
        highest: the longest queue, in the unit of the port.
    """
    explained = explained_ports(scenario)
    limits: dict[str, float] = {}
    for port in (explained[name] for name in ports):
        for queue in port["queues"]:
            buffer = queue["buffer"]
            if buffer["size"] is not None and buffer["size"] <= 3.0 * highest:
                size = f"{buffer['size']} {port['unit']}s {_WORDS[buffer['kind']]}"
                limits[f"buffer: {size}"] = float(buffer["size"])
    return list(limits.items())


def receive_windows(scenario: Scenario, flows: Iterable[str]) -> list[tuple[str, float]]:
    """Names and bytes of the receivers' windows of `flows`, each once."""
    explained = {flow["name"]: flow["tcp"] for flow in scenario.explain()["flows"]}
    sizes = [tcp["receive_buffer_bytes"] for name in flows if (tcp := explained[name]) is not None]
    return list(
        {f"window of the receiver, {size_text(size)}": float(size) for size in sizes}.items()
    )


def segment_bytes(scenario: Scenario, flows: Iterable[str]) -> list[int]:
    """The largest segments of those `flows` that have `tcp`, in bytes of data."""
    explained = {flow["name"]: flow["tcp"] for flow in scenario.explain()["flows"]}
    return [tcp["mss_bytes"] for name in flows if (tcp := explained[name]) is not None]


def dfba_thresholds(scenario: Scenario, port: str) -> tuple[float, float]:
    """L and H of Differential Fair Buffer Allocation at `port`, in cells (or packets).

    Raises:
        ValueError: another drop policy, or thresholds on a buffer that other ports share.
    """
    found = explained_ports(scenario)[port]
    if found["drop"] != "dfba":
        raise ValueError(
            f"the drop policy of {found['node']} is {found['drop']}; `dfba` is the one with these "
            "regions"
        )
    queue = found["queues"][-1]
    if queue["buffer"]["kind"] == "shared":
        raise ValueError(
            f"the buffer of {found['node']} is shared and L and H count all its ports; a port has "
            "no regions"
        )
    return float(queue["thresholds"]["low"]), float(queue["thresholds"]["high"])


def vcs_through(explained: Mapping[str, Any], name: str) -> list[str]:
    """VCs that pass port `name`; ``"NAME back"`` is the other direction of one.

    Args:
        explained: the result of `explain`.
        name: such as ``"an2.edc-side"``; a port that is not there has no VCs.
    """
    queues = [
        queue for port in explained["ports"] if port["name"] == name for queue in port["queues"]
    ]
    return [vc for queue in queues for vc in queue["vcs"]]


def explained_ports(scenario: Scenario) -> dict[str, Any]:
    """Entries of `explain` for ports, by their names in the summary."""
    return {port["name"]: port for port in scenario.explain()["ports"]}
