//! A packet without a connection: a datagram, or one of an external flow, whose traffic is made
//! outside the simulation.

use super::{Frame, Segment};
use crate::units::Time;

/// One end of a flow, which has its number in the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlowEnd {
    /// At the host that the flow comes from.
    Origin(usize),
    /// At the host that it leads to.
    Destination(usize),
}

impl FlowEnd {
    /// The flow's number.
    pub fn flow(self) -> usize {
        match self {
            Self::Origin(flow) | Self::Destination(flow) => flow,
        }
    }

    /// The flow's other end.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Origin(flow) => Self::Destination(flow),
            Self::Destination(flow) => Self::Origin(flow),
        }
    }

    /// The end that sends the frames of this number
    /// ([`Frame::direction`](super::Frame::direction)).
    pub(crate) fn that_sends(direction: u32) -> Self {
        let flow = direction as usize / 2;
        if direction.is_multiple_of(2) { Self::Origin(flow) } else { Self::Destination(flow) }
    }

    /// The number of the frames that it sends.
    pub(crate) fn direction(self) -> u32 {
        match self {
            Self::Origin(flow) => 2 * flow as u32,
            Self::Destination(flow) => 2 * flow as u32 + 1,
        }
    }
}

/// Bytes of the IPv4 and UDP headers (RFC 791, RFC 768).
pub const DATAGRAM_HEADER_BYTES: u64 = 28;

/// An IP packet without a connection: a datagram, or what a driver puts in. The network uses its length alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Length with the IP header, bytes.
    pub ip_bytes: u32,
    /// What arrives with it: a segment of a [`Connection`](crate::tcp::Connection), or an index of
    /// the driver's own in place of the sequence number.
    pub segment: Segment,
}

impl Packet {
    /// No IP header is shorter (RFC 791 §3.1).
    pub const MIN_IP_BYTES: u32 = 20;
    /// The longest IP packet.
    pub const MAX_IP_BYTES: u32 = 65_535;

    /// A packet whose content the driver keeps under `index`.
    pub fn opaque(ip_bytes: u32, index: u64) -> Self {
        Self { ip_bytes, segment: Segment { seq: index, ..Segment::default() } }
    }

    /// A UDP datagram: `segment` has its number and the length of its payload.
    pub fn datagram(segment: Segment) -> Self {
        Self { ip_bytes: DATAGRAM_HEADER_BYTES as u32 + u32::from(segment.len), segment }
    }

    /// The index under which the driver keeps the content of an [opaque](Self::opaque) packet.
    pub fn index(&self) -> u64 {
        self.segment.seq
    }
}

impl From<Segment> for Packet {
    fn from(segment: Segment) -> Self {
        Self { ip_bytes: segment.ip_bytes() as u32, segment }
    }
}

/// A packet where packets are captured, at a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured {
    /// When it was handed to the interface, or its last bit was in.
    pub at: Time,
    /// By its number among those of the capture.
    pub interface: u32,
    /// Whether it leaves the host.
    pub is_sent: bool,
    /// What is in it.
    pub frame: Frame,
}

/// A packet that has arrived whole at an external end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// When its last bit was in.
    pub at: Time,
    /// When the other end put it in.
    pub sent_at: Time,
    /// Where it arrived.
    pub end: FlowEnd,
    /// The packet, as it was put in.
    pub packet: Packet,
}
