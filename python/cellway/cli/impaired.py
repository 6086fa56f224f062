"""Links that lose or delay units, in `cellway explain`."""

from typing import Any

from cellway.cli.alike import folded
from cellway.cli.text import milliseconds, table


def impaired_links(links: list[dict[str, Any]]) -> list[str]:
    """A table of impairments and of delays that vary, if there are any."""
    rows = [
        [
            link["name"],
            link["from"],
            link["to"],
            impairment["key"],
            _probability(impairment["unit_loss"]),
            _burst(impairment.get("mean_burst_units")),
        ]
        for link in links
        for impairment in link.get("impairments", [])
    ]
    rows += [
        [
            link["name"],
            link["from"],
            link["to"],
            _delays(link),
            "",
            "",
        ]
        for link in links
        if link.get("max_delay_seconds") is not None
    ]
    if not rows:
        return []
    header = ["link", "from", "to", "impairment, delay", "loss of a unit", "burst"]
    return ["", *table(header, folded(rows, 3), align="<<<<>>")]


def impairment_facts(loss: dict[str, Any]) -> list[tuple[str, str]]:
    """Probabilities that a segment on the path of a flow, or its acknowledgement, is lost."""
    return [
        ("loss of a segment", _of_path(loss, "data", loss["segment"])),
        ("loss of an ACK", _of_path(loss, "acks", loss["ack"])),
    ]


def _of_path(loss: dict[str, Any], of: str, total: float) -> str:
    links = [
        f"{link['link']} {_probability(link['probability'])}"
        for link in loss["links"]
        if link["of"] == of
    ]
    return _probability(total) + (f": {', '.join(links)}" if len(links) > 1 else "")


def _delays(link: dict[str, Any]) -> str:
    least, most = link["delay_seconds"], link["max_delay_seconds"]
    return f"{milliseconds(least)} to {milliseconds(most)} ms"


def _probability(value: float) -> str:
    return f"{value:.4g}"


def _burst(units: float | None) -> str:
    return "" if units is None else f"{units:.4g}"
