//! The engine: nodes that run ahead of each other as far as their links allow.
//!
//! There is no global event queue. Every link is a time-ordered queue of cells whose delay
//! (propagation plus one transmission time, never zero) is how far its receiving end may safely run
//! ahead; every node has its own clock and moves all cells up to that instant in one loop. The
//! order of events at one instant is fixed: inside a node, departures, then timers and finished
//! work, then arrivals by port index; between nodes it does not matter, because nothing crosses
//! between nodes except on a link. Reordering any of these changes results.

mod clocks;
mod delegate;
mod fifo;
mod in_transit;
mod io;
mod link;
mod losses;
mod memory;
mod network;
mod next_arrival;
mod random;
mod random_span;
mod shared_streams;
mod tournament;
mod train_queue;

pub(crate) use delegate::delegate;
pub use fifo::Fifo;
pub use in_transit::{Frames, InTransit, RmCells};
pub use io::Io;
pub use link::{InPort, Link, LinkId, NodeId};
pub use losses::{Loss, Losses, Place};
pub use memory::{MAX_BYTES, Memory, Tally};
pub use network::{Halt, Network, Node};
pub use random::{MOST_MEANS, Stream};
pub(crate) use random_span::{ANY_INSTANT, LATER_INSTANT};
pub use random_span::{Distribution, Exponential, RandomSpan};
pub use shared_streams::{FlowBytes, SharedStreams};
pub use tournament::Tournament;
pub use train_queue::TrainOrder;
