"""The room that a scenario gives to queues and windows, as lines to draw."""

import math
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


def dfba_thresholds(scenario: Scenario, port: str) -> tuple[float, float]:
    """L and H of Differential Fair Buffer Allocation at `port`, in cells (or packets).

    Raises:
        ValueError: another drop policy, or thresholds that count more than this port's cells.
    """
    described: dict[str, Any] = tomllib.loads(scenario.to_toml())
    node = port.partition(".")[0]
    found: dict[str, Any] = (described.get("switch", {}) | described.get("edge", {})).get(node, {})
    drop, buffer = found.get("drop"), found.get("buffer")
    if not isinstance(drop, dict) or "dfba" not in drop:
        policy = next(iter(drop)) if isinstance(drop, dict) else drop
        raise ValueError(f"the drop policy of {node} is {policy}; `dfba` is the one with these regions")
    size = next(iter(buffer.items())) if isinstance(buffer, dict) else ("infinite", "")
    if size[0] == "shared":
        raise ValueError(
            f"the buffer of {node} is shared and L and H count all its ports; a port has no regions"
        )
    low, high = (_threshold(drop["dfba"][key], size[1]) for key in ("low", "high"))
    return low, high


def _threshold(written: str | float, size: str) -> float:
    """An amount, or a part of a buffer of `size`, to the nearest whole one."""
    if isinstance(written, str):
        return _amount(written) or 0.0
    return math.floor(written * (_amount(size) or 0.0) + 0.5)


def _amount(size: str) -> float | None:
    """Cells or packets of ``"256 cell"`` or ``"8 kcell"``."""
    number, _, unit = size.partition(" ")
    prefix = unit.removesuffix("cell").removesuffix("packet")
    try:
        return float(number) * _PREFIXES[prefix]
    except (KeyError, ValueError):
        return None
