//! Accel-brake control at a port (Goyal, Agarwal, Netravali, Alizadeh, Balakrishnan: "ABC: A Simple
//! Explicit Congestion Controller for Wireless Networks", NSDI 2020, section 3.1): each packet says
//! *accelerate* or *brake*, so that senders come to a target rate.
//!
//! `tr = eta mu - mu/delta (x - delay_threshold)⁺`, with mu the rate of the line and x the wait of
//! the packet. A fraction `f = min(tr/(2 cr), 1)` of the packets accelerates, cr the rate at which
//! the queue is emptied: a window whose ACKs accelerate with that fraction becomes tr/cr times
//! itself in a round trip. A token bucket chooses: each packet adds f, up to `tokens`; one that
//! accelerates takes 1 of more than 1, else it becomes a brake. A brake never becomes *accelerate*,
//! so the lowest rate of a path decides. *Accelerate* is ECT(1), *brake* ECT(0).
//!
//! Parameters: `eta` 0.98; `delta` 133 ms; `delay_threshold` 50 ms; `window` 20 ms, over which mu
//! and cr are measured; `tokens` 5. eta and delta are the paper's, as known from descriptions; the
//! others, and delta as 100 ms over 0.75, are those of its authors' published scripts and router.
//!
//! Decided here: mu and x are exact, where the router counts opportunities and estimates the wait
//! from the queue. The bits of a packet count in cr evenly from its dequeue to the next one, which
//! is the rate of the line while that is busy. The bucket begins with `tokens`. A full buffer
//! discards arriving packets. Departures: one queue; the two queues with max-min weights for ABC
//! and other flows (section 5.2) are not modelled. Packets of others pass, count in cr, and answer
//! to nothing here. ECT(0) of classic ECN looks like a brake, so it adds tokens and takes none.

use std::collections::VecDeque;

use super::{Admission, Dequeue, FrameRule, FromPlan, Needs, PolicyFacts, Site};
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::units::{Span, Time};

part! {
    /// Parameters of ABC at a port.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct AbcPlan {
        /// Part of the line's rate that is aimed at while the queue is short.
        eta: f64 = default("0.98", "0.95") as Kind::Number(ETA),
        /// Time in which a queue beyond `delay_threshold` is to be emptied.
        delta: Span = default("133 ms", "\"200 ms\"") as POSITIVE_TIME,
        /// Wait up to which the target rate stays.
        delay_threshold: Span = default("50 ms", "\"20 ms\"") as ANY_TIME,
        /// Time over which the rates of the line and of the queue are measured.
        window: Span = default("20 ms", "\"40 ms\"")
            as Kind::Time { min: Span::from_microseconds(1) },
        /// Most tokens in the bucket: packets that may accelerate one after the other.
        tokens: f64 = default("5", "10") as Kind::Number(TOKENS),
    }
}

const ETA: Interval = Interval { min: Bound::Beyond(0.0), max: Bound::From(1.0) };
const TOKENS: Interval = Interval { min: Bound::Beyond(1.0), max: Bound::From(1000.0) };

/// Accel-brake control of one queue.
#[derive(Clone, Debug)]
pub struct Abc {
    plan: AbcPlan,
    dequeued: Dequeued,
    tokens: f64,
}

/// Packets taken out of the queue within a window, and the one before it.
#[derive(Clone, Debug, Default)]
struct Dequeued {
    /// Instant and bits of each.
    packets: VecDeque<(Time, u64)>,
    /// Bits of all.
    bits: u64,
}

impl Dequeued {
    /// Bit/s over the `window` that ends now, before the packet that is taken out now; bits of a
    /// packet count evenly from its dequeue to the next one.
    fn rate(&mut self, now: Time, window: Span) -> f64 {
        let from = now - window;
        let second = |packets: &VecDeque<(Time, u64)>| packets.get(1).map_or(now, |next| next.0);
        while !self.packets.is_empty() && second(&self.packets) <= from {
            self.bits -= self.packets.pop_front().map_or(0, |(_, bits)| bits);
        }
        let Some(&(first, bits)) = self.packets.front() else { return 0.0 };
        let mut sum = self.bits as f64;
        if first < from {
            let before = (from - first).seconds_f64();
            sum -= bits as f64 * before / (second(&self.packets) - first).seconds_f64();
        }
        sum / window.seconds_f64()
    }

    fn push(&mut self, now: Time, bits: u64) {
        self.packets.push_back((now, bits));
        self.bits += bits;
    }
}

impl Abc {
    /// Makes the rule of an idle queue.
    pub fn new(plan: AbcPlan) -> Self {
        Self { dequeued: Dequeued::default(), tokens: plan.tokens, plan }
    }

    /// tr: bit/s that senders are to have.
    fn target_rate(&self, line_rate: f64, wait: Span) -> f64 {
        let beyond = (wait - self.plan.delay_threshold).max(Span::ZERO);
        let factor = self.plan.eta - beyond.seconds_f64() / self.plan.delta.seconds_f64();
        line_rate * factor.max(0.0)
    }

    /// f: fraction of the packets that accelerate.
    fn fraction(&mut self, dequeue: &Dequeue) -> f64 {
        let target = self.target_rate(dequeue.line_rate, dequeue.sojourn);
        let rate = self.dequeued.rate(dequeue.now, self.plan.window);
        if rate > 0.0 { (target / (2.0 * rate)).min(1.0) } else { f64::from(target > 0.0) }
    }

    /// Answer of the bucket; a brake that comes adds a token and takes none.
    fn marked(&mut self, is_accelerate: bool, fraction: f64) -> Admission {
        self.tokens = (self.tokens + fraction).min(self.plan.tokens);
        match (is_accelerate, self.tokens > 1.0) {
            (false, _) => Admission::Admit,
            (true, true) => {
                self.tokens -= 1.0;
                Admission::Admit
            }
            (true, false) => Admission::Mark,
        }
    }
}

impl FrameRule for Abc {
    fn needs(&self) -> Needs {
        let line_over = Some(self.plan.window);
        Needs { dequeues: true, marks: true, brakes: true, line_over, ..Needs::default() }
    }

    fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission {
        let fraction = self.fraction(dequeue);
        self.dequeued.push(dequeue.now, dequeue.bits);
        if first.is_ecn_capable() {
            self.marked(first.is_l4s(), fraction)
        } else {
            Admission::Admit
        }
    }
}

impl FromPlan for Abc {
    type Plan = AbcPlan;

    fn build(plan: &AbcPlan, _site: &Site) -> Self {
        Self::new(*plan)
    }

    fn facts(_plan: &AbcPlan) -> PolicyFacts {
        PolicyFacts { marks: true, is_of_packets: true, ..PolicyFacts::default() }
    }
}
