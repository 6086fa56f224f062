"""Effects that a simulation and a measurement of one scenario do not share, as facts.

Each is a property of the scenario, of the kernel, or of the measured runs at hand; none is an
estimate of its size.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cellway.runs.measured import differences
from cellway.scenario.scenario import Scenario
from cellway.study import Results
from cellway.study.response_names import trial

TELLS_TIMEOUTS = (6, 7)
"""First Linux that counts timeouts."""


class Effect(NamedTuple):
    """An effect: its name, and the fact."""

    name: str
    said: str


def effects(scenario: Scenario, results: Results) -> list[Effect]:
    """Effects that apply to `scenario` and its measured runs in `results`.

    Raises:
        MeasurementError: the kernel has nothing for a key.
    """
    facts = [record.measured for record in results.records if record.measured]
    return [
        *_of_kernel(scenario),
        *_of_scenario(scenario),
        *_of_readings(facts),
        *(_of_runs(facts) if facts else ()),
    ]


def _of_kernel(scenario: Scenario) -> Iterator[Effect]:
    """Keys that the kernel follows in part or not at all, each with the flows that have it."""
    flows: dict[str, list[str]] = {}
    for flow, differs in differences(scenario).items():
        for one in differs:
            flows.setdefault(one, []).append(flow)
    for one, names in flows.items():
        key, _, said = one.partition(": ")
        yield Effect(f"{key} ({_named(names)})", said)


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _of_scenario(scenario: Scenario) -> Iterator[Effect]:
    explained = scenario.explain()
    tcp = [flow["tcp"] for flow in explained["flows"] if flow["tcp"]]
    beside = [flow["name"] for flow in explained["flows"] if not flow["tcp"]]
    if any(
        limit is not None
        for one in tcp
        for limit in (
            one["sender_cpu_limit_bits_per_second"],
            one["receiver_cpu_limit_bits_per_second"],
        )
    ):
        yield Effect("CPU of hosts", "simulated; measured hosts have this machine's processor")
    if beside:
        yield Effect(f"no TCP ({_named(beside)})", "simulated in both ways")
    links = trial(scenario).summary["links"].values()
    if any("impairments" in link or "capacity" in link for link in links):
        yield Effect(
            "chance",
            "runs of a seed have the same capacities and the same losses by position; packets "
            "pass at other instants, so that others are lost",
        )
    yield Effect(
        "kernel's timers",
        "timeouts and delayed ACKs end at a tick of the kernel, 1 to 10 ms apart; simulated ones "
        "at their instants",
    )


def _of_readings(facts: Sequence[Mapping[str, Any]]) -> Iterator[Effect]:
    """Numbers that a measurement reads otherwise than a simulation."""
    yield Effect(
        "round trips", "of the kernel: smoothed, at a look every 10 ms; simulated: every sample"
    )
    yield Effect("fast retransmits", "of the kernel: those that a look every 10 ms finds")
    if any(_version(one["kernel"]) < TELLS_TIMEOUTS for one in facts):
        yield Effect("timeouts", "this kernel does not tell them: 0")


def _version(release: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", release)[:2]))


def _of_runs(facts: Sequence[Mapping[str, Any]]) -> Iterator[Effect]:
    """Facts of the measured runs, of several the largest."""
    late = {key: max(one["lateness"][key] for one in facts) for key in ("p50_s", "p99_s", "max_s")}
    p50, p99, most = (_time(late[key]) for key in late)
    yield Effect("lateness of packets", f"median {p50}, 99th percentile {p99}, largest {most}")
    stolen = [one["stolen"] for one in facts if one["stolen"] is not None]
    taken = f"; stolen from this machine: {max(stolen):.1%} of its time" if stolen else ""
    cpu = max(one["driver_cpu"] for one in facts)
    yield Effect("processor of the driver", f"{cpu:.0%} of a core{taken}")
    lost = max(one["lost_in_devices"] + one["unwritten"] for one in facts)
    if lost:
        yield Effect("outside the path", f"{lost} packets of a run were lost there")
    for name in facts[0]["flows"]:
        yield from _of_window(name, [one["flows"][name] for one in facts])


def _of_window(name: str, flows: Sequence[Mapping[str, Any]]) -> Iterator[Effect]:
    asked = flows[0]["window_bytes"]
    offered = {flow["offered_window_bytes"] for flow in flows}
    share = max(flow["other_window"] for flow in flows)
    if offered != {asked} or share > 0.0:
        said = " to ".join(map(str, sorted({min(offered), max(offered)})))
        yield Effect(
            f"window ({name})",
            f"{asked} B asked for, at most {said} B offered; another one counted for "
            f"{share:.1%} of the time",
        )


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} us" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"  # noqa: PLR2004
