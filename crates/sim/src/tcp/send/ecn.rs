//! The sender's half of ECN (RFC 3168 §6.1.2, 6.1.4, 6.1.5): which segments may be marked, one
//! reaction per window of data, and CWR on the first new data after any reduction.
//!
//! ECE comes until the receiver has seen CWR, so an echo says something new once data sent after
//! the latest reduction are acknowledged. Departure: a window keeps two segments, as in Linux; the
//! wait of a whole timeout with a window of one is absent.

use super::Sender;
use super::output::Piece;
use crate::pdu::Ecn;
use crate::tcp::congestion::{Ack, Congestion};
use crate::units::Time;

/// What the sender knows of ECN.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EcnSender {
    /// Both ends have agreed on it.
    is_on: bool,
    /// After the highest ever sent when the window was last reduced, for whatever reason.
    reduced: u64,
    /// The next new data carry CWR.
    owes_cwr: bool,
}

impl<R: Congestion> Sender<R> {
    /// The peer reacts to marks, too.
    pub(in crate::tcp) fn agree_on_ecn(&mut self) {
        self.ecn.is_on = true;
    }

    /// Whether ECT is set on new data.
    pub(in crate::tcp) fn has_ecn(&self) -> bool {
        self.ecn.is_on
    }

    /// Neither pure ACKs nor what was sent before may be marked; nor a FIN alone, as in Linux.
    pub(super) fn with_ecn(&mut self, piece: Piece) -> Piece {
        if !self.ecn.is_on || piece.len == 0 || piece.seq < self.flight.snd_max {
            return piece;
        }
        Piece { ecn: Ecn::Capable, cwr: std::mem::take(&mut self.ecn.owes_cwr), ..piece }
    }

    /// The window was reduced.
    pub(super) fn note_reduction(&mut self) {
        if self.ecn.is_on {
            self.ecn.reduced = self.flight.snd_max;
            self.ecn.owes_cwr = true;
        }
    }

    /// An ACK of all before `ack`, with ECE, of which nothing else is known yet: what was in flight
    /// when it came is reduced.
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
