//! What a run chooses about its TCP. Both ends of a connection share one [`Config`].

use super::congestion::{Avoidance, Recovery};
use crate::units::{Bytes, Span};

/// RFC 9293 §3.1: the window field has 16 bits.
pub(super) const MAX_UNSCALED_WINDOW: u64 = 65_535;
/// RFC 7323 §2.3: the shift is at most 14.
const MAX_SHIFT: u32 = 14;
/// The largest window that can be advertised. As ssthresh: none.
pub const MAX_WINDOW: u64 = MAX_UNSCALED_WINDOW << MAX_SHIFT;

/// RFC 7323 §2: the smallest shift with which a receive buffer of `bytes` fits the field.
pub(super) fn scaling_shift(bytes: u64) -> u32 {
    (0..MAX_SHIFT).find(|shift| bytes >> shift <= MAX_UNSCALED_WINDOW).unwrap_or(MAX_SHIFT)
}

/// The choices of one connection.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "options of a TCP are independent of each other")]
pub struct Config {
    /// Largest payload of a segment. Not zero.
    pub mss: Bytes,
    /// Receive buffer, hence the largest advertised window. Not zero.
    pub window: Bytes,
    /// The rule that turns losses into a window.
    pub recovery: Recovery,
    /// Retransmission and delayed-ACK clocks.
    pub timers: Timers,
    /// When the receiver acknowledges.
    pub ack: AckRule,
    /// Whether SYNs are exchanged; otherwise both ends start established.
    pub handshake: bool,
    /// Congestion window at the start, in segments.
    pub initial_window: u32,
    /// Slow-start threshold at the start; `None`: unlimited.
    pub initial_ssthresh: Option<Bytes>,
    /// Growth in congestion avoidance.
    pub avoidance: Avoidance,
    /// RFC 7323 window scaling; without it a window is at most 65 535 bytes.
    pub window_scaling: bool,
    /// RFC 3042: the first two duplicate ACKs let one new segment go each, beyond cwnd.
    pub limited_transmit: bool,
    /// No fast retransmit of what had been sent before the last one or a timeout. Tahoe and Reno alone leave the choice.
    pub fast_retransmit_guard: bool,
}

impl Config {
    /// The largest window that can be advertised: the buffer, or without scaling what the field holds.
    pub fn largest_advertised(&self) -> u64 {
        if self.window_scaling { self.window.0 } else { self.window.0.min(MAX_UNSCALED_WINDOW) }
    }
}

/// That of a flow which says nothing: 4.3BSD Reno, segments that fill the MTU of classical IP over ATM
/// (RFC 2225), 64 KiB of buffer.
impl Default for Config {
    fn default() -> Self {
        Self {
            mss: Bytes(9140),
            window: Bytes(64 << 10),
            recovery: Recovery::Reno,
            timers: Timers::default(),
            ack: AckRule::Delayed,
            handshake: false,
            initial_window: 1,
            initial_ssthresh: None,
            avoidance: Avoidance::Standard,
            window_scaling: true,
            limited_transmit: false,
            fast_retransmit_guard: false,
        }
    }
}

/// The family of clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timers {
    /// 4.3BSD: free-running host ticks.
    Bsd {
        /// Slow tick: retransmission and RTT measurement (500 ms).
        slow: Span,
        /// Fast tick: delayed ACK (200 ms).
        fast: Span,
        /// Shortest retransmission timeout (1 s).
        min_rto: Span,
        /// Longest retransmission timeout (64 s).
        max_rto: Span,
    },
    /// RFC 6298 with a clock as fine as `granularity`.
    Fine {
        /// Clock granularity G.
        granularity: Span,
        /// Timeout before the first sample.
        initial_rto: Span,
        /// Shortest retransmission timeout.
        min_rto: Span,
        /// Longest retransmission timeout.
        max_rto: Span,
        /// Longest wait of a delayed ACK.
        ack_delay: Span,
    },
}

/// Those of 4.3BSD.
impl Default for Timers {
    fn default() -> Self {
        Self::Bsd {
            slow: Span::from_milliseconds(500),
            fast: Span::from_milliseconds(200),
            min_rto: Span::from_seconds(1),
            max_rto: Span::from_seconds(64),
        }
    }
}

/// When the receiver acknowledges data that arrive in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckRule {
    /// Every segment at once.
    EverySegment,
    /// When two full segments or half the buffer are unacknowledged, or when the delayed-ACK timer fires.
    Delayed,
}

/// When a host's free-running ticks come: tick k at phase + k · period. Only [`Timers::Bsd`] reads them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickPhases {
    /// Of the slow tick.
    pub slow: Span,
    /// Of the fast tick.
    pub fast: Span,
}
