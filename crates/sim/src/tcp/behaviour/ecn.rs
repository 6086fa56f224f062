//! The sender's half of ECN (RFC 3168 §6.1): its agreement, the choice of segments that may be
//! marked, one reaction per window of data, and CWR on the first new data after any reduction.
//!
//! A classic echo comes until the receiver has seen CWR, so it is news once data sent after the
//! latest reduction are acknowledged (§6.1.2). The sender then reduces the window, unless it
//! repairs a loss; so it does under the other echoes. The accurate one (RFC 9768) is a counter: the
//! difference from one ACK to the next is the number of marks. An ACK for eight segments or more
//! may hide eight of them, and is taken to (appendix A.1). With `l4s` data are sent with ECT(1)
//! (RFC 9331 §4.1), and beside the accurate echo pure ACKs, retransmissions, probes and FINs, too
//! (§A.2.1). An end that is asked for accurate ECN by nobody falls back to the classic one.
//!
//! Departures: a window keeps two segments, as in Linux; the wait of a whole timeout with a window
//! of one is absent. Six or seven marks in an ACK of nothing new are none: it was overtaken by
//! another. SYNs never have ECT, which RFC 9331 would allow. The receiver has the other half, its
//! echo.

use super::hooks::{Arrival, Behaviour, Cause, Findings, Marks};
use crate::pdu::{Ecn, Flags, Segment};
use crate::tcp::counters::{Counters, EcnCounters};
use crate::tcp::flight::Flight;
use crate::tcp::piece::{Piece, Sending};
use crate::tcp::receive::echo::{EcnEcho, FIRST_COUNT, ace_of};
use crate::units::Time;

/// Values of the field ACE.
const VALUES_OF_ACE: u64 = 8;
/// Marks in an ACK of nothing new from which on it is an older one.
const OVERTAKEN: u64 = 6;

/// ECN state of a sender that asks for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct EcnSender {
    /// Codepoint of data that may be marked.
    codepoint: Ecn,
    /// Echo that is asked for, then the one agreed on.
    echo: EcnEcho,
    mss: u64,
    /// True if both ends have agreed on ECN.
    is_on: bool,
    /// Sequence number after the highest sent when the window was last reduced, for whatever
    /// reason.
    reduced: u64,
    /// True if the next new data carry CWR.
    owes_cwr: bool,
    /// Reductions because of marks.
    reductions: u64,
    /// Latest counter of an accurate echo, and the number of its ACK.
    counted: (u32, u64),
}

impl EcnSender {
    /// Makes the state of a sender of segments of `mss` bytes that asks for an echo.
    pub(super) fn new(echo: EcnEcho, is_l4s: bool, mss: u64) -> Self {
        Self {
            codepoint: if is_l4s { Ecn::L4s } else { Ecn::Capable },
            echo,
            mss,
            is_on: false,
            reduced: 0,
            owes_cwr: false,
            reductions: 0,
            counted: (FIRST_COUNT.into(), 1),
        }
    }

    /// Echo that both ends have agreed on.
    pub(super) fn echo(&self) -> EcnEcho {
        self.echo
    }

    /// Takes the first segment behind the peer's SYN. A pure ACK tells in ACE which ECN field our
    /// SYN-ACK had, and no count; the count begins at 6 if that was CE, else at 5 (RFC 9768
    /// §3.2.2.1). Returns the segment with that count.
    pub(super) fn count_from_ack_of_syn(&mut self, segment: &Segment) -> Segment {
        if self.echo != EcnEcho::Accurate || !segment.is_pure_ack() {
            return *segment;
        }
        let was_marked = segment.flags.ace() == ace_of(Ecn::Congested);
        let count = u32::from(FIRST_COUNT) + u32::from(was_marked);
        self.counted.0 = count;
        let ace = Flags::AE | Flags::CWR | Flags::ECE;
        Segment { flags: segment.flags.without(ace) | Flags::of_ace(count), ..*segment }
    }

    /// True if segments that are not new data may be marked, too.
    fn marks_all(&self) -> bool {
        self.is_on && self.codepoint == Ecn::L4s && self.echo == EcnEcho::Accurate
    }

    /// True for data that are sent again and may be marked: a brake on them is none of congestion.
    fn marks_again(&self, piece: Option<Piece>) -> bool {
        self.is_on && self.echo == EcnEcho::Abc && piece.is_some_and(|piece| piece.len > 0)
    }

