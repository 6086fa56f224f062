//! Results of a run: counters, time series, distributions, and the summary made of them.

mod blocks;
mod datagrams;
mod distribution;
mod drop_summary;
mod fifo_distributions;
mod flow_summary;
mod groups;
mod histogram;
mod json_schema;
mod ledger;
mod link_summary;
mod mean;
mod one_way;
mod pacing_summary;
mod pages;
mod playback;
mod queue_recorder;
mod recorders;
mod relay;
mod segment_log;
mod series;
mod shape;
mod summary;
mod transactions;

pub use blocks::BlockSummary;
pub use datagrams::{DatagramCounters, DatagramSummary};
pub use distribution::{
    DelayDistribution, DelaySummary, QueueDistribution, QueueDistributionSummary, Window,
};
pub use drop_summary::DropSummary;
pub use fifo_distributions::FifoDistributions;
pub use flow_summary::{EcnSummary, FlowSummary, FlowTimes, RecoverySummary, RttSummary};
pub use groups::{ChannelSummary, GoodputSummary, GroupSummary, Groups};
pub use histogram::Histogram;
pub use json_schema::json_schema;
pub use ledger::{
    AbrCounters, AllocationCounters, Cause, ClassCounters, Drops, FlowCounters, GfrCounters,
    ImpairmentCounters, Ledger, LinkCounters, PacingCounters, PortCounters, PortVcCounters,
    VcCounters,
};
pub use link_summary::{CapacitySummary, ImpairmentSummary, LinkSummary};
pub use mean::Mean;
pub use one_way::{JitterSummary, LossSummary, OnWay, OneWay, OneWaySummary, PacketId};
pub use pacing_summary::PacingSummary;
pub use pages::PageSummary;
pub use playback::PlaybackSummary;
pub use queue_recorder::{PortDistributions, QueueRecorder};
pub use recorders::Recorders;
pub use relay::{AnswersSummary, Carried, Progress, RelayCounters, RelaySummary, TransferSummary};
pub use segment_log::SegmentLog;
pub use series::{Recorder, Sampling, Series};
pub use shape::{Field, Key, NumberShape, Presence, Shape, Shaped, numbers};
pub use summary::{
    AbrSummary, AllocationSummary, ClassSummary, GfrSummary, HostSummary, PortSummary,
    PortVcSummary, Summary, VcSummary,
};
pub use transactions::{TransactionCounters, TransactionSummary};
