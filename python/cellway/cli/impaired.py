"""Links that lose or delay units, in `cellway explain`."""

from collections.abc import Mapping, Sequence
from typing import Any

from cellway.cli.alike import folded
from cellway.cli.text import milliseconds, titled


def impaired_links(links: Sequence[Mapping[str, Any]]) -> list[str]:
    """A table of impairments and of delays that vary, if there are any."""
    rows = [
        _row(
            link,
            impairment["key"],
            _probability(impairment["unit_loss"]),
            _burst(impairment.get("mean_burst_units")),
        )
        for link in links
        for impairment in link.get("impairments", [])
    ]
    rows += [
        _row(link, _delays(link), "", "")
        for link in links
        if link.get("max_delay_seconds") is not None
    ]
    return ["", *titled(folded(rows, "link", "from", "to"), align="<<<<>>")] if rows else []


def _row(link: Mapping[str, Any], impairment: str, loss: str, burst: str) -> dict[str, str]:
    return {
        "link": link["name"],
        "from": link["from"],
        "to": link["to"],
        "impairment, delay": impairment,
        "loss of a unit": loss,
        "burst": burst,
    }


def impairment_facts(loss: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Probabilities that a segment on the path of a flow, or its acknowledgement, is lost."""
    return [
        ("loss of a segment", _of_path(loss, "data", loss["segment"])),
        ("loss of an ACK", _of_path(loss, "acks", loss["ack"])),
    ]


def _of_path(loss: Mapping[str, Any], of: str, total: float) -> str:
    links = [
        f"{link['link']} {_probability(link['probability'])}"
        for link in loss["links"]
        if link["of"] == of
    ]
    return _probability(total) + (f": {', '.join(links)}" if len(links) > 1 else "")


def _delays(link: Mapping[str, Any]) -> str:
    least, most = link["delay_seconds"], link["max_delay_seconds"]
    return f"{milliseconds(least)} to {milliseconds(most)} ms"


def _probability(value: float) -> str:
    return f"{value:.4g}"


def _burst(units: float | None) -> str:
    return "" if units is None else f"{units:.4g}"
