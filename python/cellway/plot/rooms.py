"""The room that a scenario gives to queues and windows, as lines to draw."""

import tomllib
from collections.abc import Iterable
from typing import Any

from cellway.scenario import Scenario

_WORDS = {"per_port": "per port", "per_vc": "per VC", "shared": "shared"}
_BYTES = {"B": 1.0, "kB": 1e3, "MB": 1e6, "KiB": 1024.0, "MiB": 1024.0**2, "GiB": 1024.0**3}
_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6}


def buffer_limits(scenario: Scenario, ports: Iterable[str], highest: float) -> list[tuple[str, float]]:
    """Names and heights of the buffers behind `ports`; not those that `highest` stays far below.

    Args:
        scenario: where the switches and edges are described.
        ports: such as ``"an2.edc-side"``.
        highest: the longest queue, in the unit of the port.
    """
    described: dict[str, Any] = tomllib.loads(scenario.to_toml())
    nodes: dict[str, Any] = described.get("switch", {}) | described.get("edge", {})
    limits: dict[str, float] = {}
    for port in ports:
        buffer = nodes.get(port.partition(".")[0], {}).get("buffer")
        for kind, size in buffer.items() if isinstance(buffer, dict) else ():
            height = _amount(size)
            if height is not None and height <= 3.0 * highest:
                limits[f"room: {size}s {_WORDS.get(kind, kind)}"] = height
    return list(limits.items())


def receive_windows(scenario: Scenario, flows: Iterable[str]) -> list[tuple[str, float]]:
    """Names and bytes of the receivers' windows of `flows`, each once."""
    described: dict[str, Any] = tomllib.loads(scenario.to_toml()).get("flow", {})
    limits: dict[str, float] = {}
    for flow in flows:
        size = described.get(flow, {}).get("tcp", {}).get("window")
        number, _, unit = str(size).partition(" ")
        if unit in _BYTES:
            limits[f"window of the receiver, {size}"] = float(number) * _BYTES[unit]
    return list(limits.items())


def _amount(size: str) -> float | None:
    """Cells or packets of ``"256 cell"`` or ``"8 kcell"``."""
    number, _, unit = size.partition(" ")
    prefix = unit.removesuffix("cell").removesuffix("packet")
    try:
        return float(number) * _PREFIXES[prefix]
    except (KeyError, ValueError):
        return None
