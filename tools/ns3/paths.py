"""Paths to compare: 10 and 100 Mbit/s, 20 and 100 ms, two laws, four queues."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

FLOWS = 4


def paths(seed: int = 0) -> Iterator[dict[str, Any]]:
    """Paths, each with the starts of its flows, drawn over 4 s.

    Keys: `rate` in Mbit/s, `rtt` in ms, `queue` and `congestion` in the words of cellway, `buffer`
    in packets, `starts`, `duration` and `warm_up` in seconds, `window` in bytes.
    """
    drawn = random.Random(seed)  # noqa: S311 - phases, no secret
    starts = [round(0.1 + drawn.uniform(0, 4), 6) for _ in range(FLOWS)]
    queues = ("tail", "codel", "fq_codel", "pie")
    laws = ("reno", "cubic")
    for rate, rtt, queue, congestion in itertools.product((10, 100), (20, 100), queues, laws):
        is_slow = rate == 10  # noqa: PLR2004
        yield {
            "rate": rate,
            "rtt": rtt,
            "queue": queue,
            "congestion": congestion,
            "buffer": 200 if is_slow else 1000,
            "starts": starts,
            "duration": 100 if is_slow else 30,
            "warm_up": 40 if is_slow else 12,
            "window": 8_000_000,
        }
