"""`cellway measure`: one measurement with the kernel's TCP; `cellway doctor`: what it needs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cellway.cli.ending import Ending, ending
from cellway.cli.exits import BAD_INPUT, BadInputError, require_writable, unwritable
from cellway.cli.netspec_tests import tests
from cellway.cli.options import (
    AsJson,
    Force,
    Pcap,
    PcapAs,
    PcapAt,
    ScenarioFile,
    Script,
    Seed,
    Sets,
    read_scenario,
    read_workload,
)
from cellway.cli.parameters import ExitError, Option
from cellway.cli.programs import LeftTo, Programs, names, of_left, of_programs, programs_of
from cellway.cli.progress import bar
from cellway.cli.running import capture_of, report
from cellway.cli.text import (
    complain,
    milliseconds,
    notes,
    number,
    percent,
    plain,
    say,
    say_json,
    titled,
)
from cellway.disk.folders import require_ours
from cellway.errors import RunError
from cellway.runs.capture import Capture
from cellway.runs.measured import Program, differences, require_machine
from cellway.runs.measured import measure as measured_run
from cellway.runs.runs import Progress, Run
from cellway.runs.saved import MEASURED, RUN_FILES, run_marker
from cellway.runs.virtual import require_kernel
from cellway.scenario.scenario import Scenario

if TYPE_CHECKING:
    from cellway.netspec import Workload

MeasuredOut = Annotated[
    Path | None,
    Option(
        metavar="DIR",
        help="Write summary.json, measured.json, scenario.toml and the time series there. DIR "
        "must be missing, empty, or an earlier run, which is replaced with its plots; other "
        "files in it stay.",
    ),
]


Kernel = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="Measure inside this kernel, User-Mode Linux with time travel, in virtual time: "
        "without root, and equal in equal measurements.",
    ),
]


def measure(
    scenario: ScenarioFile,
    sets: Sets = [],
    seed: Seed = None,
    netspec: Script = None,
    programs: Programs = [],
    flows: LeftTo = [],
    kernel: Kernel = None,
    out: MeasuredOut = None,
    pcap: Pcap = None,
    pcap_at: PcapAt = [],
    pcap_as: PcapAs = "ip",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Send a scenario's traffic by this machine's TCP in real time, and print the results.

    It needs Linux and root; `cellway doctor` says what is missing. With --kernel it needs neither
    root nor real time. Flows without tcp are simulated beside. Ctrl-C ends it, with the results
    until then.
    """
    if flows and not programs:
        raise BadInputError(f"--flow {flows[0]}: there is no --exec; expected both")
    if netspec is not None and programs:
        raise BadInputError(
            f"--netspec {netspec}: flows of a script have traffic of their own; expected no --exec"
        )
    if kernel is not None and (programs or flows):
        raise BadInputError(f"--kernel {kernel}: programs run in real time; expected no --exec")
    checked = read_scenario(scenario, sets, seed, awaits_flows=netspec is not None)
    workload = None if netspec is None else read_workload(netspec, checked)
    checked = checked if workload is None else workload.scenario
    capture = capture_of(pcap, pcap_at, out, pcap_as, force=force)
    asked = Asked(
        checked, programs_of(programs), flows, out, force, as_json, capture, workload, kernel
    )
    with ending() as end:
        finished = asked.measure(end)
    asked.tell(finished)
    asked.leave(finished, end)


