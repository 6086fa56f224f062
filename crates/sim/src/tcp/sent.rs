//! What the sending half has counted.

use crate::units::Span;

/// Round trips of segments that were sent once (Karn and Partridge 1987), measured exactly whatever
/// the timers see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RttSamples {
    /// How many.
    pub count: u64,
    /// Their sum. One segment is timed at a time, so it cannot exceed the run.
    pub sum: Span,
    /// The shortest; zero when there is none.
    pub min: Span,
    /// The longest.
    pub max: Span,
    /// The latest.
    pub last: Option<Span>,
}

impl RttSamples {
    pub(super) fn add(&mut self, rtt: Span) {
        self.min = if self.count == 0 { rtt } else { self.min.min(rtt) };
        self.max = self.max.max(rtt);
        self.sum += rtt;
        self.count += 1;
        self.last = Some(rtt);
    }
}

/// What the sender has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sent {
    pub(super) segments: u64,
    pub(super) retransmitted_segments: u64,
    pub(super) retransmitted_bytes: u64,
    pub(super) timeouts: u64,
    pub(super) fast_retransmits: u64,
    pub(super) dup_acks: u64,
    pub(super) ecn_reductions: u64,
    pub(super) window_probes: u64,
    pub(super) rtt: RttSamples,
}

impl Sent {
    /// A segment with `len` bytes of data from `seq` on is sent, those before `snd_max` once more.
    pub(super) fn count(&mut self, seq: u64, len: u64, snd_max: u64) {
        if len == 0 {
            return;
        }
        self.segments += 1;
        if seq < snd_max {
            self.retransmitted_segments += 1;
            self.retransmitted_bytes += (seq + len).min(snd_max) - seq;
        }
    }
}
