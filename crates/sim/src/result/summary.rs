//! The summary of a run, which `--json` prints. Field names carry the unit; names of parts are
//! those of the scenario.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    AbrCounters, AllocationCounters, ChannelSummary, ClassCounters, DelaySummary, DropSummary,
    FlowSummary, GfrCounters, Groups, LinkSummary, PacingSummary, PortCounters, PortVcCounters,
    QueueDistributionSummary, Shaped, VcCounters,
};
use crate::units::Span;

/// All results of a finished run except its series. Counters cover the time after the warm-up.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct Summary {
    /// Name of the scenario.
    pub scenario: String,
    /// Version of cellway.
    pub version: &'static str,
    /// Root of all random streams.
    pub seed: u64,
    /// Length of the run, seconds.
    pub duration_s: f64,
    /// Start of the measurement, seconds.
    pub warm_up_s: f64,
    /// Length of the measurement, seconds.
    pub measured_s: f64,
    /// Flows by name.
    pub flows: BTreeMap<String, FlowSummary>,
    /// Further connections of flows that proxies split, by name: `FLOW behind PROXY`. The numbers
    /// of the flow itself are those of its first connection, except its bytes, rates and times,
    /// which are from end to end. Absent without a proxy.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub connections: BTreeMap<String, FlowSummary>,
    /// Groups of flows: their goodput and its fairness.
    pub groups: Groups,
    /// Use of links with data of flows, by name of the link, with ` back` for the second direction.
    pub channels: BTreeMap<String, ChannelSummary>,
    /// Hosts with an `input_queue` by name; absent without any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hosts: BTreeMap<String, HostSummary>,
    /// Ports by `switch.link`, or `edge.link` for packets.
    pub ports: BTreeMap<String, PortSummary>,
    /// Circuits by name of the flow, or of a shared circuit, with ` back` for the other direction.
    /// Where a flow is cells on a part of its path only, its packets before and after have the
    /// names `flow to edge` and `flow from edge`.
    pub vcs: BTreeMap<String, VcSummary>,
    /// Links by name, with ` back` for the second direction of a duplex link.
    pub links: BTreeMap<String, LinkSummary>,
    /// Cells (or packets) that crossed a link, all links together, from the start of the run.
    pub cell_hops: u64,
}

/// One host with an input queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct HostSummary {
    /// Segments that arrived while the queue in front of the CPU was full, and were lost; their VCs
    /// have delivered them.
    pub input_drops: u64,
}

/// One output port of a switch.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct PortSummary {
    /// Unit that is counted: `cell` or `packet`.
    pub unit: &'static str,
    /// Largest number in the buffer.
    pub max_queue: u64,
    /// Time average of the number in the buffer.
    pub mean_queue: f64,
    /// Fraction of the time in which the line was busy.
    #[unit("1")]
    pub utilisation: f64,
    /// Units whose last bit left.
    pub sent: u64,
    /// Units lost, by cause.
    pub drops: DropSummary,
    /// Units sent with a congestion mark of the drop policy; absent where it marks nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marked: Option<u64>,
    /// Service classes by name, where several pass; absent otherwise.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub classes: BTreeMap<&'static str, ClassSummary>,
    /// VCs by name, as in `vcs` of the summary, where the cells of single VCs are counted: where
    /// buffers are per VC, the drop policy compares them, or a GFR VC passes; absent elsewhere.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub vcs: BTreeMap<String, PortVcSummary>,
    /// Measurements of the allocator of ABR rates, if there is one that measures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocation: Option<AllocationSummary>,
    /// Distribution of the number in the buffer, weighted by time, if `observe.distributions` names
    /// the port; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_distribution: Option<QueueDistributionSummary>,
    /// Delay from the arrival of a unit until its last bit has left, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<DelaySummary>,
}

/// One service class at an output port; it has a queue of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct ClassSummary {
    /// Largest number of cells in the buffer.
    pub max_queue: u64,
    /// Time average of the number of cells in the buffer.
    pub mean_queue: f64,
    /// Cells that were sent onto the line.
    pub sent: u64,
    /// Cells lost, by cause.
    pub drops: DropSummary,
    /// Cells sent with a congestion mark of the drop policy; absent where it marks nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marked: Option<u64>,
}

/// One virtual circuit at one output port.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct PortVcSummary {
    /// Largest number in the buffer.
    pub max_queue: u64,
    /// Time average of the number in the buffer.
    pub mean_queue: f64,
    /// Units lost, by cause.
    pub drops: DropSummary,
    /// Units sent with a congestion mark of the drop policy; absent where it marks nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marked: Option<u64>,
    /// MCR of a GFR VC; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcr_cells_per_second: Option<f64>,
    /// Time that its mean queue takes at its MCR, seconds; absent without MCR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_queue_over_mcr_s: Option<f64>,
}

