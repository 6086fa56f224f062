//! Counters of an end, and of its sending half.

use crate::units::Span;

/// Counters of one end since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Data segments sent, retransmissions included.
    pub segments_sent: u64,
    /// ACKs sent without data.
    pub acks_sent: u64,
    /// Data segments that began with bytes sent before.
    pub retransmitted_segments: u64,
    /// Bytes sent again.
    pub retransmitted_bytes: u64,
    /// Expiries of the retransmission timer that led to a retransmission.
    pub timeouts: u64,
    /// Losses repaired on duplicate ACKs.
    pub fast_retransmits: u64,
    /// Duplicate ACKs received.
    pub dup_acks_received: u64,
    /// Data segments received without new data.
    pub duplicate_segments_received: u64,
    /// Measured round trips.
    pub rtt: RttSamples,
    /// Bytes sent beyond a closed window to find out whether it has opened.
    pub window_probes: u64,
    /// Segments discarded because their timestamps were old.
    pub paws_discards: u64,
    /// Congestion marks, if the connection asked for ECN.
    pub ecn: Option<EcnCounters>,
    /// Probes and losses that were none, under a rule with a log of segments.
    pub recovery: Option<RecoveryCounters>,
}

/// Counters of a rule that keeps a log of what was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecoveryCounters {
    /// Tail loss probes.
    pub tail_probes: u64,
    /// Repairs whose reduction was taken back.
    pub undone_repairs: u64,
    /// Timeouts whose reduction was taken back.
    pub undone_timeouts: u64,
}

/// Counters of congestion marks at one end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EcnCounters {
    /// Segments received with CE.
    pub marks_received: u64,
    /// Reductions of the window because of an echoed mark.
    pub reductions: u64,
}

/// Round trips of segments that were sent once (Karn and Partridge 1987), measured exactly, without
/// the timers' granularity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RttSamples {
    /// Number of samples.
    pub count: u64,
    /// Sum of the samples. One segment is timed at a time, so it cannot exceed the run.
    pub sum: Span,
    /// The shortest sample; zero if there is none.
    pub min: Span,
    /// The longest sample.
    pub max: Span,
    /// The latest sample.
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

/// Counters of the sender.
#[derive(Clone, Debug, Default)]
pub(super) struct Sent {
    pub(super) segments: u64,
    pub(super) rtt: RttSamples,
    /// Counters of what is seldom; `None` before anything of it happens.
    rare: Option<Box<Rare>>,
}

/// Counters of the sender that stay zero while nothing is lost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rare {
    pub(super) retransmitted_segments: u64,
    pub(super) retransmitted_bytes: u64,
    pub(super) timeouts: u64,
    pub(super) fast_retransmits: u64,
    pub(super) dup_acks: u64,
    pub(super) window_probes: u64,
    pub(super) recovery: RecoveryCounters,
}

impl Sent {
    /// Counts a segment with `len` bytes of data from `seq` on; bytes before `snd_max` are
    /// retransmitted.
    pub(super) fn count(&mut self, seq: u64, len: u64, snd_max: u64) {
        if len == 0 {
            return;
        }
        self.segments += 1;
        if seq < snd_max {
            let rare = self.rare_mut();
            rare.retransmitted_segments += 1;
            rare.retransmitted_bytes += (seq + len).min(snd_max) - seq;
        }
    }

    /// Counters of what is seldom, to count it.
    #[cold]
    pub(super) fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// Counters of what is seldom.
    pub(super) fn rare(&self) -> Rare {
        self.rare.as_deref().copied().unwrap_or_default()
    }
}
