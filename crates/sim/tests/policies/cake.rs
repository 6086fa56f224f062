//! CAKE in whole runs: rates behind the shaper, hosts, and tins; and overflows by hand.

use super::listed::cobalt;
use super::summary;
use cellway_sim::pdu::CellHead;
use cellway_sim::result::Summary;
use cellway_sim::switch::{Admission, Cake, Dequeue, FrameRule};
use cellway_sim::units::{Span, Time};

/// Four downloads and a call over 10 Mbit/s, whose drop policy is `drop`; three of the downloads
/// come from one host.
fn home(drop: &str, change: impl Fn(String) -> String) -> Summary {
    summary(&change(include_str!("cake.toml").replace("\"tail\"", drop)))
}

fn megabits(summary: &Summary, flow: &str) -> f64 {
    summary.flows[flow].throughput_bits_per_second / 1e6
}

fn of_all(summary: &Summary) -> f64 {
    ["one", "many[1]", "many[2]", "many[3]"].iter().map(|flow| megabits(summary, flow)).sum()
}

const SHAPED: &str = "{ cake = { rate = \"8 Mbit/s of line\" } }";

/// Payload has 1460 of 1500 bytes of the shaped rate, with ATM and 44 B of overhead 1460 of 33
/// cells of 53, with PTM and 30 B 1460 of 1554; the line of 10 Mbit/s idles for the rest.
#[test]
fn the_shaper_sets_the_goodput() {
    let framed = |framing: &str, overhead| {
        format!(
            "{{ cake = {{ rate = \"8 Mbit/s of line\", framing = \"{framing}\", \
             overhead = \"{overhead} B\" }} }}"
        )
    };
    let cases = [
        (SHAPED.to_owned(), 1500.0),
        (framed("atm", 44), 33.0 * 53.0),
        (framed("ptm", 30), 1554.0),
    ];
    for (drop, bytes) in cases {
        // The call has 50 packets of 188 B a second, of 5 cells, or 218 + 4 B.
        let summary = home(&drop, |text| text);
        let (found, expected) = (of_all(&summary), 8.0 * 1460.0 / bytes);
        assert!(found < expected * 0.995 && found > expected * 0.97, "{drop}: {found} {expected}");
        let port = &summary.ports["router.line"];
        assert!(port.utilisation < 0.82, "{drop} {port:?}");
    }
}

/// Floods of 1500 and of 40 B behind a shaper that counts cells of ATM and 44 B share the time of
/// the line: 33 cells a packet and two, each a half of 9 Mbit/s.
#[test]
fn packets_of_any_size_share_the_line() {
    let text = r#"
run = { duration = "20 s", warm_up = "5 s" }
host = { a = {}, b = {} }
[switch.router]
buffer.per_port = "1000 packet"
drop.cake = { rate = "9 Mbit/s of line", overhead = "44 B", framing = "atm", target = "1 s" }
[link]
a = { between = ["a", "router"], rate = "1 Gbit/s of line", carries = "packets", delay = "1 ms" }
out = { between = ["router", "b"], rate = "1 Gbit/s of line", carries = "packets", delay = "1 ms" }
[flow.large]
from = "a"
to = "b"
traffic.cbr = { rate = "9 Mbit/s of payload", datagram = "1472 B" }
[flow.small]
from = "a"
to = "b"
start = "3 us"
traffic.cbr = { rate = "2 Mbit/s of payload", datagram = "12 B" }
"#;
    let summary = summary(text);
    for (flow, payload, cells) in [("large", 1472.0, 33.0), ("small", 12.0, 2.0)] {
        let of_line = megabits(&summary, flow) / payload * 53.0 * cells;
        assert!((of_line / 4.5 - 1.0).abs() < 0.01, "{flow} {of_line}");
    }
}

/// By flows each download has a quarter; by hosts that of one host has half, the three of the other
/// a sixth each. Targets are long, so that every download has packets waiting.
#[test]
fn hosts_share_before_flows() {
    let part = |isolation: &str| {
        let drop = format!(
            "{{ cake = {{ isolation = \"{isolation}\", target = \"100 ms\", \
             interval = \"1 s\" }} }}"
        );
        let summary = home(&drop, |text| text);
        megabits(&summary, "one") / of_all(&summary)
    };
    for isolation in ["dual_source", "dual_destination", "flows"] {
        let found = part(isolation);
        let expected = if isolation == "dual_source" { 0.5 } else { 0.25 };
        assert!((found / expected - 1.0).abs() < 0.03, "{isolation} {found}");
    }
}

/// Four downloads of one host as bulk have a sixteenth beside one of best effort, and all that it
/// leaves.
#[test]
fn tins_have_parts_of_the_rate() {
    let bulk = |text: String| text.replace("# of many", "dscp = \"CS1\"");
    let part = |tins: &str| {
        let summary = home(&format!("{{ cake = {{ tins = \"{tins}\" }} }}"), bulk);
        megabits(&summary, "one") / of_all(&summary)
    };
    let [one, three] = ["best_effort", "diffserv3"].map(part);
    // One TCP of 20 ms does not fill fifteen sixteenths of the line under COBALT all the time.
    assert!(one < 0.53 && three > 0.85 && three < 0.95, "{one} {three}");
}

/// The call waits for few packets, as voice for the one that the shaper has let go, and loses
/// nothing.
#[test]
fn a_call_does_not_wait() {
    // 10 ms of propagation, 1.5 ms of a packet at the shaped rate, its own 0.15 ms on the line; in
    // the tin of the others a packet more of one that is new as well.
    for (dscp, most) in [("", 0.0132), ("dscp = \"EF\"", 0.0117)] {
        let summary = home(SHAPED, |text| text.replace("# of call", dscp));
        let call = &summary.flows["call"];
        let p99 = call.one_way_delay.as_ref().expect("it is observed").p99.expect("it arrives");
        assert!(p99 < most, "{dscp} {p99}");
        assert_eq!(call.datagrams.as_ref().expect("it sends datagrams").lost, 0);
    }
}

/// Overflows raise the probability of BLUE in the queue that they discard from, to one after 256
/// of them, and in no other: queues 1, 3 and 5 are of one tin, 4 of the other.
#[test]
fn overflows_are_told_to_blue_of_their_queue() {
    let mut rule = Cake::new([cobalt(1), cobalt(2)]);
    let instant = |milliseconds| Time::ZERO + Span::from_milliseconds(milliseconds);
    let leave = |rule: &mut Cake, now, queue| {
        let (now, sojourn) = (instant(now), Span::ZERO);
        let dequeue = Dequeue {
            now,
            sojourn,
            occupancy: 99,
            backlog: 9000,
            slot: 0,
            queue,
            ..Dequeue::default()
        };
        rule.judge_dequeue(CellHead::end_of_frame(0, 0), &dequeue)
    };
    for queue in 1..6 {
        leave(&mut rule, 0, queue);
    }
    for overflow in 1..=256 {
        rule.on_overflow(instant(6 * overflow), 3);
    }
    for (queue, expected) in [(1, 0), (3, 100), (4, 0), (5, 0)] {
        let answers = (2000..2100).map(|now| leave(&mut rule, now, queue));
        let refused = answers.filter(|answer| *answer == Admission::Refuse).count();
        assert_eq!(refused, expected, "{queue}");
    }
}
