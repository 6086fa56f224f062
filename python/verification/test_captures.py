"""Captures of shipped scenarios: tshark and tcptrace count what the run itself counts."""

import csv
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from cellway import Capture, Run, Scenario, run
from cellway.runs.capture import Layer
from cellway.scenario.shipped import shipped

CASES = {
    "recovery-rules": {"run.duration": "20 s"},
    "lossy-satellite": {},
    "leo-hand-overs": {"run.duration": "20 s"},
    "dsl": {},
    "shared-bottleneck": {"run.duration": "3 s"},
    "web": {"run.duration": "20 s"},
    "random-loss": {"run.duration": "20 s"},
}
"""Shipped scenarios and what is shortened: New Reno, SACK over cells, hand-overs, both ways at
once, ten senders over cells, requests with responses, random loss."""
MARKED = {
    "run.duration": "20 s",
    "switch.router.drop": "{ codel = { ecn = true } }",
    "flow.near.tcp.ecn": "true",
    "flow.far.tcp.ecn": "true",
}
SENT_AGAIN = ["retransmission", "fast_retransmission", "spurious_retransmission", "out_of_order"]
"""Words of tshark; soon after another segment a retransmission counts as out of order."""
BLOCKS = ["tcp.options.sack_le", "tcp.options.sack_re"]
FIELDS = ["tcp.srcport", "tcp.dstport", "tcp.len", "tcp.flags", "ip.dsfield.ecn", *BLOCKS]
FIELDS += ["tcp.analysis.duplicate_ack", *(f"tcp.analysis.{word}" for word in SENT_AGAIN)]
SYN, CWR = 2, 128
CE = "3"
FIRST_PORT = 49152
"""Source port of the first flow; the next flows have the next ones."""
DISCARD = "9"
FIRST_VCI = 32
LAYERS: list[Layer] = ["ip", "sunatm"]
DISSECTOR = Path(__file__).parents[2] / "docs" / "rm_cell.lua"
Packet = dict[str, str]


def needed(program: str, package: str) -> str:
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not installed (Debian: apt-get install {package})")
    return path


def captured(
    name: str, sets: dict[str, str], file: Path, at: Sequence[str] = (), layer: Layer = "ip"
) -> Run:
    """A run of a shipped scenario, counted from its start, with its packets in `file`."""
    one = next(one for one in shipped() if one.name == name)
    one.write(file.parent)
    scenario = Scenario.load(file.parent / next(iter(one.files)))
    changed = scenario.with_sets([("run.warm_up", "0 s"), *sets.items()])
    return run(changed, pcap=Capture(file, at=at, layer=layer))


def dissected(file: Path) -> list[Packet]:
    fields = [part for name in FIELDS for part in ("-e", name)]
    command = [needed("tshark", "tshark"), "-r", str(file), "-Y", "tcp", "-T", "fields", *fields]
    text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return [dict(zip(FIELDS, line.split("\t"), strict=True)) for line in text.splitlines()]


def traced(file: Path) -> list[Packet]:
    """The connections of a file as tcptrace counts them. It takes no file of several interfaces."""
    program = needed("tcptrace", "tcptrace")
    plain = file.with_suffix(".pcap")
    converter = needed("editcap", "wireshark-common")
    subprocess.run([converter, "-F", "pcap", str(file), str(plain)], check=True)
    command = [program, "-l", "-n", "--csv", str(plain)]
    text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    lines = [line for line in text.splitlines() if line.strip() and line[0] != "#"]
    return list(csv.DictReader(lines, skipinitialspace=True))


def has_news(ack: Packet, known: list[tuple[int, int]]) -> bool:
    """True if a SACK block has octets that no block before had, which are then known."""
    firsts, lasts = (ack[name].split(",") for name in BLOCKS)
    blocks = [(int(first), int(last)) for first, last in zip(firsts, lasts, strict=True)]
    news = False
    for first, last in blocks:
        if not any(start <= first and last <= end for start, end in known):
            news = True
            joined = [one for one in known if one[0] <= last and first <= one[1]]
            known[:] = [one for one in known if one not in joined]
            ends = [*joined, (first, last)]
            known.append((min(one[0] for one in ends), max(one[1] for one in ends)))
    return news


def duplicates(acks: list[Packet]) -> int:
    """Duplicate ACKs; with SACK those that bring a new block (RFC 6675 §2)."""
    known: list[tuple[int, int]] = []
    has_sack = any(ack[BLOCKS[0]] for ack in acks)
    news = [has_news(ack, known) if ack[BLOCKS[0]] else not has_sack for ack in acks]
    return sum(
        bool(ack["tcp.analysis.duplicate_ack"]) and is_news
        for ack, is_news in zip(acks, news, strict=True)
    )


