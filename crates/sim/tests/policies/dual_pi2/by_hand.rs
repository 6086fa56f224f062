//! The rule of `DualPi2` worked by hand, and against the pseudo-code.

use std::collections::VecDeque;

use cellway_sim::pdu::{CellHead, Ecn};
use cellway_sim::switch::{
    Accounts, Admission, Dequeue, DualPi2, DualPi2Plan, FrameRule, QueueState,
};
use cellway_sim::units::{Span, Time};
use proptest::prelude::*;

use crate::dual_pi2_plan;

/// The instant of the first update.
const UPDATE: i64 = 16_000;

/// One whose p' is so much from [`UPDATE`] on: a packet waits since the beginning, and its wait
/// alone counts.
fn at(base: f64) -> DualPi2 {
    let plan = DualPi2Plan { alpha: 0.0, beta: base / 0.016, ..dual_pi2_plan() };
    let mut dual = DualPi2::new(plan);
    arrive(&mut dual, us(0), packet(None));
    leave(&mut dual, us(UPDATE), UPDATE, packet(None));
    assert!((base_of(&dual) - base).abs() < 1e-12);
    dual
}

/// p', of a coupling of two.
fn base_of(dual: &DualPi2) -> f64 {
    dual.coupled_probability() / 2.0
}

fn us(microseconds: i64) -> Time {
    Time::ZERO + Span::from_microseconds(microseconds)
}

fn packet(ecn: Option<Ecn>) -> CellHead {
    let head = CellHead::end_of_frame(0, 0);
    ecn.map_or(head, |ecn| head.with_ecn(ecn))
}

fn arrive(dual: &mut DualPi2, now: Time, head: CellHead) {
    let accounts = Accounts::kept(1);
    let queue = QueueState {
        now,
        occupancy: 9,
        size: 1000,
        slot: 0,
        active: 0,
        line_free_at: now,
        backlog: 0,
        accounts: &accounts,
    };
    assert_eq!(dual.judge(head, &queue), Admission::Admit);
    dual.on_admission(head, 0);
}

/// A packet that waited so many microseconds leaves, with others behind it.
fn leave(dual: &mut DualPi2, now: Time, waited: i64, head: CellHead) -> Admission {
    leave_before(dual, now, waited, head, 3000)
}

fn leave_before(
    dual: &mut DualPi2,
    now: Time,
    waited: i64,
    head: CellHead,
    backlog: u64,
) -> Admission {
    let sojourn = Span::from_microseconds(waited);
    let dequeue =
        Dequeue { now, sojourn, occupancy: 9, backlog, slot: 0, queue: 0, ..Dequeue::default() };
    dual.judge_dequeue(head, &dequeue)
}

/// Answers to so many packets at one instant: those that are marked, and discarded.
fn answers(dual: &mut DualPi2, packets: u32, head: CellHead) -> [usize; 2] {
    let given: Vec<Admission> = (0..packets).map(|_| leave(dual, us(UPDATE), 0, head)).collect();
    let count = |answer| given.iter().filter(|one| **one == answer).count();
    [count(Admission::Mark), count(Admission::Refuse)]
}

/// A packet of instant 0 waits. After 16 ms: 0.16 · 1 ms + 3.2 · 16 ms; after 32 ms further
/// 0.16 · 17 ms + 3.2 · 16 ms. Those that came to look leave with it, and at 48 ms the empty queue
/// takes off 0.16 · 15 ms + 3.2 · 32 ms, at 64 ms all that is left.
#[test]
fn the_first_probabilities_by_hand() {
    for ecn in [None, Some(Ecn::L4s)] {
        let mut dual = DualPi2::new(dual_pi2_plan());
        arrive(&mut dual, us(0), packet(ecn));
        for (now, expected) in [(15_999, 0.0), (16_000, 0.051_36), (32_000, 0.105_28)] {
            arrive(&mut dual, us(now), packet(ecn));
            assert!((base_of(&dual) - expected).abs() < 1e-12, "{now} {}", base_of(&dual));
        }
        for waited in [33_000, 17_001, 17_000, 1000] {
            leave(&mut dual, us(33_000), waited, packet(ecn));
        }
        for (now, expected) in [(48_000, 0.000_48), (64_000, 0.0)] {
            arrive(&mut dual, us(now), packet(ecn));
            assert!((base_of(&dual) - expected).abs() < 1e-12, "{now} {}", base_of(&dual));
            leave(&mut dual, us(now), 0, packet(ecn));
        }
    }
}

