//! Runs whose packets are captured: the same run, and every packet once at each point.

use cellway_sim::capture::{CapturePoints, Kept};
use cellway_sim::scenario::Scenario;
use cellway_sim::{Continue, Outcome, RunError, Simulation, run_captured};

use super::network::Network;
use super::{outcome_of, scenario};

/// The blocks of a pcapng file of ours, read by nothing but their lengths.
struct File {
    interfaces: Vec<String>,
    packets: Vec<Packet>,
}

#[derive(Debug, PartialEq)]
struct Packet {
    interface: u32,
    nanoseconds: u64,
    /// With its headers alone.
    octets: Vec<u8>,
    length: u32,
    is_sent: bool,
}

impl Packet {
    fn seq(&self) -> u32 {
        u32::from_be_bytes(self.octets[24..28].try_into().expect("four octets"))
    }

    fn data(&self) -> u32 {
        self.length - self.octets.len() as u32
    }
}

fn word(octets: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(octets[at..at + 4].try_into().expect("four octets"))
}

fn read(mut octets: &[u8]) -> File {
    let mut file = File { interfaces: Vec::new(), packets: Vec::new() };
    while !octets.is_empty() {
        let length = word(octets, 4) as usize;
        let (block, rest) = octets.split_at(length);
        assert_eq!(word(block, length - 4) as usize, length);
        match word(block, 0) {
            1 => {
                let name = u16::from_le_bytes([block[18], block[19]]) as usize;
                let name = String::from_utf8(block[20..20 + name].to_vec()).expect("text");
                file.interfaces.push(name);
            }
            6 => {
                let kept = word(block, 20) as usize;
                file.packets.push(Packet {
                    interface: word(block, 8),
                    nanoseconds: u64::from(word(block, 12)) << 32 | u64::from(word(block, 16)),
                    octets: block[28..28 + kept].to_vec(),
                    length: word(block, 24),
                    is_sent: word(block, 28 + kept.next_multiple_of(4) + 4) == 2,
                });
            }
            _ => {}
        }
        octets = rest;
    }
    file
}

fn captured(scenario: &Scenario, points: &CapturePoints) -> (Outcome, File, usize) {
    let (mut octets, mut longest) = (Vec::new(), 0);
    let mut write = |piece: &[u8]| {
        longest = longest.max(piece.len());
        octets.extend_from_slice(piece);
        Continue::Yes
    };
    let tell = &mut |_| Continue::Yes;
    let outcome = run_captured(scenario, points, Kept::Headers, &mut write, tell);
    (outcome.expect("nothing cancels it"), read(&octets), longest)
}

/// Two flows from two hosts that lose in a buffer of cells, or of packets.
fn lossy(carries: &str) -> Scenario {
    let (rate, buffer) = if carries == "cells" {
        ("20 Mbit/s of cell", "per_port = \"150 cell\"")
    } else {
        ("20 Mbit/s of line", "per_port = \"9 packet\"")
    };
    let hosts = Network::lasting("3 s").host("a").host("b").host("c").switch("s");
    let network = hosts
        .link("left", ["a", "s"], rate, "1 ms")
        .link("other", ["c", "s"], rate, "2 ms")
        .link("right", ["s", "b"], rate, "3 ms")
        .at("switch.s", &format!("buffer = {{ {buffer} }}"))
        .at("host.a", "cpu_per_segment = \"50 us\"")
        .greedy("one", ["a", "b"], "mtu = \"1500 B\", recovery = \"sack\", handshake = true")
        .greedy("two", ["c", "b"], "mtu = \"1500 B\"");
    scenario(&network)
}