/// Measurements of an allocator of ABR rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct AllocationSummary {
    /// Measuring intervals that ended.
    pub intervals: u64,
    /// Intervals in which no ABR cell came forward while RM cells went back: the out-of-phase
    /// effect.
    pub out_of_phase_intervals: u64,
    /// Mean over the intervals of the active VCs counted; absent without intervals.
    #[unit("1")]
    pub mean_active: Option<f64>,
    /// Mean of the overload factor over the intervals with capacity; absent without any.
    #[unit("1")]
    pub mean_overload: Option<f64>,
}

/// One virtual circuit over the measurement. Without a warm-up
/// `sent + duplicated = delivered + dropped + lost_on_links + inside`; with one, units inside when
/// it ended are delivered or dropped too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct VcSummary {
    /// Units handed to the network.
    pub sent: u64,
    /// Units that reached the destination.
    pub delivered: u64,
    /// Units lost at switches.
    pub dropped: u64,
    /// Units lost on links to impairments; absent without any.
    #[serde(skip_serializing_if = "is_zero")]
    pub lost_on_links: u64,
    /// Packets that arrive twice, once more than they were sent; absent without any.
    #[serde(skip_serializing_if = "is_zero")]
    pub duplicated: u64,
    /// Units in the network at the end.
    pub inside: u64,
    /// Frames that arrived whole.
    pub frames_delivered: u64,
    /// Frames that arrived incomplete or mixed.
    pub frames_broken: u64,
    /// Source of an ABR VC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abr: Option<AbrSummary>,
    /// Source of the data of a flow with `pacing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pacing: Option<PacingSummary>,
    /// Treatment of a GFR VC at the first switch that it passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gfr: Option<GfrSummary>,
}

/// One direction of an ABR VC at its source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct AbrSummary {
    /// Allowed cell rate at the end of the run.
    pub acr_cells_per_second: f64,
    /// Time average of the allowed cell rate.
    pub mean_acr_cells_per_second: f64,
    /// Maximum number of cells in the segmentation buffer.
    pub max_queue: u64,
    /// Time average of the cells in the segmentation buffer.
    pub mean_queue: f64,
    /// Cells lost at the segmentation buffer.
    pub dropped: u64,
    /// In-rate forward RM cells sent.
    pub forward_rm: u64,
    /// In-rate backward RM cells returned.
    pub backward_rm: u64,
    /// Out-of-rate RM cells of both kinds.
    pub out_of_rate_rm: u64,
}

/// One direction of a GFR VC at the first switch that it passes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct GfrSummary {
    /// Frames that arrived.
    pub frames: u64,
    /// Frames that are guaranteed: those that passed the F-GCRA.
    pub eligible_frames: u64,
    /// Frames that were given CLP = 1.
    pub tagged_frames: u64,
    /// Cells above PCR, beyond MFS or of another CLP than their frame.
    pub non_conforming_cells: u64,
    /// Cells discarded because their frame did not conform.
    pub dropped: u64,
    /// Probability of CLP = 0 at the end of the run; absent without `pme`.
    #[unit("1")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark_probability: Option<f64>,
}

impl PortSummary {
    /// Summary between two readings, `measured` apart, without single VCs.
    pub fn between(
        unit: &'static str,
        earlier: &PortCounters,
        later: &PortCounters,
        measured: Span,
    ) -> Self {
        let fraction = |from: i128, to: i128| (to - from) as f64 / measured.picoseconds() as f64;
        let distributions = later.distributions.as_deref();
        Self {
            unit,
            max_queue: later.max_queue,
            mean_queue: fraction(earlier.queue_time, later.queue_time),
            utilisation: fraction(earlier.busy_time, later.busy_time),
            sent: later.sent - earlier.sent,
            drops: later.drops.since(&earlier.drops).into(),
            marked: since(earlier.marked, later.marked),
            classes: later
                .classes
                .iter()
                .enumerate()
                .map(|(index, (class, later))| {
                    let earlier = earlier
                        .classes
                        .get(index)
                        .map(|(_, counters)| *counters)
                        .unwrap_or_default();
                    (class.word(), ClassSummary::between(&earlier, later, measured))
                })
                .collect(),
            vcs: BTreeMap::new(),
            allocation: later.allocation.map(|later| {
                AllocationSummary::between(&earlier.allocation.unwrap_or_default(), &later)
            }),
            queue_distribution: distributions.map(|found| found.queue.clone()),
            delay: distributions.map(|found| found.delay.clone()),
        }
    }
}

