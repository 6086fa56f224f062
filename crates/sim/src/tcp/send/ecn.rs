//! The sender's half of ECN (RFC 3168 §6.1.2, 6.1.4, 6.1.5): the choice of segments that may be
//! marked, one reaction per window of data, and CWR on the first new data after any reduction.
//!
//! ECE comes until the receiver has seen CWR, so an echo is news once data sent after the latest
//! reduction are acknowledged. Departure: a window keeps two segments, as in Linux; the wait of a
//! whole timeout with a window of one is absent.

use super::Sender;
use super::output::Piece;
use crate::pdu::Ecn;
use crate::tcp::congestion::{Ack, Congestion};
use crate::units::Time;

/// ECN state of the sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EcnSender {
    /// True if both ends have agreed on ECN.
    is_on: bool,
    /// Sequence number after the highest sent when the window was last reduced, for whatever
    /// reason.
    reduced: u64,
    /// True if the next new data carry CWR.
    owes_cwr: bool,
}

impl<R: Congestion> Sender<R> {
    /// Turns ECN on: the peer reacts to marks, too.
    pub(in crate::tcp) fn agree_on_ecn(&mut self) {
        self.ecn.is_on = true;
    }

    /// True if ECT is set on new data.
    pub(in crate::tcp) fn has_ecn(&self) -> bool {
        self.ecn.is_on
    }

    /// Sets ECT and CWR on new data. Pure ACKs and retransmissions may not be marked; nor a FIN
    /// alone, as in Linux.
    pub(super) fn with_ecn(&mut self, piece: Piece) -> Piece {
        if !self.ecn.is_on || piece.len == 0 || piece.seq < self.flight.snd_max {
            return piece;
        }
        Piece { ecn: Ecn::Capable, cwr: std::mem::take(&mut self.ecn.owes_cwr), ..piece }
    }

    /// Notes that the window was reduced.
    pub(super) fn note_reduction(&mut self) {
        if self.ecn.is_on {
            self.ecn.reduced = self.flight.snd_max;
            self.ecn.owes_cwr = true;
        }
    }

    /// Takes an ACK of all before `ack`, with ECE, before its other effects: the flight at its
    /// arrival is the one that is reduced.
    #[cold]
    pub(super) fn on_ecn_echo(&mut self, now: Time, ack: u64, sacked: u64) {
        if !self.ecn.is_on || ack <= self.ecn.reduced || self.rule.is_recovering() {
            return;
        }
        self.flight.reduced = 0;
        let acked = ack - self.flight.snd_una;
        let (srtt, flight, window) = (self.srtt, &self.flight, &mut self.window);
        let (rtt, latest_rtt, ecn_echo) = (None, None, true);
        let ack = &mut Ack { now, rtt, latest_rtt, srtt, acked, sacked, ecn_echo, flight, window };
        self.rule.on_ecn_echo(ack);
        self.sent.ecn_reductions += 1;
        self.flight.reduced = self.flight.snd_max;
        self.note_reduction();
    }
}
