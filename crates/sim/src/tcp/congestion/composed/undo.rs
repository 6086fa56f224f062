//! Losses that were none: F-RTO after a timeout, and D-SACK after a repair.
//!
//! F-RTO (RFC 5682 §3.1, with selective acknowledgements): after a timeout the first segment is
//! sent again, and nothing else. If the next ACK advances, but not over all that had been sent, up
//! to two segments of new data follow. If the ACK after it delivers data that were sent once,
//! before the timeout, the timeout was spurious.
//!
//! D-SACK (RFC 3708): if every byte that a repair has sent again is reported as a duplicate, the
//! losses were none.
//!
//! The response in both cases: cwnd and ssthresh are those before the reduction, if those are more.

use super::{Ack, Delivered, Flight, NextSegment, Window};

/// State of F-RTO after a timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForwardRto {
    /// The first segment is sent again.
    Begun,
    /// One ACK has advanced; so many bytes of new data may follow.
    Advanced(u64),
}

/// The answer of F-RTO to an ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Another ACK decides.
    Waits(ForwardRto),
    /// The data were lost, or nothing can be said.
    Lost,
    /// Nothing was lost.
    Spurious,
}

impl ForwardRto {
    /// Takes an ACK; all sent before the timeout lies before `point`.
    pub(super) fn on_ack(self, point: u64, delivered: &Delivered, ack: &Ack<'_>) -> Verdict {
        let advances = ack.acked > 0 && ack.flight.snd_una < point;
        match self {
            Self::Begun if advances && ack.unsent > 0 => {
                Verdict::Waits(Self::Advanced(2 * ack.window.mss()))
            }
            // New data come after `point`: an ACK of such alone advances nothing.
            Self::Advanced(_) if delivered.sent_once_before > 0 => {
                let is_older = delivered.sent_once_before <= point || ack.acked > 0;
                if is_older { Verdict::Spurious } else { Verdict::Lost }
            }
            _ => Verdict::Lost,
        }
    }

    /// The segment that the test allows.
    pub(super) fn next_segment(self) -> NextSegment {
        match self {
            Self::Begun | Self::Advanced(0) => NextSegment::Nothing,
            Self::Advanced(bytes) => NextSegment::NewData(bytes),
        }
    }

    /// Counts new data.
    pub(super) fn on_sent(&mut self, bytes: u64) {
        if let Self::Advanced(left) = self {
            *left = left.saturating_sub(bytes);
        }
    }
}

/// A reduction, and the retransmissions since.
#[derive(Clone, Copy, Debug)]
pub(super) struct Episode {
    cwnd: u64,
    ssthresh: u64,
    /// First sequence number outstanding when it began, and the one after the last.
    range: (u64, u64),
    /// Bytes sent again and not reported as duplicates.
    needed: u64,
    /// True if anything was sent again.
    has_resent: bool,
}

impl Episode {
    /// Begins before a reduction.
    pub(super) fn new(window: &Window, flight: &Flight) -> Self {
        let (cwnd, ssthresh) = (window.cwnd(), window.ssthresh());
        let range = (flight.snd_una, flight.snd_max);
        Self { cwnd, ssthresh, range, needed: 0, has_resent: false }
    }

    /// Counts a retransmission.
    pub(super) fn on_resent(&mut self, bytes: u64) {
        self.needed += bytes;
        self.has_resent = true;
    }

    /// Takes a D-SACK; true if all that was sent again had arrived before.
    pub(super) fn on_duplicate(&mut self, duplicate: Option<(u64, u64)>, flight: &Flight) -> bool {
        let Some((start, end)) = duplicate else { return false };
        if start < self.range.0 || end > self.range.1 {
            return false;
        }
        self.needed = self.needed.saturating_sub(end - start);
        self.has_resent && self.needed == 0 && flight.log().lost() == 0
    }

    /// Restores the window.
    pub(super) fn restore(self, window: &mut Window) {
        window.set_cwnd(window.cwnd().max(self.cwnd));
        window.set_ssthresh(window.ssthresh().max(self.ssthresh));
    }
}
