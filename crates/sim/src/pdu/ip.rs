//! Versions of IP: IPv4 (RFC 791) and IPv6 (RFC 8200).
//!
//! Only the length of the header differs in a run. Packets of IPv6 have no extension headers.

use crate::language::part::prelude::*;

variants! {
    /// `flow.NAME.ip`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum IpVersion {
        /// Headers of 20 bytes, without options (RFC 791).
        V4 = "ipv4",
        /// Headers of 40 bytes, without extensions (RFC 8200).
        V6 = "ipv6",
    }
}

#[expect(clippy::derivable_impls, reason = "the list takes no attribute of a variant")]
impl Default for IpVersion {
    fn default() -> Self {
        Self::V4
    }
}

impl IpVersion {
    /// Smallest MTU of a link that carries IPv6 (RFC 8200 §5).
    pub(crate) const MIN_MTU_OF_V6: u64 = 1280;

    /// Bytes by which its header is longer than that of IPv4.
    #[inline]
    pub const fn more_bytes(self) -> u64 {
        match self {
            Self::V4 => 0,
            Self::V6 => 20,
        }
    }

    /// Bytes of the IP and TCP headers without options.
    pub const fn tcp_headers(self) -> u64 {
        super::HEADER_BYTES + self.more_bytes()
    }

    /// Bytes of the IP and UDP headers.
    pub const fn udp_headers(self) -> u64 {
        super::DATAGRAM_HEADER_BYTES + self.more_bytes()
    }
}
