"""Expected losses of a scenario, and a line on each recovery rule that repairs them."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from cellway.cli.alike import folded, together
from cellway.cli.text import number, titled
from cellway.scenario.scenario import schema

_DUPLICATES = 3
"""Number of duplicate ACKs that start fast retransmit."""


def queues(ports: Sequence[Mapping[str, Any]]) -> list[str]:
    """A table of queues that are bottlenecks of transports, and of the drop policy at each."""
    found = [(port, queue) for port in ports for queue in port["queues"] if queue.get("windows")]
    if not found:
        return []
    rows = [_row(port, queue) for port, queue in found]
    names: dict[str, list[str]] = {}
    for port, queue in found:
        names.setdefault(_policy(port, queue), []).append(port["name"])
    policies = [f"{together(of_policy)}: {policy}" for policy, of_policy in names.items()]
    return ["", *titled(folded(rows, "bottleneck queue"), align="<<"), *policies]


def _row(port: Mapping[str, Any], queue: dict[str, Any]) -> dict[str, str]:
    windows, size = queue["windows"], queue["buffer"]["size"]
    unit = "cells" if port["unit"] == "cell" else "packets"
    kind = queue["buffer"]["kind"]
    room = inf if size is None else float(size * windows["flows"] if kind == "per_vc" else size)
    excess = windows["largest_queue"] - room
    return {
        "bottleneck queue": port["name"],
        "class": queue["class"],
        "flows": str(windows["flows"]),
        "windows": f"{windows['units']} {unit}",
        "on the path": number(windows["on_the_path"]),
        "largest queue": number(windows["largest_queue"]),
        "buffer": "infinite" if size is None else f"{size}{_KINDS.get(kind, '')}",
        "excess": number(excess) if excess > 0.0 else "none",
        "first loss": "none" if size is None else _lost_at_first(port, queue, room),
    }


def _lost_at_first(port: Mapping[str, Any], queue: dict[str, Any], room: float) -> str:
    """Number of segments that slow start loses at once until it hears of the first loss.

    For a round trip with a full queue more arrives than the link sends. Where single cells are
    discarded, every segment of that time loses a cell.
    """
    word, windows, buffer = port["drop"], queue["windows"], room
    if word not in {"tail", "ppd", "epd"}:
        return "by the policy"
    if word == "epd":
        room = queue["thresholds"]["threshold"] or room
    excess, extra = windows["largest_queue"] - room, windows["overshoot"]
    if excess <= 0.0:
        return "none"
    units = min(excess, extra * (windows["on_the_path"] + room))
    if port["unit"] == "cell" and word != "epd":
        units *= (1.0 + extra) / extra
    segments = max(1, round(units / windows["units_per_segment"]))
    # A queue that stays below the buffer may stay below the threshold of early discard, too.
    reaches = windows["largest_queue"] > buffer
    return f"about {segments} segments, or fewer" if reaches else f"0 to {segments} segments"


_KINDS = {"per_vc": " per VC", "shared": " of all ports"}


def _policy(port: Mapping[str, Any], queue: dict[str, Any]) -> str:
    """The policy's word, its thresholds and its meaning."""
    word, unit = port["drop"], "cells" if port["unit"] == "cell" else "packets"
    limits = [(limit, key) for key, limit in queue["thresholds"].items() if limit is not None]
    thresholds = [f"{key} {limit} {unit}" for limit, key in sorted(limits)]
    share = queue["thresholds"].get("threshold")
    vcs = len(queue["vcs"])
    if word in {"selective_drop", "fba"} and share is not None and vcs:
        thresholds.append(f"an equal share there {number(share / vcs)} {unit} of {vcs} VCs")
    shown = f" ({', '.join(thresholds)})" if thresholds else ""
    return f"{word}{shown}: {_meanings('switch.NAME.drop')[word]}"


def _meanings(key: str) -> dict[str, str]:
    described = next(one for one in schema()["keys"] if one["key"] == key)
    return {variant["name"]: variant["meaning"] for variant in described["variants"]}


def recovery(tcp: Mapping[str, Any]) -> str:
    """Repair of losses in one window by the recovery rule."""
    word, wait = tcp["recovery"], f"{number(tcp['timeout_seconds'])} s or more"
    trip = tcp["unloaded_rtt_seconds"]
    trips = int(tcp["timeout_seconds"] / trip) if trip > 0.0 else 0
    if word != "vanilla" and tcp["window_segments"] <= _DUPLICATES:
        return (
            f"{word}: {tcp['window_segments']} segments are too few for {_DUPLICATES} duplicate "
            f"ACKs, so every loss waits for the timer, {wait}"
        )
    said = {
        "vanilla": f"every loss waits for the timer, {wait}",
        "tahoe": "retransmits after 3 duplicate ACKs, then slow start from one segment",
        "reno": "repairs one loss per window in a round trip; if more are lost, the last ones "
        f"usually wait for the timer, {wait}",
        "new_reno": "repairs one loss in each round trip; if a window loses more than about "
        f"{max(trips, 1)}, the rest waits for the timer, {wait}",
        "new_reno_steady": "repairs one loss in each round trip: k losses take about k round trips",
        "hoe": "repairs one loss in each round trip, and sends new data meanwhile",
    }
    by_selective = (
        "repairs all losses of a window in about a round trip; a retransmission that is lost "
        f"waits for the timer, {wait}"
    )
    return f"{word}: {said.get(word, by_selective)}"