#[test]
fn every_packet_is_there_once_in_order_of_time_and_no_result_changes() {
    for carries in ["cells", "packets"] {
        let scenario = lossy(carries);
        let points = CapturePoints::at_senders(&scenario).expect("two flows");
        let (outcome, file, _) = captured(&scenario, &points);
        let json = |outcome: &Outcome| serde_json::to_string(&outcome.summary).expect("JSON");
        assert_eq!(json(&outcome), json(&outcome_of(&scenario)));
        assert_eq!(file.interfaces, ["a.left", "c.other"]);
        assert!(file.packets.is_sorted_by_key(|packet| packet.nanoseconds));
        for (interface, name) in [(0, "one"), (1, "two")] {
            let flow = &outcome.summary.flows[name];
            let packets = || file.packets.iter().filter(|packet| packet.interface == interface);
            let data = || packets().filter(|packet| packet.is_sent && packet.data() > 0);
            assert_eq!(data().count() as u64, flow.segments_sent);
            let mut sent: Vec<u32> = data().map(Packet::seq).collect();
            sent.sort_unstable();
            sent.dedup();
            let again = flow.segments_sent - sent.len() as u64;
            assert!(again > 0 && again == flow.retransmitted_segments, "{name}: {again}");
        }
    }
}

/// What leaves one host and arrives at the other is the same packet at both.
#[test]
fn hosts_can_be_named() {
    let scenario = lossy("cells");
    let points = CapturePoints::at_hosts(&scenario, &["b", "a*"]).expect("they are there");
    let (outcome, file, _) = captured(&scenario, &points);
    assert_eq!(file.interfaces, ["a.left", "b.right"]);
    let of = |interface, is_sent| {
        let packets = file.packets.iter();
        packets.filter(move |packet| (packet.interface, packet.is_sent) == (interface, is_sent))
    };
    let sent: Vec<&Vec<u8>> = of(0, true).map(|packet| &packet.octets).collect();
    let from_a = |packet: &&Packet| packet.octets[12..16] == [10, 0, 0, 1];
    let arrived: Vec<&Vec<u8>> = of(1, false).filter(from_a).map(|packet| &packet.octets).collect();
    assert!(arrived.len() < sent.len());
    let mut rest = sent.iter();
    assert!(arrived.iter().all(|octets| rest.any(|other| other == octets)));
    let delivered = outcome.summary.vcs["one"].frames_delivered;
    assert_eq!(arrived.len() as u64, delivered);
}

#[test]
fn there_must_be_something_to_capture() {
    let complaint = |scenario: &Scenario, hosts: &[&str]| {
        CapturePoints::at_hosts(scenario, hosts).expect_err("nothing").to_string()
    };
    let scenario_of_two = lossy("cells");
    let unknown = complaint(&scenario_of_two, &["a", "z"]);
    assert_eq!(unknown, "nothing to capture: no host `z`; expected one of `a`, `b`, `c`");
    let line = Network::line("1 s", ["OC-3c", "OC-3c"], "1 ms").cbr("1 Mbit/s of cell");
    let raw = scenario(&line);
    assert!(complaint(&raw, &["a"]).contains("no packets pass there"));
    assert!(CapturePoints::at_senders(&raw).is_err());
}

/// Pieces of 64 KiB, however much is sent between two barriers.
#[test]
fn what_is_held_is_bounded() {
    let network = Network::line("4 s", ["400 Mbit/s of line", "400 Mbit/s of line"], "1 ms")
        .greedy("bulk", ["a", "b"], "mtu = \"1500 B\", window = \"1 MiB\"");
    let scenario = scenario(&network);
    let points = CapturePoints::at_senders(&scenario).expect("a flow");
    let (_, file, longest) = captured(&scenario, &points);
    assert!(file.packets.len() > 100_000, "{}", file.packets.len());
    assert!(longest < (1 << 16) + 200, "{longest}");
    let mut simulation = Simulation::new(&scenario);
    simulation.capture(&points);
    let mut most = 0;
    while simulation.now() < simulation.end() {
        simulation.run_until(simulation.end()).expect("it has memory");
        most = most.max(simulation.take_captured().count());
    }
    assert!((1 << 12..1 << 13).contains(&most), "{most}");
}

#[test]
fn a_file_that_cannot_be_written_ends_the_run() {
    let scenario = lossy("cells");
    let points = CapturePoints::at_senders(&scenario).expect("two flows");
    let write = &mut |_: &[u8]| Continue::No;
    let outcome = run_captured(&scenario, &points, Kept::Headers, write, &mut |_| Continue::Yes);
    assert!(matches!(outcome, Err(RunError::Cancelled(_))));
}