/// Of 10 000 packets: p'² of the classic ones, 2 p' of those for low latency.
#[test]
fn the_classic_probability_is_the_square() {
    for base in [0.01, 0.1, 0.3, 0.45] {
        let mut dual = at(base);
        let squared = (base * base * 1e4) as usize;
        let [marks, drops] = answers(&mut dual, 10_000, packet(None));
        assert!(marks == 0 && drops.abs_diff(squared) <= 1, "{base} {drops}");
        let [marks, drops] = answers(&mut dual, 10_000, packet(Some(Ecn::Capable)));
        assert!(drops == 0 && marks.abs_diff(squared) <= 1, "{base} {marks}");
        let [marks, drops] = answers(&mut dual, 10_000, packet(Some(Ecn::L4s)));
        assert!(drops == 0 && marks.abs_diff((2.0 * base * 1e4) as usize) <= 1, "{base} {marks}");
        // The law itself, as the RFC has it: p_C = (p_CL / k)².
        let half = marks as f64 / 2e4;
        assert!((half * half * 1e4 - squared as f64).abs() <= 2.0, "{base}");
    }
}

/// k p' = 1: a quarter of all is discarded, and the others with ECT(1) are marked.
#[test]
fn overload_discards() {
    let mut dual = at(0.5);
    for classic in [packet(None), packet(Some(Ecn::Capable))] {
        let [marks, drops] = answers(&mut dual, 10_000, classic);
        assert!(marks == 0 && drops.abs_diff(2500) <= 1, "{marks} {drops}");
    }
    let [marks, drops] = answers(&mut dual, 10_000, packet(Some(Ecn::L4s)));
    assert!(drops.abs_diff(2500) <= 1 && (marks + drops).abs_diff(10_000) <= 1, "{marks} {drops}");
}

/// Without a classic queue the ramp alone marks: none up to 0.8 ms, half at 1 ms, all from 1.2 ms
/// on; and no packet that is the last one. A range of nothing is a step.
#[test]
fn a_wait_for_low_latency_marks_by_a_ramp() {
    let of = |plan: DualPi2Plan, waited, backlog| {
        let (mut dual, head) = (DualPi2::new(plan), packet(Some(Ecn::L4s)));
        let answer = |_| leave_before(&mut dual, us(1), waited, head, backlog);
        (0..1000).map(answer).filter(|answer| *answer == Admission::Mark).count()
    };
    let plan = dual_pi2_plan();
    let found = [800, 900, 1000, 1200, 5000].map(|waited| of(plan, waited, 1500));
    for (found, expected) in found.into_iter().zip([0, 250, 500, 1000, 1000]) {
        assert!(expected - found <= 1, "{found} {expected}");
    }
    assert_eq!(of(plan, 5000, 0), 0);
    let step = DualPi2Plan { min_threshold: Span::from_milliseconds(1), range: Span::ZERO, ..plan };
    assert_eq!([of(step, 1000, 1500), of(step, 1001, 1500)], [0, 999]);
}

