//! Virtual Queuing with Dynamic EPD (Wu, Siu, Ren: "Improved virtual queueing and dynamic EPD
//! techniques for TCP over ATM", ICNP 1997).
//!
//! Above `threshold` cells in the buffer, a frame of VC i is discarded if its virtual queue is
//! longer than `X/N_u`, where `N_u` counts the backlogged VCs whose virtual queue is at most their
//! equal share X/N. Equal cases admit. X is the port's queue; where ports share their memory,
//! `threshold` is compared with all that is in it. Where a single VC is below its share, X/1 is the
//! whole queue, and only the end of the buffer stops greedy VCs. Reconstructed from the description
//! in ATM Forum 98-0405, section 6; the paper itself was not at hand.

use super::threshold::Threshold;
use super::virtual_queues::VirtualQueues;
use super::{Admission, Departure, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;

part! {
    /// Parameters of Virtual Queuing with Dynamic EPD.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct VqDynamicEpdPlan {
        /// Queue up to which every frame is accepted.
        threshold: Threshold = required("0.8"),
    }
}

/// Virtual Queuing with Dynamic EPD.
#[derive(Clone, Debug)]
pub struct VqDynamicEpd {
    threshold: u64,
    queues: VirtualQueues,
}

impl VqDynamicEpd {
    /// Makes a rule for `vcs` virtual circuits.
    pub fn new(threshold: u64, vcs: usize) -> Self {
        Self { threshold, queues: VirtualQueues::new(vcs) }
    }

    fn share(&self) -> u64 {
        let occupancy = self.queues.total();
        let backlogged = self.queues.backlogged().count() as u64;
        let modest =
            self.queues.backlogged().filter(|&length| length * backlogged <= occupancy).count()
                as u64;
        occupancy / modest.max(1)
    }
}

impl FrameRule for VqDynamicEpd {
    fn needs(&self) -> Needs {
        Needs { departures: true, ..Needs::default() }
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        Admission::when(
            queue.occupancy <= self.threshold || self.queues.of(queue.slot) <= self.share(),
        )
    }

    fn on_admission(&mut self, _head: CellHead, slot: u32) {
        self.queues.admit(slot);
    }

    fn on_departure(&mut self, _departure: Departure) {
        self.queues.serve();
    }
}

impl FromPlan for VqDynamicEpd {
    type Plan = VqDynamicEpdPlan;

    fn build(plan: &VqDynamicEpdPlan, site: &Site) -> Self {
        Self::new(site.units(plan.threshold), site.vcs.len())
    }

    fn facts(plan: &VqDynamicEpdPlan) -> PolicyFacts {
        PolicyFacts {
            needs_common_buffer: Some("compares VCs that share a buffer"),
            thresholds: vec![vec![("threshold", plan.threshold)]],
            ..PolicyFacts::default()
        }
    }
}
