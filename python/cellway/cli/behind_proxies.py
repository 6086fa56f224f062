"""Connections that begin at proxies, in the text of a run."""

from collections.abc import Mapping, Sequence
from typing import Any

from cellway.cli.families import folded
from cellway.cli.text import milliseconds, number, titled

_SAID = (
    "segments, repairs and round trips of a flow that a proxy splits: of its connection to the "
    "first proxy; its rate and its end: from end to end"
)


def connections(summary: Mapping[str, Any], families: Sequence[Sequence[str]]) -> list[str]:
    """A table of the connections behind proxies, if there are any; none for older runs."""
    rows = [
        _row(name, one) for name, one in folded(summary.get("connections", {}), families).items()
    ]
    return [*titled(rows), _SAID, ""] if rows else []


def _row(name: str, connection: Mapping[str, Any]) -> dict[str, str]:
    relay = connection["relay"]
    answers = relay.get("answers", {})
    return {
        "behind a proxy": name,
        "segments": number(connection["segments_sent"]),
        "sent again": number(connection["retransmitted_segments"]),
        "mean rtt ms": milliseconds(connection["rtt"]["mean_s"]),
        "carried B": number(relay["carried_bytes"]),
        "most held B": number(relay["max_held_bytes"]),
        "answers B": number(answers["carried_bytes"]) if answers else "–",
        "most held B of them": number(answers["max_held_bytes"]) if answers else "–",
    }
