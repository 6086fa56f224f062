//! Frames: the content that the cells of one packet carry together.

use super::{Packet, Segment};
use crate::units::Time;

/// Place of the content of a frame or of a resource-management cell while it travels
/// ([`InTransit`](crate::engine::InTransit)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentId(pub u32);

/// An AAL5 frame, or a packet, and what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Direction of the flow, whatever circuit it travels in: 2f for the data of flow f, 2f + 1 for
    /// what comes back.
    pub direction: u32,
    /// Number of the frame in its VC; it shows what AAL5's CRC would detect.
    pub number: u32,
    /// Number of its cells; 1 for a packet.
    pub cells: u32,
    /// Length of the IP packet, bytes.
    pub bytes: u32,
    /// Instant at which its host handed it to the interface.
    pub sent_at: Time,
    /// The TCP segment inside. For a datagram, `seq` is its number and `len` the length of its
    /// payload.
    pub segment: Segment,
}

impl Frame {
    /// The [key](Packet::with_key) of its packet, zero without one.
    pub(crate) fn key(&self) -> u32 {
        Packet { ip_bytes: self.bytes, segment: self.segment }.key()
    }
}
