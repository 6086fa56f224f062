//! The queue of a flow: one for each, or one of a number into which flows are hashed (RFC 8290
//! sections 4.1.2 and 4.2.1).
//!
//! A hashed flow has Jenkins' one-at-a-time hash of a perturbation, four bytes drawn once from the
//! stream of the port, and of the flow's place among those that pass the port, scaled to the number
//! of queues. A packet of a driver with a [key](crate::pdu::Packet::with_key) belongs to a flow of
//! the scenario and of that key: the key is hashed behind the place, or each pair has a queue of
//! its own.

use std::collections::BTreeMap;

use super::Site;
use crate::language::part::prelude::*;

variants! {
    /// Queues of a policy with a queue for each flow.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FlowQueuing {
        /// Each flow has a queue of its own.
        PerFlow = "per_flow",
        /// Number of queues; flows may share one.
        Hashed(u32) = "hashed" value("1024") as Kind::Integer { min: 1, max: 65_536 },
    }
}

impl FlowQueuing {
    /// Makes the queues of a port.
    pub(super) fn hash(self, site: &Site) -> FlowHash {
        let Self::Hashed(queues) = self else { return FlowHash::each() };
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
