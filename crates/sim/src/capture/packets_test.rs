//! One packet of each kind, octet by octet, filled by hand from RFC 791 §3.1, RFC 9293 §3.1 and
//! §3.2, RFC 2018 §2 and §3, RFC 7323 §2, RFC 3168 §5 and §6.1, and the pcapng draft §4.3.

use super::*;
use crate::pdu::{CapturedUnit, Frame, SackOption};
use crate::scenario::Source;
use crate::units::Span;

const TEXT: &str = r#"
run = { duration = "1 s", seed = 7 }
host = { a = {}, b = {} }
link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = { window = "256 KiB", mss = "1460 B" }
"#;

const A: [u8; 4] = [10, 0, 0, 1];
const B: [u8; 4] = [10, 0, 0, 2];

fn file(kept: Kept) -> PcapNg {
    let scenario = Scenario::parse(Source { origin: "wire.toml", text: TEXT }, &[]).expect("valid");
    let points = CapturePoints::at_senders(&scenario).expect("a flow comes from there");
    PcapNg::new(&scenario, &points, kept)
}

/// The block of a packet 2.000001234567 s after the start.
fn block(segment: Segment, is_sent: bool, kept: Kept) -> Vec<u8> {
    let at = Time::ZERO + Span::from_picoseconds(2_000_001_234_567);
    let bytes = segment.ip_bytes() as u32;
    let direction = u32::from(!is_sent);
    let frame = Frame { direction, number: 1, cells: 1, bytes, sent_at: at, segment };
    let mut out = Vec::new();
    file(kept).packet(
        &Captured { at, interface: 0, is_sent, unit: CapturedUnit::Frame(frame) },
        &mut out,
    );
    out
}

/// The whole block around a packet with `length` octets, of which `packet` are kept.
fn around(packet: &[u8], length: u32, passage: u8) -> Vec<u8> {
    let whole = (32 + packet.len().next_multiple_of(4) + 12) as u32;
    // (10^9 + 2) * 10^9 + 1234 ns = 0de0_b6b4_1e99_98d2 hexadecimal: the upper word comes first.
    let words = [6, whole, 0, 0x0de0_b6b4, 0x1e99_98d2, packet.len() as u32, length];
    let head = words.iter().flat_map(|word: &u32| word.to_le_bytes());
    let options = [2, 0, 4, 0, passage, 0, 0, 0, 0, 0, 0, 0];
    head.chain(packet.iter().copied()).chain(options).chain(whole.to_le_bytes()).collect()
}

/// Copies the identification and the two checksums of `found` to the zeros in `expected`, after a
/// check of the checksums with `payload` zeros.
fn with_sums(mut expected: Vec<u8>, found: &[u8], payload: u16) -> Vec<u8> {
    for place in [4..6, 10..12, 36..38] {
        assert_eq!(expected[place.clone()], [0, 0]);
        expected[place.clone()].copy_from_slice(&found[place]);
    }
    let sum = |octets: &[u8]| {
        let words = octets.chunks(2).map(|word| u32::from(word[0]) << 8 | u32::from(word[1]));
        words.fold(0, |sum, word| (sum + word) % 0xffff)
    };
    let length = (expected.len() - 20) as u16 + payload;
    let pseudo = [&expected[12..20], &[0, 6], &length.to_be_bytes(), &expected[20..]].concat();
    assert_eq!((sum(&expected[..20]), sum(&pseudo)), (0, 0));
    expected
}

#[test]
fn data_leave() {
    let flags = Flags::ACK;
    let segment = Segment {
        seq: (1 << 32) + 258,
        ack: 1,
        len: 1460,
        window: 262_144,
        flags,
        ..Segment::default()
    };
    let found = block(segment, true, Kept::Headers);
    let packet = [
        &[0x45, 0, 0x05, 0xdc, 0, 0, 0x40, 0, 64, 6, 0, 0][..],
        &[A, B].concat(),
        // Port 49152 to 9; sequence numbers of 32 bits; 262144 >> 3 is 8000 hexadecimal.
        &[0xc0, 0, 0, 9, 0, 0, 1, 2, 0, 0, 0, 1, 0x50, 0x10, 0x80, 0, 0, 0, 0, 0],
    ];
    let packet = with_sums(packet.concat(), &found[28..], 1460);
    assert_eq!(found, around(&packet, 1500, 2));
    let whole = block(segment, true, Kept::Whole);
    let packet = [&packet[..], &[0; 1460]].concat();
    assert_eq!(whole, around(&packet, 1500, 2));
}

#[test]
fn a_syn_has_options() {
    let (flags, sack) = (Flags::SYN | Flags::SCALE, SackOption::PERMITTED);
    let segment = Segment { window: 65_535, flags, sack, ..Segment::default() };
    let found = block(segment, true, Kept::Headers);
    let packet = [
        &[0x45, 0, 0, 52, 0, 0, 0x40, 0, 64, 6, 0, 0][..],
        &[A, B].concat(),
        &[0xc0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x02, 0xff, 0xff, 0, 0, 0, 0],
        // 1460 octets; SACK is permitted; windows are shifted by three.
        &[2, 4, 0x05, 0xb4, 1, 1, 4, 2, 1, 3, 3, 3],
    ];
    let packet = with_sums(packet.concat(), &found[28..], 0);
    assert_eq!(found, around(&packet, 52, 2));
}

