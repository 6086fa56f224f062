//! RACK (RFC 8985 §6): a segment is lost if one that was sent later is delivered, and the
//! reordering window has passed since.
//!
//! The reordering window is a quarter of the shortest round trip, one quarter more in each round
//! trip with a D-SACK, at most the smoothed round trip; the increase is kept for 16 recoveries
//! (§6.2 step 4). It is zero before any reordering was seen, in a recovery or with three segments
//! reported.
//!
//! Chosen: the shortest round trip is that of the connection (§6.2 step 1 allows it). Departures:
//! the reordering timer is for the first segment that waits, where §6.2 step 5 takes the last one,
//! so each loss is found at its own instant; a repair that D-SACK has shown to be needless is seen
//! as reordering, too, which §6.2 step 3 sees in segments that were sent once only. A segment that
//! more than three others overtake is otherwise always sent again before it arrives, and the window
//! would stay zero.

use std::collections::VecDeque;

use super::hooks::{Due, LossDetection, Situation};
use super::tail_probe::TailProbe;
use crate::tcp::flight::Flight;
use crate::tcp::outstanding::{DUP_ACK_THRESHOLD, Delivered, Record, RecordState};
use crate::units::{Span, Time};

/// Recoveries without D-SACK after which the reordering window is a quarter again (§6.2 step 4).
const PERSISTENCE: u32 = 16;

/// State of RACK on one connection.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct Rack {
    /// Transmissions in their order; those that are delivered, lost or sent again are stale.
    order: VecDeque<Transmission>,
    /// Transmission time and end of the segment delivered that was sent last: `RACK.xmit_ts` and
    /// `RACK.end_seq`.
    latest: (Time, u64),
    /// `RACK.rtt`.
    rtt: Span,
    min_rtt: Option<Span>,
    has_seen_reordering: bool,
    /// `RACK.reo_wnd_mult`.
    quarters: i64,
    /// `RACK.reo_wnd_persist`.
    recoveries_left: u32,
    /// `RACK.dsack_round`: sequence number that ends the round of the latest D-SACK.
    duplicate_round: Option<u64>,
    was_recovering: bool,
    /// The instant at which the next segment counts as lost.
    reordering_timer: Time,
    probe: Option<TailProbe>,
}

#[derive(Clone, Copy, Debug)]
struct Transmission {
    sent: Time,
    start: u64,
    end: u64,
}

impl Rack {
    /// Makes the state of a connection, with tail loss probes if the longest delay of an ACK is
    /// given.
    pub(super) fn new(ack_delay: Option<Span>) -> Self {
        Self {
            order: VecDeque::new(),
            latest: (Time::ZERO, 0),
            rtt: Span::ZERO,
            min_rtt: None,
            has_seen_reordering: false,
            quarters: 1,
            recoveries_left: 0,
            duplicate_round: None,
            was_recovering: false,
            reordering_timer: Time::MAX,
            probe: ack_delay.map(TailProbe::new),
        }
    }

    /// Takes the round trip and the newest segment of an ACK (§6.2 steps 1 and 2).
    fn update(&mut self, now: Time, delivered: &Delivered) {
        if let Some(rtt) = delivered.rtt {
            self.min_rtt = Some(self.min_rtt.map_or(rtt, |min| min.min(rtt)));
        }
        self.has_seen_reordering |= delivered.is_reordered;
        let Some(newest) = delivered.newest else { return };
        let rtt = now - newest.sent;
        // The ACK of a retransmission may be that of the original.
        if newest.is_resent && self.min_rtt.is_none_or(|min| rtt < min) {
            return;
        }
        if (newest.sent, newest.end) > self.latest {
            self.latest = (newest.sent, newest.end);
            self.rtt = rtt;
        }
    }

