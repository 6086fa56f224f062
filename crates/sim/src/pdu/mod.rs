//! The protocol data units that travel: cells, frames and packets, resource-management cells, TCP
//! segments.
//!
//! This is the ground that the engine, ATM and TCP stand on. It knows nothing but units, and no
//! behaviour: what is done with a unit belongs to the room that does it.

mod cell;
mod frame;
mod packet;
mod rm_cell;
mod segment;
mod train;

pub use cell::{Cell, CellHead};
pub use frame::{Frame, RiderId};
pub use packet::{Arrival, Captured, DATAGRAM_HEADER_BYTES, FlowEnd, Packet};
pub use rm_cell::{Direction, EncodedRate, Header, RmCell, RmCellError};
pub use segment::{Ecn, Flags, HEADER_BYTES, SackOption, Segment, TIMESTAMP_BYTES, Timestamps};
pub use train::Train;
