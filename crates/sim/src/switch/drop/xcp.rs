//! XCP at a port (Katabi, Handley, Rohrs: "Congestion Control for High Bandwidth-Delay Product
//! Networks", SIGCOMM 2002, sections 3.5 and 4; draft-falk-xcp-spec-03 §4): the change of the
//! traffic that the line needs, divided among packets so that flows become equal.
//!
//! In each control interval, which is the mean round trip d of the flows:
//!
//! - efficiency: `phi = alpha (C - y) - beta Q/d`, bit/s, with C the rate of the line, y the
//!   traffic that came, and Q the queue that stays, the least one seen by arriving packets;
//! - shuffling: `h = max(0, gamma y - |phi|)` is taken and given besides;
//! - fairness: `h + max(0, phi)` is given in equal parts to flows: a packet has `xi_p x`, with x =
//!   rtt s/cwnd the time between packets of its flow; `h + max(0, -phi)` is taken in proportion to
//!   rates: `xi_n s`. Both xi divide by the sums of x and s of the latest interval.
//!
//! A packet's grant is its change of rate times its round trip, in bytes of data. It replaces the
//! grant that came with the packet if it is lower; otherwise what the port would have given besides
//! is not given (§4.5: the residues go down by what the packet has got).
//!
//! Parameters: `alpha` 0.4, `beta` 0.226, `gamma` 0.1 of the paper; `interval` 50 ms before the
//! first round trip is known; `window` 20 ms, over which C is measured, as in
//! [`drop.abc`](super::AbcPlan). Control intervals have at least 1 ms and at most 1 s, and Q is
//! taken over `max(2 ms, (d - Q/C)/2)`: these are those of the draft and of ns-2.
//!
//! Decided here: intervals end with the first packet that leaves after their end, and rates are
//! over the time that has passed. Rates are on the wire; a packet's grant has the part of it that
//! is data. Q counts IP bytes. A full buffer discards arriving packets, which are counted in y.
//! Packets without a header, and without data, count in y and get nothing.

use super::{
    Admission, Dequeue, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, RatePacket, Site,
};
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::pdu::{CellHead, RateHeader, RateProtocol};
use crate::units::{Span, Time};

part! {
    /// Parameters of XCP at a port.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct XcpPlan {
        /// Part of the free rate that is given in a control interval.
        alpha: f64 = default("0.4", "0.2") as Kind::Number(GAIN),
        /// Part of the queue that is drained in a control interval.
        beta: f64 = default("0.226", "0.1") as Kind::Number(GAIN),
        /// Part of the traffic that is taken and given again, so that rates become equal.
        gamma: f64 = default("0.1", "0.2") as Kind::Number(GAIN),
        /// Control interval before a round trip is known.
        interval: Span = default("50 ms", "\"100 ms\"")
            as Kind::Time { min: Span::from_milliseconds(1) },
        /// Time over which the rate of the line is measured.
        window: Span = default("20 ms", "\"40 ms\"")
            as Kind::Time { min: Span::from_microseconds(1) },
    }
}

const GAIN: Interval = Interval { min: Bound::From(0.0), max: Bound::From(1.0) };
/// Shortest and longest control interval, seconds.
const INTERVALS: [f64; 2] = [0.001, 1.0];
/// Shortest time over which the queue is taken, seconds.
const LEAST_QUEUE_TIME: f64 = 0.002;

/// XCP of one queue.
#[derive(Clone, Debug)]
pub struct Xcp {
    plan: XcpPlan,
    traffic: Traffic,
    standing: Standing,
    /// d, seconds.
    rtt: f64,
    /// Grants: per second between packets, bit/s, and the rest of their sum, bit/s.
    given: Fund,
    /// Reductions: per bit, bit/s, and the rest of their sum, bit/s.
    taken: Fund,
}

/// Traffic of the present control interval.
#[derive(Clone, Copy, Debug, Default)]
struct Traffic {
    since: Time,
    /// Bits that came.
    bits: f64,
    /// Sum of the times between packets, seconds.
    between: f64,
    /// The same, each times its round trip.
    round_trips: f64,
}

/// The queue that stays.
#[derive(Clone, Copy, Debug)]
struct Standing {
    since: Time,
    /// Least queue since then, bytes.
    least: u64,
    /// Least queue of the time before, bytes.
    known: u64,
    /// Length of the present time, seconds.
    length: f64,
}

/// A sum that is divided among packets.
#[derive(Clone, Copy, Debug, Default)]
struct Fund {
    per_unit: f64,
    left: f64,
}

impl Fund {
    fn new(sum: f64, units: f64) -> Self {
        let per_unit = if units > 0.0 { sum / units } else { 0.0 };
        Self { per_unit, left: sum }
    }

    /// Part of a packet with so many units.
    fn part(&self, units: f64) -> f64 {
        (self.per_unit * units).min(self.left)
    }

