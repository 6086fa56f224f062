"""`cellway explain`: facts of a scenario that are known before a run."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from cellway.cli.alike import folded, in_common, together, without_numbers
from cellway.cli.exits import BadInputError
from cellway.cli.impaired import impaired_links, impairment_facts
from cellway.cli.options import EITHER, AsJson, Script, Sets, is_study, read_scenario, read_workload
from cellway.cli.outlook import queues, recovery
from cellway.cli.parameters import Argument
from cellway.cli.rate_control import abr_facts, links_with_abr, share_facts
from cellway.cli.text import (
    megabits,
    milliseconds,
    notes,
    number,
    percent,
    plain,
    say,
    say_json,
    titled,
    two_columns,
)
from cellway.cli.varying import varying_links
from cellway.text.units import SCALES

LEAST_REST = 0.01
"""Least part of a window beside its whole segments that is reported."""


def explain(
    file: Annotated[Path, Argument(metavar="SCENARIO|STUDY", help="A scenario or study file.")],
    sets: Sets = [],
    netspec: Script = None,
    as_json: AsJson = False,
) -> None:
    """Print overheads, ceilings, round trips and shares, or a study's design, without a run."""
    if is_study(file):
        if netspec is not None:
            raise BadInputError(f"--netspec {netspec}: {file} is a study; expected a scenario")
        _study(file, sets, as_json=as_json)
        return
    scenario = read_scenario(file, sets, awaits_flows=netspec is not None, expected=EITHER)
    if netspec is not None:
        scenario = read_workload(netspec, scenario).scenario
    facts = scenario.explain()
    if as_json:
        say_json(facts)
        return
    say(*explanation(facts), *notes(facts["warnings"]))


def explanation(facts: Mapping[str, Any]) -> list[str]:
    """Facts of a scenario as text, without its warnings."""
    return [
        f"{facts['scenario']}: {plain(facts['duration_seconds'])} s",
        "",
        *_links(facts["links"]),
        *links_with_abr(facts["links"]),
        *varying_links(facts["links"]),
        *impaired_links(facts["links"]),
        *queues(facts["ports"]),
        *(line for entry in _entries(facts) for line in ("", *entry)),
    ]


def _study(file: Path, sets: list[str], *, as_json: bool) -> None:
    if sets:
        raise BadInputError(f"--set {sets[0]}: {file} is a study; write it into its [set] table")
    from cellway.cli.studies import read_study  # noqa: PLC0415 - not for scenarios
    from cellway.cli.study_design import explanation  # noqa: PLC0415

    given = read_study(file)
    if as_json:
        say_json(given.as_data())
    else:
        say(*explanation(given))


