//! Common Applications Kept Enhanced (Hoeiland-Joergensen, Taht, Morton: "Piece of CAKE: A
//! Comprehensive Queue Management Solution for Home Gateways", IEEE LANMAN 2018;
//! `sch_cake` of Linux).
//!
//! Packets wait in tins by the class of their flow, and there in queues by flow, with [`Cobalt`] in
//! each. A shaper, the tins' parts of its rate and their order are in
//! [`CakeQueues`], host isolation in [`HostShares`]. A packet that arrives at a full buffer is
//! accepted, and one is discarded from the head of the queue with the most bytes. Parameters:
//! `rate` of the shaper, without which packets leave as the line lets them; `overhead` 0 B,
//! `framing` none and `least_packet` 0 B (`mpu`) of the line behind the shaper, added to IP bytes
//! in times and in what a flow's turn costs, and refused without `rate`; `isolation` triple; `tins`
//! diffserv3; those of [`Cobalt`] at the full rate.
//!
//! A tin of a lower rate has longer times: its target is at least the time of 1.5 `mtu` of bytes
//! without framing at its rate, and its interval longer by as much and at least two targets. A
//! queue's quantum is what its tin sends in 1/4096 s, from 300 to 1514 B. Without `rate` no time is
//! longer, and the quantum is 1514 B. Without `overhead` a packet costs its IP bytes, in Linux its
//! Ethernet header, too.
//!
//! Decided here: the classes of RFC 8622 and RFC 5865 are in their tins as in Linux since 5.9, and
//! both directions of a flow have its class. Departures: each flow has a queue of its own, where
//! Linux has 1024 in sets of eight, which is the same for some hundred flows; lists of queues are
//! those of RFC 8290, where an empty queue of CAKE leaves them at once and is kept aside until its
//! COBALT is at rest; the limit is `buffer`, in packets, and not in bytes; the ACK filter
//! is a key of the node, `ack_filter`. Tins by precedence, isolation by hosts alone, ingress mode
//! and the estimate of a rate are absent.

use super::{
    Admission, Cobalt, CobaltPlan, Dequeue, Fair, FlowHash, FrameRule, FromPlan, Needs,
    PolicyFacts, Site,
};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::switch::scheduler::{
    CakeQueues, Compensation, FlowQueues, HostShares, Scheduler, Shaper, Tin,
};
use crate::traffic::Dscp;
use crate::units::{Bytes, Layer, LayeredRate, Span, Time};

part! {
    /// Parameters of CAKE.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CakePlan {
        /// Rate of the shaper, with the bytes that its framing adds.
        rate: Option<LayeredRate> = absent("that of the line", "\"9.5 Mbit/s of line\""),
        /// Bytes that the line behind the shaper adds to each packet.
        overhead: Bytes = default("0 B", "\"44 B\"") as Kind::Size { min: 0, max: 256 },
        /// Framing of the line behind the shaper.
        framing: FramingPlan = default("none", "\"atm\""),
        /// Least size of a packet there, with the bytes that are added.
        least_packet: Bytes = default("0 B", "\"64 B\"") as Kind::Size { min: 0, max: 256 },
        /// Hosts among which a tin is shared before their flows share.
        isolation: Isolation = default("triple", "\"flows\""),
        /// Classes with a queue and a part of the rate.
        tins: Tins = default("diffserv3", "\"best_effort\""),
        /// COBALT of each queue, at the full rate.
        cobalt: CobaltPlan = flat(CobaltPlan),
    }
    finish CakePlan::checked;
}

variants! {
    /// `drop.cake.framing`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FramingPlan {
        /// Nothing but `overhead`.
        None = "none",
        /// Cells of 53 bytes for each 48 or part of them.
        Atm = "atm",
        /// A byte more for each 64 or part of them.
        Ptm = "ptm",
    }
}

variants! {
    /// `drop.cake.isolation`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Isolation {
        /// Flows alone.
        Flows = "flows",
        /// Sending hosts, and their flows.
        DualSource = "dual_source",
        /// Receiving hosts, and their flows.
        DualDestination = "dual_destination",
        /// Sending and receiving hosts, and their flows.
        Triple = "triple",
    }
}

