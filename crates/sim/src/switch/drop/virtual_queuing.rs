//! Virtual Queuing (Siu, Wu, Ren, Globecom 1997).
//!
//! A frame is discarded if the virtual queue of its VC, see [`VirtualQueues`], is longer than
//! `threshold` cells. Equal case: admitted.

use super::threshold::Threshold;
use super::virtual_queues::VirtualQueues;
use super::{Admission, Departure, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;

part! {
    /// Parameters of Virtual Queuing.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct VirtualQueuingPlan {
        /// Virtual queue of a VC above which its frames are discarded.
        threshold: Threshold = required("0.2"),
    }
}

/// Virtual Queuing.
#[derive(Clone, Debug)]
pub struct VirtualQueuing {
    threshold: u64,
    queues: VirtualQueues,
}

impl VirtualQueuing {
    /// Makes a rule for `vcs` virtual circuits.
    pub fn new(threshold: u64, vcs: usize) -> Self {
        Self { threshold, queues: VirtualQueues::new(vcs) }
    }
}

impl FrameRule for VirtualQueuing {
    fn needs(&self) -> Needs {
        Needs { departures: true, ..Needs::default() }
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        Admission::when(self.queues.of(queue.slot) <= self.threshold)
    }

    fn on_admission(&mut self, _head: CellHead, slot: u32) {
        self.queues.admit(slot);
    }

    fn on_departure(&mut self, _departure: Departure) {
        self.queues.serve();
    }
}

impl FromPlan for VirtualQueuing {
    type Plan = VirtualQueuingPlan;

    fn build(plan: &VirtualQueuingPlan, site: &Site) -> Self {
        Self::new(site.units(plan.threshold), site.vcs.len())
    }

    fn facts(plan: &VirtualQueuingPlan) -> PolicyFacts {
        PolicyFacts {
            needs_common_buffer: Some("compares VCs that share a buffer"),
            thresholds: vec![vec![("threshold", plan.threshold)]],
            ..PolicyFacts::default()
        }
    }
}
