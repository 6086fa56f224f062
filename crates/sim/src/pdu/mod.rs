//! The protocol data units that travel: cells, frames and packets, resource-management cells, TCP
//! segments.
//!
//! The engine, ATM and TCP depend on this module. It has no behaviour:
//! what is done with a unit belongs to the module that does it.

mod cell;
mod frame;
mod ip;
mod packet;
mod rate_header;
mod rm_cell;
mod segment;
mod train;

pub use cell::{Cell, CellHead};
pub use frame::{ContentId, Frame};
pub use ip::IpVersion;
pub use packet::{
    Arrival, Captured, CapturedUnit, DATAGRAM_HEADER_BYTES, FlowEnd, LostPacket, Packet,
};
pub use rate_header::{RateHeader, RateProtocol};
pub use rm_cell::{Direction, EncodedRate, Header, RmCell, RmCellError};
pub use segment::{Ecn, Flags, HEADER_BYTES, SackOption, Segment, TIMESTAMP_BYTES, Timestamps};
pub use train::Train;