class Asked(NamedTuple):
    """A measurement that was asked for: the scenario, programs, flows left to them, results.

    `scenario` is that of the `workload`, if there is one. A `kernel` measures in virtual time.
    """

    scenario: Scenario
    programs: Sequence[Program]
    flows: Sequence[str]
    out: Path | None
    force: bool
    as_json: bool
    capture: Capture | None = None
    workload: "Workload | None" = None
    kernel: Path | None = None

    def measure(self, end: Ending) -> Run:
        """Says what is different, and measures until it is over or `end` is asked for.

        Raises:
            KeyboardInterrupt: the end was asked for before there was a result.
        """
        checked, out = self.scenario, self.out
        differs = differences(checked, self.programs, self.flows)
        if out is not None:
            require_writable("--out", out)
            require_ours(out, run_marker(checked), (*RUN_FILES, MEASURED), force=self.force)
        if self.kernel is None:
            require_machine()
        else:
            require_kernel(self.kernel)
        if not self.as_json:
            say(*_before(differs), *names(checked, self.programs, self.flows))
        try:
            if self.programs:
                return self._measured(lambda _at, _of: end.is_asked)
            with bar(checked.origin) as update:
                return self._measured(lambda at, of: update(at, of) or end.is_asked)
        except RunError:
            if end.is_asked:
                raise KeyboardInterrupt from None
            raise

    def _measured(self, progress: Progress) -> Run:
        try:
            return measured_run(
                self.scenario,
                progress,
                programs=self.programs,
                flows=self.flows,
                pcap=self.capture,
                kernel=self.kernel,
            )
        except OSError as error:
            if self.capture is None:
                raise
            raise unwritable("--pcap", self.capture.path, error) from error

    def tell(self, finished: Run) -> None:
        """Prints the results, and writes them: what is printed remains if a disk is full."""
        facts = finished.measured or {}
        of_tests = None if self.workload is None else self.workload.report(finished)
        if self.as_json:
            added = {} if of_tests is None else {"netspec": of_tests}
            say_json({**finished.summary, **added, "measured": facts})
        else:
            table = report(finished.summary)
            say(table[0].replace("simulated", _by(facts)))
            say(*(table[1:] if finished.flows else table[3:]), "")
            if of_tests is not None:
                say(*tests(of_tests), "")
            say(*of_left(facts), *of_programs(facts), *_facts(facts))
            if trace := facts.get("trace"):
                say("", f"trace {trace}")
            say(*notes([f"not to be trusted: {mark}" for mark in facts["marks"]]))
        if self.out is not None:
            try:
                finished.save(self.out, force=self.force)
            except OSError as error:
                raise unwritable("--out", self.out, error) from error
        places = [self.out, None if self.capture is None else self.capture.path]
        if any(places) and not self.as_json:
            say("", f"written to {' and '.join(str(one) for one in places if one is not None)}")

    @staticmethod
    def leave(finished: Run, end: Ending) -> None:
        """Fails if the measurement ended early.

        Raises:
            KeyboardInterrupt: it was asked to.
            RunError: it had to.
        """
        if early := (finished.measured or {}).get("ended"):
            if end.is_asked:
                raise KeyboardInterrupt
            raise RunError(str(early["fault"]))


def _by(facts: Mapping[str, Any]) -> str:
    """Phrase that says whose TCP and clock made a measurement."""
    if "trace" in facts:
        return f"by the TCP of Linux {facts['kernel']} in virtual time"
    return "by this machine's TCP"


def _before(differs: Mapping[str, list[str]]) -> list[str]:
    """Lines on what the kernel does otherwise than the scenario says, before the measurement."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for flow, said in differs.items():
        alike.setdefault(tuple(said), []).append(flow)
    lines = []
    for keys, flows in alike.items():
        if keys:
            more = f" and {len(flows) - 1} more" if len(flows) > 1 else ""
            lines += [f"flow {flows[0]}{more}, by the kernel:", *(f"  {one}" for one in keys)]
    return [*lines, ""] if lines else []


def _facts(facts: Mapping[str, Any]) -> list[str]:
    """Tables of the windows offered, of the lateness of packets, and of the machine."""
    flows = [
        {
            "flow": name,
            "congestion": flow["congestion"],
            "window B": str(flow["window_bytes"]),
            "offered at most B": str(flow["offered_window_bytes"]),
            "another window": percent(flow["other_window"]),
        }
        for name, flow in facts["flows"].items()
    ]
    late = facts["lateness"]
    shown = {key: milliseconds(late[f"{key}_s"]) for key in ("p50", "p90", "p99", "p99.9", "max")}
    stolen = facts["stolen"]
    machine = {
        "kernel": facts["kernel"],
        "driver's core": percent(facts["driver_cpu"]),
        "wake-ups per packet": number(facts["wake_ups_per_packet"]),
        "stolen time": "–" if stolen is None else percent(stolen),
        "lost outside the path": str(facts["lost_in_devices"] + facts["unwritten"]),
    }
    lateness = {"packets late by ms": plain(late["packets"]), **shown}
    return [
        *([*titled(flows, align="<<"), ""] if flows else []),
        *titled([lateness]),
        "",
        *titled([machine]),
    ]


def doctor(as_json: AsJson = False) -> None:
    """Say what this machine can measure, and how to get what is missing.

    The exit code is 2 if it cannot measure.
    """
    from cellway._core import examine  # noqa: PLC0415

    found = [
        {"need": name, "found": said, "enough": is_enough} for name, said, is_enough in examine()
    ]
    if as_json:
        say_json({"needs": found})
    else:
        rows = [{**one, "enough": "yes" if one["enough"] else "no"} for one in found]
        say(*titled([{key: str(row[key]) for key in row} for row in rows], align="<<<"))
    if missing := next((one for one in found if not one["enough"]), None):
        complain(f"this machine cannot measure: {missing['found']}")
        raise ExitError(BAD_INPUT)
