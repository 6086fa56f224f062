"""One measurement: the traffic of a scenario over its path by the kernel's TCP, in real time."""

import json
from datetime import UTC, datetime
from pathlib import Path

from cellway import _core
from cellway.runs.capture import Capture
from cellway.runs.runs import Progress, Run, run_of
from cellway.scenario.scenario import Scenario, require_scenario

WAY = "measure"
"""Word for a measurement, beside simulated runs."""


def measure(
    scenario: Scenario,
    progress: Progress | None = None,
    *,
    pcap: Capture | str | Path | None = None,
) -> Run:
    """Measures `scenario` to its end, which takes as long as it lasts.

    Flows with `tcp` are sent by the TCP of this machine's kernel; flows without are simulated
    beside them. It needs Linux, root and TUN devices. Ctrl-C ends it.

    Args:
        scenario: the scenario to measure.
        progress: called now and then; an exception that it raises ends the measurement and is
            raised here.
        pcap: a pcapng file to write with the packets of all flows that have `tcp`, each captured at
            its source host, as the kernel has sent them; a `Capture` names other hosts.

    Returns:
        Results as of a simulated run; `Run.measured` has the facts about kernel and machine.

    Raises:
        MeasurementError: this machine cannot measure, or the kernel has nothing for a key.
        RunError: the measurement could not finish.
        ScenarioError: no packets can be captured there.
        OSError: the capture cannot be written.
        TypeError: `scenario` is a path, or something else that is no scenario.
    """
    require_scenario(scenario)
    if pcap is None:
        outcome, facts = _core.measure(scenario._core, progress)  # noqa: SLF001
    else:
        with (pcap if isinstance(pcap, Capture) else Capture(pcap)).writing() as capture:
            outcome, facts = _core.measure(scenario._core, progress, capture)  # noqa: SLF001
    measured = json.loads(facts)
    date = datetime.fromtimestamp(measured["started_at_s"], UTC).isoformat(timespec="seconds")
    return run_of(scenario, outcome, {"way": WAY, "date": date, **measured})


def differences(scenario: Scenario) -> dict[str, list[str]]:
    """Keys of each flow that the kernel follows in part or not at all, and how, by flow.

    Raises:
        MeasurementError: the kernel has nothing for a key, or no flow has `tcp`.
    """
    return dict(_core.measured_differently(scenario._core))  # noqa: SLF001
