//! COBALT: CoDel and BLUE in one rule (Hoeiland-Joergensen, Taht, Morton: "Piece of CAKE: A
//! Comprehensive Queue Management Solution for Home Gateways", IEEE LANMAN 2018, section III-D; as
//! in `sch_cake` of Linux).
//!
//! CoDel discards frames while they wait too long, and slows down step by step afterwards in place
//! of stopping: a frame that has waited more than the threshold begins a state in which a frame is
//! discarded one interval later and then at instants t + interval/√count; below the threshold count
//! goes down by one at each such instant. The threshold is `target`, or four times the time of an
//! `mtu` if that is longer. BLUE discards frames that nothing else makes go away with a probability
//! of its own: it rises by 1/256 as the buffer overflows and falls by 1/4096 as the queue runs
//! empty, each at most once a target. Parameters: `target` 5 ms; `interval` 100 ms; `mtu` 1500 B;
//! `ecn` false: CoDel marks a capable frame in place of discarding it, BLUE discards it. The last
//! frame in the queue is not discarded. A full buffer discards arriving frames, each of which is an
//! overflow once.
//!
//! Equal cases: a wait of exactly the threshold is not above; an instant is due when it comes.
//! Linux computes 1/√count by one Newton step at a time, in nanoseconds. Decided here: a queue that
//! is empty is asked at once, and then once in each target until its next frame, where Linux asks
//! as packets of other flows are sent, and CoDel goes on by the clock. Departure of `ecn`: Linux
//! always marks.

use super::{Admission, Dequeue, FrameRule, FromPlan, Needs, PolicyFacts, RuleOfFlow, Site};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::units::{Bytes, Span, Time};

part! {
    /// Parameters of COBALT.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CobaltPlan {
        /// Wait that is acceptable.
        target: Span = default("5 ms", "\"10 ms\"") as POSITIVE_TIME,
        /// Time from the first long wait to the first drop: a round trip of most connections.
        interval: Span = default("100 ms", "\"50 ms\"") as POSITIVE_TIME,
        /// Packet, four of which may wait on any line.
        mtu: Bytes = default("1500 B", "\"9180 B\"") as Kind::Size { min: 1, max: MAX_PACKET },
        /// Marks frames of transports with ECN where CoDel would discard them.
        ecn: bool = default("false", "true"),
    }
}

/// CoDel and BLUE, of one queue.
#[derive(Clone, Debug)]
pub struct Cobalt {
    target: Span,
    interval: Span,
    /// Wait above which CoDel acts: `target`, or longer on a slow line.
    threshold: Span,
    marks: bool,
    stream: Stream,
    is_dropping: bool,
    count: u32,
    drop_next: Time,
    /// `p_drop` of BLUE.
    probability: f64,
    /// Instant at which the probability was changed last.
    changed: Time,
    is_empty: bool,
}

/// Step of the probability as the buffer overflows.
const UP: f64 = 1.0 / 256.0;

/// Step of the probability as the queue runs empty.
const DOWN: f64 = 1.0 / 4096.0;

impl Cobalt {
    /// Makes a state at rest; an mtu takes `mtu_time` on the line.
    pub fn new(plan: &CobaltPlan, mtu_time: Span, stream: Stream) -> Self {
        Self {
            target: plan.target,
            interval: plan.interval,
            threshold: plan.target.max(mtu_time.saturating_mul(4)),
            marks: plan.ecn,
            stream,
            is_dropping: false,
            count: 0,
            drop_next: Time::ZERO,
            probability: 0.0,
            changed: Time::ZERO,
            is_empty: true,
        }
    }

    /// Drop probability of BLUE.
    pub fn probability(&self) -> f64 {
        self.probability
    }

    /// The instant of the next drop after `instant`.
    fn after(&self, instant: Time) -> Time {
        let count = f64::from(self.count.max(1));
        let span = self.interval.picoseconds() as f64 / count.sqrt();
        instant + Span::from_picoseconds((span + 0.5) as i64)
    }

