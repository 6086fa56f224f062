//! The simulator's own TCP against ends that are written by hand, octet by octet.

use cellway_sim::units::{Span, Time};
use cellway_stack::{Answer, Call, Event, Model, Role, Stack, Turn, greeting};

use super::scenario;

const TEXT: &str = r#"
    run = { duration = "1 s" }
    host = { a = {}, b = {} }
    link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
    [flow.bulk]
    from = "a"
    to = "b"
    traffic = "greedy"
    tcp = { mtu = "1500 B", recovery = "sack", timers = "fine", ack = "every_segment" }
"#;

/// Lets a stack have a turn.
fn turn(model: &mut Model<'_>, now: Time, arrived: &[&[u8]], calls: &[Call]) -> Answer {
    let mut answer = Answer::default();
    model.turn(&Turn { now, arrived, calls }, &mut answer).expect("a turn");
    answer
}

/// A segment from the origin to the destination, or back, without checksums; they are added.
fn segment(is_back: bool, fields: &[u8], payload: &[u8]) -> Vec<u8> {
    let [from, to] = if is_back { [2, 1] } else { [1, 2] };
    let ports: [u8; 4] = if is_back { [0, 9, 0xc0, 0] } else { [0xc0, 0, 0, 9] };
    let length = (24 + fields.len() + payload.len()) as u8;
    let ip = [0x45, 0, 0, length, 0, 0, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, from, 10, 0, 0, to];
    let mut octets = [&ip[..], &ports, fields, payload].concat();
    let words = |octets: &[u8]| {
        let word = |two: &[u8]| u32::from(two[0]) << 8 | u32::from(*two.get(1).unwrap_or(&0));
        octets.chunks(2).map(word).sum::<u32>()
    };
    let folded = |sum: u32| !(((sum & 0xffff) + (sum >> 16)) as u16);
    let sum = folded(words(&octets[..20]));
    octets[10..12].copy_from_slice(&sum.to_be_bytes());
    let sum = folded(words(&octets[12..]) + 6 + u32::from(length) - 20);
    octets[36..38].copy_from_slice(&sum.to_be_bytes());
    octets
}

fn at(milliseconds: i64) -> Time {
    Time::ZERO + Span::from_milliseconds(milliseconds)
}

/// A stranger with segments of 600 bytes and no options: RFC 9293 §3.7.1. The SYN had been sent
/// twice.
#[test]
fn the_smaller_segment_size_counts() {
    let scenario = scenario(TEXT);
    let mut model = Model::new(&scenario, "bulk", Role::Origin).expect("a flow");
    let first = turn(&mut model, Time::ZERO, &[], &[Call::Open, Call::WriteForever]);
    let syn = &first.packets[0];
    // RFC 9293 §3.2: MSS 1460. RFC 2018 §2. RFC 7323 §2.2: a shift of 1 for 64 KiB.
    assert_eq!(syn[40..], [2, 4, 5, 0xb4, 1, 1, 4, 2, 1, 3, 3, 1]);
    assert_eq!((syn[33], first.packets.len()), (2, 1));
    let again = turn(&mut model, first.next.expect("a timer"), &[], &[]);
    assert_eq!(again.packets[0][24..28], syn[24..28]);
    let isn = u32::from_be_bytes(syn[24..28].try_into().expect("four"));
    let ack = isn.wrapping_add(1).to_be_bytes();
    let fields = [&[0, 0, 0, 77], &ack[..], &[0x60, 0x12, 0x20, 0, 0, 0, 0, 0, 2, 4, 2, 88]];
    let answer = turn(&mut model, at(4000), &[&segment(true, &fields.concat(), &[])], &[]);
    assert_eq!(answer.events[..1], [Event::Opened]);
    // The ACK of the SYN rides on data, whose octets are those of the stream.
    let data = &answer.packets[0];
    assert_eq!((data.len(), data[32], data[33]), (640, 0x50, 16));
    assert_eq!(data[28..32], [0, 0, 0, 78]);
    assert_eq!((data[40], data[40 + 250], data[40 + 251]), (0, 250, 0));
}

/// RFC 9293 §3.10.7.3: an ACK of a SYN that was answered before, while the answer was lost.
#[test]
fn segments_before_the_peers_syn_are_dropped() {
    let scenario = scenario(TEXT);
    let mut model = Model::new(&scenario, "bulk", Role::Origin).expect("a flow");
    let syn =
        turn(&mut model, Time::ZERO, &[], &[Call::Open, Call::WriteForever]).packets.remove(0);
    let isn = u32::from_be_bytes(syn[24..28].try_into().expect("four"));
    let ack = isn.wrapping_add(1).to_be_bytes();
    let rest = [0x50, 0x10, 0x20, 0, 0, 0, 0, 0];
    let early = [&[0xff, 0, 0, 78], &ack[..], &rest].concat();
    let answer = turn(&mut model, at(10), &[&segment(true, &early, &[])], &[]);
    assert_eq!((answer.packets.len(), answer.events.len()), (0, 0));
    let fields = [&[0xff, 0, 0, 77], &ack[..], &[0x50, 0x12, 0x20, 0, 0, 0, 0, 0]].concat();
    let answer = turn(&mut model, at(20), &[&segment(true, &fields, &[])], &[]);
    assert_eq!(
        (&answer.events[..1], &answer.packets[0][28..32]),
        (&[Event::Opened][..], &early[..4])
    );
}

