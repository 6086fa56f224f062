//! Counters at one instant. The difference of two ledgers, one at the end of the warm-up and one at
//! the end of the run, covers the measurement.

use std::collections::BTreeMap;

use super::{
    DatagramCounters, OneWaySummary, PortDistributions, Progress, RelayCounters,
    TransactionCounters,
};
use crate::atm::Class;
use crate::tcp::Counters;
use crate::traffic::{BlockCounters, PageCounters, PlaybackCounters};
use crate::units::Time;

/// Cause of the loss of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The buffer was full.
    Overflow,
    /// An earlier cell of its frame was lost (partial packet discard).
    PartialFrame,
    /// Its whole frame was refused (early packet discard).
    EarlyFrame,
    /// It was an ACK of a packet that a later one replaces (ACK filter).
    RedundantAck,
}

/// Lost cells by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drops {
    /// Count of [`Cause::Overflow`].
    pub overflow: u64,
    /// Count of [`Cause::PartialFrame`].
    pub partial_frame: u64,
    /// Count of [`Cause::EarlyFrame`].
    pub early_frame: u64,
    /// Count of [`Cause::RedundantAck`].
    pub redundant_acks: u64,
}

impl Drops {
    /// Adds one loss.
    pub fn count(&mut self, cause: Cause) {
        match cause {
            Cause::Overflow => self.overflow += 1,
            Cause::PartialFrame => self.partial_frame += 1,
            Cause::EarlyFrame => self.early_frame += 1,
            Cause::RedundantAck => self.redundant_acks += 1,
        }
    }

    /// Adds all losses of `other`.
    pub fn add(&mut self, other: &Drops) {
        self.overflow += other.overflow;
        self.partial_frame += other.partial_frame;
        self.early_frame += other.early_frame;
        self.redundant_acks += other.redundant_acks;
    }

    /// Losses since `earlier`.
    #[must_use]
    pub fn since(&self, earlier: &Drops) -> Drops {
        Drops {
            overflow: self.overflow - earlier.overflow,
            partial_frame: self.partial_frame - earlier.partial_frame,
            early_frame: self.early_frame - earlier.early_frame,
            redundant_acks: self.redundant_acks - earlier.redundant_acks,
        }
    }

    /// Sum over all causes.
    pub fn total(&self) -> u64 {
        self.overflow + self.partial_frame + self.early_frame + self.redundant_acks
    }
}

/// Counters of one output port.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PortCounters {
    /// Units whose last bit has left.
    pub sent: u64,
    /// Integral of the occupancy, unit-picoseconds.
    pub queue_time: i128,
    /// Picoseconds during which the line was busy.
    pub busy_time: i128,
    /// Largest occupancy since the measurement began.
    pub max_queue: u64,
    /// Units lost here.
    pub drops: Drops,
    /// Units marked here, if the drop policy may mark.
    pub marked: Option<u64>,
    /// Counters of the classes that pass the port, first served first; empty where there is only
    /// one.
    pub classes: Vec<(Class, ClassCounters)>,
    /// Counters of the virtual circuits whose cells are counted separately here, by number.
    pub vcs: Vec<(u32, PortVcCounters)>,
    /// Counters of the allocator of rates, if there is one.
    pub allocation: Option<AllocationCounters>,
    /// Distributions, if they are counted and the warm-up is over.
    pub distributions: Option<Box<PortDistributions>>,
}

/// Counters of one service class at one output port.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassCounters {
    /// Cells that were sent onto the line.
    pub sent: u64,
    /// Integral of the occupancy, cell-picoseconds.
    pub queue_time: i128,
    /// Largest occupancy since the measurement began.
    pub max_queue: u64,
    /// Cells lost here.
    pub drops: Drops,
    /// Cells marked here, if the drop policy may mark.
    pub marked: Option<u64>,
}

