//! Proportional Integral controller Enhanced (Pan, Natarajan, Baker, White: RFC 8033, 2017).
//!
//! An arriving frame is discarded with a probability p. Every `update`, p is corrected by the
//! distance of the queue's delay from `target` and by its change:
//! p += (alpha (delay - target) + beta (delay - delay before)) / scale, in seconds, with a scale
//! from 2048 at p < 10⁻⁶ to 1 at p ≥ 0.1 (section 4.2). Parameters: `target` 15 ms (`QDELAY_REF`);
//! `update` 15 ms (`T_UPDATE`); `alpha` 0.125 and `beta` 1.25 per second; `max_burst` 150 ms, for
//! which no frame is discarded after p was zero; `mean_frame` 1500 B: no frame is discarded while
//! at most two of these wait; `ecn` false, and `mark_threshold` 0.1: a capable frame is marked in
//! place of being discarded while p is at most that (section 5.1); `derandomise` false (section
//! 5.4). A step of p from 0.1 on is at most 0.02 (section 5.5). A full buffer discards arriving
//! frames.
//!
//! The delay is that of the frame that left last, by its time stamps, and zero when it left the
//! queue empty, as in Linux and ns-3: the estimate of the departure rate of section 5.2 would give
//! the same for one line of known rate, and less for a class that others interrupt. Updates are at
//! whole multiples of `update`, before anything else at their instants, from the queue as it was
//! then. In an update the burst allowance is diminished after p is calculated, and renewed last.
//!
//! Equal cases: a draw of p is not below p. Linux tests the present delay and not that of the last
//! update before a drop, diminishes the allowance as time passes, and adds 0.02 above 250 ms; ns-3
//! 3.44 begins without an allowance, takes it up with the first frame, holds p at zero for its
//! length and renews it after 1.5 s of low delay. Decided here: a frame of cells waits as long as
//! its first cell. Departure: with several classes or a scheduler of VCs there is one state for all
//! VCs of the class.

use super::{
    Admission, Departure, Dequeue, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, RuleOfFlow,
    Site,
};
use crate::engine::Stream;
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::units::{Bytes, Span, Time};

part! {
    /// Parameters of PIE.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PiePlan {
        /// Delay at which the queue is held.
        target: Span = default("15 ms", "\"5 ms\"") as POSITIVE_TIME,
        /// Time between corrections of the drop probability.
        update: Span = default("15 ms", "\"1 ms\"")
            as Kind::Time { min: Span::from_microseconds(1) },
        /// Weight of the distance from `target`, per second.
        alpha: f64 = default("0.125", "0.25") as Kind::Number(GAIN),
        /// Weight of the change since the last correction, per second.
        beta: f64 = default("1.25", "2.5") as Kind::Number(GAIN),
        /// Time in which no frame is discarded after the drop probability was zero.
        max_burst: Span = default("150 ms", "\"0 s\"") as ANY_TIME,
        /// Typical packet: no frame is discarded while at most two of these wait.
        mean_frame: Bytes = default("1500 B", "\"9180 B\"")
            as Kind::Size { min: 1, max: MAX_PACKET },
        /// Marks frames of transports with ECN in place of discarding them.
        ecn: bool = default("false", "true"),
        /// Drop probability above which such frames are discarded all the same.
        mark_threshold: f64 = default("0.1", "0.3") as Kind::Number(ZERO_TO_ONE),
        /// Spreads drops: none before the probabilities since the last one add up to 0.85.
        derandomise: bool = default("false", "true"),
    }
}

pub(super) const GAIN: Interval = Interval { min: Bound::From(0.0), max: Bound::From(1000.0) };

/// Proportional Integral controller Enhanced.
#[derive(Clone, Debug)]
pub struct Pie {
    plan: PiePlan,
    /// Twice the mean frame, in bytes that wait.
    exempt_bytes: u64,
    stream: Stream,
    /// Cells or packets in the buffer.
    held: u64,
    /// Delay of the frame that left last.
    delay: Span,
    /// `qdelay_old_`: the delay at the last update.
    delay_before: Span,
    next_update: Time,
    burst_allowance: Span,
    probability: f64,
    /// `accu_prob_`: the sum of probabilities since the last drop.
    accumulated: f64,
}

impl Pie {
    /// Makes a state at time zero; `exempt_bytes` may always wait.
    pub fn new(plan: PiePlan, exempt_bytes: u64, stream: Stream) -> Self {
        Self {
            exempt_bytes,
            stream,
            held: 0,
            delay: Span::ZERO,
            delay_before: Span::ZERO,
            next_update: Time::ZERO + plan.update,
            burst_allowance: plan.max_burst,
            probability: 0.0,
            accumulated: 0.0,
            plan,
        }
    }

    /// Drop probability p.
    pub fn probability(&self) -> f64 {
        self.probability
    }

