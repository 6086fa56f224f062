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
//! the flow's place among those that pass the port, scaled to the number of queues. A packet of a
//! driver with a [key](crate::pdu::Packet::with_key) belongs to a flow of the scenario and of that
//! key: the key is hashed behind the place, or each pair has a queue of its own.
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
    fn hash(&self, site: &Site) -> FlowHash {
        let FlowQueuing::Hashed(queues) = self.queues else { return FlowHash::each() };
        let perturbation = (site.stream.clone().unit() * 4_294_967_296.0) as u32;
        FlowHash { buckets: Some((perturbation, queues)), places: BTreeMap::new(), next: 0 }
    }
}

/// Queues of flows, numbered as flows are asked for.
#[derive(Clone, Debug)]
pub(in crate::switch) struct FlowHash {
    /// Perturbation and number of buckets; `None`: each flow has a queue.
    buckets: Option<(u32, u32)>,
    /// Queue of each bucket that has one.
    places: BTreeMap<u32, u32>,
    /// Number of queues.
    next: u32,
}

impl FlowHash {
    /// A queue for each flow.
    pub(in crate::switch) fn each() -> Self {
        Self { buckets: None, places: BTreeMap::new(), next: 0 }
    }

    /// Queue of a flow that was not asked for before; its packets have this `key`, zero for none.
    pub(in crate::switch) fn queue(&mut self, slot: u32, key: u32) -> u32 {
        let fresh = self.next;
        let queue = match self.buckets {
            None => fresh,
            Some((perturbation, buckets)) => {
                *self.places.entry(bucket(perturbation, (slot, key), buckets)).or_insert(fresh)
            }
        };
        self.next += u32::from(queue == fresh);
        queue
    }

    /// Number of queues of the flows asked for.
    pub(in crate::switch) fn queues(&self) -> usize {
        self.next as usize
    }
}

/// Queue, out of `queues`, into which a flow is hashed, with its key if that is not zero.
fn bucket(perturbation: u32, (slot, key): (u32, u32), queues: u32) -> u32 {
    let key = (key != 0).then_some(key.to_le_bytes());
    let bytes = perturbation.to_le_bytes().into_iter().chain(slot.to_le_bytes());
    let bytes = bytes.chain(key.into_iter().flatten());
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
    /// State of a queue that has had no packets.
    fresh: Codel,
    /// State of each queue.
    codels: Vec<Codel>,
}

impl FqCodel {
    /// Makes a policy for queues numbered from zero, each with a copy of `fresh`.
    pub fn new(fresh: Codel) -> Self {
        Self { fresh, codels: Vec::new() }
    }
}

impl FrameRule for FqCodel {
    fn needs(&self) -> Needs {
        Needs { dequeues: true, marks: self.fresh.needs().marks, ..Needs::default() }
    }

    fn judge(&mut self, _first: CellHead, _queue: &QueueState<'_>) -> Admission {
        Admission::Admit
    }

    fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission {
        let queue = dequeue.queue as usize;
        if queue >= self.codels.len() {
            self.codels.resize(queue + 1, self.fresh);
        }
        self.codels[queue].judge_dequeue(first, dequeue)
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
        let slots = site.vcs.len() as u32;
        Some(FlowQueues::new(self.hash(site), slots, self.quantum.0, self.drop_batch).into())
    }
}

impl FromPlan for FqCodel {
    type Plan = FqCodelPlan;

    fn build(plan: &FqCodelPlan, site: &Site) -> Self {
        Self::new(Codel::build(&plan.codel, site))
    }
}