def _links(links: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = [
        {
            "link": link["name"],
            "from": link["from"],
            "to": link["to"],
            "line Mbit/s": megabits(link["line_bits_per_second"]),
            "cell": megabits(link["cell_bits_per_second"]),
            "payload": megabits(link["payload_bits_per_second"]),
            "delay ms": milliseconds(link["delay_seconds"]),
            "flows": str(link["flows"]),
            "of ACKs": str(link["ack_flows"]),
            "fair share Mbit/s": megabits(link["fair_share_bits_per_second"]),
        }
        for link in links
    ]
    return titled(folded(rows, "link", "from", "to"), align="<<<")


def _entries(facts: Mapping[str, Any]) -> Iterator[list[str]]:
    """An entry for each group of like flows; later ones of a family say what differs."""
    flows = {flow["name"]: flow for flow in facts["flows"]}
    families: dict[str, tuple[str, list[tuple[str, str]]]] = {}
    for alike in facts["alike"]:
        names = alike["flows"]
        of_first, of_last = _flow(flows[names[0]]), _flow(flows[names[-1]])
        said = [
            (name, in_common(value, other))
            for (name, value), (_, other) in zip(of_first, of_last, strict=True)
        ]
        title = f"flow {together(names)}"
        if len(names) > 1:
            title += f" ({len(names)} flows alike)"
        if alike["name"] in families:
            first, of_family = families[alike["name"]]
            title += f": as {first} but for {', '.join(alike['differ_in'])}"
            known = {(name, without_numbers(value)) for name, value in of_family}
            said = [
                (name, value) for name, value in said if (name, without_numbers(value)) not in known
            ]
        else:
            families[alike["name"]] = (together(names), said)
        yield [title, *two_columns(said)]


def _flow(flow: dict[str, Any]) -> list[tuple[str, str]]:
    facts = [("path", " > ".join(flow["path"]))]
    bottleneck = flow["bottleneck"]
    facts.append(
        ("bottleneck", f"{bottleneck['at']}, {megabits(bottleneck['bits_per_second'])} Mbit/s")
    )
    if flow["share"]:
        facts += share_facts(flow["share"])
    if flow["abr"]:
        facts += abr_facts(flow["abr"], flow["propagation_rtt_seconds"])
    if flow["tcp"]:
        facts += _tcp(flow["tcp"], flow)
    if flow.get("loss"):
        facts += impairment_facts(flow["loss"])
    if flow["raw"]:
        raw = flow["raw"]
        cells = number(raw["offered_cells_per_second"])
        facts += [
            ("offers", f"{megabits(raw['offered_bits_per_second'])} Mbit/s, {cells} cells/s"),
            ("load of the bottleneck", percent(raw["load"])),
        ]
    if flow.get("relay"):
        facts += _relay(flow["relay"])
    if flow.get("datagrams"):
        facts += _datagrams(flow["datagrams"])
    return facts


def _relay(relay: dict[str, Any]) -> list[tuple[str, str]]:
    of = relay["of"]
    names = of[0] if len(of) == 1 else f"{of[0]} and {len(of) - 1} more"
    over = f", which arrive over {relay['over']}" if "over" in relay else ""
    holds = f"{relay['holds_bytes']} B" if "holds_bytes" in relay else "any number of bytes"
    return [
        ("relays", f"the bytes of {names}{over}, at {relay['at']}"),
        ("proxy buffers", f"{holds} to send, {relay['waits_bytes']} B received and not yet read"),
    ]


def _datagrams(datagrams: dict[str, Any]) -> list[tuple[str, str]]:
    cells = "" if datagrams["cells"] is None else f", {number(datagrams['cells'])} cells"
    offered = megabits(datagrams["offered_bits_per_second"])
    facts = [
        ("datagram", f"{number(datagrams['payload_bytes'])} B of payload on average{cells}"),
        ("offers", f"{offered} Mbit/s of payload, {number(datagrams['per_second'])} datagrams/s"),
        ("load of the bottleneck", percent(datagrams["load"])),
    ]
    if datagrams["peak_load"] != datagrams["load"]:
        facts.append(("load in a burst", percent(datagrams["peak_load"])))
    return facts


def _tcp(tcp: dict[str, Any], flow: dict[str, Any]) -> list[tuple[str, str]]:
    def rate(name: str) -> str:
        value = tcp[f"{name}_bits_per_second"]
        return "none" if value is None else f"{megabits(value)} Mbit/s"

    cells = tcp["cells_per_segment"]
    frame = "" if cells is None else f", {cells} cells; an ACK takes {tcp['cells_per_ack']}"
    under_way = tcp["bandwidth_delay_cells"]
    under_way_cells = "" if under_way is None else f", {number(under_way)} cells"
    path = tcp["long_path"]
    needed = number(path["window_needed_bytes"] / SCALES["KiB"])
    return [
        ("segment", f"{tcp['mss_bytes']} B{frame}"),
        ("payload of the bits sent", percent(tcp["payload_share"])),
        (
            "round trip",
            (f"{_propagation(flow)} ms of propagation, {_unloaded(tcp)} ms with all queues empty"),
        ),
        (
            "bandwidth × delay",
            f"{number(tcp['bandwidth_delay_bytes'] / SCALES['KiB'])} KiB{under_way_cells}",
        ),
        ("window that fills the path", f"{needed} KiB"),
        ("ceiling of the path", rate("ceiling")),
        ("fair share", rate("fair_share")),
        (
            "limit of the window",
            (
                f"{rate('window_limit')} ({plain(tcp['window_bytes'] / SCALES['KiB'])} KiB"
                f"{_short_segments(tcp)})"
            ),
        ),
        ("limit of the sender's CPU", rate("sender_cpu_limit")),
        ("limit of the receiver's CPU", rate("receiver_cpu_limit")),
        ("limit of the ACK path", rate("ack_path_limit")),
        ("expected without loss", f"{rate('expected')}, limited by the {_limit(tcp)}"),
        *_slow_start(path["slow_start"]),
        ("recovery", recovery(tcp)),
        ("loss that halves the rate", _halving(path["halving_loss"])),
    ]


def _short_segments(tcp: dict[str, Any]) -> str:
    """Note on the throughput that short segments may add."""
    full = tcp["window_limit_bits_per_second"] * tcp["unloaded_rtt_seconds"] / 8.0
    rest = tcp["window_bytes"] / full - 1.0
    return f"; short segments may add {percent(rest)}" if rest >= LEAST_REST else ""


def _limit(tcp: dict[str, Any]) -> str:
    """Limit of a flow's throughput, and whether more is possible."""
    exceeded = {"fair_share": "; more if others send less", "ack_path": "; more if ACKs are lost"}
    name: str = tcp["limited_by"]
    if name == "window" and tcp["expected_bits_per_second"] < tcp["window_limit_bits_per_second"]:
        return f"{name}; of its {tcp['window_segments']} segments the last waits for a delayed ACK"
    return name.replace("_", " ").replace("ack", "ACK") + exceeded.get(name, "")


def _slow_start(found: dict[str, Any] | None) -> list[tuple[str, str]]:
    if found is None:
        return []
    rounds = found["round_trips_every_segment"], found["round_trips_delayed"]
    seconds = number(found["seconds"])
    trips = "round trip" if rounds[0] == 1 else "round trips"
    text = (
        f"{seconds} s to {found['segments']} segments; {rounds[0]} {trips}, {rounds[1]} with "
        "delayed ACKs"
    )
    return [("slow start", text)]


def _halving(found: dict[str, Any]) -> str:
    named = (("square_root", "square-root law"), ("pftk", "PFTK"), ("cubic", "RFC 9438"))
    given = [(found.get(key), name) for key, name in named]
    return (
        "; ".join(f"{loss:.2g} ({name})" for loss, name in given if loss is not None)
        or "no formula"
    )


def _propagation(flow: dict[str, Any]) -> str:
    """Delay there and back, as a range where it varies."""
    least = milliseconds(flow["propagation_rtt_seconds"])
    most = flow.get("max_propagation_rtt_seconds")
    return least if most is None else f"{least} to {milliseconds(most)}"


def _unloaded(tcp: dict[str, Any]) -> str:
    return milliseconds(tcp["unloaded_rtt_seconds"])
