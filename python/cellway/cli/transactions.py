"""Table of the requests of a run and of their responses, which flow the other way."""

from collections.abc import Mapping
from typing import Any

from cellway.cli.text import count, megabits, titled

OF_REQUESTS = "the rates and segments of these flows above are of their requests"


def transaction_lines(flows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A table of completed requests and of what carried their responses; none without any.

    Args:
        flows: results by flow; a folded family has the means of its members.
    """
    rows = [
        {
            "requests": name,
            "completed": count(found["completed"]),
            "responses Mbit/s": megabits(found["response_bits_per_second"]),
            "segments": count(found["segments_sent"]),
            "sent again": count(found["retransmitted_segments"]),
            "timeouts": count(found["timeouts"]),
        }
        for name, flow in flows.items()
        if (found := flow.get("transactions"))
    ]
    return [*titled(rows), OF_REQUESTS, ""] if rows else []
