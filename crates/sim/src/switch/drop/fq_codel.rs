//! Flow queues with CoDel (Hoeiland-Joergensen, McKenney, Taht, Gettys, Dumazet: RFC 8290, 2018).
//!
//! Packets wait in queues by flow, which are served by a deficit round robin that prefers new ones
//! ([`FlowQueues`](crate::switch::scheduler::FlowQueues)), and each has its own
//! [`Codel`](super::Codel). A packet that arrives at a full buffer is accepted, and packets are
//! discarded from the head of the queue with the most bytes. Parameters: those of `codel`;
//! `quantum` 1500 B, which is the 1514 B of Linux without its Ethernet header, as sizes here are of
//! IP packets; `queues` 1024, or `"per_flow"`; `drop_batch` 64. The limit of the RFC, 10240
//! packets, is `buffer`.
//!
//! With a number of queues, flows are hashed and may share one (section 4.1.2 and 4.2.1): Jenkins'
//! one-at-a-time hash of a perturbation, four bytes drawn once from the stream of the port, and of
//! the flow's place among those that pass the port, scaled to the number of queues.
//!
//! FQ-CoDel is a word of `drop` and not of `scheduler`, although it is both: users choose between
//! it and the others here, and a study has one factor for all. Linux counts the packets that an
//! overflow discards as drops of that queue's CoDel, which the RFC and ns-3 do not, and limits
//! memory to 32 MB; ns-3 3.44 takes a quantum of the device's MTU.

use std::collections::BTreeMap;

use super::{
    Admission, Codel, CodelPlan, Dequeue, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site,
};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::switch::scheduler::{FlowQueues, Scheduler};
use crate::units::{Bytes, Span};

part! {
    /// Parameters of FQ-CoDel.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FqCodelPlan {
        /// CoDel of each queue.
        codel: CodelPlan = flat(CodelPlan),
        /// Bytes that a queue may send in its turn.
        quantum: Bytes = default("1500 B", "\"300 B\"") as Kind::Size { min: 1, max: MAX_PACKET },
        /// Number of queues into which flows are hashed.
        queues: FlowQueuing = default("{ hashed = 1024 }", "\"per_flow\""),
        /// Most packets that an overflow discards at once, if that is less than half of the bytes
        /// of the longest queue.
        drop_batch: u32 = default("64", "1") as Kind::Integer { min: 1, max: 100_000 },
    }
}

variants! {
    /// `drop.fq_codel.queues`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FlowQueuing {
        /// Each flow has a queue of its own.
        PerFlow = "per_flow",
        /// Number of queues; flows may share one.
        Hashed(u32) = "hashed" value("1024") as Kind::Integer { min: 1, max: 65_536 },
    }
}

impl FqCodelPlan {
    /// Queue of each slot; queues are numbered in the order of their first slots.
    fn queue_of_slot(&self, site: &Site) -> Vec<u32> {
        let slots = 0..site.vcs.len() as u32;
        let FlowQueuing::Hashed(queues) = self.queues else { return slots.collect() };
        let perturbation = (site.stream.clone().unit() * 4_294_967_296.0) as u32;
        let mut places = BTreeMap::new();
        let place = |slot| {
            let next = places.len() as u32;
            *places.entry(bucket(perturbation, slot, queues)).or_insert(next)
        };
        slots.map(place).collect()
    }
}

/// Queue, out of `queues`, into which a flow is hashed.
fn bucket(perturbation: u32, slot: u32, queues: u32) -> u32 {
    let bytes = perturbation.to_le_bytes().into_iter().chain(slot.to_le_bytes());
    let mixed = bytes.fold(0_u32, |hash, byte| {
        let hash = hash.wrapping_add(u32::from(byte));
        let hash = hash.wrapping_add(hash << 10);
        hash ^ (hash >> 6)
    });
    let mixed = mixed.wrapping_add(mixed << 3);
    let mixed = mixed ^ (mixed >> 11);
    let hash = mixed.wrapping_add(mixed << 15);
    ((u64::from(hash) * u64::from(queues)) >> 32) as u32
}

/// The drop policy of FQ-CoDel.
#[derive(Clone, Debug)]
pub struct FqCodel {
    queue_of_slot: Vec<u32>,
    /// State of each queue.
    codels: Vec<Codel>,
}

impl FqCodel {
    /// Makes a policy for queues numbered from zero, each with a copy of `codel`.
    pub fn new(queue_of_slot: Vec<u32>, codel: Codel) -> Self {
        let queues = queue_of_slot.iter().max().map_or(0, |last| *last as usize + 1);
        Self { queue_of_slot, codels: vec![codel; queues] }
    }
}

impl FrameRule for FqCodel {
    fn needs(&self) -> Needs {
        let marks = self.codels.iter().any(|codel| codel.needs().marks);
        Needs { dequeues: true, marks, ..Needs::default() }
    }

    fn judge(&mut self, _first: CellHead, _queue: &QueueState<'_>) -> Admission {
        Admission::Admit
    }

    fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission {
        let queue = self.queue_of_slot[dequeue.slot as usize];
        self.codels[queue as usize].judge_dequeue(first, dequeue)
    }
}

impl PolicyFacts for FqCodelPlan {
    fn needs_common_buffer(&self) -> Option<&'static str> {
        Some("discards from the longest of all queues")
    }

    fn is_random(&self) -> bool {
        true
    }

    fn queues_flows(&self) -> bool {
        true
    }

    fn interval(&self) -> Option<Span> {
        self.codel.interval()
    }

    fn order(&self, site: &Site) -> Option<Scheduler> {
        let queues = self.queue_of_slot(site);
        Some(FlowQueues::new(queues, self.quantum.0, self.drop_batch).into())
    }
}

impl FromPlan for FqCodel {
    type Plan = FqCodelPlan;

    fn build(plan: &FqCodelPlan, site: &Site) -> Self {
        Self::new(plan.queue_of_slot(site), Codel::build(&plan.codel, site))
    }
}