    /// Marks that an ACK reports.
    #[inline]
    fn marks(&mut self, arrival: &Arrival<'_>) -> Marks {
        match self.echo {
            _ if !self.is_on => Marks::None,
            EcnEcho::Accurate => self.count_marks(arrival),
            EcnEcho::Abc if arrival.segment.flags.contains(Flags::AE) => Marks::All,
            EcnEcho::Abc => Marks::None,
            EcnEcho::Classic | EcnEcho::Dctcp => {
                let has_echo = arrival.segment.flags.contains(Flags::ECE);
                if has_echo { Marks::All } else { Marks::None }
            }
        }
    }

    #[cold]
    fn count_marks(&mut self, arrival: &Arrival<'_>) -> Marks {
        let (before, acked_to) = self.counted;
        let ace = arrival.segment.flags.ace();
        let marks = u64::from(ace.wrapping_sub(before)) % VALUES_OF_ACE;
        if !arrival.is_new && marks >= OVERTAKEN {
            return Marks::None;
        }
        self.counted = (ace, arrival.snd_una);
        let segments = arrival.snd_una.saturating_sub(acked_to).div_ceil(self.mss);
        let marks = match segments.checked_sub(marks) {
            Some(unmarked) if segments >= VALUES_OF_ACE => segments - unmarked % VALUES_OF_ACE,
            _ => marks,
        };
        if marks == 0 { Marks::None } else { Marks::Segments(marks as u32) }
    }
}

impl Behaviour for EcnSender {
    /// ECE and CWR in a SYN, ECE alone in its answer (§6.1.1); for accurate ECN AE with both, and
    /// CWR alone as the answer to a SYN without a mark (RFC 9768 §3.1).
    fn offer(&self, syn: &mut Segment) {
        let is_answer = syn.flags.contains(Flags::ACK);
        let is_accurate = self.echo == EcnEcho::Accurate;
        let setup = match (is_answer, is_accurate) {
            (false, false) => Flags::ECE | Flags::CWR,
            (false, true) => Flags::AE | Flags::ECE | Flags::CWR,
            (true, false) => Flags::ECE.when(self.is_on),
            (true, true) => Flags::CWR.when(self.is_on),
        };
        syn.flags = syn.flags | setup;
    }

    /// Takes the setup of the peer's SYN; an answer with both flags reflects ours (§6.1.1).
    fn agree(&mut self, syn: Option<&Segment>) {
        let Some(syn) = syn else {
            self.is_on = true;
            return;
        };
        let (is_answer, ace) = (syn.flags.contains(Flags::ACK), syn.flags.ace());
        let is_accurate = if is_answer { matches!(ace, 2 | 3 | 4 | 6) } else { ace == 7 };
        let is_classic = if is_answer { matches!(ace, 1 | 5) } else { matches!(ace, 3 | 7) };
        self.is_on = is_classic || is_accurate && self.echo == EcnEcho::Accurate;
        if self.echo == EcnEcho::Accurate && !is_accurate {
            self.echo = EcnEcho::Classic;
        }
    }

    #[inline]
    fn on_ack(&mut self, arrival: &Arrival<'_>, findings: &mut Findings) {
        findings.marks = self.marks(arrival);
        let is_congested = match self.echo {
            EcnEcho::Abc => self.is_on && arrival.segment.flags.contains(Flags::ECE),
            _ => findings.marks.are_there(),
        };
        findings.is_congested = is_congested && arrival.snd_una > self.reduced;
    }

    fn on_reduced(&mut self, cause: Cause, flight: &Flight) {
        if self.is_on {
            self.reduced = flight.snd_max;
            self.owes_cwr = self.echo != EcnEcho::Accurate;
        }
        self.reductions += u64::from(cause == Cause::Mark);
    }

