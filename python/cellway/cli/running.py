"""`cellway run`: one simulation, its numbers, and optionally its files."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cellway.cli.behind_proxies import connections
from cellway.cli.exits import BadInputError, require_file, require_writable, unwritable
from cellway.cli.families import end, families_of, folded, spread, starts
from cellway.cli.groups import above_ceiling, group_lines
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
    WithTheory,
    read_scenario,
    read_workload,
)
from cellway.cli.parameters import Option
from cellway.cli.progress import bar
from cellway.cli.stacks import Stacks, foreign, stack_rows, stacks_of, without_stacks
from cellway.cli.text import (
    count,
    megabits,
    milliseconds,
    natural,
    notes,
    number,
    percent,
    plain,
    say,
    say_json,
    titled,
)
from cellway.disk.folders import figures_in, require_ours
from cellway.runs.capture import HEAD, Capture, Layer, is_capture
from cellway.runs.runs import Run, sent_once
from cellway.runs.runs import run as simulate
from cellway.runs.saved import RUN_FILES, SCENARIO, STACKS, run_marker
from cellway.scenario.scenario import Scenario

if TYPE_CHECKING:
    from cellway.netspec import Workload
    from cellway.prediction import Theory

OF_REQUESTS = "the rates and segments of these flows above are of their requests"
_REPAIRS = {
    "sent again": "retransmitted_segments",
    "timeouts": "timeouts",
    "fast retransmits": "fast_retransmits",
}
_QUANTILES = ("p50", "p90", "p99", "p99.9")


def run(
    scenario: ScenarioFile,
    sets: Sets = [],
    seed: Seed = None,
    netspec: Script = None,
    out: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Write summary.json, scenario.toml and the time series there. DIR must be "
            "missing, empty, or an earlier run, which is replaced with its plots; other files in "
            "it stay.",
        ),
    ] = None,
    pcap: Pcap = None,
    pcap_at: PcapAt = [],
    pcap_as: PcapAs = "ip",
    stack: Stacks = [],
    theory: WithTheory = False,
    members: Annotated[
        bool, Option("--members", help="Print a row for every member of a family, alike or not.")
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a scenario and print its results."""
    checked = read_scenario(scenario, sets, seed, awaits_flows=netspec is not None)
    workload = None if netspec is None else read_workload(netspec, checked)
    checked = checked if workload is None else workload.scenario
    capture = capture_of(pcap, pcap_at, out, pcap_as, force=force)
    stacks = stacks_of(stack)
    if out is not None:
        require_writable("--out", out)
        files = RUN_FILES if stacks is None else (*RUN_FILES, STACKS)
        require_ours(out, run_marker(checked), files, force=force)
    finished = simulated(checked, capture, stacks)
    figures = [] if out is None else figures_in(out)
    if out is not None:
        try:
            finished.save(out, force=force)
        except OSError as error:
            raise unwritable("--out", out, error) from error
    driven = foreign(finished.stacks)
    formulas = without_stacks(_formulas(checked), driven) if theory else None
    if as_json:
        added = _added(finished, workload, formulas)
        say_json({**finished.summary, **added}) if added else say(finished.summary_json)
        return
    alike, warnings = checked.alike_and_warnings(driven)
    said = [*warnings, *above_ceiling(finished.summary, driven), *thinned(finished)]
    families = [] if members else families_of(alike)
    blocks = _blocks(finished, workload, formulas)
    text = report(finished.summary, families, driven)
    say(*text, *blocks, *notes(said))
    places = [str(place) for place in (out, pcap) if place is not None]
    if places:
        say("", f"written to {' and '.join(places)}")
    if gone := [str(file) for file in figures if not file.exists()]:
        say(f"removed with the run that was there: {', '.join(gone)}")
    if out is not None and stacks is None and not checked.observes:
        say(
            f"no time series, as the scenario has no [observe]; `cellway plot {out / SCENARIO}`"
            " runs it again with the default series"
        )


def _added(finished: Run, workload: "Workload | None", formulas: "Theory | None") -> dict[str, Any]:
    """Results beside the summary, as data."""
    added: dict[str, Any] = {}
    if workload is not None:
        added["netspec"] = workload.report(finished)
    if finished.stacks is not None:
        added["stacks"] = finished.stacks
    if formulas is not None:
        from cellway.prediction import beside_run  # noqa: PLC0415

        compared = [one.as_data() for one in beside_run(formulas, finished)]
        added["theory"] = {**formulas.as_data(), "numbers": compared}
    return added


