"""Captured packets, as tshark reads them and as the command writes them."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from cellway import Capture, Run, Scenario, ScenarioError, run
from common import SMALL, Command, refused, text_of
from faults import listed

LOSSY = text_of("lossy.toml")
LAYERS = {
    "packets": {},
    "cells": {"of line": "of cell", '"packets"': '"cells"', "10 packet": "150 cell"},
}
"""What is carried, and the words that it changes."""

EPOCH = 1_000_000_000
GOOD = "1"
CE = "3"
SYN, ACK, ECE, CWR = 2, 16, 64, 128
FIELDS = text_of("fields.txt").split()
Packet = dict[str, str]
Read = Callable[[Path], list[Packet]]


@pytest.fixture
def tshark() -> Read:
    """The packets of a file, each with `FIELDS`, as tshark dissects them."""
    program = shutil.which("tshark")
    if program is None:
        pytest.skip("tshark is not installed (Debian: apt-get install tshark)")
    checked = [f"-o{layer}.check_checksum:TRUE" for layer in ("ip", "tcp", "udp")]
    fields = [part for name in FIELDS for part in ("-e", name)]

    def read(file: Path) -> list[Packet]:
        command = [program, "-r", str(file), *checked, "-T", "fields", *fields]
        text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        return [dict(zip(FIELDS, line.split("\t"), strict=True)) for line in text.splitlines()]

    return read


@dataclass(frozen=True)
class Captured:
    """A run and its packets."""

    run: Run
    packets: list[Packet]

    def count(self, *fields: str) -> int:
        """Packets that tshark says one of these of."""
        return sum(any(packet[field] for field in fields) for packet in self.packets)


def captured(text: str, file: Path, tshark: Read, **options: object) -> Captured:
    made = run(Scenario.parse(text), pcap=Capture(file, whole=True, **options))  # type: ignore[arg-type]
    return Captured(made, tshark(file))


def lossy(carries: str, recovery: str) -> str:
    text = LOSSY.replace('"reno"', f'"{recovery}"')
    for word, other in LAYERS[carries].items():
        text = text.replace(word, other)
    return text


@pytest.mark.parametrize("carries", LAYERS)
@pytest.mark.parametrize("recovery", ["reno", "new_reno", "sack"])
def test_tshark_counts_what_we_count(
    carries: str, recovery: str, tmp_path: Path, tshark: Read
) -> None:
    found = captured(lossy(carries, recovery), tmp_path / "lossy.pcapng", tshark)
    flow = found.run.flows["bulk"]
    assert flow["retransmitted_segments"] > 5
    # A retransmission soon after another segment counts as out of order.
    again = found.count(
        "tcp.analysis.retransmission",
        "tcp.analysis.spurious_retransmission",
        "tcp.analysis.out_of_order",
    )
    assert again == flow["retransmitted_segments"]
    duplicates = found.count("tcp.analysis.duplicate_ack")
    assert duplicates - without_news(found.packets) == flow["duplicate_acks"] > 50
    blocks = found.count("tcp.options.sack_le")
    assert (blocks > duplicates / 2) == (recovery == "sack")


def without_news(packets: list[Packet]) -> int:
    """Duplicate ACKs with the blocks of the ACK before: none in the sense of RFC 6675."""
    said = ("tcp.ack", "tcp.options.sack_le", "tcp.options.sack_re")
    acks = [packet for packet in packets if packet["ip.src"] == "10.0.0.2"]
    return sum(
        bool(ack["tcp.analysis.duplicate_ack"])
        and bool(ack["tcp.options.sack_le"])
        and all(ack[field] == before[field] for field in said)
        for before, ack in pairwise(acks)
    )


@pytest.mark.parametrize("carries", LAYERS)
def test_nothing_is_malformed_and_all_checksums_are_good(
    carries: str, tmp_path: Path, tshark: Read
) -> None:
    found = captured(lossy(carries, "sack"), tmp_path / "lossy.pcapng", tshark)
    assert len(found.packets) > 1000
    assert found.count("_ws.malformed") == 0
    for packet in found.packets:
        assert (packet["ip.checksum.status"], packet["tcp.checksum.status"]) == (GOOD, GOOD)
    # The handshake says how windows are scaled.
    assert {packet["tcp.window_size"] for packet in found.packets[2:]} == {str(256 << 10)}
    assert int(float(found.packets[0]["frame.time_epoch"])) == EPOCH
    assert found.packets[0]["frame.interface_name"] == "a.left"


def with_keys(text: str, *keys: str) -> str:
    return text.replace("handshake = true", "\n".join(["handshake = true", *keys]))


@pytest.mark.parametrize("carries", LAYERS)
def test_every_segment_has_timestamps(carries: str, tmp_path: Path, tshark: Read) -> None:
    text = with_keys(lossy(carries, "sack"), "timestamps = true", 'timers = "fine"')
    found = captured(text, tmp_path / "stamped.pcapng", tshark)
    assert found.count("_ws.malformed") == 0
    assert found.count("tcp.options.timestamp.tsval") == len(found.packets) > 1000
    assert found.count("tcp.options.sack_le") > 50
    data = [packet for packet in found.packets if packet["ip.src"] == "10.0.0.1"]
    # RFC 7323 appendix A: 1460 bytes, of which the option takes 12.
    assert max(int(packet["tcp.len"]) for packet in data) == 1448
    # The clock ticks every millisecond, and what is echoed was sent before.
    for packet in data:
        milliseconds = (Decimal(packet["frame.time_epoch"]) - EPOCH) * 1000
        # The first tick is at zero.
        assert int(packet["tcp.options.timestamp.tsval"]) == int(milliseconds) + 1
    sent = {packet["tcp.options.timestamp.tsval"] for packet in data}
    acks = [packet for packet in found.packets[1:] if packet["ip.src"] == "10.0.0.2"]
    assert {packet["tcp.options.timestamp.tsecr"] for packet in acks} <= sent


def test_tshark_sees_closed_windows_and_their_probes(tmp_path: Path, tshark: Read) -> None:
    text = lossy("packets", "reno").replace('"256 KiB"', '"64 KiB"')
    text = text.replace("10 packet", "1000 packet")
    reader = 'reader.periodic = { block = "64 KiB", period = "3 s" }'
    text = with_keys(text, reader, 'timers.fine = { min_rto = "300 ms" }')
    found = captured(text, tmp_path / "late.pcapng", tshark)
    assert found.count("_ws.malformed") == 0
    # 0.3, 0.6 and 1.2 s after the window closed and before the next read, twice.
    probes = found.count("tcp.analysis.zero_window_probe")
    assert probes == found.count("tcp.analysis.zero_window_probe_ack") > 4
    assert found.count("tcp.analysis.window_update") == 2
    assert found.count("tcp.analysis.zero_window") >= probes
    assert found.run.flows["bulk"]["timeouts"] == 0


def test_marks_and_what_answers_them_are_in_the_headers(tmp_path: Path, tshark: Read) -> None:
    text = lossy("packets", "new_reno").replace("10 packet", "200 packet")
    text = with_keys(text, "ecn = true") + "[switch.s.drop.codel]\necn = true\n"
    found = captured(text, tmp_path / "ecn.pcapng", tshark, at=["b"])
    flags = [int(packet["tcp.flags"], 16) for packet in found.packets]
    # RFC 3168 §6.1.1: an ECN-setup SYN, and its answer.
    assert flags[:2] == [SYN | ECE | CWR, SYN | ACK | ECE]
    marked = [packet for packet in found.packets if packet["ip.dsfield.ecn"] == CE]
    assert {packet["ip.src"] for packet in marked} == {"10.0.0.1"}
    reactions = sum(bool(one & CWR) for one in flags[2:])
    echoes = sum(bool(one & ECE) for one in flags[2:])
    assert 5 < reactions <= len(marked) < echoes


def test_the_class_of_a_flow_is_in_its_headers(tmp_path: Path, tshark: Read) -> None:
    text = lossy("packets", "sack").replace("[flow.bulk]", '[flow.bulk]\ndscp = "EF"', 1)
    found = captured(text, tmp_path / "class.pcapng", tshark)
    # RFC 3246 §2.7: 101110, in both directions.
    assert {packet["ip.dsfield.dscp"] for packet in found.packets} == {"46"}
    plain = captured(lossy("packets", "sack"), tmp_path / "plain.pcapng", tshark)
    assert {packet["ip.dsfield.dscp"] for packet in plain.packets} == {"0"}


@pytest.mark.parametrize("layer", ["packets", "cells"])
def test_packets_of_ipv6_are_read(layer: str, tmp_path: Path, tshark: Read) -> None:
    text = lossy(layer, "sack").replace("[flow.bulk]", '[flow.bulk]\nip = "ipv6"\ndscp = "EF"', 1)
    text = text.replace("10 packet", "200 packet")
    if layer == "packets":
        text = with_keys(text, "ecn = true") + "[switch.s.drop.codel]\necn = true\n"
    call = """