    /// Sets ECT and CWR on new data. Pure ACKs, retransmissions and probes may not be marked
    /// (§6.1.4 to 6.1.6), nor a FIN alone, as in Linux, except those of L4S.
    #[inline]
    fn stamp(&mut self, _now: Time, piece: Option<Piece>, segment: &mut Segment) {
        let is_new = piece.is_some_and(|piece| piece.sending == Sending::First && piece.len > 0);
        if self.is_on && is_new {
            segment.ecn = self.codepoint;
            segment.flags = segment.flags | Flags::CWR.when(std::mem::take(&mut self.owes_cwr));
        } else if self.marks_again(piece) || self.marks_all() && !segment.flags.contains(Flags::SYN)
        {
            segment.ecn = self.codepoint;
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
        let mut ecn = unopened(EcnEcho::Classic);
        ecn.agree(None);
        ecn
    }

    fn unopened(echo: EcnEcho) -> EcnSender {
        EcnSender::new(echo, false, 1000)
    }

    /// Segments found marked by ACKs with these numbers and values of ACE.
    fn counted(acks: &[(u64, u32)]) -> Vec<u32> {
        let mut ecn = unopened(EcnEcho::Accurate);
        ecn.agree(None);
        let mut snd_una = 1;
        let one = |&(ack, ace): &(u64, u32)| {
            let segment = &Segment { ack, flags: Flags::of_ace(ace), ..Segment::default() };
            let is_new = ack > std::mem::replace(&mut snd_una, ack);
            let mut findings = Findings::default();
            let arrival = Arrival { now: Time::ZERO, segment, snd_una: ack, is_new };
            ecn.on_ack(&arrival, &mut findings);
            match findings.marks {
                Marks::None => 0,
                Marks::Segments(count) => count,
                Marks::All => panic!("an accurate echo counts"),
            }
        };
        acks.iter().map(one).collect()
    }

    /// RFC 9768 §3.2.2 and appendix A.1: from 5 on, modulo 8; ten segments with an unchanged field
    /// may have had eight marks, with one more nine, with three more ten less seven.
    #[test]
    fn an_accurate_echo_is_the_difference_of_two_acks() {
        assert_eq!(counted(&[(2001, 5), (4001, 6), (6001, 0), (6001, 1)]), [0, 1, 2, 1]);
        assert_eq!(counted(&[(10_001, 5)]), [8]);
        assert_eq!(counted(&[(10_001, 6)]), [9]);
        assert_eq!(counted(&[(10_001, 0)]), [3]);
        // The second ACK was sent before the first.
        assert_eq!(counted(&[(2001, 7), (2001, 6), (2001, 7)]), [2, 0, 0]);
    }

    /// RFC 9768 §3.1: AE, CWR and ECE; CWR alone, since a SYN is not marked. Peers with RFC 3168
    /// answer with ECE alone, and ask without AE.
    #[test]
    fn accurate_ecn_is_agreed_on_or_becomes_classic() {
        let setup = |asked: EcnEcho, of_peer: EcnEcho| {
            let (mut active, mut passive) = (unopened(asked), unopened(of_peer));
            let mut first = syn(Flags::default());
            active.offer(&mut first);
            passive.agree(Some(&first));
            let mut answer = syn(Flags::ACK);
            passive.offer(&mut answer);
            active.agree(Some(&answer));
            assert!(active.is_on && passive.is_on, "{asked:?} {of_peer:?}");
            (first.flags.ace(), answer.flags.ace(), active.echo, passive.echo)
        };
        let (accurate, classic) = (EcnEcho::Accurate, EcnEcho::Classic);
        assert_eq!(setup(accurate, accurate), (7, 2, accurate, accurate));
        assert_eq!(setup(accurate, classic), (7, 1, classic, classic));
        assert_eq!(setup(classic, accurate), (3, 1, classic, classic));
    }

    #[test]
    fn l4s_sends_ect_1() {
        let mut ecn = EcnSender::new(EcnEcho::Accurate, true, 1000);
        ecn.agree(None);
        assert_eq!(stamped(&mut ecn, 1000, Sending::First), (Ecn::L4s, false));
        ecn.on_reduced(Cause::Mark, &Flight::default());
        assert_eq!(stamped(&mut ecn, 1000, Sending::First), (Ecn::L4s, false), "CWR counts marks");
    }

    /// RFC 9331 §A.2.1: with accurate feedback all segments but SYNs, which the RFC leaves open.
    #[test]
    fn whatever_l4s_sends_may_be_marked_if_each_mark_is_counted() {
        for (echo, codepoint) in [(EcnEcho::Accurate, Ecn::L4s), (EcnEcho::Dctcp, Ecn::NotCapable)]
        {
            let mut ecn = EcnSender::new(echo, true, 1000);
            ecn.agree(None);
            assert_eq!(stamped(&mut ecn, 1000, Sending::Again).0, codepoint);
            assert_eq!(stamped(&mut ecn, 1, Sending::Probe).0, codepoint);
            assert_eq!(stamped(&mut ecn, 0, Sending::First).0, codepoint);
            for (mut segment, expected) in
                [(Segment::default(), codepoint), (syn(Flags::ACK), Ecn::NotCapable)]
            {
                ecn.stamp(Time::ZERO, None, &mut segment);
                assert_eq!(segment.ecn, expected);
            }
        }
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
        let (mut active, mut passive) = (unopened(EcnEcho::Classic), unopened(EcnEcho::Classic));
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
        let mut ecn = unopened(EcnEcho::Classic);
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