#[test]
fn an_acknowledgement_with_a_block_arrives() {
    let sack = SackOption::new(1461, [(2921, 4381)].into_iter());
    let flags = Flags::ACK | Flags::ECE;
    let segment = Segment { seq: 1, ack: 1461, window: 8, sack, flags, ..Segment::default() };
    let found = block(segment, false, Kept::Headers);
    let packet = [
        &[0x45, 0, 0, 52, 0, 0, 0x40, 0, 64, 6, 0, 0][..],
        &[B, A].concat(),
        &[0, 9, 0xc0, 0, 0, 0, 0, 1, 0, 0, 0x05, 0xb5, 0x80, 0x50, 0, 1, 0, 0, 0, 0],
        &[1, 1, 5, 10, 0, 0, 0x0b, 0x69, 0, 0, 0x11, 0x1d],
    ];
    let packet = with_sums(packet.concat(), &found[28..], 0);
    assert_eq!(found, around(&packet, 52, 1));
}

/// RFC 768: ports, length with the header, checksum over the pseudo-header, too.
#[test]
fn a_datagram_leaves() {
    let datagrams = TEXT.split_once("[flow.bulk]").expect("it is there").0.to_owned()
        + "flow.call = { from = \"a\", to = \"b\", \
           traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = \"200 B\" } }";
    let source = Source { origin: "wire.toml", text: &datagrams };
    let scenario = Scenario::parse(source, &[]).expect("valid");
    let points = CapturePoints::at_senders(&scenario).expect("a flow comes from there");
    let segment = Segment { seq: 3, len: 200, ..Segment::default() };
    let at = Time::ZERO + Span::from_picoseconds(2_000_001_234_567);
    let frame = Frame { direction: 0, number: 1, cells: 5, bytes: 228, sent_at: at, segment };
    let captured = Captured { at, interface: 0, is_sent: true, unit: CapturedUnit::Frame(frame) };
    let mut found = Vec::new();
    PcapNg::new(&scenario, &points, Kept::Headers).packet(&captured, &mut found);
    let id = &found[32..34];
    let packet = [
        &[0x45, 0, 0, 228][..],
        id,
        &[0x40, 0, 64, 17],
        &found[38..40],
        &A,
        &B,
        // 0a00 + 0001 + 0a00 + 0002 + 0011 + 00d0 + c000 + 0009 + 00d0 = d5bd; its complement.
        &[0xc0, 0, 0, 9, 0, 208, 0x2a, 0x42],
    ];
    assert_eq!(found, around(&packet.concat(), 228, 2));
}

#[test]
fn congestion_is_in_the_ip_header() {
    for (ecn, octet) in
        [(Ecn::NotCapable, 0), (Ecn::L4s, 1), (Ecn::Capable, 2), (Ecn::Congested, 3)]
    {
        let segment = Segment { len: 1, ecn, flags: Flags::FIN, ..Segment::default() };
        let found = block(segment, true, Kept::Headers);
        assert_eq!((found[29], found[28 + 33]), (octet, 1));
    }
}

#[test]
fn the_same_data_sent_again_are_another_packet() {
    let segment = Segment { seq: 1, len: 1460, ..Segment::default() };
    let id = |at| identification(Time::ZERO + Span::from_milliseconds(at), &segment);
    assert_eq!(id(1), id(1));
    assert_ne!(id(1), id(2));
    assert_ne!(id(1), identification(Time::ZERO, &Segment { seq: 1461, ..segment }));
}

/// More flows than ports: the next ones lead to the next destination.
#[test]
fn every_flow_has_a_pair_of_ports() {
    let scenario = Scenario::parse(Source { origin: "wire.toml", text: TEXT }, &[]).expect("valid");
    let ports = |index| {
        let flow = FlowHeaders::of((index, &scenario.flows[0]));
        (flow.origin.port(), flow.destination.port())
    };
    assert_eq!(
        [0, 1, 16_383, 16_384].map(ports),
        [(49152, 9), (49153, 9), (65535, 9), (49152, 10)]
    );
}

#[test]
fn the_head_says_what_was_run() {
    let file = file(Kept::Headers);
    let head = String::from_utf8_lossy(file.head()).into_owned();
    for said in ["scenario wire, seed 7; simulated time 0 is 1000000000 s", "cellway ", "a.wire"] {
        assert!(head.contains(said), "{head}");
    }
}

/// Octets of a driver: 20 of IPv4, 24 of TCP with an option, 4 of data; and a datagram.
#[test]
fn octets_of_a_driver_are_kept_as_they_are() {
    let mut octets: Vec<u8> = (0..120).collect();
    (octets[0], octets[9], octets[32]) = (0x45, 6, 0x60);
    let at = Time::ZERO + Span::from_picoseconds(2_000_001_234_567);
    let segment = Segment { seq: 12, ..Segment::default() };
    let frame = Frame { direction: 1, number: 1, cells: 3, bytes: 120, sent_at: at, segment };
    let captured = Captured { at, interface: 0, is_sent: false, unit: CapturedUnit::Frame(frame) };
    let block = |kept, octets: &[u8]| {
        let mut out = Vec::new();
        file(kept).octets(&captured, octets, &mut out);
        out
    };
    assert_eq!(block(Kept::Headers, &octets), around(&octets[..44], 120, 1));
    assert_eq!(block(Kept::Whole, &octets), around(&octets, 120, 1));
    octets[9] = 17;
    assert_eq!(block(Kept::Headers, &octets), around(&octets[..84], 120, 1));
    assert_eq!(block(Kept::Headers, &octets[..8]), around(&octets[..8], 8, 1));
}
