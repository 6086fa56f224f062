//! Dual queue coupled AQM with PI squared (De Schepper, Briscoe, White: RFC 9332, 2023, appendices
//! A.1 and A.2).
//!
//! Packets with ECT(1) or CE wait in a queue for low latency, all others in a classic one, and a
//! scheduler serves both ([`TwoQueuesPlan`]). Every `update` the base probability p' is corrected
//! by the distance of the delay from `target` and by its change:
//! p' += alpha (delay - target) + beta (delay - delay before), in seconds. As packets are taken
//! out, classic ones are discarded, or with ECT(0) marked, with p'², the others marked with
//! max(`coupling` p', a ramp of their own wait from 0 at `min_threshold` to 1 `range` later); one
//! behind which no other waits is not marked for its wait. In overload, `coupling` p' ≥ 1, packets
//! for low latency are discarded with p'² and all others of them marked, and classic ones with
//! ECT(0) are discarded. Parameters: `target` 15 ms; `update` 16 ms (`Tupdate`); `alpha` 0.16 and
//! `beta` 3.2 per second, of one update; `coupling` 2 (`k`); `min_threshold` 800 µs; `range`
//! 400 µs; `scheduler` one sixteenth of the bytes for the classic queue. A full buffer, which both
//! queues share, discards arriving packets.
//!
//! Probabilities are spread and not drawn: each queue adds them up, and an answer is due when the
//! sum is above one, which is then taken off (`recur`). The delay is that of the packet which has
//! waited longest, in either queue (appendix A.2). Updates are at whole multiples of `update`,
//! before anything else at their instants. Decided here: p' stays within 0 and 1; a packet counts
//! among those that wait as it is taken out, and the ramp is of its own wait.
//!
//! Departures: the limit is `buffer`, in packets, for 250 ms of the line; `coupling` p' counts as 1
//! where it is more, where the RFC would add up more than one answer can take off. `update`,
//! `alpha` and `beta` are those of the RFC's text and of Linux; by its figure 2 they are 15 ms,
//! 0.15 and 3. `min_threshold` does not rise with the time of a packet on the line. Linux draws its
//! answers, marks in a step at 1 ms, and neither marks nor discards with less than two packets in
//! both queues together.

use super::{
    Admission, Dequeue, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site, pie::GAIN,
};
use crate::engine::Fifo;
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::switch::scheduler::{
    CLASSIC, L4sQueues, LOW_LATENCY, Scheduler, TwoQueuesPlan, queue_of,
};
use crate::units::{Span, Time};

part! {
    /// Parameters of the controller of two queues.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct DualPi2Plan {
        /// Delay at which the classic queue is held.
        target: Span = default("15 ms", "\"5 ms\"") as POSITIVE_TIME,
        /// Time between corrections of the base probability.
        update: Span = default("16 ms", "\"1 ms\"")
            as Kind::Time { min: Span::from_microseconds(1) },
        /// Weight of the distance from `target`, per second.
        alpha: f64 = default("0.16", "0.32") as Kind::Number(GAIN),
        /// Weight of the change since the last correction, per second.
        beta: f64 = default("3.2", "6.4") as Kind::Number(GAIN),
        /// Probability of marks for low latency divided by the base probability, whose square is
        /// the classic one.
        coupling: f64 = default("2", "1.5") as Kind::Number(COUPLING),
        /// Wait for low latency up to which it causes no mark.
        min_threshold: Span = default("800 us", "\"1 ms\"") as ANY_TIME,
        /// Further wait from which on it causes a mark of every packet.
        range: Span = default("400 us", "\"0 s\"") as ANY_TIME,
        /// Order between the two queues.
        scheduler: TwoQueuesPlan = default("{ weighted = 16 }", "{ time_shifted = \"30 ms\" }"),
    }
}

const COUPLING: Interval = Interval { min: Bound::From(1.0), max: Bound::From(100.0) };

/// Controller of a queue for low latency and a classic one.
#[derive(Clone, Debug)]
pub struct DualPi2 {
    plan: DualPi2Plan,
    /// Arrivals of the packets that wait, by queue.
    arrivals: [Fifo<Time>; 2],
    /// Instant of the arrival that was judged last.
    now: Time,
    next_update: Time,
    /// `prevq`: the delay at the last update.
    delay_before: Span,
    /// p'.
    base: f64,
    /// Probabilities since the last answer, by queue.
    sums: [f64; 2],
}

