//! Processing of ACKs: new data are acknowledged, or the ACK is a duplicate, and the rule of
//! congestion control may ask for a repair (Stevens, TCP/IP Illustrated, volume 2, chapter 29; RFC
//! 5681 §3.2).

use super::{Ahead, Sender};
use crate::pdu::Segment;
use crate::tcp::behaviour::{Arrival, Behaviour, Behaviours, Cause, Findings};
use crate::tcp::congestion::{Ack, Congestion, Repair};
use crate::units::Time;

impl<R: Congestion> Sender<R> {
    pub(super) fn on_new_ack(
        &mut self,
        now: Time,
        segment: &Segment,
        sacked: u64,
        own: &mut Behaviours,
    ) {
        let ack = segment.ack;
        let mut findings = Findings::default();
        own.on_ack(&Arrival { now, segment, snd_una: ack, is_new: true }, &mut findings);
        let Findings { sample, is_congested, marks, grant } = findings;
        let log = self.flight.log.as_mut();
        let latest_rtt = log.and_then(|log| log.on_plain_ack(now, ack));
        let rtt = self.sample(now, ack, sample);
        self.timer.on_progress();
        let acked = ack - self.flight.snd_una;
        let (ecn_echo, marked) = (marks.are_there(), marks.of(acked, self.window.mss()));
        if is_congested {
            self.on_congestion(now, acked, sacked, own);
        }
        self.flight.snd_una = ack;
        self.flight.snd_nxt = self.flight.snd_nxt.max(ack);
        self.flight.board.advance(ack);
        // RFC 6675 §5: the count begins anew, with an ACK that also reports something.
        self.flight.dup_acks = u32::from(sacked > 0);
        self.flight.limited = 0;
        self.ahead = Ahead::Nothing;
        let (srtt, flight, window) = (self.srtt, &self.flight, &mut self.window);
        let (unsent, report) = (0, None);
        let ack_event = &mut Ack {
            now,
            rtt,
            latest_rtt,
            srtt,
            acked,
            sacked,
            unsent,
            report,
            ecn_echo,
            marked,
            grant,
            flight,
            window,
        };
        let repair = self.rule.on_ack(ack_event);
        // RFC 6298 §5.2 and 5.3: stopped when all is acknowledged, restarted while something is
        // outstanding.
        if ack == self.flight.snd_max {
            self.timer.stop();
        } else if repair != Repair::RetransmitKeepingTimer {
            self.timer.start(now);
        }
        self.repair(repair, own);
    }

    /// True for a duplicate ACK of RFC 5681 §2: data are outstanding, it has no data and no FIN,
    /// and the same ACK field and window as before. With selective acknowledgements any ACK that
    /// reports something new is one (RFC 6675 §2).
    pub(super) fn is_dup_ack(&self, segment: &Segment, sacked: u64) -> bool {
        if self.reads_sack {
            return sacked > 0;
        }
        segment.ack == self.flight.snd_una
            && segment.end() == segment.seq
            && segment.window == self.advertised
            && self.flight.snd_max > self.flight.snd_una
            && !self.persist.is_running()
    }

    pub(super) fn on_dup_ack(
        &mut self,
        now: Time,
        segment: &Segment,
        sacked: u64,
        own: &mut Behaviours,
    ) {
        self.sent.rare_mut().dup_acks += 1;
        self.flight.dup_acks += 1;
        let mut findings = Findings::default();
        let snd_una = self.flight.snd_una;
        own.on_ack(&Arrival { now, segment, snd_una, is_new: false }, &mut findings);
        if findings.is_congested {
            self.on_congestion(now, 0, sacked, own);
        }
        let (srtt, flight, window) = (self.srtt, &self.flight, &mut self.window);
        let ack = &mut Ack {
            now,
            rtt: None,
            latest_rtt: None,
            srtt,
            acked: 0,
            sacked,
            unsent: 0,
            report: None,
            ecn_echo: findings.marks.are_there(),
            marked: 0,
            grant: None,
            flight,
            window,
        };
        let repair = self.rule.on_dup_ack(ack);
        self.repair(repair, own);
    }

    /// Reduces the window at an echoed congestion mark, unless a loss is being repaired; called
    /// before the other effects of the ACK, so that the flight at its arrival is the one that is
    /// reduced.
    #[cold]
    pub(super) fn on_congestion(
        &mut self,
        now: Time,
        acked: u64,
        sacked: u64,
        own: &mut Behaviours,
    ) {
        if self.rule.is_recovering() {
            return;
        }
        self.flight.reduced = 0;
        let (srtt, flight, window) = (self.srtt, &self.flight, &mut self.window);
        let (rtt, latest_rtt, ecn_echo) = (None, None, true);
        let (unsent, report) = (0, None);
        let ack = &mut Ack {
            now,
            rtt,
            latest_rtt,
            srtt,
            acked,
            sacked,
            unsent,
            report,
            ecn_echo,
            marked: 0,
            grant: None,
            flight,
            window,
        };
        self.rule.on_ecn_echo(ack);
        self.flight.reduced = self.flight.snd_max;
        own.on_reduced(Cause::Mark, &self.flight);
    }

    #[inline]
    pub(super) fn repair(&mut self, repair: Repair, own: &mut Behaviours) {
        if repair != Repair::Nothing {
            self.begin_repair(repair, own);
        }
    }

    #[inline(never)]
    fn begin_repair(&mut self, repair: Repair, own: &mut Behaviours) {
        match repair {
            Repair::Nothing => return,
            Repair::TakeBack { are_reordered } => {
                self.take_back(are_reordered);
                return;
            }
            Repair::Retransmit | Repair::RetransmitKeepingTimer => {
                self.ahead = Ahead::First;
                return;
            }
            Repair::FastRetransmit => self.ahead = Ahead::First,
            Repair::GoBackN => self.flight.snd_nxt = self.flight.snd_una,
            Repair::Begin => {}
        }
        self.sent.rare_mut().fast_retransmits += 1;
        self.timed_out_below = 0;
        own.on_reduced(Cause::Loss, &self.flight);
        // The timer counts anew from the repair (Net/3); with a log it does when the first segment
        // is sent again.
        if repair != Repair::Begin {
            self.timer.stop();
        }
    }
}
