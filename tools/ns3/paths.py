"""Paths to compare: 10 and 100 Mbit/s, 20 and 100 ms, two laws, six queues; and others.

A path of `alone` has a flow at 10 Mbit/s and 40 ms, over tail drop, and perhaps random losses. A
path of `shares` has BBR beside CUBIC there. A path of `two_way` has downloads and uploads.
"""

import itertools
import random
from collections.abc import Iterable, Iterator
from typing import Any

FLOWS = 4


QUEUES = ("tail", "codel", "fq_codel", "pie", "fq_pie", "cobalt")


def paths(queues: Iterable[str] = QUEUES, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Paths, each with the starts of its flows, drawn over 4 s.

    Keys: `rate` in Mbit/s, `rtt` in ms, `queue` and `laws`, one for each flow, in the words of
    cellway, `buffer` in packets, `starts`, `duration` and `warm_up` in seconds, `window` in bytes.
    """
    drawn = random.Random(seed)  # noqa: S311 - phases, no secret
    starts = [round(0.1 + drawn.uniform(0, 4), 6) for _ in range(FLOWS)]
    laws = ("reno", "cubic")
    for rate, rtt, queue, congestion in itertools.product((10, 100), (20, 100), queues, laws):
        is_slow = rate == 10  # noqa: PLR2004
        yield {
            "rate": rate,
            "rtt": rtt,
            "queue": queue,
            "laws": [congestion] * FLOWS,
            "buffer": 200 if is_slow else 1000,
            "starts": starts,
            "duration": 100 if is_slow else 30,
            "warm_up": 40 if is_slow else 12,
            "window": 8_000_000,
        }


SEEDS = range(1, 7)


def alone(laws: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Paths of one flow: three buffers without losses, and two probabilities of loss.

    Keys as of `paths`, and `loss` and `seed`. Without losses nothing is drawn but the start.
    """
    cases = [(buffer, 0.0) for buffer in (16, 33, 132)] + [(132, 0.001), (132, 0.01)]
    for law, (buffer, loss), seed in itertools.product(laws, cases, SEEDS):
        yield {
            "rate": 10,
            "rtt": 40,
            "queue": "tail",
            "laws": [law],
            "buffer": buffer,
            "starts": [round(0.1 * seed + 0.003, 3)],
            "duration": 80,
            "warm_up": 30,
            "window": 2_000_000,
            "loss": loss,
            "seed": seed,
        }


BUFFERS = (17, 33, 67, 133, 267, 533)
"""0.5, 1, 2, 4, 8 and 16 times the product of 10 Mbit/s and 40 ms, in packets of 1500 bytes."""


def shares() -> Iterator[dict[str, Any]]:
    """Paths of BBR beside one and beside ten CUBIC flows, with an ACK for every second segment.

    A seed sets the starts of all flows within 4 s, and the phase in which BBR begins its cycle.
    """
    for others, buffer, seed in itertools.product((1, 10), BUFFERS, SEEDS):
        drawn = random.Random(seed)  # noqa: S311 - phases, no secret
        laws = ["bbr1"] + ["cubic"] * others
        yield {
            "rate": 10,
            "rtt": 40,
            "queue": "tail",
            "laws": laws,
            "buffer": buffer,
            "starts": [round(0.1 + drawn.uniform(0, 4), 6) for _ in laws],
            "duration": 330,
            "warm_up": 30,
            "window": 2_000_000,
            "seed": seed,
            "segments_per_ack": 2,
        }


def two_way() -> Iterator[dict[str, Any]]:
    """Paths of four downloads at 20 Mbit/s and four uploads at 5 Mbit/s, 30 ms there and back.

    Keys as of `paths`, and `rate_up` in Mbit/s and `buffer_up` in packets, of the way back, and
    `uploads`, the number of the last flows, which go there. Seeds set the starts of all flows.
    """
    for seed, queue in itertools.product(SEEDS, QUEUES):
        drawn = random.Random(seed)  # noqa: S311 - phases, no secret
        yield {
            "rate": 20,
            "rate_up": 5,
            "rtt": 30,
            "queue": queue,
            "laws": ["cubic"] * (2 * FLOWS),
            "uploads": FLOWS,
            "buffer": 400,
            "buffer_up": 100,
            "starts": [round(0.1 + drawn.uniform(0, 4), 6) for _ in range(2 * FLOWS)],
            "duration": 60,
            "warm_up": 20,
            "window": 2_000_000,
            "seed": seed,
        }
