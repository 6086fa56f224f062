//! What a relay has carried, and when transfers were complete, in the summary of a run.

use serde::Serialize;

use crate::units::Time;

/// How far what arrives at a receiver has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// So many bytes.
    pub bytes: u64,
    /// Since when.
    pub at: Time,
}

/// What the host of a relay has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RelayCounters {
    /// Bytes read of other connections and written to this one.
    pub carried_bytes: u64,
    /// Bytes that have arrived for it, and are not acknowledged by its other end.
    pub held_bytes: u64,
    /// Most of these since the measurement began.
    pub max_held_bytes: u64,
}

/// What a relay has carried over the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RelaySummary {
    /// Bytes read of other connections and written to this one.
    pub carried_bytes: u64,
    /// Bytes in the proxy at the end: arrived on other connections and not read, or written and not
    /// acknowledged.
    pub held_bytes: u64,
    /// Most of these at once.
    pub max_held_bytes: u64,
}

impl RelaySummary {
    /// What happened between two readings.
    pub fn between(earlier: RelayCounters, later: RelayCounters) -> Self {
        Self {
            carried_bytes: later.carried_bytes - earlier.carried_bytes,
            held_bytes: later.held_bytes,
            max_held_bytes: later.max_held_bytes,
        }
    }
}

/// A transfer from end to end, over however many connections.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TransferSummary {
    /// The flow whose application wrote it; through relays it is another one.
    pub origin: String,
    /// Bytes that the last receiver has read.
    pub bytes: u64,
    /// From its start until its last byte was read; absent while there is more to come, or of a
    /// flow that never ends.
    pub time_s: Option<f64>,
}
