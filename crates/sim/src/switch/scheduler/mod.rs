//! The order in which an output port serves the cells that wait.

mod fifo;
mod priority;

pub(super) use fifo::FifoPort;
pub(super) use priority::PriorityPort;
