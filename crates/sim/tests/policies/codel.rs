//! Controlled Delay against the pseudo-code of RFC 8289, and a TCP through it.

use std::collections::VecDeque;

use super::summary;
use cellway_sim::pdu::CellHead;
use cellway_sim::result::Summary;
use cellway_sim::switch::{Admission, Codel, Dequeue, FrameRule};
use cellway_sim::units::{Span, Time};
use proptest::prelude::*;

const MTU: u64 = 1500;

/// The pseudo-code of RFC 8289 section 5.6, written for a queue of (arrival, bytes).
#[derive(Default)]
struct Rfc {
    queue: VecDeque<(i64, u64)>,
    first_above_time: i64,
    drop_next: i64,
    count: u32,
    lastcount: u32,
    dropping: bool,
}

impl Rfc {
    const TARGET: i64 = 5_000_000_000;
    const INTERVAL: i64 = 100_000_000_000;

    fn dodequeue(&mut self, now: i64) -> (Option<(i64, u64)>, bool) {
        let Some(packet) = self.queue.pop_front() else {
            self.first_above_time = 0;
            return (None, false);
        };
        let bytes: u64 = self.queue.iter().map(|(_, bytes)| bytes).sum();
        if now - packet.0 < Self::TARGET || bytes <= MTU {
            self.first_above_time = 0;
        } else if self.first_above_time == 0 {
            self.first_above_time = now + Self::INTERVAL;
        } else if now >= self.first_above_time {
            return (Some(packet), true);
        }
        (Some(packet), false)
    }

    fn control_law(&self, t: i64) -> i64 {
        t + (Self::INTERVAL as f64 / f64::from(self.count).sqrt()).round() as i64
    }

    /// How many were dropped, and what is sent.
    fn deque(&mut self, now: i64) -> (usize, Option<(i64, u64)>) {
        let mut drops = 0;
        let (mut packet, mut ok_to_drop) = self.dodequeue(now);
        if self.dropping {
            self.dropping = ok_to_drop;
            while now >= self.drop_next && self.dropping {
                drops += 1;
                self.count += 1;
                (packet, ok_to_drop) = self.dodequeue(now);
                if ok_to_drop {
                    self.drop_next = self.control_law(self.drop_next);
                } else {
                    self.dropping = false;
                }
            }
        } else if ok_to_drop {
            drops += 1;
            (packet, _) = self.dodequeue(now);
            self.dropping = true;
            let delta = self.count - self.lastcount;
            let is_soon = now - self.drop_next < 16 * Self::INTERVAL;
            self.count = if delta > 1 && is_soon { delta } else { 1 };
            self.drop_next = self.control_law(now);
            self.lastcount = self.count;
        }
        (drops, packet)
    }
}

proptest! {
    /// Random arrivals and dequeues: the same packets are dropped and sent, packet by packet.
    #[test]
    fn as_the_pseudo_code(
        steps in prop::collection::vec((0_i64..30, 0_usize..4, 40_u64..1501), 1..1500),
    ) {
        let [target, interval] = [5, 100].map(Span::from_milliseconds);
        let (mut rfc, mut codel) = (Rfc::default(), Codel::new(target, interval, MTU, false));
        let mut ours: VecDeque<(i64, u64)> = VecDeque::new();
        let mut now = 1;
        for (pause, arrivals, bytes) in steps {
            now += pause * pause * 17_000_003;
            for _ in 0..arrivals.min(3) {
                rfc.queue.push_back((now, bytes));
                ours.push_back((now, bytes));
            }
            let expected = rfc.deque(now);
            let mut drops = 0;
            let sent = loop {
                let Some(packet) = ours.pop_front() else { break None };
                let dequeue = Dequeue {
                    now: Time::from_picoseconds(now),
                    sojourn: Span::from_picoseconds(now - packet.0),
                    occupancy: ours.len() as u64 + 1,
                    backlog: ours.iter().map(|(_, bytes)| bytes).sum(),
                    slot: 0,
                    ..Dequeue::default()
                };
                match codel.judge_dequeue(CellHead::end_of_frame(0, 0), &dequeue) {
                    Admission::Refuse => drops += 1,
                    _ => break Some(packet),
                }
            };
            prop_assert_eq!((drops, sent), expected);
        }
    }
}

/// One TCP over 10 Mbit/s, 40 ms there and back, with room for 200 packets of 1.2 ms.
fn one_tcp(node: &str, drop: &str) -> Summary {
    summary(&one_tcp_text(node, drop))
}

fn one_tcp_text(node: &str, drop: &str) -> String {
    include_str!("one_tcp.toml").replace("switch", node).replace("\"tail\"", drop)
}

/// The buffer alone holds packets for most of 240 ms; CoDel lets a queue stand for about its
/// target of 5 ms. Halving the window of the one TCP leaves the line idle for a while.
#[test]
fn a_tcp_waits_for_about_the_target() {
    let [tail, codel] = ["\"tail\"", "\"codel\""].map(|drop| one_tcp("switch", drop));
    let [tail, codel] = [&tail, &codel].map(|summary| &summary.ports["router.trunk"]);
    let wait = |mean_queue: f64| mean_queue * 1.2;
    assert!(wait(tail.mean_queue) > 100.0, "{tail:?}");
    assert!((1.5..7.5).contains(&wait(codel.mean_queue)), "{codel:?}");
    assert!(codel.drops.early_frame > 10 && codel.drops.overflow == 0, "{codel:?}");
    assert!(codel.utilisation > 0.8, "{codel:?}");
}

/// An output of an edge is served as that of a switch is, with and without a policy for which it
/// has to be.
#[test]
fn an_edge_serves_packets_as_a_switch_does() {
    for drop in ["\"tail\"", "\"codel\"", "\"pie\"", "\"fq_codel\"", "\"dual_pi2\"", "\"abc\""] {
        let [switch, edge] = ["switch", "edge"].map(|node| one_tcp(node, drop));
        let [of_switch, of_edge] = [&switch, &edge].map(|summary| &summary.ports["router.trunk"]);
        assert_eq!(format!("{of_edge:?}"), format!("{of_switch:?}"), "{drop}");
        assert!(of_edge.sent > 1000, "{of_edge:?}");
    }
}

/// With ECN at both ends and in the policy, and PIE marking at any probability, nothing is
/// discarded: marks hold the queue as drops do.
#[test]
fn a_capable_tcp_is_marked_and_loses_nothing() {
    for (policy, more) in [("codel", ""), ("fq_codel", ""), ("pie", ", mark_threshold = 1.0")] {
        let text = one_tcp_text("switch", &format!("{{ {policy} = {{ ecn = true{more} }} }}"));
        let capable =
            summary(&text.replace("recovery = \"sack\"", "recovery = \"sack\", ecn = true"));
        let (port, flow) = (&capable.ports["router.trunk"], &capable.flows["bulk"]);
        assert_eq!(port.drops.overflow + port.drops.early_frame, 0, "{policy}: {port:?}");
        assert!(port.marked > Some(10), "{policy}: {port:?}");
        assert_eq!(flow.retransmitted_segments, 0, "{policy}: {flow:?}");
        assert!(port.mean_queue < 20.0 && port.utilisation > 0.8, "{policy}: {port:?}");
        let incapable = &summary(&text).ports["router.trunk"];
        assert!(incapable.drops.early_frame > 0, "{policy}: {incapable:?}");
        assert_eq!(incapable.marked, Some(0), "{policy}");
    }
}
