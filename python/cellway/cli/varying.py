"""Links whose rate varies, in `cellway explain`."""

from collections.abc import Mapping, Sequence
from typing import Any

from cellway.cli.alike import folded
from cellway.cli.text import megabits, percent, titled

MOST_RATES = 6
"""Most rates of a law that are listed; of others the mean, the smallest and the greatest are."""


def varying_links(links: Sequence[Mapping[str, Any]]) -> list[str]:
    """A table of mean, smallest and greatest rates, and of the stationary law, if any varies."""
    rows = [
        {
            "link": link["name"],
            "from": link["from"],
            "to": link["to"],
            "capacity": capacity["key"],
            "mean Mbit/s": megabits(capacity["mean_bits_per_second"]),
            "least": megabits(capacity["min_bits_per_second"]),
            "most": megabits(capacity["max_bits_per_second"]),
            "part of the time": _law(capacity["law"]),
        }
        for link in links
        if (capacity := link.get("capacity")) is not None
    ]
    return ["", *titled(folded(rows, "link", "from", "to"), align="<<<<>>><")] if rows else []


def _law(law: list[dict[str, Any]]) -> str:
    if len(law) > MOST_RATES:
        return f"{len(law)} rates"
    return ", ".join(f"{percent(one['part'])} at {megabits(one['bits_per_second'])}" for one in law)