[flow.call]
from = "b"
to = "a"
ip = "ipv6"
traffic.cbr = { rate = "80 kbit/s of payload", datagram = "201 B" }
"""
    found = captured(text + call, tmp_path / "v6.pcapng", tshark, at=["a", "b"])
    assert found.count("_ws.malformed") == 0
    assert {(packet["ipv6.version"], packet["ipv6.hlim"]) for packet in found.packets} == {
        ("6", "64")
    }
    assert {packet["ipv6.src"] for packet in found.packets} == {"fd00::1", "fd00::2"}
    segments = [packet for packet in found.packets if packet["tcp.flags"]]
    datagrams = [packet for packet in found.packets if packet["udp.checksum.status"]]
    assert len(segments) + len(datagrams) == len(found.packets)
    # RFC 3246 §2.7, and best effort.
    assert {packet["ipv6.tclass.dscp"] for packet in segments} == {"46"}
    assert {packet["ipv6.tclass.dscp"] for packet in datagrams} == {"0"}
    assert {packet["tcp.checksum.status"] for packet in segments} == {GOOD}
    assert {packet["udp.checksum.status"] for packet in datagrams} == {GOOD}
    marked = sum(packet["ipv6.tclass.ecn"] == CE for packet in segments)
    assert (marked > 5) == (layer == "packets")


def test_datagrams_are_udp(tmp_path: Path, tshark: Read) -> None:
    call = """
