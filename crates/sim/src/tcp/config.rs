//! What a run chooses about its TCP. Both ends of a connection share one [`Config`].

use crate::units::{Bytes, Span};

/// RFC 9293 §3.1: the window field has 16 bits.
pub(super) const MAX_UNSCALED_WINDOW: u64 = 65_535;
/// RFC 7323 §2.3: the shift is at most 14.
const MAX_SHIFT: u32 = 14;

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
    pub(super) fn largest_advertised(&self) -> u64 {
        if self.window_scaling { self.window.0 } else { self.window.0.min(MAX_UNSCALED_WINDOW) }
    }
}

/// The rule that turns losses into a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Slow start and congestion avoidance only; every loss waits for the timer.
    Vanilla,
    /// Fast retransmit, then slow start: the Tahoe of the literature with the guard against needless
    /// fast retransmits, that of 4.3BSD without.
    Tahoe,
    /// 4.3BSD Reno: fast retransmit and fast recovery.
    Reno,
    /// New Reno (RFC 6582): a partial ACK repairs the next hole; only the first one restarts the timer.
    NewReno,
    /// New Reno whose timer every partial ACK restarts: slow, but steady.
    NewRenoSteady,
    /// Hoe 1996: repairs on partial ACKs, and one new segment for every two duplicate ACKs.
    Hoe,
    /// Selective acknowledgements, and a count of segments in the network (Fall and Floyd 1996, "Sack1").
    SackPipe,
    /// Selective acknowledgements as in RFC 6675.
    Sack,
}

impl Recovery {
    /// Whether the ends exchange selective acknowledgements (RFC 2018).
    pub(super) fn reads_sack(self) -> bool {
        matches!(self, Self::SackPipe | Self::Sack)
    }

    /// Whether the window opens as in 4.3BSD (Net/3): linearly only above ssthresh.
    pub(super) fn is_of_bsd(self) -> bool {
        matches!(self, Self::Tahoe | Self::Reno)
    }

    /// Limited transmit (RFC 3042) unless something else is said: RFC 5681 §3.2 recommends it. The other rules are older.
    #[must_use]
    pub fn limits_transmit_by_default(self) -> bool {
        matches!(self, Self::NewReno | Self::NewRenoSteady | Self::Sack)
    }

    /// Whether there are fast retransmits that limited transmit could bring about.
    #[must_use]
    pub fn retransmits_fast(self) -> bool {
        self != Self::Vanilla
    }

    /// Whether fast retransmits are guarded unless something else is said.
    #[must_use]
    pub fn guards_by_default(self) -> bool {
        !matches!(self, Self::Vanilla | Self::Reno | Self::Hoe)
    }

    /// Whether something else can be said: to the other rules the guard belongs, or they know none.
    #[must_use]
    pub fn guards_by_choice(self) -> bool {
        matches!(self, Self::Tahoe | Self::Reno)
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

/// When the receiver acknowledges data that arrive in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckRule {
    /// Every segment at once.
    EverySegment,
    /// When two full segments or half the buffer are unacknowledged, or when the delayed-ACK timer fires.
    Delayed,
}

/// Growth per ACK in congestion avoidance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Avoidance {
    /// MSS·MSS/cwnd.
    Standard,
    /// 4.3BSD Reno's further MSS/8.
    BsdExtra,
}

/// When a host's free-running ticks come: tick k at phase + k · period. Only [`Timers::Bsd`] reads them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickPhases {
    /// Of the slow tick.
    pub slow: Span,
    /// Of the fast tick.
    pub fast: Span,
}
