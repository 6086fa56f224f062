//! State of a path that a connection leaves to the next one between the same hosts (RFC 9040).

use crate::units::Span;

/// State of a path as one connection knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathState {
    /// Congestion window, bytes.
    pub cwnd: u64,
    /// Slow-start threshold, bytes.
    pub ssthresh: u64,
    /// The round trip as the timer knows it; `None` without a sample.
    pub round_trip: Option<Estimate>,
}

/// A round trip as the retransmission timer knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// SRTT.
    pub smoothed: Span,
    /// RTTVAR.
    pub deviation: Span,
}
