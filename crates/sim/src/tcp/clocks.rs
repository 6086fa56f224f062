//! Clocks of a connection and the receiver's rule of acknowledgement: the keys `timers` and `ack`
//! of `flow.tcp`.

use crate::language::part::prelude::*;
use crate::units::Span;

variants! {
    /// The family of clocks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Timers {
        /// 4.3BSD: free-running host ticks.
        Bsd(BsdTimers) = "bsd",
        /// RFC 6298, without ticks.
        Fine(FineTimers) = "fine",
        /// A retransmission timeout without variance, minimum and back-off.
        Fixed(FixedTimers) = "fixed",
    }
}

part! {
    /// The clocks of 4.3BSD.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct BsdTimers {
        /// Tick of retransmission and RTT measurement.
        slow: Span = default("500 ms", "\"250 ms\"") as POSITIVE_TIME,
        /// Tick of the delayed ACK.
        fast: Span = default("200 ms", "\"100 ms\"") as POSITIVE_TIME,
        /// Shortest retransmission timeout.
        min_rto: Span = default("1 s", "\"0.5 s\"") as POSITIVE_TIME,
        /// Longest retransmission timeout.
        max_rto: Span = default("64 s", "\"30 s\"") as POSITIVE_TIME,
    }
}

variants! {
    /// Round trips that a fine timeout follows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Sampling {
        /// One timed segment per round trip; with timestamps all ACKs of new data, which share the
        /// weight of one (RFC 7323 appendix G).
        Shared = "shared",
        /// Each ACK that delivers a segment sent once, also by a report, in full; RTTVAR is the
        /// largest deviation of the latest round trips, as in Linux. A report of data that were
        /// sent before the first segment restarts the timer. Under a rule that keeps a log.
        Each = "each",
    }
}

part! {
    /// A clock with a fine granularity.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct FineTimers {
        /// G of RFC 6298: the minimum that the variance adds to a timeout. Samples and expiries are
        /// exact.
        granularity: Span = default("1 ms", "\"10 ms\"") as POSITIVE_TIME,
        /// Timeout before the first RTT sample.
        initial_rto: Span = default("1 s", "\"3 s\"") as POSITIVE_TIME,
        /// Shortest retransmission timeout.
        min_rto: Span = default("1 s", "\"0.5 s\"") as POSITIVE_TIME,
        /// Longest retransmission timeout.
        max_rto: Span = default("60 s", "\"30 s\"") as POSITIVE_TIME,
        /// Longest wait of a delayed ACK; under `quick` the shortest.
        ack_delay: Span = default("200 ms", "\"40 ms\"") as POSITIVE_TIME,
        /// Round trips that the timeout follows.
        samples: Sampling = default("shared", "\"each\""),
    }
}

variants! {
    /// `timers.fixed.rto`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FixedRto {
        /// A constant, independent of round trips.
        Span(Span) = "span" value("\"400 ms\"") as POSITIVE_TIME,
        /// A multiple of the smoothed round-trip time of RFC 6298.
        RoundTrips(u64) = "round_trips" value("2") as Kind::Integer { min: 1, max: 64 },
    }
}

part! {
    /// A clock whose timeout is not estimated from the variance of round trips: for models of
    /// papers that assume one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct FixedTimers {
        /// Retransmission timeout; expiries do not back it off.
        rto: FixedRto = required("{ round_trips = 2 }"),
        /// Timeout before the first RTT sample, if it is a multiple of the round-trip time.
        initial_rto: Span = default("1 s", "\"3 s\"") as POSITIVE_TIME,
        /// Longest wait of a delayed ACK.
        ack_delay: Span = default("200 ms", "\"40 ms\"") as POSITIVE_TIME,
    }
}

impl FixedTimers {
    /// Timeout before a round trip is measured.
    pub const fn first_rto(&self) -> Span {
        match self.rto {
            FixedRto::Span(rto) => rto,
            FixedRto::RoundTrips(_) => self.initial_rto,
        }
    }
}

/// Clocks of 4.3BSD.
impl Default for Timers {
    fn default() -> Self {
        Self::Bsd(BsdTimers::default())
    }
}

/// Ticks of 500 ms and 200 ms.
impl Default for BsdTimers {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// Values that RFC 6298 recommends, with a granularity of 1 ms.
impl Default for FineTimers {
    fn default() -> Self {
        defaults::<Self>()
    }
}

variants! {
    /// Rule by which the receiver acknowledges data that arrive in order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AckRule {
        /// At least every second full segment is acknowledged, or when the delayed-ACK timer fires.
        Delayed = "delayed",
        /// Every segment is acknowledged at once.
        EverySegment = "every_segment",
        /// Rule of Linux: quick ACKs at the start and after pauses, then one for more than one full
        /// segment, or when a delay has passed that follows the arrivals.
        Quick(QuickPlan) = "quick",
    }
}

part! {
    /// Parameters of `quick`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct QuickPlan {
        /// Segments that are acknowledged at once after the start, after a pause longer than a
        /// retransmission timeout, and after data that arrive twice; at most half a window.
        segments: u32 = default("16", "8") as Kind::Integer { min: 0, max: 65_535 },
        /// True if data beyond a gap are acknowledged at once three times only, and then at most
        /// every 5 % of a round trip, or every millisecond.
        compressed: bool = default("true", "false"),
    }
}

/// Values of Linux.
impl Default for QuickPlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// Phases of a host's free-running ticks: tick k comes at phase + k · period. Only [`Timers::Bsd`]
/// uses them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickPhases {
    /// Phase of the slow tick.
    pub slow: Span,
    /// Phase of the fast tick.
    pub fast: Span,
}
