//! COBALT by hand: the law of CoDel, its slowing down, and BLUE.

use super::listed::cobalt;
use super::{cobalt_plan, stream, summary};
use cellway_sim::pdu::{CellHead, Ecn};
use cellway_sim::result::Cause;
use cellway_sim::switch::{
    Accounts, Admission, Cobalt, CobaltPlan, Dequeue, DropPolicy, FrameRule, Framewise, QueueState,
    Verdict,
};
use cellway_sim::units::{Span, Time};

fn milliseconds(instant: f64) -> Time {
    Time::ZERO + Span::from_picoseconds((instant * 1e9) as i64)
}

/// A packet leaves at so many milliseconds after so long a wait, with so many bytes behind it.
fn leave(rule: &mut Cobalt, now: f64, waited: f64, backlog: u64, ecn: Option<Ecn>) -> Admission {
    let now = milliseconds(now);
    let sojourn = Span::from_picoseconds((waited * 1e9) as i64);
    let dequeue =
        Dequeue { now, sojourn, occupancy: 99, backlog, slot: 0, queue: 0, ..Dequeue::default() };
    let head = CellHead::end_of_frame(0, 0);
    rule.judge_dequeue(head.with_ecn(ecn.unwrap_or(Ecn::NotCapable)), &dequeue)
}

/// Instants in milliseconds at which packets that leave every millisecond are not admitted.
fn drops(rule: &mut Cobalt, range: std::ops::Range<i32>, waited: f64) -> Vec<i32> {
    let is_dropped =
        |now: &i32| leave(rule, f64::from(*now), waited, 90_000, None) == Admission::Refuse;
    range.filter(is_dropped).collect()
}

/// Waits of 20 ms from the 1000th on: the first drop an interval later, then after 100/√2, 100/√3
/// and so on, each at the next packet.
#[test]
fn drops_come_at_the_instants_of_the_law() {
    let found = drops(&mut cobalt(1), 1000..1400, 20.0);
    let mut due = 1100.0;
    let mut expected = Vec::new();
    for count in 2..9 {
        expected.push(f64::ceil(due - 1e-9) as i32);
        due += 100.0 / f64::from(count).sqrt();
    }
    expected.retain(|at| *at < 1400);
    assert_eq!(found, expected);
}

/// A wait of the target is not above it. On a slow line four packets may wait.
#[test]
fn waits_are_above_the_target_and_four_packets() {
    assert!(drops(&mut cobalt(1), 0..1000, 5.0).is_empty());
    let mut slow = Cobalt::new(&cobalt_plan(), Span::from_milliseconds(12), stream(1));
    assert!(drops(&mut slow, 0..1000, 48.0).is_empty());
    assert!(!drops(&mut slow, 1000..2000, 48.1).is_empty());
}

/// Short waits let `count` fall at the instants of the law, and the next long wait goes on from
/// there: after 300 ms of rest the second drop follows in less than an interval, after ten seconds
/// in 100/√2 ms, as at first.
#[test]
fn the_law_slows_down_step_by_step() {
    let gap_after = |rest: i32| {
        let mut rule = cobalt(1);
        drops(&mut rule, 0..2000, 20.0);
        drops(&mut rule, 2000..2000 + rest, 1.0);
        let found = drops(&mut rule, 2000 + rest..5000 + rest, 20.0);
        (found[0] - 2000 - rest, found[1] - found[0])
    };
    let (short, long) = (gap_after(100), gap_after(10_000));
    assert!(short.0 < 60 && short.1 < 60, "{short:?}");
    assert_eq!(long, (100, 71));
}

/// An instant that passes while the queue is empty counts as one with short waits.
#[test]
fn an_empty_queue_slows_down_by_the_clock() {
    let mut rule = cobalt(1);
    drops(&mut rule, 0..2000, 20.0);
    leave(&mut rule, 2000.0, 1.0, 0, None);
    let found = drops(&mut rule, 12_000..12_300, 20.0);
    assert_eq!(found[..2], [12_100, 12_171]);
}

/// The last packet of the queue is sent, whatever is due; it may be marked.
#[test]
fn the_last_packet_is_not_discarded() {
    let marking = CobaltPlan { ecn: true, ..cobalt_plan() };
    let mut rule = Cobalt::new(&marking, Span::from_microseconds(1200), stream(1));
    assert_eq!(leave(&mut rule, 0.0, 20.0, 90_000, None), Admission::Admit);
    assert_eq!(leave(&mut rule, 100.0, 20.0, 0, None), Admission::Admit);
    assert_eq!(leave(&mut rule, 180.0, 20.0, 0, Some(Ecn::Capable)), Admission::Mark);
    assert_eq!(leave(&mut rule, 320.0, 20.0, 90_000, Some(Ecn::Capable)), Admission::Mark);
    assert_eq!(leave(&mut rule, 440.0, 20.0, 90_000, None), Admission::Refuse);
}

/// Probability of BLUE in its steps down.
fn steps_down(rule: &Cobalt) -> u64 {
    (rule.probability() * 4096.0).round() as u64
}