def _blocks(finished: Run, workload: "Workload | None", formulas: "Theory | None") -> list[str]:
    """Results beside the summary, as text."""
    blocks: list[str] = []
    if workload is not None:
        blocks += ["", *tests(workload.report(finished))]
    if finished.stacks is not None:
        blocks += ["", *stack_rows(finished.stacks)]
    if formulas is not None:
        from cellway.cli.beside import run_beside  # noqa: PLC0415

        blocks += ["", "theory", *run_beside(formulas, finished)]
    return blocks


def _formulas(scenario: Scenario) -> "Theory":
    """Predictions of formulas; imported here, so that other runs do not wait for the import."""
    from cellway.prediction import predict  # noqa: PLC0415

    return predict(scenario)


def simulated(
    scenario: Scenario, capture: Capture | None = None, stacks: Mapping[str, str] | None = None
) -> Run:
    """Runs `scenario` and shows a bar of simulated time."""
    with bar(scenario.origin) as progress:
        try:
            return simulate(scenario, progress, pcap=capture, stacks=stacks)
        except OSError as error:
            if capture is None:
                raise
            raise unwritable("--pcap", capture.path, error) from error


def capture_of(
    file: Path | None, hosts: list[str], out: Path | None, layer: Layer = "ip", *, force: bool
) -> Capture | None:
    """The capture for ``--pcap``, ``--pcap-at`` and ``--pcap-as``."""
    if file is None:
        if layer != "ip":
            raise BadInputError(f"--pcap-as {layer}: there is no --pcap; expected both")
        if hosts:
            raise BadInputError(f"--pcap-at {hosts[0]}: there is no --pcap; expected both")
        return None
    if out is not None and file.parent.resolve() == out.resolve():
        raise BadInputError(
            f"--pcap {file}: in the folder of --out, which is for the run's own files only; "
            "expected another folder"
        )
    require_file("--pcap", file, is_capture, force=force, most=HEAD)
    return Capture(file, at=hosts, layer=layer)


def report(
    summary: Mapping[str, Any],
    families: Sequence[Sequence[str]] = (),
    foreign: Collection[str] = (),
) -> list[str]:
    """A run's summary as text; each of `families` is one row with the means of its members.

    Of flows in `foreign` what their stack sent again is not known.
    """
    head = (
        f"{summary['scenario']}: {plain(summary['duration_s'])} s simulated, "
        f"measured from {plain(summary['warm_up_s'])} s, seed {summary['seed']}"
    )
    flows, ports = folded(summary["flows"], families), summary["ports"]
    return [
        head,
        "",
        *_flows(flows, summary, foreign),
        *spread(flows),
        "",
        *connections(summary, families),
        *group_lines(summary),
        *_transactions(flows),
        *_datagrams(flows),
        *_losses(flows),
        *_ports(ports),
        *_distributions(flows, ports),
    ]


def thinned(run: Run) -> list[str]:
    """Notes on dropped points of series, one line for all series with the same note."""
    alike: dict[str, list[str]] = {}
    for name in run.thinned:
        alike.setdefault(run.series(name).note, []).append(name)
    return [
        f"{names[0]}{f' and {len(names) - 1} more series' if len(names) > 1 else ''}: {note}"
        for note, names in alike.items()
    ]


def _flows(
    shown: dict[str, Any], summary: Mapping[str, Any], foreign: Collection[str]
) -> list[str]:
    flows = summary["flows"]
    if not flows:
        return ["no flows"]
    late = any(flow.get("start_s") != 0.0 for flow in flows.values())
    rows = [
        {
            "flow": name,
            **({"start s": starts(flow)} if late else {}),
            "Mbit/s": megabits(flow["throughput_bits_per_second"]),
            "segments": count(flow["segments_sent"]),
            **{
                title: "–" if name in foreign else count(flow[key])
                for title, key in _REPAIRS.items()
            },
            "mean rtt ms": milliseconds(flow["rtt"]["mean_s"]),
            "end": end(flow),
        }
        for name, flow in shown.items()
    ]
    if len(flows) == 1:
        return titled(rows)
    once = sent_once(flows)
    total = sum(flow["measured_bits_per_second"] for flow in once)
    rows.append(dict.fromkeys(rows[0], "") | {"flow": "all together", "Mbit/s": megabits(total)})
    own = sum(flow["throughput_bits_per_second"] for flow in once)
    times = (
        "rate of a flow: over the time in which it was active; "
        f"all together: over the {plain(summary['measured_s'])} s measured"
    )
    relayed = "all together counts bytes that proxies relay once"
    means = "a row of several flows shows their means; --members prints a row for each"
    said = {times: own != total, relayed: len(once) < len(flows), means: len(shown) < len(flows)}
    return [*titled(rows), *(note for note, is_said in said.items() if is_said)]


