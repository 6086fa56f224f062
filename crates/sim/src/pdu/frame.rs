//! What the cells of a frame carry together.

use super::Segment;
use crate::units::Time;

/// Where the content of a frame or of a resource-management cell is kept while it travels
/// ([`Riders`](crate::engine::Riders)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RiderId(pub u32);

/// An AAL5 frame, or a packet, and what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Whose it is, whatever circuit it travels in: 2f for the data of flow f, 2f + 1 for what
    /// comes back.
    pub direction: u32,
    /// Counts the frames of its VC; what AAL5's CRC would notice, this shows.
    pub number: u32,
    /// Cells it was cut into; 1 for a packet.
    pub cells: u32,
    /// IP bytes.
    pub bytes: u32,
    /// When its host handed it to its interface.
    pub sent_at: Time,
    /// The TCP segment inside; of a datagram its number, as `seq`, and the length of its payload.
    pub segment: Segment,
}
