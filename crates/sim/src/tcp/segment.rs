//! What crosses the network between two connections: RFC 9293 §3.1 without the fields that no model here reads.

use std::ops::BitOr;

/// Bytes of the IPv4 and TCP headers without options. The options of a SYN are not counted.
pub const HEADER_BYTES: u64 = 40;

/// A TCP segment: positions and lengths, no bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Sequence number of the first byte, or of the SYN or FIN when there is none.
    pub seq: u64,
    /// Next sequence number expected from the other end; meaningful with [`Flags::ACK`].
    pub ack: u64,
    /// Payload in bytes.
    pub len: u32,
    /// Advertised window in bytes, after scaling.
    pub window: u32,
    /// Control bits and options.
    pub flags: Flags,
}

impl Segment {
    /// Size of the IP packet in bytes.
    pub fn ip_bytes(&self) -> u64 {
        HEADER_BYTES + u64::from(self.len)
    }

    /// Whether it carries nothing but an acknowledgement.
    pub fn is_pure_ack(&self) -> bool {
        self.end() == self.seq
    }

    /// The sequence number after this segment: SYN and FIN count as one each (RFC 9293 §3.4).
    pub fn end(&self) -> u64 {
        let controls =
            u64::from(self.flags.contains(Flags::SYN)) + u64::from(self.flags.contains(Flags::FIN));
        self.seq + u64::from(self.len) + controls
    }
}

/// A set of control bits and options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// Opens the sender's direction.
    pub const SYN: Self = Self(1);
    /// The `ack` field counts.
    pub const ACK: Self = Self(2);
    /// The sender has no more data.
    pub const FIN: Self = Self(4);
    /// A SYN offers window scaling (RFC 7323 §2.2).
    pub const SCALE: Self = Self(8);

    /// Whether all of `other` are set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Flags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_small_enough_to_ride_on_a_cell() {
        assert!(size_of::<Segment>() <= 32);
    }

    #[test]
    fn controls_occupy_sequence_space_but_no_bytes() {
        let segment = Segment { seq: 0, ack: 0, len: 0, window: 0, flags: Flags::SYN };
        assert_eq!((segment.end(), segment.ip_bytes()), (1, 40));
        let last = Segment { seq: 11, ack: 1, len: 100, window: 0, flags: Flags::FIN | Flags::ACK };
        assert_eq!((last.end(), last.ip_bytes()), (112, 140));
    }
}
