//! Congestion header of XCP and RCP: fields in which routers tell the ends of a flow a rate, or a
//! change of the window.
//!
//! Lengths: XCP 20 bytes, as draft-falk-xcp-spec-03 §3 has it between the IP and the TCP header
//! (protocol, length, version and format in a word, then the round trip, the time between packets,
//! the change and the returned change). RCP 16, of which no document that we know fixes a layout:
//! one such word, the round trip, the rate and the returned rate. Here the time between packets
//! stands as the window, from which a router has it (Katabi, Handley, Rohrs 2002, section 3.2).
//!
//! Numbers are IEEE 754 singles, so that they have no unit to choose and no limit to round to.

/// Protocol that a congestion header belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateProtocol {
    /// XCP: routers grant a change of the window.
    Xcp,
    /// RCP: routers grant a rate.
    Rcp,
}

impl RateProtocol {
    /// Bytes of its header.
    #[must_use]
    pub const fn header_bytes(self) -> u64 {
        match self {
            Self::Xcp => 20,
            Self::Rcp => 16,
        }
    }
}

/// Congestion header of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateHeader {
    /// Protocol of the connection.
    pub protocol: RateProtocol,
    /// Round trip of the sender, seconds; zero before it knows one.
    pub rtt: f32,
    /// cwnd of the sender, bytes; zero with RCP and without data.
    pub window: f32,
    /// Grant that routers lower: bytes by which the window may grow for this segment (XCP), or
    /// bit/s of data (RCP). Infinite as long as no router has lowered it.
    pub grant: f32,
    /// Grant that is returned to the sender of the other direction. Zero is none.
    pub returned: f32,
}

impl RateHeader {
    /// Words of its fields, behind a first one of the protocol.
    pub(super) fn words(self) -> [[u32; 2]; 3] {
        let kind = 1 + self.protocol as u32;
        let [rtt, window, grant, returned] =
            [self.rtt, self.window, self.grant, self.returned].map(f32::to_bits);
        [[kind; 2], [rtt, window], [grant, returned]]
    }

    /// Header of such words; `None` for others.
    pub(super) fn of_words([kind, first, second]: [[u32; 2]; 3]) -> Option<Self> {
        let protocol = match kind {
            [1, 1] => RateProtocol::Xcp,
            [2, 2] => RateProtocol::Rcp,
            _ => return None,
        };
        let [rtt, window] = first.map(f32::from_bits);
        let [grant, returned] = second.map(f32::from_bits);
        Some(Self { protocol, rtt, window, grant, returned })
    }
}
