//! DualPI2 worked by hand, and against the pseudo-code.

use super::*;
use crate::pdu::Ecn;
use crate::switch::accounts::Accounts;
use proptest::prelude::*;

fn dual(change: impl FnOnce(&mut DualPi2Plan)) -> DualPi2 {
    let mut plan = defaults::<DualPi2Plan>();
    change(&mut plan);
    DualPi2::new(plan)
}

fn us(microseconds: i64) -> Time {
    Time::ZERO + Span::from_microseconds(microseconds)
}

fn packet(ecn: Option<Ecn>) -> CellHead {
    let head = CellHead::end_of_frame(0, 0);
    ecn.map_or(head, |ecn| head.with_ecn(ecn))
}

fn arrive(dual: &mut DualPi2, now: Time, head: CellHead) {
    let accounts = Accounts::default();
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
    let dequeue = Dequeue { now, sojourn, occupancy: 9, backlog, slot: 0, queue: 0 };
    dual.judge_dequeue(head, &dequeue)
}

/// Answers to so many packets at one instant: those that are marked, and discarded.
fn answers(dual: &mut DualPi2, packets: u32, head: CellHead) -> [usize; 2] {
    let given: Vec<Admission> = (0..packets).map(|_| leave(dual, us(1), 0, head)).collect();
    let count = |answer| given.iter().filter(|one| **one == answer).count();
    [count(Admission::Mark), count(Admission::Refuse)]
}

/// A packet of instant 0 waits. After 16 ms: 0.16 · 1 ms + 3.2 · 16 ms; after 32 ms further
/// 0.16 · 17 ms + 3.2 · 16 ms. It leaves, and at 48 ms the empty queue takes off
/// 0.16 · 15 ms + 3.2 · 32 ms, at 64 ms all that is left.
#[test]
fn the_first_probabilities_by_hand() {
    for head in [packet(None), packet(Some(Ecn::L4s))] {
        let mut dual = dual(|_| {});
        arrive(&mut dual, us(0), head);
        for (now, expected) in [(15_999, 0.0), (16_000, 0.051_36), (32_000, 0.105_28)] {
            dual.update_until(us(now));
            assert!((dual.base - expected).abs() < 1e-12, "{now} {}", dual.base);
        }
        leave(&mut dual, us(33_000), 33_000, head);
        dual.update_until(us(48_000));
        assert!((dual.base - 0.000_48).abs() < 1e-12, "{}", dual.base);
        dual.update_until(us(64_000));
        assert!(dual.base.abs() < 1e-12 && dual.delay_before == Span::ZERO);
    }
}

/// Of 10 000 packets: p'² of the classic ones, 2 p' of those for low latency.
#[test]
fn the_classic_probability_is_the_square() {
    for base in [0.01, 0.1, 0.3, 0.45] {
        let mut dual = dual(|_| {});
        dual.base = base;
        let squared = (base * base * 1e4) as usize;
        let [marks, drops] = answers(&mut dual, 10_000, packet(None));
        assert!(marks == 0 && drops.abs_diff(squared) <= 1, "{base} {drops}");
        let [marks, drops] = answers(&mut dual, 10_000, packet(Some(Ecn::Capable)));
        assert!(drops == 0 && marks.abs_diff(squared) <= 1, "{base} {marks}");
        let [marks, drops] = answers(&mut dual, 10_000, packet(Some(Ecn::L4s)));
        assert!(drops == 0 && marks.abs_diff((2.0 * base * 1e4) as usize) <= 1, "{base} {marks}");
        // The law itself, as the RFC has it: p_C = (p_CL / k)².
        let coupled = marks as f64 / 1e4;
        assert!(((coupled / 2.0).powi(2) * 1e4 - squared as f64).abs() <= 2.0, "{base}");
    }
}

/// k p' = 1: a quarter of all is discarded, and the others with ECT(1) are marked.
#[test]
fn overload_discards() {
    let mut dual = dual(|_| {});
    dual.base = 0.5;
    for classic in [packet(None), packet(Some(Ecn::Capable))] {
        let [marks, drops] = answers(&mut dual, 10_000, classic);
        assert!(marks == 0 && drops.abs_diff(2500) <= 1, "{marks} {drops}");
    }
    let [marks, drops] = answers(&mut dual, 10_000, packet(Some(Ecn::L4s)));
    assert!(drops.abs_diff(2500) <= 1 && (marks + drops).abs_diff(10_000) <= 1, "{marks} {drops}");
}

/// Without a classic queue the ramp alone marks: none up to 0.8 ms, half at 1 ms, all from 1.2 ms
/// on; and no packet that is the last one.
#[test]
fn a_wait_for_low_latency_marks_by_a_ramp() {
    let of = |waited, backlog, change: fn(&mut DualPi2Plan)| {
        let mut dual = dual(change);
        let head = packet(Some(Ecn::L4s));
        let marks = (0..1000)
            .filter(|_| leave_before(&mut dual, us(1), waited, head, backlog) == Admission::Mark);
        marks.count()
    };
    let found = [800, 900, 1000, 1200, 5000].map(|waited| of(waited, 1500, |_| {}));
    for (found, expected) in found.into_iter().zip([0, 250, 500, 1000, 1000]) {
        assert!(expected - found <= 1, "{found} {expected}");
    }
    assert_eq!(of(5000, 0, |_| {}), 0);
    let step = |plan: &mut DualPi2Plan| {
        (plan.min_threshold, plan.range) = (Span::from_milliseconds(1), Span::ZERO);
    };
    assert_eq!([of(1000, 1500, step), of(1001, 1500, step)], [0, 999]);
}

#[test]
fn the_identifier_is_ect_1_or_ce() {
    let queue = |head| L4sIdentifier.queue_of(head, 0);
    assert_eq!([Ecn::L4s, Ecn::Congested].map(|ecn| queue(packet(Some(ecn)))), [LOW_LATENCY; 2]);
    assert_eq!([None, Some(Ecn::Capable)].map(|ecn| queue(packet(ecn))), [CLASSIC; 2]);
    // EFCI of a packet that is not capable says nothing of ECN.
    assert_eq!(queue(packet(None).with_efci()), CLASSIC);
}

/// The pseudo-code of RFC 9332, appendix A.2, in microseconds and seconds: arrivals by queue, the
/// first for low latency.
#[derive(Default)]
struct Rfc {
    queues: [std::collections::VecDeque<i64>; 2],
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
        let (classic, coupled) = (self.base.powi(2), 2.0 * self.base);
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
        let (mut rfc, mut dual) = (Rfc::default(), dual(|_| {}));
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
            prop_assert!((dual.base - rfc.base).abs() < 1e-9);
        }
    }
}