    /// Widens the reordering window after a D-SACK (§6.2 step 4).
    fn adapt(&mut self, situation: &Situation, delivered: &Delivered, flight: &Flight) {
        if self.duplicate_round.is_some_and(|round| flight.snd_una >= round) {
            self.duplicate_round = None;
        }
        let is_over = self.was_recovering && !situation.is_recovering;
        self.was_recovering = situation.is_recovering;
        if self.duplicate_round.is_none() && delivered.duplicate.is_some() {
            self.duplicate_round = Some(flight.snd_max);
            self.quarters += 1;
            self.recoveries_left = PERSISTENCE;
        } else if is_over {
            self.recoveries_left = self.recoveries_left.saturating_sub(1);
            if self.recoveries_left == 0 {
                self.quarters = 1;
            }
        }
    }

    /// `RACK_update_reo_wnd`.
    fn reordering_window(&self, situation: &Situation, flight: &Flight) -> Span {
        let is_threshold = flight.log().reported() >= DUP_ACK_THRESHOLD;
        if !self.has_seen_reordering && (situation.is_recovering || is_threshold) {
            return Span::ZERO;
        }
        let quarter = self.min_rtt.unwrap_or(Span::ZERO) / 4;
        (quarter * self.quarters).min(situation.srtt.unwrap_or(Span::ZERO))
    }

    /// Marks the segments that are lost, and sets the reordering timer (§6.2 step 5); returns their
    /// bytes.
    fn detect(&mut self, situation: &Situation, flight: &mut Flight) -> u64 {
        self.reordering_timer = Time::MAX;
        let wait = self.rtt + self.reordering_window(situation, flight);
        let mut lost = 0;
        while let Some(&Transmission { sent, start, end }) = self.order.front() {
            let is_current =
                |record: &Record| record.sent == sent && record.state == RecordState::InFlight;
            if end > flight.snd_una {
                if (sent, end) >= self.latest {
                    break;
                }
                let log = flight.log_mut();
                if sent + wait > situation.now && log.records(start, end).any(is_current) {
                    self.reordering_timer = sent + wait;
                    break;
                }
                lost += log.lose(start, end, is_current);
            }
            self.order.pop_front();
        }
        lost
    }
}

impl LossDetection for Rack {
    fn on_sent(&mut self, situation: &Situation, start: u64, end: u64, flight: &Flight) {
        self.order.push_back(Transmission { sent: situation.now, start, end });
        if let Some(probe) = &mut self.probe {
            probe.on_sent(situation, start, end, flight);
        }
    }

    fn on_ack(&mut self, situation: &Situation, delivered: &mut Delivered, flight: &mut Flight) {
        self.update(situation.now, delivered);
        self.adapt(situation, delivered, flight);
        delivered.lost += self.detect(situation, flight);
        if let Some(probe) = &mut self.probe {
            probe.on_ack(situation, delivered, flight);
        }
    }

    fn on_reordering(&mut self) {
        self.has_seen_reordering = true;
    }

    fn next(&self) -> Time {
        let probe = self.probe.as_ref().map_or(Time::MAX, TailProbe::next);
        self.reordering_timer.min(probe)
    }

    fn on_timer(&mut self, situation: &Situation, flight: &mut Flight) -> Due {
        if self.reordering_timer <= situation.now {
            let lost = self.detect(situation, flight);
            if lost > 0 {
                return Due::Lost(lost);
            }
        }
        match &mut self.probe {
            Some(probe) if probe.next() <= situation.now => probe.on_timer(flight),
            _ => Due::Nothing,
        }
    }

    /// The first segment is lost, and those sent longer ago than a round trip and the reordering
    /// window (§6.3).
    fn on_timeout(&mut self, situation: &Situation, flight: &mut Flight) {
        self.reordering_timer = Time::MAX;
        if let Some(probe) = &mut self.probe {
            probe.stop();
        }
        let window = self.reordering_window(situation, flight);
        let limit = self.rtt + window;
        let (una, max, now) = (flight.snd_una, flight.snd_max, situation.now);
        let log = flight.log_mut();
        log.lose(una, max, |record| record.start == una || record.sent + limit <= now);
    }
}
