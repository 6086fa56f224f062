//! Datagrams of one flow: counters and their summary.

use serde::Serialize;

use super::Shaped;

/// Counters of both ends since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DatagramCounters {
    /// Datagrams handed to the sending host's interface.
    pub sent: u64,
    /// Bytes of their payload.
    pub sent_bytes: u64,
    /// Datagrams that arrived whole, each counted once.
    pub delivered: u64,
    /// Bytes of their payload.
    pub delivered_bytes: u64,
    /// Datagrams on their way, none of whose copies has arrived.
    pub inside: u64,
    /// Datagrams delivered after one with a higher number.
    pub out_of_order: u64,
    /// Datagrams that arrived again.
    pub duplicates: u64,
    /// Datagrams delivered after their deadline, if they have one.
    pub late: Option<u64>,
    /// Sum of the one-way delays of delivered datagrams, picoseconds.
    pub delay_sum: i128,
    /// Interarrival jitter, picoseconds.
    pub jitter: f64,
}

impl DatagramCounters {
    /// Datagrams that never arrive. A copy that is not recognised as one counts as delivered.
    fn lost(&self) -> u64 {
        self.sent.saturating_sub(self.delivered + self.inside)
    }
}

/// Datagrams of one flow over the measurement. Without a warm-up `sent = delivered + lost +
/// inside`; with one, those inside when it ended are delivered or lost too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct DatagramSummary {
    /// Datagrams handed to the sending host's interface.
    pub sent: u64,
    /// Datagrams that arrived whole, each counted once.
    pub delivered: u64,
    /// Datagrams discarded or lost on the way by the end, whole or in part.
    pub lost: u64,
    /// Datagrams on their way at the end.
    pub inside: u64,
    /// Datagrams delivered after one that was sent later.
    pub out_of_order: u64,
    /// Datagrams that arrived again.
    pub duplicates: u64,
    /// Datagrams delivered more than `deadline` after they were sent; absent without a deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<u64>,
    /// Fraction late or lost of the datagrams that were delivered or lost, from 0 to 1: those of no
    /// use to a listener or player; absent without a deadline, or if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[unit("1")]
    pub late_or_lost: Option<f64>,
    /// Bytes of payload sent.
    pub sent_bytes: u64,
    /// Mean one-way delay of delivered datagrams, from the sending host's interface, its queue
    /// included; absent if none was delivered.
    pub mean_delay_s: Option<f64>,
    /// Interarrival jitter of RFC 3550 at the end of the run.
    pub jitter_s: f64,
}

impl DatagramSummary {
    /// Counts between two readings.
    pub fn between(earlier: &DatagramCounters, later: &DatagramCounters) -> Self {
        let delivered = later.delivered - earlier.delivered;
        let delay_sum = (later.delay_sum - earlier.delay_sum) as f64;
        let lost = later.lost().saturating_sub(earlier.lost());
        let late = later.late.map(|late| late - earlier.late.unwrap_or(0));
        let decided = delivered + lost;
        Self {
            sent: later.sent - earlier.sent,
            delivered,
            lost,
            late,
            late_or_lost: late
                .filter(|_| decided > 0)
                .map(|late| (late + lost) as f64 / decided as f64),
            inside: later.inside,
            out_of_order: later.out_of_order - earlier.out_of_order,
            duplicates: later.duplicates - earlier.duplicates,
            sent_bytes: later.sent_bytes - earlier.sent_bytes,
            mean_delay_s: (delivered > 0).then(|| delay_sum / delivered as f64 / 1e12),
            jitter_s: later.jitter / 1e12,
        }
    }
}
