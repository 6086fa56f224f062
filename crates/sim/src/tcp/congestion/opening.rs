//! Slow start per ACK: the window opens by a segment (Jacobson 1988), or by the bytes newly
//! acknowledged, up to L segments (Appropriate Byte Counting, RFC 3465 §2.2): `byte_counting`.
//!
//! RFC 3465 has L = 1, which is RFC 5681's equation (2), or 2; `HyStart++` has 8 without pacing
//! and no limit with it (RFC 9406 §4.3); Linux has no limit. In the slow start after a timeout L is
//! 1 (RFC 3465 §2.3): an ACK there covers data that left the network before. Congestion avoidance
//! counts as its law does.

use crate::tcp::readings::Readings;

/// L of `HyStart++`, segments.
const HYSTART_LIMIT: u32 = 8;

/// Minimum and maximum by which an ACK opens the window, segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerAck {
    least: u32,
    most: u32,
}

impl PerAck {
    /// Limit in slow starts of RFC 5681.
    pub(super) fn new(readings: &Readings) -> Self {
        let per_ack = Self { least: 1, most: 0 };
        readings.byte_counting.map_or(per_ack, Self::up_to)
    }

    /// Limit in the first slow start with `hystart`; with pacing there is none (RFC 9406 §4.3).
    pub(super) fn of_hystart(readings: &Readings, is_paced: bool) -> Self {
        let limit = if is_paced { u32::MAX } else { HYSTART_LIMIT };
        Self::up_to(readings.byte_counting.unwrap_or(limit))
    }

    fn up_to(limit: u32) -> Self {
        Self { least: 0, most: limit }
    }

    /// Limit in the slow start after a timeout.
    pub(super) fn of_one(self) -> Self {
        Self { most: self.most.min(1), ..self }
    }

    /// Bytes by which an ACK of `acked` bytes opens the window.
    #[inline]
    pub(super) fn of(self, acked: u64, mss: u64) -> u64 {
        acked.min(u64::from(self.most) * mss).max(u64::from(self.least) * mss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(byte_counting: Option<u32>) -> PerAck {
        PerAck::new(&Readings { byte_counting, ..Readings::default() })
    }

    /// Opening of RFC 3465 §2.2: min(N, L·SMSS).
    #[test]
    fn an_ack_opens_by_what_it_covers_up_to_the_limit() {
        let opened = |opening: PerAck| [200, 1000, 2000, 5000].map(|acked| opening.of(acked, 1000));
        assert_eq!(opened(opening(None)), [1000, 1000, 1000, 1000]);
        assert_eq!(opened(opening(Some(1))), [200, 1000, 1000, 1000]);
        assert_eq!(opened(opening(Some(2))), [200, 1000, 2000, 2000]);
        assert_eq!(opened(opening(Some(2)).of_one()), [200, 1000, 1000, 1000]);
        assert_eq!(opened(opening(None).of_one()), [1000, 1000, 1000, 1000]);
    }
}