    fn pay(&mut self, part: f64) {
        self.left -= part;
        if self.left <= 0.0 {
            *self = Self::default();
        }
    }
}

impl Xcp {
    /// Makes the rule of an idle queue.
    pub fn new(plan: XcpPlan) -> Self {
        let length = LEAST_QUEUE_TIME;
        Self {
            plan,
            traffic: Traffic::default(),
            standing: Standing { since: Time::ZERO, least: 0, known: 0, length },
            rtt: plan.interval.seconds_f64(),
            given: Fund::default(),
            taken: Fund::default(),
        }
    }

    /// Ends the control interval, which has lasted so many seconds.
    fn control(&mut self, now: Time, lasted: f64, line_rate: f64) {
        let Traffic { bits, between, round_trips, .. } = self.traffic;
        if between > 0.0 {
            self.rtt = (round_trips / between).clamp(INTERVALS[0], INTERVALS[1]);
        }
        let (rate, queue) = (bits / lasted, 8.0 * self.standing.known as f64);
        let phi = self.plan.alpha * (line_rate - rate) - self.plan.beta * queue / self.rtt;
        let shuffled = (self.plan.gamma * rate - phi.abs()).max(0.0);
        self.given = Fund::new(shuffled + phi.max(0.0), between);
        self.taken = Fund::new(shuffled + (-phi).max(0.0), bits);
        self.traffic = Traffic { since: now, ..Traffic::default() };
    }

    /// Takes the least queue of the time that ends now, if it does.
    fn note_queue(&mut self, dequeue: &Dequeue) {
        let Standing { since, length, least, .. } = self.standing;
        if (dequeue.now - since).seconds_f64() < length {
            return;
        }
        let wait = 8.0 * dequeue.backlog as f64 / dequeue.line_rate.max(1.0);
        let length = (0.5 * (self.rtt - wait)).max(LEAST_QUEUE_TIME);
        let (since, known) = (dequeue.now, least);
        self.standing = Standing { since, known, length, least: dequeue.backlog };
    }
}

/// Header of XCP of a packet with data.
fn header_of(packet: &RatePacket) -> Option<&RateHeader> {
    packet.header.as_ref().filter(|header| header.protocol == RateProtocol::Xcp && packet.data > 0)
}

/// Time between packets of its flow, seconds: its round trip times its part of the window.
fn between(header: &RateHeader, data: u16) -> f64 {
    let window = f64::from(header.window).max(f64::from(data));
    f64::from(header.rtt) * f64::from(data) / window
}

impl FrameRule for Xcp {
    fn needs(&self) -> Needs {
        let line_over = Some(self.plan.window);
        Needs { dequeues: true, headers: true, line_over, ..Needs::default() }
    }

    fn on_packet(&mut self, packet: &RatePacket) {
        self.traffic.bits += packet.bits as f64;
        if let Some(header) = header_of(packet) {
            let between = between(header, packet.data);
            self.traffic.between += between;
            self.traffic.round_trips += between * f64::from(header.rtt).min(INTERVALS[1]);
        }
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.standing.least = self.standing.least.min(queue.backlog);
        Admission::Admit
    }

    fn judge_dequeue(&mut self, _first: CellHead, dequeue: &Dequeue) -> Admission {
        self.note_queue(dequeue);
        let lasted = (dequeue.now - self.traffic.since).seconds_f64();
        if lasted >= self.rtt {
            self.control(dequeue.now, lasted, dequeue.line_rate);
        }
        Admission::Admit
    }

    /// Change of the window for a packet of a flow whose round trip is known; none before that.
    fn grant(&mut self, packet: &RatePacket) -> f32 {
        let Some(header) = header_of(packet) else {
            return packet.header.map_or(f32::INFINITY, |header| header.grant);
        };
        if header.rtt <= 0.0 {
            return header.grant.min(0.0);
        }
        let bits = packet.bits as f64;
        // Bytes of the window for a bit/s on the wire.
        let bytes = f64::from(header.rtt) * f64::from(packet.data) / bits;
        let mut given = self.given.part(between(header, packet.data));
        let mut taken = self.taken.part(bits);
        let asked = f64::from(header.grant) / bytes;
        if asked < given - taken {
            taken = (taken + given - taken - asked).min(self.taken.left);
            given = (asked + taken).max(0.0);
        }
        self.given.pay(given);
        self.taken.pay(taken);
        (asked.min(given - taken) * bytes) as f32
    }
}

impl FromPlan for Xcp {
    type Plan = XcpPlan;

    fn build(plan: &XcpPlan, _site: &Site) -> Self {
        Self::new(*plan)
    }

    fn facts(_plan: &XcpPlan) -> PolicyFacts {
        PolicyFacts { is_of_packets: true, ..PolicyFacts::default() }
    }
}
