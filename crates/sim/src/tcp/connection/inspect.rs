//! Readings of a connection that do not change it.

use super::Connection;
use crate::tcp::behaviour::Behaviour;
use crate::tcp::congestion::Congestion;
use crate::tcp::counters::Counters;
use crate::units::Span;

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
        let rare = sent.rare();
        let mut counters = Counters {
            segments_sent: sent.segments,
            acks_sent: self.acks_sent,
            retransmitted_segments: rare.retransmitted_segments,
            retransmitted_bytes: rare.retransmitted_bytes,
            timeouts: rare.timeouts,
            fast_retransmits: rare.fast_retransmits,
            dup_acks_received: rare.dup_acks,
            duplicate_segments_received: self.receiver.duplicates(),
            rtt: sent.rtt,
            window_probes: rare.window_probes,
            recovery: self.sender.keeps_log().then_some(rare.recovery),
            ..Counters::default()
        };
        self.behaviours.count(&mut counters);
        if let Some(ecn) = &mut counters.ecn {
            ecn.marks_received = self.receiver.marked();
        }
        counters
    }
}