variants! {
    /// `drop.cake.tins`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Tins {
        /// One for all classes.
        BestEffort = "best_effort",
        /// Bulk with a sixteenth of the rate, best effort, voice with a quarter.
        Diffserv3 = "diffserv3",
        /// Bulk with a sixteenth of the rate, best effort, video with a half, voice with a quarter.
        Diffserv4 = "diffserv4",
    }
}

impl Tins {
    /// The rate divided by the part of each tin, the one served first last.
    const fn divisors(self) -> &'static [i64] {
        match self {
            Self::BestEffort => &[1],
            Self::Diffserv3 => &[1, 16, 4],
            Self::Diffserv4 => &[1, 16, 2, 4],
        }
    }

    /// Index of the tin of a class.
    const fn of(self, dscp: Dscp) -> u8 {
        match (self, dscp) {
            (Self::BestEffort, _) => 0,
            (_, Dscp::Le | Dscp::Cs1) => 1,
            (
                Self::Diffserv4,
                Dscp::Cs4 | Dscp::Cs5 | Dscp::Cs6 | Dscp::Cs7 | Dscp::Va | Dscp::Ef,
            ) => 3,
            (Self::Diffserv3, Dscp::Cs6 | Dscp::Cs7 | Dscp::Va | Dscp::Ef)
            | (Self::Diffserv4, Dscp::Cs2 | Dscp::Cs3 | Dscp::Af2 | Dscp::Af3 | Dscp::Af4) => 2,
            _ => 0,
        }
    }
}

/// Largest quantum of a queue, in bytes.
const LARGEST_QUANTUM: u64 = 1514;

impl CakePlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let Some(of) = self.rate else { return self.checked_without_rate(section) };
        if of.layer == Layer::Line && of.rate.bits_per_second() >= 1000 {
            return Ok(self);
        }
        let message = format!(
            "`{}.rate` is the rate of a line, at least 1 kbit/s; expected for instance `9.5 Mbit/s \
             of line`",
            section.place()
        );
        Err(Fault::new(&section.place_below("rate", &[]), message))
    }

    /// First key by which the shaper counts more bytes of a packet than IP has.
    pub fn lengthened_by(&self) -> Option<&'static str> {
        let keys = [
            ("overhead", self.overhead != Bytes(0)),
            ("framing", self.framing != FramingPlan::None),
            ("least_packet", self.least_packet != Bytes(0)),
        ];
        keys.into_iter().find(|(_, is_set)| *is_set).map(|(key, _)| key)
    }

    /// Refuses bytes of a line whose rate nothing shapes.
    fn checked_without_rate(self, section: &Section<'_>) -> Result<Self, Fault> {
        let Some(key) = self.lengthened_by() else { return Ok(self) };
        let place = section.place();
        let message = format!(
            "`{place}.{key}` is of the line behind a shaper, but `{place}` has no `rate`; expected \
             one beside it, for instance `9.5 Mbit/s of line`, or no `{key}`"
        );
        Err(Fault::new(&section.place_below(key, &[]), message))
    }

    fn shaper(&self, site: &Site) -> Shaper {
        let (overhead, least) = (self.overhead.0, self.least_packet.0);
        let compensation = Compensation { overhead, least, framing: self.framing };
        self.rate.map_or(Shaper::Line(site.transmission), |of| Shaper::Rate(of.rate, compensation))
    }

    /// Time of an mtu at the rate of a tin; zero if nothing is shaped.
    fn mtu_time(&self, divisor: i64) -> Span {
        let of_shaper = self.rate.map(|of| of.rate.span_of_bits(8 * self.cobalt.mtu.0));
        of_shaper.unwrap_or(Span::ZERO).saturating_mul(divisor)
    }

    /// COBALT of a tin.
    fn cobalt_of(&self, divisor: i64) -> CobaltPlan {
        let target = self.cobalt.target.max(self.mtu_time(divisor) * 3 / 2);
        let interval = self.cobalt.interval + (target - self.cobalt.target);
        CobaltPlan { target, interval: interval.max(target * 2), ..self.cobalt }
    }

    /// Hosts that are counted: sources, and destinations.
    const fn hosts(&self) -> Option<[bool; 2]> {
        match self.isolation {
            Isolation::Flows => None,
            Isolation::DualSource => Some([true, false]),
            Isolation::DualDestination => Some([false, true]),
            Isolation::Triple => Some([true, true]),
        }
    }

    /// Quantum of the queues of a tin.
    fn quantum(&self, divisor: i64) -> u64 {
        let of_tin = |of: LayeredRate| of.rate.bits_per_second() / 8 / divisor as u64 / 4096;
        self.rate.map_or(LARGEST_QUANTUM, of_tin).clamp(300, LARGEST_QUANTUM)
    }

    fn tin(&self, site: &Site, divisor: i64) -> Tin {
        let (slots, quantum) = (site.vcs.len() as u32, self.quantum(divisor));
        let mut queues = FlowQueues::new(FlowHash::each(), slots, quantum, 1);
        if let Some(counts) = self.hosts() {
            let hosts = site.vcs.iter().map(|vc| [vc.flow.source, vc.flow.destination]);
            queues.set_hosts(HostShares::new(counts, hosts.collect()));
        }
        Tin::new(queues, divisor)
    }
}

