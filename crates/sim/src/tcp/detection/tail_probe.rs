//! Tail loss probe (RFC 8985 §7): if no ACK comes for two round trips, one segment is sent, so that
//! its ACK tells of losses before the retransmission timer expires.
//!
//! The probe timeout is two smoothed round trips, and the longest delay of an ACK if one segment is
//! in flight; 1 s without a round trip; never later than the retransmission timer (§7.2), in whose
//! place it then comes. It runs while nothing is reported and no loss is repaired, for one probe
//! per flight; a recovery ends its episode (§7.1). The probe is new data, beyond cwnd too, or the
//! last segment (§7.3). If it repairs the only loss of the flight, the window is reduced as by any
//! loss (§7.4).

use super::hooks::{Due, Situation};
use crate::tcp::flight::Flight;
use crate::tcp::outstanding::Delivered;
use crate::units::{Span, Time};

/// Probe timeout without a round trip (§7.2).
const FIRST: Span = Span::from_seconds(1);

/// State of the probe.
#[derive(Clone, Debug)]
pub(super) struct TailProbe {
    /// `TLP.max_ack_delay`.
    ack_delay: Span,
    expiry: Time,
    /// True between an expiry and the transmission of its probe.
    is_due: bool,
    /// `TLP.end_seq`: the sequence number after the flight of the latest probe; `None` if no probe
    /// is under way.
    end: Option<u64>,
    /// `TLP.is_retrans`: the probe repeats data.
    is_resent: bool,
}

impl TailProbe {
    /// Makes a probe; a receiver delays ACKs by at most `ack_delay`.
    pub(super) fn new(ack_delay: Span) -> Self {
        Self { ack_delay, expiry: Time::MAX, is_due: false, end: None, is_resent: false }
    }

    /// The instant of the probe timeout.
    pub(super) fn next(&self) -> Time {
        self.expiry
    }

    /// Ends a probe, as the retransmission timer has expired.
    pub(super) fn stop(&mut self) {
        (self.expiry, self.is_due, self.end) = (Time::MAX, false, None);
    }

    /// Notes that a segment is sent; `flight` is that before it.
    pub(super) fn on_sent(&mut self, situation: &Situation, start: u64, end: u64, flight: &Flight) {
        let is_resent = start < flight.snd_max;
        if std::mem::take(&mut self.is_due) {
            (self.end, self.is_resent) = (Some(end.max(flight.snd_max)), is_resent);
            self.expiry = Time::MAX;
        } else if !is_resent {
            self.schedule(situation, flight, flight.size() == 0);
        }
    }

    /// Sets the probe timeout (§7.2).
    fn schedule(&mut self, situation: &Situation, flight: &Flight, is_alone: bool) {
        self.expiry = Time::MAX;
        let is_open = !situation.is_recovering && flight.board.is_empty();
        if !is_open || self.end.is_some() || flight.snd_una == 0 {
            return;
        }
        let wait = match situation.srtt {
            Some(srtt) if is_alone => srtt * 2 + self.ack_delay,
            Some(srtt) => srtt * 2,
            None => FIRST,
        };
        self.expiry = situation.now.saturating_add(wait).min(situation.rto);
    }

    /// Takes an ACK after detection.
    pub(super) fn on_ack(
        &mut self,
        situation: &Situation,
        delivered: &mut Delivered,
        flight: &Flight,
    ) {
        if situation.is_recovering {
            self.end = None;
        }
        self.settle(delivered, flight);
        if flight.snd_una == flight.snd_max || !flight.board.is_empty() {
            self.expiry = Time::MAX;
        } else if delivered.bytes > 0 {
            self.schedule(situation, flight, flight.size() <= situation.mss);
        }
    }

    /// Ends the episode of a probe that is answered (§7.4). A repeated segment whose original has
    /// arrived too is reported by D-SACK, or by a duplicate ACK without blocks; otherwise the probe
    /// has repaired a loss.
    fn settle(&mut self, delivered: &mut Delivered, flight: &Flight) {
        let Some(end) = self.end.filter(|&end| flight.snd_una >= end) else { return };
        let is_duplicate = delivered.duplicate.is_some_and(|(_, after)| after == end);
        let has_both = is_duplicate || (delivered.bytes == 0 && flight.board.is_empty());
        let is_beyond = flight.snd_una > end;
        if !self.is_resent || has_both || is_beyond {
            self.end = None;
            delivered.probe_repaired = self.is_resent && !has_both;
        }
    }

    /// Takes the probe timeout.
    pub(super) fn on_timer(&mut self, flight: &Flight) -> Due {
        self.expiry = Time::MAX;
        if flight.snd_una == flight.snd_max {
            return Due::Nothing;
        }
        self.is_due = true;
        Due::Probe
    }
}