/// CE waits with ECT(1), of which it may be (RFC 9331 section 5.1): it is marked again as often.
/// EFCI of a packet that is not capable says nothing of ECN.
#[test]
fn the_identifier_is_ect_1_or_ce() {
    for (head, [marks, drops]) in [
        (packet(Some(Ecn::L4s)), [600, 0]),
        (packet(Some(Ecn::Congested)), [600, 0]),
        (packet(Some(Ecn::Capable)), [90, 0]),
        (packet(None).with_efci(), [0, 90]),
    ] {
        let found = answers(&mut at(0.3), 1000, head);
        assert!(found[0].abs_diff(marks) <= 1 && found[1].abs_diff(drops) <= 1, "{found:?}");
    }
}

/// The pseudo-code of RFC 9332, appendix A.2, in microseconds and seconds: arrivals by queue, the
/// first for low latency.
#[derive(Default)]
struct Rfc {
    queues: [VecDeque<i64>; 2],
    updates: i64,
    base: f64,
    before: f64,
    counts: [f64; 2],
}

impl Rfc {
    fn update_until(&mut self, now: i64) {
        while (self.updates + 1) * 16_000 <= now {
            self.updates += 1;
            let at = self.updates * 16_000;
            let age = |queue: usize| self.queues[queue].front().map_or(0, |since| at - since);
            let delay = age(0).max(age(1)) as f64 * 1e-6;
            self.base += 0.16 * (delay - 0.015) + 3.2 * (delay - self.before);
            self.base = self.base.clamp(0.0, 1.0);
            self.before = delay;
        }
    }

    fn recur(&mut self, queue: usize, likelihood: f64) -> bool {
        self.counts[queue] += likelihood;
        if self.counts[queue] > 1.0 {
            self.counts[queue] -= 1.0;
            return true;
        }
        false
    }

    fn dequeue(&mut self, queue: usize, now: i64, is_capable: bool) -> Admission {
        let waited = now - self.queues[queue].pop_front().expect("one waits");
        let (classic, coupled) = (self.base * self.base, 2.0 * self.base);
        if queue == 1 {
            let is_due = self.recur(1, classic);
            return match (is_due, is_capable && classic < 0.25) {
                (false, _) => Admission::Admit,
                (true, true) => Admission::Mark,
                (true, false) => Admission::Refuse,
            };
        }
        let mark = if coupled < 1.0 {
            let ramp = ((waited - 800) as f64 / 400.0).clamp(0.0, 1.0);
            let native = if self.queues[0].is_empty() { 0.0 } else { ramp };
            self.recur(0, native.max(coupled))
        } else if self.recur(0, classic) {
            return Admission::Refuse;
        } else {
            self.recur(0, 1.0)
        };
        if mark { Admission::Mark } else { Admission::Admit }
    }
}

proptest! {
    /// Random arrivals and dequeues: every answer is the same.
    #[test]
    fn as_the_pseudo_code(
        steps in prop::collection::vec((0_i64..40, 0_usize..5, 0_usize..3), 1..2000),
    ) {
        let (mut rfc, mut dual) = (Rfc::default(), DualPi2::new(dual_pi2_plan()));
        let classic = packet(Some(Ecn::Capable));
        let heads = [packet(Some(Ecn::L4s)), classic];
        let mut now = 1;
        for (pause, arrivals, queue) in steps {
            now += pause * pause * 17 + 1;
            for number in 0..arrivals.min(3) {
                let queue = (arrivals + number) % 2;
                rfc.update_until(now);
                arrive(&mut dual, us(now), heads[queue]);
                rfc.queues[queue].push_back(now);
            }
            let queue = queue.min(1);
            let Some(arrival) = rfc.queues[queue].front() else { continue };
            let waited = now - arrival;
            rfc.update_until(now);
            let expected = rfc.dequeue(queue, now, true);
            let behind = 1500 * rfc.queues[queue].len() as u64;
            let given = leave_before(&mut dual, us(now), waited, heads[queue], behind);
            prop_assert_eq!(given, expected);
            prop_assert!((base_of(&dual) - rfc.base).abs() < 1e-9);
        }
    }
}
