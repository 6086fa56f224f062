//! The state of a connection as the kernel tells it: `TCP_INFO`, by the offsets of
//! `struct tcp_info` in `linux/tcp.h`, which only ever grows at its end.

use std::io;
use std::os::fd::BorrowedFd;

use super::sys::{TCP_INFO_BYTES, read_tcp_info};

/// Value of `ca_state` in fast recovery.
const RECOVERY: u8 = 3;

/// Value of `state` without a connection.
const CLOSED: u8 = 7;

/// State of one end of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TcpInfo {
    /// True before and after a connection.
    pub(super) is_closed: bool,
    /// True while losses are repaired in fast recovery.
    pub(super) is_in_recovery: bool,
    /// Largest segment that is sent, bytes.
    pub(super) mss: u64,
    /// Congestion window, segments.
    pub(super) cwnd: u64,
    /// Slow-start threshold, segments; unlimited is about 2^31.
    pub(super) ssthresh: u64,
    /// Smoothed round trip, microseconds; zero before the first sample.
    pub(super) rtt_us: u64,
    /// Segments sent again.
    pub(super) retransmissions: u64,
    /// Bytes acknowledged, and one for the SYN.
    pub(super) bytes_acked: u64,
    /// Bytes received in order.
    pub(super) bytes_received: u64,
    /// Segments sent, of any kind.
    pub(super) segments_out: u64,
    /// Shortest round trip, microseconds; 2^32 − 1 before the first sample.
    pub(super) min_rtt_us: u64,
    /// Segments sent with data.
    pub(super) data_segments_out: u64,
    /// Bytes of data sent, again included.
    pub(super) bytes_sent: u64,
    /// Bytes of data sent again.
    pub(super) bytes_retransmitted: u64,
    /// Shift of the windows that the other end offers.
    pub(super) window_shift: u8,
    /// Window that the other end offers, bytes.
    pub(super) offered_window: u64,
    /// Timeouts; `None` where the kernel does not count them.
    pub(super) timeouts: Option<u64>,
}

impl TcpInfo {
    /// State of a socket.
    pub(super) fn of(socket: BorrowedFd<'_>) -> io::Result<Self> {
        let mut bytes = [0; TCP_INFO_BYTES];
        let known = read_tcp_info(socket, &mut bytes)?;
        Ok(Self::from_bytes(&bytes[..known.min(TCP_INFO_BYTES)]))
    }

    /// Bytes sent and not acknowledged.
    pub(super) fn in_flight(&self) -> u64 {
        self.bytes_sent.saturating_sub(self.bytes_retransmitted + self.acked())
    }

    /// Bytes acknowledged in order.
    pub(super) fn acked(&self) -> u64 {
        self.bytes_acked.saturating_sub(1)
    }

    /// Unit of the windows that the other end offers: whole segments if they are not shifted.
    fn window_unit(&self) -> u64 {
        if self.window_shift == 0 { self.mss } else { 1 << self.window_shift }
    }

    /// True if the other end offers more than `window`.
    pub(super) fn is_offered_more(&self, window: u64) -> bool {
        self.offered_window >= window + self.window_unit()
    }

    /// True if the other end offers less than `window`, and no further segment may be sent. A
    /// window that has not opened yet, ahead of cwnd, changes nothing.
    pub(super) fn is_held_below(&self, window: u64) -> bool {
        self.offered_window + self.window_unit() <= window
            && self.in_flight() + self.mss > self.offered_window
    }

    /// Fields that the kernel does not have are zero.
    fn from_bytes(bytes: &[u8]) -> Self {
        let short = |at: usize| {
            bytes.get(at..at + 4).map_or(0, |four| {
                u64::from(u32::from_ne_bytes(four.try_into().expect("four bytes")))
            })
        };
        let long = |at: usize| {
            bytes
                .get(at..at + 8)
                .map_or(0, |eight| u64::from_ne_bytes(eight.try_into().expect("eight bytes")))
        };
        Self {
            is_closed: bytes.first() == Some(&CLOSED),
            is_in_recovery: bytes.get(1) == Some(&RECOVERY),
            // Two numbers of four bits; the other one is of the windows that this end offers.
            window_shift: bytes.get(6).map_or(0, |shifts| low_half(*shifts)),
            mss: short(16),
            rtt_us: short(68),
            ssthresh: short(76),
            cwnd: short(80),
            retransmissions: short(100),
            bytes_acked: long(120),
            bytes_received: long(128),
            segments_out: short(136),
            min_rtt_us: short(148),
            data_segments_out: short(156),
            bytes_sent: long(200),
            bytes_retransmitted: long(208),
            offered_window: short(228),
            timeouts: bytes
                .get(240..242)
                .map(|two| u64::from(u16::from_ne_bytes(two.try_into().expect("two bytes")))),
        }
    }
}

/// The first of two fields of four bits.
fn low_half(byte: u8) -> u8 {
    if cfg!(target_endian = "little") { byte & 0xf } else { byte >> 4 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state with numbers at the places that `linux/tcp.h` gives them.
    #[test]
    fn fields_are_at_their_places() {
        let mut bytes = [0; TCP_INFO_BYTES];
        for (at, value) in [(16, 1460_u32), (68, 20_000), (80, 10), (100, 3), (228, 65_536)] {
            bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
        }
        for (at, value) in [(120, 14_601_u64), (200, 30_000), (208, 4380)] {
            bytes[at..at + 8].copy_from_slice(&value.to_ne_bytes());
        }
        let info = TcpInfo::from_bytes(&bytes);
        assert_eq!((info.mss, info.rtt_us, info.cwnd), (1460, 20_000, 10));
        assert_eq!((info.retransmissions, info.offered_window), (3, 65_536));
        assert_eq!((info.acked(), info.in_flight()), (14_600, 30_000 - 4380 - 14_600));
        // An older kernel has less to tell.
        assert_eq!(info.timeouts, Some(0));
        let older = TcpInfo::from_bytes(&bytes[..192]);
        assert_eq!((older.timeouts, older.offered_window, older.mss), (None, 0, 1460));
    }

    #[test]
    fn another_window_counts_if_it_is_larger_or_holds_the_sender_back() {
        let info = |offered_window: u64, bytes_sent: u64| TcpInfo {
            mss: 1460,
            window_shift: 7,
            offered_window,
            bytes_sent,
            bytes_acked: 1,
            ..TcpInfo::default()
        };
        let counts = |info: TcpInfo| info.is_offered_more(65_536) || info.is_held_below(65_536);
        assert!(!counts(info(65_536, 65_536)) && !counts(info(65_536 + 127, 65_536)));
        assert!(counts(info(65_536 + 128, 0)));
        assert!(!counts(info(32_768, 20_000)) && counts(info(32_768, 32_000)));
        assert!(!counts(info(65_536 - 127, 65_000)) && counts(info(65_536 - 128, 65_000)));
    }
}
