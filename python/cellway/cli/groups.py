"""Table of flows together: goodput, fairness and efficiency of groups."""

from collections.abc import Collection, Mapping
from typing import Any

from cellway.cli.text import megabits, percent, titled

_ROUNDED = 1.001
"""Most goodput in parts of the ceiling that ends of the measurement within a packet explain."""


def group_lines(summary: Mapping[str, Any]) -> list[str]:
    """A table of goodput, fairness and efficiency of groups of flows; none for older runs."""
    groups, channels = summary.get("groups", {}), summary.get("channels", {})
    wide = {"all TCP": groups.get("tcp"), **groups.get("protocols", {})}
    several: dict[str, dict[str, Any]] = {}
    for name, group in wide.items():
        if group is not None and group["flows"] > 1 and group not in several.values():
            several[name] = group
    of_families = groups.get("families", {}).items()
    several |= {
        f"{name}[*]": group
        for name, group in of_families
        if group["flows"] > 1 and group not in several.values()
    }
    rows = [{"group": name, **_group(group, channels)} for name, group in several.items()]
    return [*titled(rows), ""] if rows else []


def above_ceiling(summary: Mapping[str, Any], foreign: Collection[str] = ()) -> list[str]:
    """A note if connections delivered more than their line carries.

    Goodput counts bytes as applications read them, in order. More than a line carries are read only
    if they had crossed it before the measurement: behind a lost segment, or on their way. Stacks of
    `foreign` flows choose their segments, and the line is taken to carry those of the scenario.
    """
    group = summary.get("groups", {}).get("tcp")
    efficiency = None if group is None else group.get("efficiency")
    if efficiency is None or efficiency <= (1.0 if foreign else _ROUNDED):
        return []
    if foreign:
        note = (
            f"goodput is {percent(efficiency)} of what {group['bottleneck']} carries in segments "
            f"of the scenario's size: a stack drives {', '.join(sorted(foreign))}, and its segments"
            " may carry more payload beside their headers"
        )
        return [note]
    line, begin = group["bottleneck"], summary["warm_up_s"]
    note = (
        f"goodput is {percent(efficiency)} of what {line} carries: bytes that had crossed it "
        f"before {begin:g} s, behind a lost segment or in a later queue, were read after that "
        "and count; in a longer run they weigh less"
    )
    return [note]


def _group(group: Mapping[str, Any], channels: Mapping[str, Any]) -> dict[str, str]:
    goodput, fairness, link = group["goodput"], group["fairness"], group.get("bottleneck")
    return {
        "flows": str(group["flows"]),
        "mean Mbit/s": megabits(goodput["mean_bits_per_second"]),
        "deviation": megabits(goodput["standard_deviation_bits_per_second"]),
        "sum": megabits(goodput["sum_bits_per_second"]),
        "fairness": "–" if fairness is None else f"{fairness:.3f}",
        "efficiency": percent(group.get("efficiency")),
        "link busy": percent(channels.get(str(link), {}).get("utilisation")),
        "at": link or "–",
    }
