//! A packet without a connection: a datagram, or one of an external flow, whose traffic is made
//! outside the simulation.

use super::{Ecn, Flags, Frame, IpVersion, RmCell, Segment};
use crate::engine::Place;
use crate::units::Time;

/// One end of a flow, which has its number in the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlowEnd {
    /// End at the host that the flow comes from.
    Origin(usize),
    /// End at the host that it leads to.
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

    /// The end that sends the frames of this [direction](super::Frame::direction).
    pub(crate) fn that_sends(direction: u32) -> Self {
        let flow = direction as usize / 2;
        if direction.is_multiple_of(2) { Self::Origin(flow) } else { Self::Destination(flow) }
    }

    /// Direction of the frames that it sends, as [`Frame::direction`](super::Frame::direction).
    pub(crate) fn direction(self) -> u32 {
        match self {
            Self::Origin(flow) => 2 * flow as u32,
            Self::Destination(flow) => 2 * flow as u32 + 1,
        }
    }
}

/// Bytes of the IPv4 and UDP headers (RFC 791, RFC 768).
pub const DATAGRAM_HEADER_BYTES: u64 = 28;

/// An IP packet without a connection: a datagram, or a packet of a driver. The network uses its
/// length alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Length with the IP header, bytes.
    pub ip_bytes: u32,
    /// Content that arrives with it: a segment of a [`Connection`](crate::tcp::Connection), or an
    /// index of the driver's own in place of the sequence number.
    pub segment: Segment,
}

impl Packet {
    /// The shortest IP packet: a header alone (RFC 791 §3.1).
    pub const MIN_IP_BYTES: u32 = 20;
    /// The longest IP packet.
    pub const MAX_IP_BYTES: u32 = 65_535;

    /// A packet whose content the driver keeps under `index`.
    pub fn opaque(ip_bytes: u32, index: u64) -> Self {
        Self { ip_bytes, segment: Segment { seq: index, ..Segment::default() } }
    }

    /// A UDP datagram: `segment` has its number and the length of its payload.
    pub fn datagram(segment: Segment, ip: IpVersion) -> Self {
        Self { ip_bytes: ip.udp_headers() as u32 + u32::from(segment.len), segment }
    }

    /// The same packet with this ECN field, which queues on the way may change to CE.
    #[must_use]
    pub fn with_ecn(self, ecn: Ecn) -> Self {
        Self { segment: Segment { ecn, ..self.segment }, ..self }
    }

    /// The ECN field of the IP header.
    pub fn ecn(&self) -> Ecn {
        self.segment.ecn
    }

    /// The same packet with a key, such as a hash of addresses, protocol and ports: where packets
    /// are queued by flow, those of one key wait in a queue of their own among those of their flow
    /// of the scenario. Zero is no key. Only an [opaque](Self::opaque) packet can have one.
    ///
    /// The key stands in place of the window, which nothing reads of a segment without flags and
    /// data.
    #[must_use]
    pub fn with_key(self, key: u32) -> Self {
        Self { segment: Segment { window: key, ..self.segment }, ..self }
    }

    /// The key of an opaque packet, zero without one.
    pub fn key(&self) -> u32 {
        let Segment { len, flags, window, .. } = self.segment;
        if len == 0 && flags == Flags::default() { window } else { 0 }
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

/// A packet or an RM cell that is captured at a host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Captured {
    /// Instant at which it was handed to the interface, or its last bit arrived.
    pub at: Time,
    /// Number of the interface in the capture.
    pub interface: u32,
    /// True if it leaves the host.
    pub is_sent: bool,
    /// The frame or RM cell.
    pub unit: CapturedUnit,
}

/// Content of a capture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CapturedUnit {
    /// Frame of a packet.
    Frame(Frame),
    /// RM cell.
    Rm {
        /// Direction of its flow, as [`Frame::direction`].
        direction: u32,
        /// CLP: it was sent out of rate.
        clp: bool,
        /// Its content.
        cell: RmCell,
    },
}

/// A packet of an external flow that does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostPacket {
    /// Instant of the loss of its first cell.
    pub at: Time,
    /// End that sent it.
    pub from: FlowEnd,
    /// Its [index](Packet::index).
    pub index: u64,
    /// Place of the loss.
    pub place: Place,
}

/// A packet that has arrived whole at an external end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Instant at which its last bit arrived.
    pub at: Time,
    /// Instant at which the other end sent it.
    pub sent_at: Time,
    /// End at which it arrived.
    pub end: FlowEnd,
    /// The packet, as it was sent.
    pub packet: Packet,
}
