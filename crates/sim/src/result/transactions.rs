//! Requests and responses of one flow: counters and their summary.

use serde::Serialize;

use super::{DelaySummary, FlowCounters, Shaped};
use crate::units::Span;

/// Counters of the client.
#[derive(Clone, Debug, PartialEq)]
pub struct TransactionCounters {
    /// Bytes of responses that arrived in order.
    pub response_bytes: u64,
    /// Response times so far in the measurement.
    pub times: DelaySummary,
}

/// Requests and responses of one flow over the measurement. The other numbers of the flow are those
/// of the requests.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct TransactionSummary {
    /// Responses that arrived whole.
    pub completed: u64,
    /// Bytes of responses that arrived in order.
    pub response_bytes: u64,
    /// Rate of these bytes over the whole measurement.
    pub response_bits_per_second: f64,
    /// Segments with data that the server sent, retransmissions included.
    pub segments_sent: u64,
    /// Segments of these that were sent again.
    pub retransmitted_segments: u64,
    /// Retransmission timeouts of the server.
    pub timeouts: u64,
    /// Time from writing a request until the last byte of its response has arrived.
    pub response_time: DelaySummary,
}

impl TransactionSummary {
    /// Summary between two readings, `measured` apart; `None` if there are no responses.
    pub fn between(earlier: &FlowCounters, later: &FlowCounters, measured: Span) -> Option<Self> {
        let counters = later.transactions.as_deref()?;
        let before = earlier.transactions.as_ref().map_or(0, |before| before.response_bytes);
        let response_bytes = counters.response_bytes - before;
        let (from, to) = (&earlier.receiver, &later.receiver);
        Some(Self {
            completed: counters.times.samples,
            response_bytes,
            response_bits_per_second: 8.0 * response_bytes as f64 / measured.seconds_f64(),
            segments_sent: to.segments_sent - from.segments_sent,
            retransmitted_segments: to.retransmitted_segments - from.retransmitted_segments,
            timeouts: to.timeouts - from.timeouts,
            response_time: counters.times.clone(),
        })
    }
}
