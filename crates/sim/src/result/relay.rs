//! Summary of relays and of the completion of transfers.

use serde::Serialize;

use super::Shaped;

use crate::units::Time;

/// Progress of reading at a receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that have been read.
    pub bytes: u64,
    /// Instant of the last progress.
    pub at: Time,
}

/// Counters of the host of a relay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RelayCounters {
    /// Bytes read from other connections and written to this one.
    pub carried_bytes: u64,
    /// Bytes that have arrived for it, and are not acknowledged by its other end.
    pub held_bytes: u64,
    /// Maximum of these since the measurement began.
    pub max_held_bytes: u64,
    /// Bytes of the other direction, if answers come back.
    pub answers: Option<Carried>,
}

/// Counters of the answers that a relay carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Bytes read from this connection and written to the one that it relays.
    pub carried_bytes: u64,
    /// Bytes that have arrived on it, and are not acknowledged by the other end of that one.
    pub held_bytes: u64,
    /// Maximum of these since the measurement began.
    pub max_held_bytes: u64,
}

/// Summary of a relay over the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct RelaySummary {
    /// Bytes read from other connections and written to this one.
    pub carried_bytes: u64,
    /// Bytes in the proxy at the end: arrived on other connections and not read, or written and not
    /// acknowledged.
    pub held_bytes: u64,
    /// Maximum of these at once.
    pub max_held_bytes: u64,
    /// Answers that the proxy carries the other way; absent for one-way traffic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<AnswersSummary>,
}

/// Answers carried over the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct AnswersSummary {
    /// Bytes read from this connection and written to the one that it relays.
    pub carried_bytes: u64,
    /// Bytes in the proxy at the end: arrived on this connection and not read, or written to the
    /// other and not acknowledged.
    pub held_bytes: u64,
    /// Maximum of these at once.
    pub max_held_bytes: u64,
}

impl RelaySummary {
    /// Summary between two readings.
    pub fn between(earlier: RelayCounters, later: RelayCounters) -> Self {
        Self {
            carried_bytes: later.carried_bytes - earlier.carried_bytes,
            held_bytes: later.held_bytes,
            max_held_bytes: later.max_held_bytes,
            answers: later.answers.map(|later| AnswersSummary {
                carried_bytes: later.carried_bytes
                    - earlier.answers.unwrap_or_default().carried_bytes,
                held_bytes: later.held_bytes,
                max_held_bytes: later.max_held_bytes,
            }),
        }
    }
}

/// A transfer from end to end, over one or more connections.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct TransferSummary {
    /// The flow whose application wrote the bytes; another one if they come through relays.
    pub origin: String,
    /// Bytes that the last receiver has read.
    pub bytes: u64,
    /// Time from its start until its last byte was read; absent while there is more to come, or for
    /// a flow that never ends.
    pub time_s: Option<f64>,
}
