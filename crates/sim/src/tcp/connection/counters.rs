//! Readings of a connection that do not change it.

use super::Connection;
use crate::tcp::congestion::Congestion;
use crate::tcp::sent::RttSamples;
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
}

/// Counters of congestion marks at one end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EcnCounters {
    /// Segments received with CE.
    pub marks_received: u64,
    /// Reductions of the window because of an echoed mark.
    pub reductions: u64,
}

impl<R: Congestion> Connection<R> {
    /// The rule of congestion control in its present state.
    pub fn rule(&self) -> &R {
        self.sender.rule()
    }

    /// Congestion window, bytes.
    pub fn cwnd(&self) -> u64 {
        self.sender.cwnd()
    }

    /// Slow-start threshold, bytes; [`MAX_WINDOW`](crate::tcp::MAX_WINDOW), the largest window,
    /// while unlimited.
    pub fn ssthresh(&self) -> u64 {
        self.sender.ssthresh()
    }

    /// Bytes sent and not yet acknowledged, lost ones included.
    pub fn in_flight(&self) -> u64 {
        self.sender.in_flight()
    }

    /// Bytes taken from an endless offer: those in a finite send buffer and before it; without a
    /// finite buffer, those that were sent at least once.
    pub fn taken(&self) -> u64 {
        self.sender.taken()
    }

    /// Bytes written for which the send buffer has no room yet; 0 if every write has returned.
    pub fn unbuffered(&self) -> u64 {
        self.sender.unbuffered()
    }

    /// Bytes that the application has written, without those of an endless offer.
    pub fn written(&self) -> u64 {
        self.sender.written_bytes()
    }

    /// Bytes for which the send buffer still has room.
    pub fn room(&self) -> u64 {
        self.sender.free()
    }

    /// True if data from sequence number `seq` on are retransmitted because the retransmission
    /// timer has expired, and not because of duplicate ACKs.
    pub fn has_timed_out_at(&self, seq: u64) -> bool {
        self.sender.has_timed_out_at(seq)
    }

    /// True if everything written is acknowledged.
    pub fn is_all_acked(&self) -> bool {
        self.sender.is_all_acked()
    }

    /// Bytes that the peer has acknowledged, in order.
    pub fn acked(&self) -> u64 {
        self.sender.acked()
    }

    /// Bytes received in order.
    pub fn delivered(&self) -> u64 {
        self.receiver.delivered()
    }

    /// Bytes received in order that the application has not read; 0 if it reads at once.
    pub fn unread(&self) -> u64 {
        self.receiver.unread()
    }

    /// True if all that the peer will ever send has arrived.
    pub fn has_all(&self) -> bool {
        self.receiver.is_finished()
    }

    /// The latest round trip measured.
    pub fn last_rtt(&self) -> Option<Span> {
        self.sender.sent().rtt.last
    }

    /// Everything counted so far.
    pub fn counters(&self) -> Counters {
        let sent = self.sender.sent();
        Counters {
            segments_sent: sent.segments,
            acks_sent: self.acks_sent,
            retransmitted_segments: sent.retransmitted_segments,
            retransmitted_bytes: sent.retransmitted_bytes,
            timeouts: sent.timeouts,
            fast_retransmits: sent.fast_retransmits,
            dup_acks_received: sent.dup_acks,
            duplicate_segments_received: self.receiver.duplicates(),
            rtt: sent.rtt,
            window_probes: sent.window_probes,
            paws_discards: self.timestamps.as_ref().map_or(0, |option| option.discarded()),
            ecn: self.ecn.then(|| EcnCounters {
                marks_received: self.receiver.marked(),
                reductions: sent.ecn_reductions,
            }),
        }
    }
}
