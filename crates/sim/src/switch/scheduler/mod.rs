//! Schedulers: the order in which an output port serves the cells that wait.

mod ack_filter;
mod cake_queues;
mod class_queue;
mod drr;
mod fifo;
mod flow_queues;
mod held;
mod host_shares;
mod keyed;
mod l4s_queues;
mod longest;
mod order;
mod priority;
mod queue;
mod ringless;
mod rounds;
mod runs;
mod turns;
mod two_queues;
mod wfq;

pub use ack_filter::AckFilter;
pub(super) use cake_queues::{CakeQueues, Compensation, Shaper, Tin};
pub(super) use fifo::FifoPort;
pub(super) use flow_queues::FlowQueues;
pub(super) use host_shares::HostShares;
pub(super) use l4s_queues::{L4sQueues, queue_of};
pub use order::{DrrPlan, DrrShare, Scheduler, SchedulerPlan, SchedulerSite, WfqPlan};
pub(super) use priority::PriorityPort;
pub(super) use ringless::RinglessPort;
pub(super) use runs::RunsPort;
pub use two_queues::TwoQueuesPlan;
pub(super) use two_queues::{CLASSIC, LOW_LATENCY};

use crate::pdu::Cell;

/// A cell or packet that is not on the line yet.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    cell: Cell,
    slot: u32,
    /// IP bytes of a packet, payload of a cell; zero where they are not needed.
    bytes: u16,
    /// Number of its queue, if its driver has given it a key; zero: that of its slot.
    keyed: u16,
}