/// An overflow raises the probability by 1/256, at most once in 5 ms; then one packet in 256 is
/// discarded, capable of ECN or not. Empty, it falls by 1/4096 at once and in each 5 ms.
#[test]
fn blue_rises_with_overflows_and_falls_with_empty_queues() {
    let mut rule = cobalt(1);
    leave(&mut rule, 0.0, 0.0, 90_000, None);
    for step in 1..=64 {
        for _ in 0..9 {
            rule.on_overflow(milliseconds(6.0 * f64::from(step)), 0);
        }
    }
    assert_eq!(steps_down(&rule), 1024);
    let hit = (0..4000)
        .filter(|packet| {
            let now = 1000.0 + f64::from(*packet);
            leave(&mut rule, now, 1.0, 90_000, Some(Ecn::Capable)) == Admission::Refuse
        })
        .count();
    assert!(hit.abs_diff(1000) < 100, "{hit}");
    leave(&mut rule, 10_000.0, 1.0, 0, None);
    assert_eq!(steps_down(&rule), 1023);
    // 5 s later, of which the packet has waited 1 ms: 999 whole times of 5 ms.
    leave(&mut rule, 15_000.0, 1.0, 90_000, None);
    assert_eq!(steps_down(&rule), 24);
}

/// A rule that counts its overflows.
#[derive(Debug, Default)]
struct Overflows(u32);

impl FrameRule for Overflows {
    fn judge(&mut self, _first: CellHead, _queue: &QueueState<'_>) -> Admission {
        Admission::Admit
    }

    fn on_spoilt(&mut self, _now: Time) {
        self.0 += 1;
    }
}

/// Answer for a cell at 6 ms, in a buffer that is full or not.
fn arrive(policy: &mut impl DropPolicy, is_last: bool, is_full: bool) -> Verdict {
    let accounts = Accounts::default();
    let now = milliseconds(6.0);
    let state = QueueState {
        now,
        occupancy: if is_full { 100 } else { 50 },
        size: 100,
        slot: 0,
        active: 0,
        line_free_at: now,
        backlog: 4800,
        accounts: &accounts,
    };
    let head = if is_last { CellHead::end_of_frame(0, 0) } else { CellHead::body(0, 0) };
    policy.on_arrival(head, &state)
}

/// A frame that loses cells to a full buffer is one overflow, whichever cell is the first to be
/// lost; one that loses none is no overflow.
#[test]
fn a_spoilt_frame_is_one_overflow() {
    for (full, expected) in [
        ([false; 4], 0),
        ([true; 4], 1),
        ([false, true, true, true], 1),
        ([false, true, false, true], 1),
        ([false, false, false, true], 1),
        ([true, false, false, false], 1),
    ] {
        let mut policy = Framewise::with_rule(Overflows::default(), 1);
        for (cell, is_full) in full.into_iter().enumerate() {
            arrive(&mut policy, cell == 3, is_full);
        }
        assert_eq!(policy.rule().0, expected, "{full:?}");
    }
}

/// The second cell of a frame finds the buffer full: the probability of BLUE rises.
#[test]
fn blue_rises_with_a_frame_that_is_spoilt_inside() {
    let mut policy = Framewise::with_rule(cobalt(1), 1);
    assert_eq!(arrive(&mut policy, false, false), Verdict::Accept);
    assert_eq!(arrive(&mut policy, false, true), Verdict::Discard(Cause::Overflow));
    assert_eq!(steps_down(policy.rule()), 16);
}

/// Datagrams of twice the line's rate: CoDel cannot stop them, BLUE discards what overflows.
#[test]
fn blue_keeps_the_queue_of_a_flood_from_overflowing() {
    let text = r#"
run = { duration = "60 s", warm_up = "30 s" }
host = { a = {}, b = {} }
[switch.router]
buffer.per_port = "100 packet"
drop = "codel"
[link]
a = { between = ["a", "router"], rate = "100 Mbit/s of line", carries = "packets", delay = "1 ms" }
out = { between = ["router", "b"], rate = "10 Mbit/s of line", carries = "packets", delay = "1 ms" }
[flow.flood]
from = "a"
to = "b"
traffic.cbr = { rate = "20 Mbit/s of payload", datagram = "1000 B" }
"#;
    let overflows = |drop: &str| {
        let summary = summary(&text.replace("codel", drop));
        let port = &summary.ports["router.out"];
        (port.drops.overflow, port.drops.early_frame, port.utilisation)
    };
    let [codel, cobalt, cake] = ["codel", "cobalt", "cake"].map(overflows);
    for found in [cobalt, cake] {
        assert!(codel.0 > 10 * found.0.max(1), "{codel:?} {found:?}");
        assert!(found.1 > 30_000 && found.2 > 0.99, "{found:?}");
    }
}

/// Four of the largest packets take 8 days on a line of 3 bit/s, and at a sixteenth of its rate
/// 129, which once left the range of time as CAKE was made.
#[test]
fn packets_of_the_slowest_lines_have_times() {
    let text = r#"
run.duration = "1 s"
host = { a = {}, b = {} }
[switch.router]
buffer.per_port = "100 packet"
drop = "codel"
[link]
a = { between = ["a", "router"], rate = "1 Mbit/s of line", carries = "packets", delay = "1 ms" }
out = { between = ["router", "b"], rate = "3 bit/s of line", carries = "packets", delay = "1 ms" }
[flow.datagrams]
from = "a"
to = "b"
traffic.cbr = { rate = "1 kbit/s of payload", datagram = "40 B" }
"#;
    for drop in ["{ cobalt.mtu = \"65535 B\" }", "{ cake.mtu = \"65535 B\" }"] {
        let summary = summary(&text.replace("\"codel\"", drop));
        assert_eq!(summary.flows["datagrams"].delivered_bytes, 0, "{drop}");
    }
}