def counts_of_tshark(packets: list[Packet], flows: int) -> list[tuple[int, ...]]:
    """Data segments, those sent again, their octets, and duplicate ACKs of each flow."""
    counts = []
    for port in range(FIRST_PORT, FIRST_PORT + flows):
        data = [one for one in packets if one["tcp.srcport"] == str(port) and one["tcp.len"] != "0"]
        acks = [one for one in packets if one["tcp.dstport"] == str(port)]
        again = [one for one in data if any(one[f"tcp.analysis.{word}"] for word in SENT_AGAIN)]
        octets = sum(int(one["tcp.len"]) for one in again)
        counts.append((len(data), len(again), octets, duplicates(acks)))
    return sorted(counts)


def counts_of_tcptrace(rows: list[Packet]) -> list[tuple[int, ...]]:
    """Data segments, those sent again, and their octets of each flow that sent."""
    counts = []
    for row in rows:
        way = "a2b" if int(row["port_a"]) >= FIRST_PORT else "b2a"
        kinds = ("actual_data_pkts", "rexmt_data_pkts", "rexmt_data_bytes")
        counts.append(tuple(int(row[f"{kind}_{way}"]) for kind in kinds))
    return sorted(counts)


def counts_of_run(found: Run) -> list[tuple[int, ...]]:
    return sorted(
        (
            flow["segments_sent"],
            flow["retransmitted_segments"],
            flow["retransmitted_bytes"],
            flow["duplicate_acks"],
        )
        for flow in found.flows.values()
    )


@pytest.mark.parametrize("name", CASES)
def test_tshark_and_tcptrace_count_what_we_count(name: str, tmp_path: Path) -> None:
    found = captured(name, CASES[name], tmp_path / "run.pcapng")
    ours = counts_of_run(found)
    assert counts_of_tshark(dissected(tmp_path / "run.pcapng"), len(ours)) == ours
    rows = traced(tmp_path / "run.pcapng")
    assert counts_of_tcptrace(rows) == [counts[:3] for counts in ours]


def test_tshark_sees_the_marks_that_we_count(tmp_path: Path) -> None:
    found = captured("access-queue", MARKED, tmp_path / "run.pcapng", at=["*"])
    counted = [flow["ecn"] for flow in found.flows.values() if flow.get("ecn")]
    packets = dissected(tmp_path / "run.pcapng")
    marked = sum(one["ip.dsfield.ecn"] == CE for one in packets)
    assert marked == sum(ecn["marks_received"] for ecn in counted) > 50
    # Each packet that says so is captured where it leaves and where it arrives.
    flags = [int(one["tcp.flags"], 16) & (SYN | CWR) for one in packets]
    assert flags.count(CWR) == 2 * sum(ecn["reductions"] for ecn in counted) > 100


def cells(file: Path, *fields: str) -> list[list[str]]:
    """Fields of every packet and RM cell of a file."""
    asked = [part for name in fields for part in ("-e", name)]
    command = [needed("tshark", "tshark"), "-X", f"lua_script:{DISSECTOR}", "-r", str(file)]
    command += ["-T", "fields", *asked]
    text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return [line.split("\t") for line in text.splitlines()]


def test_rm_cells_stand_beside_packets_with_their_channels(tmp_path: Path) -> None:
    sets = {"run.duration": "0.3 s"}
    found = captured("abr-vbr", sets, tmp_path / "run.pcapng", at=["*"], layer="erf")
    fields = ("atm.vpi", "atm.vci", "rm.direction", "rm.er", "rm.crc_ok", "rm.id", "tcp.srcport")
    shown = cells(tmp_path / "run.pcapng", *fields, "erf.flags.cap")
    assert {one[0] for one in shown} == {"0"}
    of_rm = [one for one in shown if one[2]]
    assert {tuple(one[4:6]) for one in of_rm} == {("1", "1")}
    # Sent ones leave by capture interface 0, received ones come by 1.
    sent = [one for one in of_rm if one[-1] == "0"]
    counted = [vc["abr"] for vc in found.summary["vcs"].values() if vc.get("abr")]
    counts = [sum(one[kind] for one in counted) for kind in ("forward_rm", "backward_rm")]
    assert [sum(one[2] == way for one in sent) for way in "01"] == counts
    assert min(counts) > 10
    # Switches lower the explicit rate under way.
    lines = {float(one[3]) for one in sent if one[2] == "0"}
    assert min(float(one[3]) for one in of_rm if one[-1] == "1") < min(lines)
    channels = {one[1]: one[6] for one in shown if one[6] != DISCARD and one[6]}
    assert channels == {str(FIRST_VCI + n): str(FIRST_PORT + n) for n in range(len(channels))}


def test_packets_have_their_channels(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("ip.pcapng", "sun.pcapng")]
    for file, layer in zip(files, LAYERS, strict=True):
        captured("lossy-satellite", {"run.duration": "20 s"}, file, layer=layer)
    ip, sun = (dissected(file) for file in files)
    assert ip == sun
    assert {tuple(one) for one in cells(files[1], "atm.vpi", "atm.vci")} == {("0", str(FIRST_VCI))}
