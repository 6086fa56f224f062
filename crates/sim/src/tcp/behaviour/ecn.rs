//! The sender's half of ECN (RFC 3168 §6.1): its agreement, the choice of segments that may be
//! marked, one reaction per window of data, and CWR on the first new data after any reduction.
//!
//! ECE comes until the receiver has seen CWR, so an echo is news once data sent after the latest
//! reduction are acknowledged (§6.1.2). The sender then reduces the window, unless it repairs a
//! loss. Departure: a window keeps two segments, as in Linux; the wait of a whole timeout with a
//! window of one is absent. The receiver has the other half, its echo.

use super::hooks::{Arrival, Behaviour, Cause, Findings};
use crate::pdu::{Ecn, Flags, Segment};
use crate::tcp::counters::{Counters, EcnCounters};
use crate::tcp::flight::Flight;
use crate::tcp::piece::{Piece, Sending};
use crate::units::Time;

/// ECN state of a sender that asks for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EcnSender {
    /// True if both ends have agreed on ECN.
    is_on: bool,
    /// Sequence number after the highest sent when the window was last reduced, for whatever
    /// reason.
    reduced: u64,
    /// True if the next new data carry CWR.
    owes_cwr: bool,
    /// Reductions because of marks.
    reductions: u64,
}

impl Behaviour for EcnSender {
    /// ECE and CWR in a SYN, ECE alone in its answer (§6.1.1).
    fn offer(&self, syn: &mut Segment) {
        let is_answer = syn.flags.contains(Flags::ACK);
        let setup = if is_answer { Flags::ECE.when(self.is_on) } else { Flags::ECE | Flags::CWR };
        syn.flags = syn.flags | setup;
    }

    /// Takes the setup of the peer's SYN; an answer with both flags reflects ours (§6.1.1).
    fn agree(&mut self, syn: Option<&Segment>) {
        self.is_on = syn.is_none_or(|syn| {
            let is_answer = syn.flags.contains(Flags::ACK);
            syn.flags.contains(Flags::ECE) && syn.flags.contains(Flags::CWR) != is_answer
        });
    }

    #[inline]
    fn on_ack(&mut self, arrival: &Arrival<'_>, findings: &mut Findings) {
        let is_echo = arrival.segment.flags.contains(Flags::ECE);
        findings.is_congested = is_echo && self.is_on && arrival.snd_una > self.reduced;
    }

    fn on_reduced(&mut self, cause: Cause, flight: &Flight) {
        if self.is_on {
            self.reduced = flight.snd_max;
            self.owes_cwr = true;
        }
        self.reductions += u64::from(cause == Cause::Mark);
    }

    /// Sets ECT and CWR on new data. Pure ACKs, retransmissions and probes may not be marked
    /// (§6.1.4 to 6.1.6); nor a FIN alone, as in Linux.
    #[inline]
    fn stamp(&mut self, _now: Time, piece: Option<Piece>, segment: &mut Segment) {
        let is_new = piece.is_some_and(|piece| piece.sending == Sending::First && piece.len > 0);
        if self.is_on && is_new {
            segment.ecn = Ecn::Capable;
            segment.flags = segment.flags | Flags::CWR.when(std::mem::take(&mut self.owes_cwr));
        }
    }

