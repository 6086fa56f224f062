"""Table of flows together: goodput, fairness and efficiency of groups."""

from collections.abc import Mapping
from typing import Any

from cellway.cli.text import megabits, percent, titled


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