impl ClassSummary {
    fn between(earlier: &ClassCounters, later: &ClassCounters, measured: Span) -> Self {
        let queue_time = (later.queue_time - earlier.queue_time) as f64;
        Self {
            max_queue: later.max_queue,
            mean_queue: queue_time / measured.picoseconds() as f64,
            sent: later.sent - earlier.sent,
            drops: later.drops.since(&earlier.drops).into(),
            marked: since(earlier.marked, later.marked),
        }
    }
}

impl PortVcSummary {
    /// Summary between two readings, `measured` apart, of a VC with a minimum cell rate of `mcr`
    /// cells per second.
    pub fn between(
        earlier: &PortVcCounters,
        later: &PortVcCounters,
        mcr: Option<f64>,
        measured: Span,
    ) -> Self {
        let mean_queue =
            (later.queue_time - earlier.queue_time) as f64 / measured.picoseconds() as f64;
        Self {
            max_queue: later.max_queue,
            mean_queue,
            drops: later.drops.since(&earlier.drops).into(),
            marked: since(earlier.marked, later.marked),
            mcr_cells_per_second: mcr,
            mean_queue_over_mcr_s: mcr.filter(|&mcr| mcr > 0.0).map(|mcr| mean_queue / mcr),
        }
    }
}

/// Count between two readings, if it is counted.
fn since(earlier: Option<u64>, later: Option<u64>) -> Option<u64> {
    later.map(|later| later - earlier.unwrap_or(0))
}

impl AllocationSummary {
    fn between(earlier: &AllocationCounters, later: &AllocationCounters) -> Self {
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        let intervals = later.intervals - earlier.intervals;
        let finite = later.finite_overloads - earlier.finite_overloads;
        Self {
            intervals,
            out_of_phase_intervals: later.out_of_phase_intervals - earlier.out_of_phase_intervals,
            mean_active: mean(later.active - earlier.active, intervals),
            mean_overload: mean(later.overload - earlier.overload, finite),
        }
    }
}

impl AbrSummary {
    fn between(earlier: &AbrCounters, later: &AbrCounters, measured: Span) -> Self {
        let seconds = measured.seconds_f64();
        Self {
            acr_cells_per_second: later.acr,
            mean_acr_cells_per_second: (later.acr_time - earlier.acr_time) / seconds,
            max_queue: later.max_queue,
            mean_queue: (later.queue_time - earlier.queue_time) / seconds,
            dropped: later.drops.since(&earlier.drops).total(),
            forward_rm: later.forward_rm - earlier.forward_rm,
            backward_rm: later.backward_rm - earlier.backward_rm,
            out_of_rate_rm: later.out_of_rate_rm - earlier.out_of_rate_rm,
        }
    }
}

impl GfrSummary {
    fn between(earlier: &GfrCounters, later: &GfrCounters) -> Self {
        Self {
            frames: later.frames - earlier.frames,
            eligible_frames: later.eligible_frames - earlier.eligible_frames,
            tagged_frames: later.tagged_frames - earlier.tagged_frames,
            non_conforming_cells: later.non_conforming_cells - earlier.non_conforming_cells,
            dropped: later.drops.since(&earlier.drops).total(),
            mark_probability: later.mark_probability,
        }
    }
}

impl VcSummary {
    /// Summary of a VC at the end of a run, with `on_links` of its cells still travelling, since
    /// the reading `earlier`, `measured` ago.
    pub fn new(vc: &VcCounters, on_links: u64, earlier: &VcCounters, measured: Span) -> Self {
        Self {
            sent: vc.sent - earlier.sent,
            delivered: vc.delivered - earlier.delivered,
            dropped: vc.drops.since(&earlier.drops).total(),
            lost_on_links: vc.lost_on_links - earlier.lost_on_links,
            duplicated: vc.duplicated - earlier.duplicated,
            inside: vc.queued + on_links,
            frames_delivered: vc.frames_delivered - earlier.frames_delivered,
            frames_broken: vc.frames_broken - earlier.frames_broken,
            abr: vc
                .abr
                .map(|abr| AbrSummary::between(&earlier.abr.unwrap_or_default(), &abr, measured)),
            pacing: vc.pacing.map(|pacing| {
                PacingSummary::between(&earlier.pacing.unwrap_or_default(), &pacing, measured)
            }),
            gfr: vc.gfr.map(|gfr| GfrSummary::between(&earlier.gfr.unwrap_or_default(), &gfr)),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
pub(super) fn is_zero(count: &u64) -> bool {
    *count == 0
}