[flow.call]
from = "b"
to = "a"
traffic.cbr = { rate = "80 kbit/s of payload", datagram = "201 B" }
"""
    found = captured(lossy("cells", "reno") + call, tmp_path / "call.pcapng", tshark)
    datagrams = [packet for packet in found.packets if packet["udp.checksum.status"]]
    assert len(datagrams) == found.run.flows["call"]["datagrams"]["sent"] > 100
    for packet in datagrams:
        assert (packet["ip.checksum.status"], packet["udp.checksum.status"]) == (GOOD, GOOD)
        assert (packet["ip.src"], packet["frame.interface_name"]) == ("10.0.0.2", "b.right")
    assert found.count("_ws.malformed") == 0


def test_a_named_host_shows_what_passes_there(tmp_path: Path, tshark: Read) -> None:
    found = captured(lossy("packets", "reno"), tmp_path / "b.pcapng", tshark, at=["b"])
    data = [packet for packet in found.packets if packet["ip.src"] == "10.0.0.1"]
    assert {packet["frame.interface_name"] for packet in found.packets} == {"b.right"}
    assert len(data) < found.run.flows["bulk"]["segments_sent"]


def test_packets_are_cut_behind_their_headers(tmp_path: Path) -> None:
    scenario = Scenario.parse(SMALL)
    files = [tmp_path / name for name in ("cut.pcapng", "whole.pcapng")]
    run(scenario, pcap=files[0])
    result = run(scenario, pcap=Capture(files[1], whole=True))
    flow = result.flows["bulk"]
    cut, whole = (file.stat().st_size for file in files)
    assert whole - cut >= flow["segments_sent"] * 9140
    assert cut < 100 * (flow["segments_sent"] + flow["acks_sent"]) + 1000


def test_a_run_is_the_same_with_a_capture(tmp_path: Path) -> None:
    scenario = Scenario.parse(SMALL)
    assert run(scenario).summary_json == run(scenario, pcap=tmp_path / "x").summary_json


def test_a_stopped_run_leaves_the_earlier_file(tmp_path: Path) -> None:
    file = tmp_path / "run.pcapng"
    run(Scenario.parse(SMALL), pcap=file)
    before = file.read_bytes()

    def stop(_at: float, _end: float) -> None:
        raise InterruptedError

    endless = Scenario.parse(SMALL).with_set("run.duration", "4000 s")
    with pytest.raises(InterruptedError):
        run(endless, stop, pcap=file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_nothing_to_capture_is_said(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no host `z`; expected one of `a`, `b`"):
        run(Scenario.parse(SMALL), pcap=Capture(tmp_path / "x", at=["z"]))
    assert not list(tmp_path.iterdir())


def test_the_command_writes_and_replaces_its_own(cellway: Command, small: Path) -> None:
    first = cellway("run", small, "--pcap", "run.pcapng")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.endswith("written to run.pcapng\n")
    again = cellway("run", small, "--pcap", "run.pcapng", "--pcap-at", "b", "--out", "there")
    assert again.stdout.endswith("written to there and run.pcapng\n")


@pytest.mark.parametrize(("words", "said"), listed("captures"))
def test_bad_captures_are_refused(
    cellway: Command, small: Path, folder: Path, words: str, said: str
) -> None:
    mine = folder / "mine.txt"
    mine.write_text("mine")
    assert said in refused(cellway, "run", small, *words.split())
    assert mine.read_text() == "mine"
    assert not (folder / "x").exists()
