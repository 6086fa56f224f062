//! Shortest round trip: of ten seconds for the model, and of five, after which `ProbeRTT` measures
//! it anew (sections 5.3.4.3 and 5.5.7 of the draft).

use super::sample::Sample;
use super::state::State;
use crate::units::{Span, Time};

/// `BBR.ProbeRTTDuration`.
const PROBE_DURATION: Span = Span::from_milliseconds(200);

/// Round trips, and the progress of `ProbeRTT`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RoundTrip {
    /// `BBR.ProbeRTTInterval`, half of `BBR.MinRTTFilterLen`.
    interval: Span,
    /// `BBR.min_rtt`, and its instant.
    pub(super) shortest: Option<Span>,
    shortest_at: Time,
    /// `BBR.probe_rtt_min_delay`, and its instant.
    recent: Option<Span>,
    recent_at: Time,
    /// `BBR.probe_rtt_expired`.
    is_expired: bool,
    /// `BBR.idle_restart`.
    pub(super) is_restarting: bool,
    /// `BBR.probe_rtt_done_stamp`: the instant from which `ProbeRTT` may end, once few bytes are in
    /// flight.
    done_at: Option<Time>,
    is_round_done: bool,
    /// Values of `C.delivered` between which samples are those of `ProbeRTT`, which limits them as
    /// an application would.
    limited: Option<(u64, u64)>,
}

impl RoundTrip {
    pub(super) fn new(interval: Span) -> Self {
        Self { interval, ..Self::default() }
    }

    /// Begins at the first ACK.
    pub(super) fn open(&mut self, now: Time) {
        (self.shortest_at, self.recent_at) = (now, now);
    }

    /// Takes the round trip of an ACK: `UpdateMinRTT`.
    pub(super) fn on_ack(&mut self, now: Time, rtt: Option<Span>) {
        self.is_expired = now - self.recent_at > self.interval;
        if let Some(rtt) = rtt
            && (self.is_expired || self.recent.is_none_or(|recent| rtt < recent))
        {
            (self.recent, self.recent_at) = (Some(rtt), now);
        }
        let Some(recent) = self.recent else { return };
        let is_old = now - self.shortest_at > self.interval * 2;
        if is_old || self.shortest.is_none_or(|shortest| recent < shortest) {
            (self.shortest, self.shortest_at) = (Some(recent), self.recent_at);
        }
    }

    /// True if `ProbeRTT` is to begin.
    pub(super) fn is_due(&self, state: State) -> bool {
        state != State::ProbeRtt && self.is_expired && !self.is_restarting
    }

    /// Begins `ProbeRTT`.
    pub(super) fn begin(&mut self, total: u64) {
        self.done_at = None;
        self.limited = Some((total, total));
    }

    /// Takes an ACK in `ProbeRTT`, with whether few bytes are in flight and a round ends; true if
    /// the time to hold the flight begins.
    pub(super) fn holds(&mut self, sample: &Sample, is_low: bool, is_round_start: bool) -> bool {
        if let Some((_, to)) = &mut self.limited {
            *to = sample.total + sample.in_flight;
        }
        match self.done_at {
            None if is_low => {
                (self.done_at, self.is_round_done) = (Some(sample.now + PROBE_DURATION), false);
                return true;
            }
            None => {}
            Some(_) => self.is_round_done |= is_round_start,
        }
        false
    }

    /// True if `ProbeRTT` is over; the next one is then due five seconds later.
    pub(super) fn ends(&mut self, now: Time) -> bool {
        let ends = self.done_at.is_some_and(|done| now > done);
        if ends {
            self.recent_at = now;
        }
        ends
    }

    /// True if `ProbeRTT` is over at an ACK: a round has passed, too.
    pub(super) fn ends_with_round(&mut self, now: Time) -> bool {
        self.is_round_done && self.ends(now)
    }

    /// True if `ProbeRTT` has limited what was sent after so many bytes were delivered.
    pub(super) fn has_limited(&self, prior_delivered: u64) -> bool {
        self.limited.is_some_and(|(from, to)| (from..=to).contains(&prior_delivered))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: i64) -> Span {
        Span::from_milliseconds(milliseconds)
    }

    /// A longer round trip is taken for the probe after five seconds, for the model after ten.
    #[test]
    fn the_shortest_round_trip_is_kept_for_ten_seconds() {
        let mut trip = RoundTrip::new(ms(5000));
        trip.open(Time::ZERO);
        let mut found = Vec::new();
        for (at, rtt) in [(0, 40), (1000, 50), (5000, 60), (5001, 70), (10_000, 70), (10_002, 80)] {
            trip.on_ack(Time::ZERO + ms(at), Some(ms(rtt)));
            found.push((trip.recent, trip.shortest, trip.is_due(State::Cruise)));
        }
        let expected = [
            (40, 40, false),
            (40, 40, false),
            (40, 40, false),
            (70, 40, true),
            (70, 40, false),
            (80, 80, true),
        ];
        let expected = expected.map(|(a, b, due)| (Some(ms(a)), Some(ms(b)), due));
        assert_eq!(found, expected);
        trip.is_restarting = true;
        assert!(!trip.is_due(State::Cruise));
    }
}