/// Counters of one virtual circuit at one output port.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PortVcCounters {
    /// Integral of the occupancy, unit-picoseconds.
    pub queue_time: i128,
    /// Largest occupancy since the measurement began.
    pub max_queue: u64,
    /// Units lost here.
    pub drops: Drops,
    /// Units marked here, if the drop policy may mark.
    pub marked: Option<u64>,
}

/// Measurements of an allocator of rates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AllocationCounters {
    /// Measuring intervals that ended.
    pub intervals: u64,
    /// Intervals in which no ABR cell came forward while RM cells went back.
    pub out_of_phase_intervals: u64,
    /// Sum of the active VCs counted at the end of each interval.
    pub active: f64,
    /// Sum of the finite overload factors.
    pub overload: f64,
    /// Intervals whose overload factor was finite.
    pub finite_overloads: u64,
}

/// Counters of one direction of an ABR VC at its source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AbrCounters {
    /// Allowed cell rate, cells per second.
    pub acr: f64,
    /// Integral of ACR over time: the cells that it allowed.
    pub acr_time: f64,
    /// Integral of the cells in the segmentation buffer, cell-seconds.
    pub queue_time: f64,
    /// Maximum number of cells in the segmentation buffer since the measurement began.
    pub max_queue: u64,
    /// Cells lost at the segmentation buffer.
    pub drops: Drops,
    /// In-rate forward RM cells sent.
    pub forward_rm: u64,
    /// In-rate backward RM cells returned.
    pub backward_rm: u64,
    /// Out-of-rate RM cells of both kinds.
    pub out_of_rate_rm: u64,
}

impl AbrCounters {
    /// Counts an RM cell that was sent.
    pub fn count(&mut self, is_backward: bool, is_out_of_rate: bool) {
        match (is_out_of_rate, is_backward) {
            (true, _) => self.out_of_rate_rm += 1,
            (false, true) => self.backward_rm += 1,
            (false, false) => self.forward_rm += 1,
        }
    }
}

/// Counters of the data of a flow with `pacing` at its source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PacingCounters {
    /// Integral of the units in the segmentation buffer, unit-seconds.
    pub queue_time: f64,
    /// Maximum number of units in the segmentation buffer since the measurement began.
    pub max_queue: u64,
    /// Units lost at the segmentation buffer.
    pub drops: Drops,
}

/// Counters of one direction of a GFR VC at the first switch that it passes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GfrCounters {
    /// Frames whose first cell arrived.
    pub frames: u64,
    /// Frames that passed the F-GCRA.
    pub eligible_frames: u64,
    /// Frames that got CLP = 1 there.
    pub tagged_frames: u64,
    /// Cells above PCR, beyond MFS or of another CLP than their frame.
    pub non_conforming_cells: u64,
    /// Cells lost there.
    pub drops: Drops,
    /// Probability of CLP = 0 at the marker, if there is one.
    pub mark_probability: Option<f64>,
}

/// Counters of one direction of a virtual circuit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VcCounters {
    /// Cells handed to the network by the source.
    pub sent: u64,
    /// Cells that reached the destination.
    pub delivered: u64,
    /// RM cells among them.
    pub rm_delivered: u64,
    /// Cells lost at ports, by the policer of the first switch and at the source's segmentation
    /// buffer.
    pub drops: Drops,
    /// Cells lost on links to impairments.
    pub lost_on_links: u64,
    /// Copies of packets that links made, which no source sent.
    pub duplicated: u64,
    /// Copies on links of packets whose last bit is not yet sent.
    pub copies_to_come: u64,
    /// Cells that wait at the source's shaper and in the queues of ports, or for lines that will
    /// lose them.
    pub queued: u64,
    /// Counters of an ABR VC at its source.
    pub abr: Option<AbrCounters>,
    /// Counters of the data of a flow with `pacing` at its source.
    pub pacing: Option<PacingCounters>,
    /// Counters of a GFR VC at the first switch.
    pub gfr: Option<GfrCounters>,
    /// Frames that reached the destination whole.
    pub frames_delivered: u64,
    /// Frames that reached the destination incomplete or mixed.
    pub frames_broken: u64,
}

