"""One measurement: the traffic of a scenario over its path by the TCP of a kernel."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cellway import _core
from cellway.errors import MeasurementError
from cellway.runs.capture import Capture
from cellway.runs.models import MEASURE
from cellway.runs.runs import Progress, Run, run_of
from cellway.runs.virtual import measure_inside
from cellway.scenario.scenario import Scenario, require_scenario


@dataclass(frozen=True)
class Program:
    """A program at a host of a scenario.

    Attributes:
        host: name of the host.
        words: the program and its arguments.
        has_terminal: it has the streams of this process, and the measurement ends with it.
            Otherwise it has no input, what it prints goes to stderr behind the name of its host,
            and it is ended with the measurement.
    """

    host: str
    words: Sequence[str]
    has_terminal: bool = False


def measure(  # noqa: PLR0913
    scenario: Scenario,
    progress: Progress | None = None,
    *,
    programs: Sequence[Program] = (),
    flows: Sequence[str] = (),
    pcap: Capture | str | Path | None = None,
    kernel: str | Path | None = None,
) -> Run:
    """Measures `scenario` to its end, which takes as long as it lasts.

    Flows with `tcp` are sent by the TCP of this machine's kernel; flows without are simulated
    beside them. It needs Linux, root and TUN devices. Ctrl-C ends it. With a `kernel` time is
    virtual, and it needs no root: equal measurements are equal.

    Args:
        scenario: the scenario to measure.
        progress: called now and then. If it returns `True` the measurement ends there: the results
            are of the time until then, and marked. An exception that it raises ends the
            measurement and is raised here.
        programs: programs at hosts of the scenario, in the order in which they start. Flows with
            `tcp` that start or end at these hosts carry what they send, and have no other traffic.
        flows: names of the flows that are left to programs, if not all at their hosts are.
        pcap: a pcapng file to write with the packets of all flows that have `tcp`, each captured at
            its source host, as the kernel has sent them; a `Capture` names other hosts.
        kernel: the file of a kernel that measures in the place of this machine's: User-Mode Linux
            with time travel. Programs need the clock of this machine, and it has none.

    Returns:
        Results as of a simulated run; `Run.measured` has the facts about kernel, machine and
        programs. A fault after the warm-up, such as a device that is removed, ends the measurement:
        `measured["ended"]` has it, and the results are of the time until then.

    Raises:
        MeasurementError: this machine cannot measure, the kernel has nothing for a key, a program
            or its host is not there, or there are programs beside a `kernel`.
        RunError: the measurement could not finish.
        ScenarioError: no packets can be captured there.
        OSError: the capture cannot be written.
        TypeError: `scenario` is a path, or something else that is no scenario.
    """
    require_scenario(scenario)
    if kernel is not None:
        if programs or flows:
            raise MeasurementError("programs run in real time; expected none beside a kernel")
        packets = Capture(pcap) if isinstance(pcap, str | Path) else pcap
        return measure_inside(Path(kernel), scenario, progress, packets)
    asked = (scenario._core, progress, _given(programs), list(flows))  # noqa: SLF001
    if pcap is None:
        outcome, facts = _core.measure(*asked)
    else:
        with (pcap if isinstance(pcap, Capture) else Capture(pcap)).writing() as capture:
            outcome, facts = _core.measure(*asked, capture)
    measured = json.loads(facts)
    date = datetime.fromtimestamp(measured["started_at_s"], UTC).isoformat(timespec="seconds")
    return run_of(scenario, outcome, {"way": MEASURE, "date": date, **measured})


def differences(
    scenario: Scenario, programs: Sequence[Program] = (), flows: Sequence[str] = ()
) -> dict[str, list[str]]:
    """Keys of each flow that the kernel follows in part or not at all, and how, by flow.

    Raises:
        MeasurementError: the kernel has nothing for a key, or no flow has `tcp`.
    """
    return dict(_core.measured_differently(scenario._core, _given(programs), list(flows)))  # noqa: SLF001


def require_machine() -> None:
    """Refuses a machine that cannot measure.

    Raises:
        MeasurementError: the first need that it does not meet.
    """
    _core.require_machine()


def way_text(run: Run) -> str:
    """The way in which `run` was made; whether a measurement is not to be trusted."""
    if run.measured is None:
        return "simulated"
    return f"measured{', not to be trusted' if run.measured['marks'] else ''}"


def reached(
    scenario: Scenario, programs: Sequence[Program], flows: Sequence[str], host: str
) -> list[tuple[str, list[str], str]]:
    """Address, names and flow of all that programs at `host` reach.

    Raises:
        MeasurementError: as of `measure`.
    """
    return _core.reached(scenario._core, _given(programs), list(flows), host)  # noqa: SLF001


def _given(programs: Sequence[Program]) -> list[tuple[str, list[str], bool]]:
    return [(one.host, list(one.words), one.has_terminal) for one in programs]