/// COBALT in the queue of each flow of each tin.
#[derive(Clone, Debug)]
pub struct Cake {
    tins: Vec<Fair<Cobalt>>,
}

impl Cake {
    /// Makes a policy with a state as one of these in each queue of the tin.
    pub fn new(of_tins: impl IntoIterator<Item = Cobalt>) -> Self {
        Self { tins: of_tins.into_iter().map(Fair::new).collect() }
    }

    /// Policy of the tin of a queue, and the number of the queue there.
    fn tin_of(&mut self, queue: u32) -> (&mut Fair<Cobalt>, u32) {
        let tins = self.tins.len() as u32;
        (&mut self.tins[(queue % tins) as usize], queue / tins)
    }
}

impl FrameRule for Cake {
    fn needs(&self) -> Needs {
        self.tins[0].needs()
    }

    fn on_overflow(&mut self, now: Time, queue: u32) {
        let (tin, queue) = self.tin_of(queue);
        tin.on_overflow(now, queue);
    }

    fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission {
        let (tin, queue) = self.tin_of(dequeue.queue);
        tin.judge_dequeue(first, &Dequeue { queue, ..*dequeue })
    }
}

impl FromPlan for Cake {
    type Plan = CakePlan;

    fn build(plan: &CakePlan, site: &Site) -> Self {
        let divisors = plan.tins.divisors().iter().enumerate();
        let of_tin = divisors.map(|(tin, divisor)| {
            let stream = site.stream.part(&format!("tin.{tin}"));
            Cobalt::new(&plan.cobalt_of(*divisor), plan.mtu_time(*divisor), stream)
        });
        Self::new(of_tin)
    }

    fn facts(plan: &CakePlan) -> PolicyFacts {
        let divisors = plan.tins.divisors().iter();
        let of_tins = divisors.map(|divisor| plan.cobalt_of(*divisor).interval);
        PolicyFacts {
            marks: plan.cobalt.ecn,
            needs_common_buffer: Some("discards from the longest of all queues"),
            is_random: true,
            queues_flows: true,
            interval: of_tins.max(),
            ..PolicyFacts::default()
        }
    }

    fn order(plan: &CakePlan, site: &Site) -> Option<Scheduler> {
        let tins = plan.tins.divisors().iter().map(|divisor| plan.tin(site, *divisor)).collect();
        let tin_of_slot = site.vcs.iter().map(|vc| plan.tins.of(vc.flow.dscp)).collect();
        Some(CakeQueues::new(plan.shaper(site), tins, tin_of_slot).into())
    }
}
