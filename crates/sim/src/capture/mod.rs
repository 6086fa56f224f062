//! Packets of a run as a pcapng file, for Wireshark and its relatives.
//!
//! Hosts report the packets that they hand to an interface and those that have arrived whole
//! ([`Captured`](crate::pdu::Captured)). A driver takes them during the run and converts each to a
//! block. The simulator counts lengths and numbers, and no bytes: the headers here have the same
//! numbers in the octets of IP and TCP, before a payload of zeros. A driver of external flows has
//! octets of its own ([`PcapNg::octets`]). No file is opened or written:
//! octets are appended to a buffer of the driver's.
//!
//! Packets of links of cells can be shown with their virtual channels, and RM cells beside them
//! ([`Layer`]).
//!
//! [`CapturePoints`] selects the interfaces, [`PcapNg`] makes the octets;
//! [`run_captured`](crate::run_captured) is a driver.

mod blocks;
mod checksum;
mod headers;
mod ip;
mod layer;
mod packets;
mod points;

pub use layer::Layer;
pub use packets::{Kept, PcapNg, START, sockets};
pub use points::{CaptureError, CapturePoints, Interface};