impl VcCounters {
    /// True if every cell is accounted for, with `on_links` of them travelling.
    pub fn is_conserved(&self, on_links: u64) -> bool {
        self.sent + self.duplicated
            == self.delivered + self.drops.total() + self.lost_on_links + self.queued + on_links
    }
}

/// Counters of one impairment of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImpairmentCounters {
    /// Units that met it: sent, and not lost to an earlier one of the link.
    pub units: u64,
    /// Units that did not arrive.
    pub lost: u64,
    /// Cells that arrived with bit errors.
    pub corrupted: u64,
    /// Units that it delayed.
    pub delayed: u64,
    /// Units that arrived twice.
    pub duplicated: u64,
}

impl ImpairmentCounters {
    /// Sum over several periods.
    #[must_use]
    pub fn sum(periods: &[Self]) -> Self {
        periods.iter().fold(Self::default(), |sum, one| Self {
            units: sum.units + one.units,
            lost: sum.lost + one.lost,
            corrupted: sum.corrupted + one.corrupted,
            delayed: sum.delayed + one.delayed,
            duplicated: sum.duplicated + one.duplicated,
        })
    }
}

/// Counters of one direction of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkCounters {
    /// Units whose last bit was sent, lost ones included.
    pub sent: Option<u64>,
    /// Counters of the impairments by name; empty where there are none.
    pub impairments: BTreeMap<&'static str, ImpairmentCounters>,
}

/// Counters of one flow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowCounters {
    /// Bytes acknowledged in order, as the sender knows it.
    pub acked_bytes: u64,
    /// Bytes delivered in order to the receiving application.
    pub delivered_bytes: u64,
    /// Delivered bytes that the application has read.
    pub read_bytes: u64,
    /// Bytes that a relay has read of what came back on the connection.
    pub answer_bytes_read: u64,
    /// Instant of the acknowledgement of the last byte of a finite transfer.
    pub finished_at: Option<Time>,
    /// Instant at which the connection gave up.
    pub aborted_at: Option<Time>,
    /// The sending connection's own counters.
    pub sender: Counters,
    /// The receiving connection's own counters.
    pub receiver: Counters,
    /// Packets with data that its connection handed to the interface.
    pub handed_segments: u64,
    /// Segments that arrived at its source and at its sink and found their input queues full: their
    /// VCs have delivered them.
    pub input_drops: [u64; 2],
    /// Delays and losses of its packets, where they are counted.
    pub one_way: Option<Box<OneWaySummary>>,
    /// Segments that may still arrive; datagrams have this counter among their own.
    pub inside_segments: u64,
    /// Counters of requests and responses, for a flow of these.
    pub transactions: Option<Box<TransactionCounters>>,
    /// Counters of pages, if its application loads pages.
    pub pages: Option<Box<PageCounters>>,
    /// Counters of playback, if its application plays video.
    pub playback: Option<Box<PlaybackCounters>>,
    /// Counters of blocks, if its application writes blocks that it counts.
    pub blocks: Option<BlockCounters>,
    /// Counters of a relay.
    pub relay: Option<RelayCounters>,
    /// Progress of its receiver, if that is noted.
    pub progress: Option<Progress>,
    /// Counters of datagrams, for a flow of these.
    pub datagrams: Option<Box<DatagramCounters>>,
}

/// All counters at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Counters by flow.
    pub flows: Vec<FlowCounters>,
    /// Counters by port.
    pub ports: Vec<PortCounters>,
    /// Counters by virtual circuit.
    pub vcs: Vec<VcCounters>,
    /// Counters by link.
    pub links: Vec<LinkCounters>,
}

impl Ledger {
    /// Makes a ledger with all counters at zero.
    pub fn new(flows: usize, ports: usize, vcs: usize, links: usize) -> Self {
        Self {
            flows: vec![FlowCounters::default(); flows],
            ports: vec![PortCounters::default(); ports],
            vcs: vec![VcCounters::default(); vcs],
            links: vec![LinkCounters::default(); links],
        }
    }
}