impl DualPi2 {
    /// Makes a state at time zero.
    pub fn new(plan: DualPi2Plan) -> Self {
        Self {
            arrivals: [Fifo::default(), Fifo::default()],
            now: Time::ZERO,
            next_update: Time::ZERO + plan.update,
            delay_before: Span::ZERO,
            base: 0.0,
            sums: [0.0; 2],
            plan,
        }
    }

    /// `p_C`: probability of drops and marks of the classic queue.
    pub fn classic_probability(&self) -> f64 {
        self.base * self.base
    }

    /// `p_CL`: probability of marks for low latency that the classic queue causes.
    pub fn coupled_probability(&self) -> f64 {
        self.plan.coupling * self.base
    }

    /// Makes every update that is due by `now`.
    fn update_until(&mut self, now: Time) {
        while self.next_update <= now {
            self.update();
            self.next_update += self.plan.update;
        }
    }

    /// `dualpi2_update` (appendix A.2).
    fn update(&mut self) {
        let oldest = self.arrivals.iter().filter_map(Fifo::front).min();
        let delay = oldest.map_or(Span::ZERO, |arrival| self.next_update - *arrival);
        let [now, before, target] =
            [delay, self.delay_before, self.plan.target].map(Span::seconds_f64);
        let correction = self.plan.alpha * (now - target) + self.plan.beta * (now - before);
        self.base = (self.base + correction).clamp(0.0, 1.0);
        self.delay_before = delay;
    }

    /// `recur`: true as often as `likelihood` says.
    fn recurs(&mut self, queue: usize, likelihood: f64) -> bool {
        let sum = &mut self.sums[queue];
        *sum += likelihood;
        let is_due = *sum > 1.0;
        *sum -= f64::from(u8::from(is_due));
        is_due
    }

    /// `laqm`: probability of a mark for the wait of a packet for low latency.
    fn ramp(&self, wait: Span) -> f64 {
        let above = wait - self.plan.min_threshold;
        if above <= Span::ZERO {
            0.0
        } else if above >= self.plan.range {
            1.0
        } else {
            above.seconds_f64() / self.plan.range.seconds_f64()
        }
    }

    fn judge_low_latency(&mut self, dequeue: &Dequeue) -> Admission {
        let coupled = self.coupled_probability();
        if coupled >= 1.0 && self.recurs(LOW_LATENCY, self.classic_probability()) {
            return Admission::Refuse;
        }
        let native = if dequeue.backlog > 0 { self.ramp(dequeue.sojourn) } else { 0.0 };
        let is_due = self.recurs(LOW_LATENCY, native.max(coupled.min(1.0)));
        if is_due { Admission::Mark } else { Admission::Admit }
    }

    fn judge_classic(&mut self, first: CellHead) -> Admission {
        if !self.recurs(CLASSIC, self.classic_probability()) {
            return Admission::Admit;
        }
        let is_overload = self.coupled_probability() >= 1.0;
        if first.is_ecn_capable() && !is_overload { Admission::Mark } else { Admission::Refuse }
    }
}

impl FrameRule for DualPi2 {
    fn needs(&self) -> Needs {
        Needs { departures: true, dequeues: true, marks: true, ..Needs::default() }
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.update_until(queue.now);
        self.now = queue.now;
        Admission::Admit
    }

    fn on_admission(&mut self, head: CellHead, _slot: u32) {
        self.arrivals[queue_of(head)].push(self.now);
    }

    fn on_removal(&mut self, queue: u32, before: usize) {
        self.arrivals[queue as usize].remove(before);
    }

    fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission {
        self.update_until(dequeue.now);
        let queue = queue_of(first);
        self.arrivals[queue].pop();
        match queue {
            LOW_LATENCY => self.judge_low_latency(dequeue),
            _ => self.judge_classic(first),
        }
    }
}

impl FromPlan for DualPi2 {
    type Plan = DualPi2Plan;

    fn build(plan: &DualPi2Plan, _site: &Site) -> Self {
        Self::new(*plan)
    }

    fn facts(plan: &DualPi2Plan) -> PolicyFacts {
        PolicyFacts {
            marks: true,
            needs_common_buffer: Some("holds two queues in one buffer"),
            queues_flows: true,
            interval: Some(plan.update),
            ..PolicyFacts::default()
        }
    }

    fn order(plan: &DualPi2Plan, _site: &Site) -> Option<Scheduler> {
        Some(L4sQueues::new(plan.scheduler.build()).into())
    }
}