def _transactions(flows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A table of completed requests and of what carried their responses, if there are any."""
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


def _datagrams(flows: dict[str, Any]) -> list[str]:
    """A table of the flows that send datagrams, if there are any."""
    has_deadlines = any("late" in flow.get("datagrams", {}) for flow in flows.values())
    rows = [
        {
            "datagrams": name,
            "sent": count(counted["sent"]),
            "delivered": count(counted["delivered"]),
            "lost": count(counted["lost"]),
            **({"late or lost": _part(counted.get("late_or_lost"))} if has_deadlines else {}),
            "out of order": count(counted["out_of_order"]),
            "duplicates": count(counted["duplicates"]),
            "mean delay ms": milliseconds(counted["mean_delay_s"]),
            "jitter ms": milliseconds(counted["jitter_s"]),
        }
        for name, flow in flows.items()
        if (counted := flow.get("datagrams"))
    ]
    return [*titled(rows), ""] if rows else []


def _part(fraction: float | None) -> str:
    """A fraction in percent, to three digits; ``–`` for none."""
    return "–" if fraction is None else f"{100 * fraction:.3g} %"


def _losses(flows: dict[str, Any]) -> list[str]:
    """A table of the flows whose losses were counted, if there are any."""
    rows = [
        {
            "flow": name,
            "unit": loss["unit"],
            "sent": count(loss["sent"]),
            "delivered": count(loss["delivered"]),
            "lost": count(loss["lost"]),
            "of them": _part(loss["fraction"]),
            "jitter ms": milliseconds(flow.get("jitter", {}).get("interarrival_s")),
            "mean change ms": milliseconds(flow.get("jitter", {}).get("mean_difference_s")),
        }
        for name, flow in flows.items()
        if (loss := flow.get("loss"))
    ]
    return [*titled(rows, align="<<"), ""] if rows else []


def _ports(ports: dict[str, Any]) -> list[str]:
    if not ports:
        return ["no switch ports"]
    has_redundant = any("redundant_acks" in port["drops"] for port in ports.values())
    has_marked = any("marked" in port for port in ports.values())
    rows = [
        {
            "port": name,
            "unit": port["unit"],
            "mean queue": number(port["mean_queue"]),
            "largest queue": str(port["max_queue"]),
            "busy": percent(port["utilisation"]),
            "sent": str(port["sent"]),
            "lost: buffer full": str(port["drops"]["overflow"]),
            "rest of frame": str(port["drops"]["partial_frame"]),
            "early": str(port["drops"]["early_frame"]),
            **(
                {"redundant ACKs": str(port["drops"].get("redundant_acks", ""))}
                if has_redundant
                else {}
            ),
            **({"marked": str(port.get("marked", ""))} if has_marked else {}),
        }
        for name, port in sorted(ports.items(), key=lambda item: natural(item[0]))
    ]
    return titled(rows, align="<<")


def _distributions(flows: dict[str, Any], ports: dict[str, Any]) -> list[str]:
    """Tables of quantiles, where they were counted; delays in milliseconds."""
    rows = []
    counted = [name for name, port in ports.items() if "queue_distribution" in port]
    for name in sorted(counted, key=natural):
        port = ports[name]
        rows += [_quantiles(f"{name} queue", f"{port['unit']}s", port["queue_distribution"], plain)]
        rows += [_quantiles(f"{name} delay", "ms", port["delay"], milliseconds)]
    for name, flow in flows.items():
        if "one_way_delay" in flow:
            rows += [_quantiles(f"{name} one-way delay", "ms", flow["one_way_delay"], milliseconds)]
        if "transactions" in flow:
            times = flow["transactions"]["response_time"]
            rows += [_quantiles(f"{name} response time", "ms", times, milliseconds)]
    return ["", *titled(rows, align="<<")] if rows else []


def _quantiles(
    name: str, unit: str, found: Mapping[str, Any], shown: Callable[[float | None], str]
) -> dict[str, str]:
    return {
        "distribution": name,
        "unit": unit,
        "mean": number(found["mean"]) if shown is plain else shown(found["mean"]),
        **{key: shown(found[key]) for key in (*_QUANTILES, "max")},
    }
