"""`cellway measure`: one measurement with the kernel's TCP; `cellway doctor`: what it needs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from cellway.cli.exits import BAD_INPUT, require_writable, unwritable
from cellway.cli.options import (
    AsJson,
    Force,
    Pcap,
    PcapAt,
    ScenarioFile,
    Seed,
    Sets,
    read_scenario,
)
from cellway.cli.parameters import ExitError, Option
from cellway.cli.progress import bar
from cellway.cli.running import capture_of, report
from cellway.cli.text import milliseconds, notes, number, percent, plain, say, say_json, titled
from cellway.disk.folders import require_ours
from cellway.runs.capture import Capture
from cellway.runs.measured import differences
from cellway.runs.measured import measure as measured_run
from cellway.runs.runs import Run
from cellway.runs.saved import MEASURED, RUN_FILES, run_marker
from cellway.scenario.scenario import Scenario


def measure(
    scenario: ScenarioFile,
    sets: Sets = [],
    seed: Seed = None,
    out: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Write summary.json, measured.json, scenario.toml and the time series there. DIR "
            "must be missing, empty, or an earlier run, which is replaced with its plots; other "
            "files in it stay.",
        ),
    ] = None,
    pcap: Pcap = None,
    pcap_at: PcapAt = [],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Send a scenario's traffic by this machine's TCP in real time, and print the results.

    It needs Linux and root; `cellway doctor` says what is missing. Flows without tcp are simulated
    beside.
    """
    checked = read_scenario(scenario, sets, seed)
    differs = differences(checked)
    capture = capture_of(pcap, pcap_at, out, force=force)
    if out is not None:
        require_writable("--out", out)
        require_ours(out, run_marker(checked), (*RUN_FILES, MEASURED), force=force)
    if not as_json:
        say(*_before(differs))
    finished = _measured(checked, capture)
    if out is not None:
        try:
            finished.save(out, force=force)
        except OSError as error:
            raise unwritable("--out", out, error) from error
    facts = finished.measured or {}
    if as_json:
        say_json({**finished.summary, "measured": facts})
        return
    table = report(finished.summary)
    say(table[0].replace("simulated", "by this machine's TCP"), *table[1:], "", *_facts(facts))
    say(*notes([f"not to be trusted: {mark}" for mark in facts["marks"]]))
    places = [str(place) for place in (out, pcap) if place is not None]
    if places:
        say("", f"written to {' and '.join(places)}")


def _measured(scenario: Scenario, capture: Capture | None) -> Run:
    """Measures `scenario` and shows a bar of the time gone."""
    with bar(scenario.origin) as progress:
        try:
            return measured_run(scenario, progress, pcap=capture)
        except OSError as error:
            if capture is None:
                raise
            raise unwritable("--pcap", capture.path, error) from error


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
        *titled(flows, align="<<"),
        "",
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
    if not all(one["enough"] for one in found):
        raise ExitError(BAD_INPUT)
