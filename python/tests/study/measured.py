"""Stand-in for measurements: a simulated run with facts, without root and at once."""

import json
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import pytest

from cellway import MeasurementError, _core
from cellway.runs import models

KERNEL = "6.1.0-stand-in"
PATH = """
run = { duration = "0.2 s", warm_up = "50 ms", seed = 1 }
host = { near = {}, home = {} }
switch.router = {}
[link.near]
between = ["near", "router"]
rate = "1 Gbit/s of line"
carries = "packets"
delay = "1 ms"
impairments = { loss = 0.01 }
[link.line]
between = ["router", "home"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "5 ms"
[flow.bulk]
from = "near"
to = "home"
traffic = "greedy"
tcp = { preset = "linux", mtu = "1500 B", window = "40 KiB" }
[observe]
series = ["queue", "cwnd"]
interval = "10 ms"
"""
"""Packets are lost by chance, so that seeds differ."""


@dataclass
class StandIn:
    """Measurements that were made.

    Attributes:
        seeds: of each, in order.
        marks: reasons not to trust a measurement, by its seed.
        breaks: called with the number of the measurement, from 1, before it.
        offered: the largest window that was offered, bytes.
        lasts: seconds that each takes.
        other: the scenario that is run in the place of the one to measure.
        side_by_side: most measurements at a time.
    """

    seeds: list[int] = field(default_factory=list)
    marks: dict[int, list[str]] = field(default_factory=dict)
    breaks: Callable[[int], None] = lambda _: None
    offered: int = 40960
    lasts: float = 0.0
    other: Callable[[Any], Any] = lambda scenario: scenario
    side_by_side: int = 0
    _now: int = 0
    _lock: Lock = field(default_factory=Lock)

    def measure(self, scenario: Any, progress: Any = None, *_: object) -> tuple[Any, str]:
        """In the place of `_core.measure`."""
        outcome = _core.run(self.other(scenario), progress)
        seed = int(json.loads(outcome.summary_json)["seed"])
        with self._lock:
            self.seeds.append(seed)
            self._now += 1
            self.side_by_side = max(self.side_by_side, self._now)
            number = len(self.seeds)
        try:
            time.sleep(self.lasts)
            self.breaks(number)
        finally:
            with self._lock:
                self._now -= 1
        return outcome, json.dumps(facts(self.marks.get(seed, ()), self.offered))


def facts(marks: Sequence[str] = (), offered: int = 40960) -> dict[str, Any]:
    """Facts of a measurement of `PATH`; `offered` is the largest window in bytes."""
    late = dict.fromkeys(("p50_s", "p90_s", "p99_s", "p99.9_s", "max_s"), 1e-6)
    return {
        "kernel": models.present_kernel(),
        "started_at_s": 1.7e9,
        "lateness": {"packets": 7, **late},
        "driver_cpu": 0.1,
        "wake_ups_per_packet": 1.3,
        "stolen": None,
        "lost_in_devices": 0,
        "unwritten": 0,
        "foreign": 0,
        "flows": {
            "bulk": {
                "congestion": "cubic",
                "window_bytes": 40960,
                "offered_window_bytes": offered,
                "other_window": 0.0 if offered == 40960 else 0.25,
                "sysctls": {},
                "differs": [],
            }
        },
        "marks": list(marks),
    }


def stand_in(patch: pytest.MonkeyPatch, kernel: str = KERNEL) -> StandIn:
    """Lets measurements be made by a stand-in, by `kernel`."""
    made = StandIn()
    patch.setattr(_core, "measure", made.measure)
    patch.setattr(_core, "require_machine", lambda: None)
    on_kernel(patch, kernel)
    return made


def on_kernel(patch: pytest.MonkeyPatch, kernel: str) -> None:
    """From now on this machine's kernel is `kernel`."""
    patch.setattr(platform, "release", lambda: kernel)


def without_root(patch: pytest.MonkeyPatch) -> str:
    """From now on this machine cannot measure; returns the reason."""
    why = "/dev/net/tun: permission denied; measurements need root and the module tun"

    def refuse() -> None:
        raise MeasurementError(why)

    patch.setattr(_core, "require_machine", refuse)
    return why