    fn count(&self, counters: &mut Counters) {
        let reductions = self.reductions;
        counters.ecn = Some(EcnCounters { reductions, ..EcnCounters::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn syn(flags: Flags) -> Segment {
        Segment { flags: Flags::SYN | flags, ..Segment::default() }
    }

    /// The sender after an agreement without a handshake.
    fn sender() -> EcnSender {
        let mut ecn = EcnSender::default();
        ecn.agree(None);
        ecn
    }

    /// True if an ACK up to `snd_una`, with ECE, calls for a reduction.
    fn calls_for_reduction(ecn: &mut EcnSender, snd_una: u64) -> bool {
        let segment = &Segment { ack: snd_una, flags: Flags::ECE, ..Segment::default() };
        let mut findings = Findings::default();
        let arrival = Arrival { now: Time::ZERO, segment, snd_una, is_new: true };
        ecn.on_ack(&arrival, &mut findings);
        findings.is_congested
    }

    /// ECN field and CWR of a segment with `len` bytes, or of a FIN alone.
    fn stamped(ecn: &mut EcnSender, len: u64, sending: Sending) -> (Ecn, bool) {
        let piece = Piece { seq: 1, len, fin: len == 0, sending };
        let mut segment = Segment::default();
        ecn.stamp(Time::ZERO, Some(piece), &mut segment);
        (segment.ecn, segment.flags.contains(Flags::CWR))
    }

    /// Setup of RFC 3168 §6.1.1: a SYN with ECE and CWR, answered with ECE.
    #[test]
    fn the_answer_to_a_setup_has_ece_alone() {
        let (mut active, mut passive) = (EcnSender::default(), EcnSender::default());
        let mut first = syn(Flags::default());
        active.offer(&mut first);
        assert!(first.flags.contains(Flags::ECE | Flags::CWR));
        passive.agree(Some(&first));
        let mut answer = syn(Flags::ACK);
        passive.offer(&mut answer);
        assert!(answer.flags.contains(Flags::ECE) && !answer.flags.contains(Flags::CWR));
        active.agree(Some(&answer));
        assert!(active.is_on && passive.is_on);
    }

    #[test]
    fn a_plain_syn_and_a_reflected_one_do_not_agree() {
        let mut ecn = EcnSender::default();
        for flags in [Flags::default(), Flags::ACK, Flags::ACK | Flags::ECE | Flags::CWR] {
            ecn.agree(Some(&syn(flags)));
            assert!(!ecn.is_on, "{flags:?}");
        }
        let mut answer = syn(Flags::ACK);
        ecn.offer(&mut answer);
        assert_eq!(answer, syn(Flags::ACK));
        assert_eq!(stamped(&mut ecn, 1000, Sending::First), (Ecn::NotCapable, false));
    }

    /// RFC 3168 §6.1.4 to 6.1.6: retransmissions, probes and ACKs may not be marked.
    #[test]
    fn new_data_alone_may_be_marked() {
        let mut ecn = sender();
        assert_eq!(stamped(&mut ecn, 1000, Sending::First).0, Ecn::Capable);
        assert_eq!(stamped(&mut ecn, 1000, Sending::Again).0, Ecn::NotCapable);
        assert_eq!(stamped(&mut ecn, 1, Sending::Probe).0, Ecn::NotCapable);
        assert_eq!(stamped(&mut ecn, 0, Sending::First).0, Ecn::NotCapable);
        let mut ack = Segment::default();
        ecn.stamp(Time::ZERO, None, &mut ack);
        assert_eq!(ack.ecn, Ecn::NotCapable);
    }

    /// RFC 3168 §6.1.2: ECE comes for a round trip, and the window is reduced once.
    #[test]
    fn one_reaction_per_window_and_cwr_on_the_next_new_data() {
        let mut ecn = sender();
        assert!(calls_for_reduction(&mut ecn, 1001));
        let flight = Flight { snd_una: 1001, snd_max: 8001, ..Flight::default() };
        ecn.on_reduced(Cause::Mark, &flight);
        assert!(!calls_for_reduction(&mut ecn, 2001) && !calls_for_reduction(&mut ecn, 8001));
        assert_eq!(stamped(&mut ecn, 1000, Sending::Again), (Ecn::NotCapable, false));
        assert_eq!(stamped(&mut ecn, 1000, Sending::First), (Ecn::Capable, true));
        assert_eq!(stamped(&mut ecn, 1000, Sending::First), (Ecn::Capable, false));
        assert!(calls_for_reduction(&mut ecn, 8002));
        ecn.on_reduced(Cause::Loss, &flight);
        let mut counters = Counters::default();
        ecn.count(&mut counters);
        assert_eq!(counters.ecn.map(|ecn| ecn.reductions), Some(1));
    }
}
