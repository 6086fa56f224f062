//! RCP at a port (Dukkipati, Kobayashi, Zhang-Shen, McKeown: "Processor Sharing Flows in the
//! Internet", `IWQoS` 2005; Dukkipati, thesis, Stanford 2007): one rate R for all flows, which is
//! written into each header that has a higher one.
//!
//! `R <- R (1 + (T/d) (alpha (C - y) - beta q/d)/C)` every T, the smaller one of `update` and d; C
//! is `eta` of the rate of the line, y the traffic that came in T, q the queue, and d the mean
//! round trip of the flows. C/R stands for their number.
//!
//! Parameters: `alpha` 0.4 and `beta` 1, with which scripts of the authors' ns-2 model run; `eta`
//! 1, `initial` 0.05 of the line and `update` 10 ms, as in that model, and `window` 20 ms, over
//! which the line is measured; `least` 1, packets of 1000 bytes in d that R lets a flow send at
//! least, which is ours: a flow with less hears of a new rate seldom. R is at most C. d begins at
//! 200 ms, and follows the round trips in the headers, weighted by bytes, with the gain T/d upwards
//! and R/C of that, times the ratio of both, downwards: all are the model's.
//!
//! Decided here: T ends with the first packet that leaves after its end; if it has lasted longer,
//! the factor counts as often as T fits into it. Rates are on the wire; a packet's grant has the
//! part of R that is data. q counts IP bytes. A full buffer discards arriving packets, which are
//! counted in y.

use super::{Admission, Dequeue, FrameRule, FromPlan, Needs, PolicyFacts, RatePacket, Site};
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::pdu::{CellHead, RateProtocol};
use crate::units::{Span, Time};

part! {
    /// Parameters of RCP at a port.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RcpPlan {
        /// Part of the free rate that is given in a round trip.
        alpha: f64 = default("0.4", "0.1") as Kind::Number(GAIN),
        /// Part of the queue that is drained in a round trip.
        beta: f64 = default("1", "0.5") as Kind::Number(GAIN),
        /// Part of the line's rate that is aimed at.
        eta: f64 = default("1", "0.95") as Kind::Number(PART),
        /// Part of the line's rate that a flow has at the start.
        initial: f64 = default("0.05", "0.5") as Kind::Number(PART),
        /// Packets of 1000 bytes that a flow has in a round trip at least.
        least: f64 = default("1", "0.1") as Kind::Number(LEAST),
        /// Longest time between two computations of the rate.
        update: Span = default("10 ms", "\"5 ms\"")
            as Kind::Time { min: Span::from_microseconds(100) },
        /// Time over which the rate of the line is measured.
        window: Span = default("20 ms", "\"40 ms\"")
            as Kind::Time { min: Span::from_microseconds(1) },
    }
}

const GAIN: Interval = Interval { min: Bound::From(0.0), max: Bound::From(10.0) };
const PART: Interval = Interval { min: Bound::Beyond(0.0), max: Bound::From(1.0) };
/// d before a round trip is known, seconds.
const FIRST_RTT: f64 = 0.2;
const LEAST: Interval = Interval { min: Bound::Beyond(0.0), max: Bound::From(100.0) };
/// Bits of a packet of `least`.
const PACKET: f64 = 8.0 * 1000.0;

/// RCP of one queue.
#[derive(Clone, Debug)]
pub struct Rcp {
    plan: RcpPlan,
    /// R, bit/s on the wire; `None` before the line is known.
    rate: Option<f64>,
    /// d, seconds.
    rtt: f64,
    since: Time,
    /// Bits that have come since then.
    bits: f64,
    /// Bits of those whose header has a round trip, and the sum of both, bit seconds.
    timed: [f64; 2],
}

impl Rcp {
    /// Makes the rule of an idle queue.
    pub fn new(plan: RcpPlan) -> Self {
        Self { plan, rate: None, rtt: FIRST_RTT, since: Time::ZERO, bits: 0.0, timed: [0.0; 2] }
    }

    /// T, seconds.
    fn update_time(&self) -> f64 {
        self.plan.update.seconds_f64().min(self.rtt)
    }

    /// Follows the round trips of the time that ends.
    fn follow_round_trips(&mut self, rate: f64, line: f64, update: f64) {
        let [bits, sum] = self.timed;
        if bits <= 0.0 {
            return;
        }
        let mean = sum / bits;
        let gain = (update / self.rtt).min(1.0);
        let is_longer = mean >= self.rtt;
        let gain = if is_longer { gain } else { gain * (rate / line).min(1.0) * mean / self.rtt };
        self.rtt += gain * (mean - self.rtt);
    }

    /// Computes R after `lasted` seconds of traffic, with this queue in bytes and C, bit/s.
    fn compute(&mut self, rate: f64, lasted: f64, backlog: u64, line: f64) {
        let update = self.update_time();
        self.follow_round_trips(rate, line, update);
        let queue = 8.0 * backlog as f64;
        let free = self.plan.alpha * (line - self.bits / lasted);
        let change = (update / self.rtt).min(1.0) * (free - self.plan.beta * queue / self.rtt);
        let factor = (1.0 + change / line).max(0.0);
        let computed = rate * libm::pow(factor, lasted / update);
        let least = self.plan.least * PACKET / self.rtt;
        self.rate = Some(computed.max(least).min(line));
    }
}

impl FrameRule for Rcp {
    fn needs(&self) -> Needs {
        let line_over = Some(self.plan.window);
        Needs { dequeues: true, headers: true, line_over, ..Needs::default() }
    }

    fn on_packet(&mut self, packet: &RatePacket) {
        let bits = packet.bits as f64;
        self.bits += bits;
        if let Some(header) = packet.header.filter(|header| header.rtt > 0.0) {
            self.timed[0] += bits;
            self.timed[1] += bits * f64::from(header.rtt);
        }
    }

    fn judge_dequeue(&mut self, _first: CellHead, dequeue: &Dequeue) -> Admission {
        let line = self.plan.eta * dequeue.line_rate;
        let lasted = (dequeue.now - self.since).seconds_f64();
        let rate = *self.rate.get_or_insert(self.plan.initial * dequeue.line_rate);
        if line > 0.0 && lasted >= self.update_time() {
            self.compute(rate, lasted, dequeue.backlog, line);
            (self.since, self.bits, self.timed) = (dequeue.now, 0.0, [0.0; 2]);
        }
        Admission::Admit
    }

    /// R, as bit/s of data, for a packet with data.
    fn grant(&mut self, packet: &RatePacket) -> f32 {
        let asked = packet.header.map_or(f32::INFINITY, |header| header.grant);
        let is_rcp = packet.header.is_some_and(|header| header.protocol == RateProtocol::Rcp);
        let Some(rate) = self.rate.filter(|_| is_rcp && packet.data > 0) else { return asked };
        asked.min((rate * 8.0 * f64::from(packet.data) / packet.bits as f64) as f32)
    }
}

impl FromPlan for Rcp {
    type Plan = RcpPlan;

    fn build(plan: &RcpPlan, _site: &Site) -> Self {
        Self::new(*plan)
    }

    fn facts(_plan: &RcpPlan) -> PolicyFacts {
        PolicyFacts { is_of_packets: true, ..PolicyFacts::default() }
    }
}