    /// Makes every update that is due by `now`. One that changes nothing is the last: neither would
    /// those behind it.
    fn update_until(&mut self, now: Time) {
        while self.next_update <= now {
            let before = self.corrected();
            self.update();
            self.next_update += self.plan.update;
            if self.corrected() == before && self.next_update <= now {
                let updates =
                    (now - self.next_update).picoseconds() / self.plan.update.picoseconds();
                self.next_update += self.plan.update * (updates + 1);
            }
        }
    }

    /// State that an update changes.
    fn corrected(&self) -> (f64, Span, Span) {
        (self.probability, self.burst_allowance, self.delay_before)
    }

    /// `calculate_drop_prob` (section 4.2, and 5.5).
    fn update(&mut self) {
        let [delay, before, target] =
            [self.delay, self.delay_before, self.plan.target].map(Span::seconds_f64);
        let correction = self.plan.alpha * (delay - target) + self.plan.beta * (delay - before);
        let correction = correction / scale(self.probability);
        let is_capped = self.probability >= 0.1 && correction > MOST_AT_ONCE;
        let mut probability = self.probability + if is_capped { MOST_AT_ONCE } else { correction };
        if self.delay == Span::ZERO && self.delay_before == Span::ZERO {
            probability *= DECAY;
        }
        self.probability = probability.clamp(0.0, 1.0);
        self.burst_allowance = (self.burst_allowance - self.plan.update).max(Span::ZERO);
        let is_low = |delay: Span| delay * 2 < self.plan.target;
        if self.probability == 0.0 && is_low(self.delay) && is_low(self.delay_before) {
            self.burst_allowance = self.plan.max_burst;
        }
        self.delay_before = self.delay;
    }

    /// `drop_early` (section 4.1, and 5.4).
    fn drops_early(&mut self, backlog: u64) -> bool {
        let is_low = self.delay_before * 2 < self.plan.target && self.probability < 0.2;
        if self.burst_allowance > Span::ZERO || is_low || backlog <= self.exempt_bytes {
            return false;
        }
        if self.plan.derandomise {
            self.accumulated =
                if self.probability == 0.0 { 0.0 } else { self.accumulated + self.probability };
            if self.accumulated < 0.85 {
                return false;
            }
            if self.accumulated >= 8.5 {
                return true;
            }
        }
        self.stream.unit() < self.probability
    }
}

/// Divisor of a correction, so that small probabilities move in small steps.
fn scale(probability: f64) -> f64 {
    const SCALES: [(f64, f64); 6] = [
        (0.000_001, 2048.0),
        (0.000_01, 512.0),
        (0.000_1, 128.0),
        (0.001, 32.0),
        (0.01, 8.0),
        (0.1, 2.0),
    ];
    let found = SCALES.iter().find(|(below, _)| probability < *below);
    found.map_or(1.0, |(_, scale)| *scale)
}

/// The largest step of a probability of 0.1 or more.
const MOST_AT_ONCE: f64 = 0.02;

/// Factor of the probability at an update of an empty queue.
const DECAY: f64 = 0.98;

impl FrameRule for Pie {
    fn needs(&self) -> Needs {
        Needs { departures: true, dequeues: true, marks: self.plan.ecn, ..Needs::default() }
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.update_until(queue.now);
        if !queue.has_space() {
            // The buffer discards it.
            self.accumulated = 0.0;
            return Admission::Admit;
        }
        if !self.drops_early(queue.backlog) {
            return Admission::Admit;
        }
        self.accumulated = 0.0;
        let may_mark = self.plan.ecn && self.probability <= self.plan.mark_threshold;
        if may_mark && first.is_ecn_capable() { Admission::Mark } else { Admission::Refuse }
    }

    fn judge_dequeue(&mut self, _first: CellHead, dequeue: &Dequeue) -> Admission {
        self.update_until(dequeue.now);
        self.delay = if dequeue.backlog == 0 { Span::ZERO } else { dequeue.sojourn };
        Admission::Admit
    }

    fn on_admission(&mut self, _head: CellHead, _slot: u32) {
        self.held += 1;
    }

    /// Sets the delay to zero if the last cell of a frame leaves the buffer empty, which its first
    /// did not.
    fn on_departure(&mut self, departure: Departure) {
        self.held -= 1;
        if self.held == 0 {
            self.update_until(departure.at);
            self.delay = Span::ZERO;
        }
    }
}

impl RuleOfFlow for Pie {
    const JUDGES_ARRIVALS: bool = true;

    fn of_queue(&self, queue: u32) -> Self {
        Self { stream: self.stream.part(&format!("queue.{queue}")), ..self.clone() }
    }
}

impl FromPlan for Pie {
    type Plan = PiePlan;

    fn build(plan: &PiePlan, site: &Site) -> Self {
        let exempt_bytes = 2 * site.transmission.bytes_of_packet(plan.mean_frame.0);
        Self::new(*plan, exempt_bytes, site.stream.clone())
    }

    fn facts(plan: &PiePlan) -> PolicyFacts {
        PolicyFacts {
            marks: plan.ecn,
            is_random: true,
            interval: Some(plan.update),
            ..PolicyFacts::default()
        }
    }
}

#[cfg(test)]
mod tests;