/// RFC 9293 §3.10.7.1.
#[test]
fn segments_for_no_connection_are_reset() {
    let scenario = scenario(TEXT);
    let mut model = Model::new(&scenario, "bulk", Role::Destination).expect("a flow");
    let fields = [0, 0, 0, 7, 0, 0, 0, 9, 0x50, 0x10, 0x20, 0, 0, 0, 0, 0];
    let answer = turn(&mut model, Time::ZERO, &[&segment(false, &fields, &[1, 2])], &[]);
    let reset = &answer.packets[0];
    assert_eq!((&reset[24..28], reset[33]), (&[0, 0, 0, 9][..], 4));
    let syn = [0, 0, 0, 7, 0, 0, 0, 0, 0x50, 2, 0x20, 0, 0, 0, 0, 0];
    let answer = turn(&mut model, Time::ZERO, &[&segment(false, &syn, &[])], &[]);
    let reset = &answer.packets[0];
    assert_eq!((&reset[28..32], reset[33]), (&[0, 0, 0, 8][..], 0x14));
}

/// A listener that is reset in the midst of data, and octets that are not those of the stream.
#[test]
fn a_reset_ends_a_connection_and_wrong_octets_end_the_run() {
    let scenario = scenario(TEXT);
    let begun = || {
        let mut model = Model::new(&scenario, "bulk", Role::Destination).expect("a flow");
        turn(&mut model, Time::ZERO, &[], &[Call::Open]);
        let syn = [0, 0, 0, 7, 0, 0, 0, 0, 0x50, 2, 0x20, 0, 0, 0, 0, 0];
        let answer = turn(&mut model, Time::ZERO, &[&segment(false, &syn, &[])], &[]);
        let isn: [u8; 4] = answer.packets[0][24..28].try_into().expect("four");
        let ack = u32::from_be_bytes(isn).wrapping_add(1).to_be_bytes();
        // Without options of the stranger's there are none of ours but the segment size.
        assert_eq!(answer.packets[0][40..], [2, 4, 5, 0xb4]);
        (model, [&[0, 0, 0, 8], &ack[..], &[0x50, 0x10, 0x20, 0, 0, 0, 0, 0]].concat())
    };
    let (mut model, fields) = begun();
    let answer = turn(&mut model, at(1), &[&segment(false, &fields, &[0, 1, 2])], &[]);
    assert_eq!(answer.events, [Event::Opened, Event::Delivered(3)]);
    let mut reset = fields.clone();
    (reset[3], reset[9]) = (11, 4);
    let answer = turn(&mut model, at(2), &[&segment(false, &reset, &[])], &[]);
    assert_eq!((&answer.events[..], answer.packets.len()), (&[Event::Failed][..], 0));
    let (mut model, fields) = begun();
    let wrong = segment(false, &fields, &[0, 2]);
    let asked = Turn { now: at(1), arrived: &[&wrong], calls: &[] };
    let fault = model.turn(&asked, &mut Answer::default()).expect_err("octet 1 is 1");
    assert_eq!(fault.to_string(), "octet 1 of the stream is wrong");
}

/// Hosts in the order of a scenario have the addresses of its captures.
#[test]
fn a_greeting_has_the_addresses_of_hosts() {
    let text = r#"
    run = { duration = "1 s" }
    host = { a = {}, c = {}, b = {} }
    switch.s = {}
    link.a = { between = ["a", "s"], rate = "OC-3c", delay = "1 ms" }
    link.c = { between = ["c", "s"], rate = "OC-3c", delay = "1 ms" }
    link.line = { between = ["s", "b"], rate = "OC-3c", delay = "1 ms" }
    flow.first = { from = "c", to = "b", traffic = "greedy", tcp = {} }
    flow.mine = { from = "a", to = "b", traffic = "greedy", tcp = {} }
"#;
    let said = greeting(&scenario(text), "mine", Role::Destination).expect("a flow");
    assert_eq!(
        (said.own.to_string(), said.peer.to_string()),
        ("10.0.0.3:9".to_owned(), "10.0.0.1:49153".to_owned())
    );
}