    /// Lets `count` fall for each instant of the law that has passed.
    fn slow_down(&mut self, now: Time) {
        while self.count > 0 && self.drop_next <= now {
            self.count -= 1;
            self.drop_next = self.after(self.drop_next);
        }
    }

    /// Makes up for the time in which the queue was empty, up to the arrival of its first frame.
    fn end_empty_time(&mut self, arrival: Time) {
        let steps = (arrival - self.changed).picoseconds() / self.target.picoseconds();
        if self.probability > 0.0 && steps > 0 {
            self.probability = (self.probability - steps as f64 * DOWN).max(0.0);
            self.changed += self.target * steps;
        }
        self.slow_down(arrival);
        self.is_empty = false;
    }

    /// `cobalt_queue_empty`.
    fn begin_empty_time(&mut self, now: Time) {
        if self.probability > 0.0 && now - self.changed > self.target {
            self.probability = (self.probability - DOWN).max(0.0);
            self.changed = now;
        }
        self.is_dropping = false;
        self.is_empty = true;
    }

    /// `cobalt_should_drop`: true if an answer of CoDel is due.
    fn is_due(&mut self, now: Time, sojourn: Span) -> bool {
        let is_due = self.count > 0 && now >= self.drop_next;
        let is_long = sojourn > self.threshold;
        if is_long && !self.is_dropping {
            self.drop_next = self.after(now);
        }
        self.is_dropping = is_long;
        if is_long {
            self.count = self.count.max(1);
        }
        if is_due && is_long {
            self.count = self.count.saturating_add(1);
            self.drop_next = self.after(self.drop_next);
        } else {
            self.slow_down(now);
        }
        is_due && is_long
    }

    /// Answer for a frame at which a drop is due. Marks that are late are not made up for.
    fn drop_or_mark(&mut self, now: Time, is_capable: bool) -> Admission {
        if !(self.marks && is_capable) {
            return Admission::Refuse;
        }
        self.drop_next = self.drop_next.max(now);
        Admission::Mark
    }
}

impl FrameRule for Cobalt {
    fn needs(&self) -> Needs {
        Needs { dequeues: true, marks: self.marks, ..Needs::default() }
    }

    fn on_spoilt(&mut self, now: Time) {
        self.on_overflow(now, 0);
    }

    /// `cobalt_queue_full`.
    fn on_overflow(&mut self, now: Time, _queue: u32) {
        if now - self.changed > self.target {
            self.probability = (self.probability + UP).min(1.0);
            self.changed = now;
        }
        self.is_dropping = true;
        self.drop_next = now;
        self.count = self.count.max(1);
    }

    fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission {
        let Dequeue { now, sojourn, backlog, .. } = *dequeue;
        if self.is_empty {
            self.end_empty_time(now - sojourn);
        }
        let answer = if self.is_due(now, sojourn) {
            self.drop_or_mark(now, first.is_ecn_capable())
        } else {
            Admission::Admit
        };
        let is_hit = self.probability > 0.0
            && answer != Admission::Refuse
            && self.stream.unit() < self.probability;
        if backlog == 0 {
            self.begin_empty_time(now);
            return if answer == Admission::Mark { answer } else { Admission::Admit };
        }
        if is_hit { Admission::Refuse } else { answer }
    }
}

impl RuleOfFlow for Cobalt {
    const JUDGES_ARRIVALS: bool = false;

    fn of_queue(&self, queue: u32) -> Self {
        Self { stream: self.stream.part(&format!("queue.{queue}")), ..self.clone() }
    }
}

impl FromPlan for Cobalt {
    type Plan = CobaltPlan;

    fn build(plan: &CobaltPlan, site: &Site) -> Self {
        let mtu_time = site.transmission.span_of_packet(plan.mtu.0);
        Self::new(plan, mtu_time, site.stream.clone())
    }

    fn facts(plan: &CobaltPlan) -> PolicyFacts {
        PolicyFacts {
            marks: plan.ecn,
            is_random: true,
            interval: Some(plan.interval),
            ..PolicyFacts::default()
        }
    }
}
