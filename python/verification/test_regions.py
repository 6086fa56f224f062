"""The regions of docs/validity.md: where `cellway theory` says *holds* at a loss, it is near runs.

`CELLWAY_GRID=whole` takes all 1080 points of the page, half an hour of CPU; otherwise some of them.
"""

import itertools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

import pytest

from cellway import Scenario, predict, run
from cellway.theory import pftk_rates

SCENARIO = Path(__file__).parents[2] / "scenarios/random-loss.toml"
RULES = {
    "reno": ("reno", "reno"),
    "new_reno": ("new_reno", "reno"),
    "sack": ("sack", "reno"),
    "cubic": ("sack", "cubic"),
}
KINDS = (("loss", "every_segment"), ("periodic_loss", "every_segment"), ("loss", "delayed"))
WITHIN = 0.2
OF_HELD, OF_NEAR = 0.95, 0.75
"""Least parts: of what holds that within 20 %, and of what is within 20 % that which holds."""


@dataclass(frozen=True)
class Point:
    """A TCP at a loss, with a largest window in segments and a round trip in milliseconds."""

    rule: str
    kind: tuple[str, str]
    loss: float
    window: int
    trip: int

    def scenario(self, seed: int) -> Scenario:
        """Long enough for 400 losses, or 115 of those that are rare."""
        (recovery, law), (impairment, ack) = RULES[self.rule], self.kind
        seconds, b = self.trip / 1e3, 2 if ack == "delayed" else 1
        sent = pftk_rates(self.loss, seconds, max(1.0, seconds), b, self.window).sent
        losses = 115 if self.loss < 5e-4 else 400
        measured = max(1000 * seconds, losses / (self.loss * sent))
        warm_up = max(0.1 * measured, 100 * seconds)
        lost = {"loss": self.loss} if impairment == "loss" else {"loss": 0.0}
        if impairment == "periodic_loss":
            lost[impairment] = round(1 / self.loss)
        return Scenario.load(SCENARIO).with_sets(
            [
                ("link.*.rate", "100 Gbit/s of line"),
                ("link.*.delay", f"{self.trip / 2} ms"),
                *((f"link.there.impairments.{key}", value) for key, value in lost.items()),
                ("flow.f.tcp.recovery", recovery),
                ("flow.f.tcp.congestion", law),
                ("flow.f.tcp.window", f"{self.window * 1460} B"),
                ("flow.f.tcp.ack", ack),
                ("run.duration", f"{round(measured + warm_up, 3)} s"),
                ("run.warm_up", f"{round(warm_up, 3)} s"),
                ("run.seed", seed),
            ]
        )


def points() -> Iterator[Point]:
    """All of the page, or some of those that take least."""
    losses: tuple[float, ...] = (1e-3, 3e-3, 1e-2, 2e-2)
    windows: tuple[int, ...] = (10, 100, 1000)
    step = 11
    if os.environ.get("CELLWAY_GRID") == "whole":
        losses, windows = (1e-4, *losses, 5e-2), (10, 30, 100, 300, 1000)
        step = 1
    every = itertools.product(RULES, KINDS, losses, windows, (10, 100, 500))
    return (Point(*one) for one in itertools.islice(every, 0, None, step))


@cache
def judged() -> tuple[tuple[str, bool, bool], ...]:
    """Formula of every point, whether it holds, and whether it is within 20 % of two runs."""
    found = []
    for point in points():
        (one,) = predict(point.scenario(1)).predictions
        number = one.numbers[0]
        mean = fmean(
            run(point.scenario(seed)).flows["f"]["throughput_bits_per_second"] for seed in (1, 2)
        )
        found.append((one.model, not one.violated, abs(number.value / mean - 1) <= WITHIN))
    return tuple(found)


def is_right(verdicts: list[tuple[bool, bool]]) -> bool:
    """Of pairs of *holds* and *is within 20 %*."""
    held = [near for holds, near in verdicts if holds]
    near = [holds for holds, near in verdicts if near]
    return sum(held) >= OF_HELD * len(held) and sum(near) >= OF_NEAR * len(near)


@pytest.mark.timeout(7200)
def test_what_holds_is_near_runs_and_most_of_what_is_near_holds() -> None:
    rows = [
        f"{model}: {len(some)} points, {sum(h for h, _ in some)} hold, within 20 % of these "
        f"{sum(h and n for h, n in some)}, of the others {sum(n and not h for h, n in some)}"
        for model in sorted({model for model, _, _ in judged()})
        if (some := [(holds, near) for name, holds, near in judged() if name == model])
    ]
    sys.stdout.write("\n".join(["", *rows, ""]))
    assert is_right([(holds, near) for _, holds, near in judged()])


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("always", [True, False])
def test_a_judge_that_always_says_the_same_fails(always: bool) -> None:
    assert not is_right([(always, near) for _, _, near in judged()])
