//! Plans of drop policies in the scenario language, and the port that a policy is made for.

use super::FrameRule;
use super::threshold::Threshold;
use crate::engine::Stream;
use crate::link::Transmission;
use crate::switch::scheduler::Scheduler;
use crate::traffic::Dscp;
use crate::units::Span;

/// Thresholds with their keys, in the order in which they must grow.
pub type Ordered = Vec<(&'static str, Threshold)>;

/// A frame rule that the scenario language can choose.
pub trait FromPlan: FrameRule + Sized {
    /// Its parameters, in the scenario language.
    type Plan;

    /// Makes the rule for this place.
    fn build(plan: &Self::Plan, site: &Site) -> Self;

    /// Facts that the parameters tell before a run.
    fn facts(plan: &Self::Plan) -> PolicyFacts;

    /// Order in which the queue is served, if the policy has one.
    fn order(_plan: &Self::Plan, _site: &Site) -> Option<Scheduler> {
        None
    }
}

/// Facts about a policy that its parameters tell before a run.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each holds alone")]
pub struct PolicyFacts {
    /// Behaviour that makes no sense with a buffer for each VC.
    pub needs_common_buffer: Option<&'static str>,
    /// True if it draws random numbers.
    pub is_random: bool,
    /// True if it may mark frames of flows with `tcp.ecn`.
    pub marks: bool,
    /// True if it has several queues of packets, served in an order of its own.
    pub queues_flows: bool,
    /// True if it judges whole packets in one queue, one by one, and no cells.
    pub is_of_packets: bool,
    /// Lists of thresholds with their keys, each in the order in which they must grow.
    pub thresholds: Vec<Ordered>,
    /// Interval at which it acts by itself.
    pub interval: Option<Span>,
    /// Key and word by which a parameter is taken from each VC's `service.gfr`.
    pub word_of_service: Option<(&'static str, &'static str)>,
}

/// The queue that a policy is made for.
#[derive(Debug)]
pub struct Site {
    /// Size of the buffer, in cells or packets; `None`: no limit.
    pub buffer: Option<u64>,
    /// Times that units take on the line.
    pub transmission: Transmission,
    /// The VCs that pass the port, by slot.
    pub vcs: Vec<SiteVc>,
    /// W: minimum cell rates of all VCs that may be in the buffer, bit/s; in a shared buffer those
    /// that pass the node.
    pub total_minimum_rate: f64,
    /// The random numbers of the policy.
    pub stream: Stream,
}

/// Data of a VC for a policy.
#[derive(Clone, Copy, Debug)]
pub struct SiteVc {
    /// Minimum cell rate of its frames, in whole bit/s; zero where none is guaranteed.
    pub minimum_rate: f64,
    /// Z of its `service.gfr`; 1 without one.
    pub z: f64,
    /// Flow of its packets; of cells that several flows share, the default.
    pub flow: SiteFlow,
}

/// Data of a flow, in the direction of its units, for a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteFlow {
    /// Index of the host that sends them.
    pub source: u32,
    /// Index of the host that receives them.
    pub destination: u32,
    /// Class of the flow.
    pub dscp: Dscp,
}

impl Site {
    /// Converts a threshold to cells or packets.
    pub fn units(&self, threshold: Threshold) -> u64 {
        threshold.of(self.buffer)
    }
}
