//! Exits of the states, from ACKs made by hand: one per round, on a path of 8 Mbit/s and 40 ms,
//! whose product is 40 segments of 1000 bytes.

use super::model::Model;
use super::sample::Sample;
use super::short_term::UNLIMITED;
use super::state::State;
use crate::tcp::congestion::{Loss, Lost, Window};
use crate::units::{Span, Time};

const RTT: Span = Span::from_milliseconds(40);
const RATE: f64 = 8e6;

/// A sample of an ACK of one segment.
pub(super) fn sample() -> Sample {
    Sample {
        now: Time::ZERO,
        total: 0,
        bytes: 1000,
        in_flight: 0,
        mss: 1000,
        cwnd: 10_000,
        is_cwnd_limited: false,
        rtt: None,
        rate: 0.0,
        delivered: 0,
        prior_delivered: Some(0),
        sent_in_flight: 0,
        lost: 0,
        is_limited: false,
    }
}

/// A model, and what it is told next.
struct Path {
    model: Model,
    next: Sample,
}

impl Path {
    fn new() -> Self {
        let mut model = Model::new(Span::from_seconds(5));
        model.open(Time::ZERO, 10_000);
        model.quantum = 2000;
        let bytes = 40_000;
        let next = Sample { bytes, delivered: bytes, cwnd: 80_000, rtt: Some(RTT), ..sample() };
        Self { model, next: Sample { rate: RATE, in_flight: 60_000, ..next } }
    }

    /// A path in `ProbeBW_CRUISE`, whose last round trip is old enough to leave `ProbeRTT` away.
    fn cruising() -> Self {
        let mut path = Self::new();
        path.rounds(5);
        path.next.in_flight = 40_000;
        path.rounds(2);
        assert_eq!(path.model.state, State::Cruise);
        path
    }

    fn probing() -> Self {
        let mut path = Self::cruising();
        path.next.in_flight = 60_000;
        path.rounds_to(State::Up);
        path
    }

    fn rounds(&mut self, count: u32) {
        for _ in 0..count {
            self.next.now += RTT;
            self.next.prior_delivered = Some(self.next.total);
            self.next.total += self.next.bytes;
            self.model.on_ack(&self.next);
        }
    }

    /// Rounds until a state.
    fn rounds_to(&mut self, state: State) -> u32 {
        for count in 1..200 {
            self.rounds(1);
            if self.model.state == state {
                return count;
            }
        }
        panic!("no {state:?}: {:?}", self.model.state);
    }

    /// A segment is found lost, after so many of so large a flight.
    fn lose(&mut self, number: u64, lost: u64, sent_in_flight: u64) {
        let start = 4000 * number;
        let prior_delivered = self.next.total;
        let segment = Loss {
            start,
            end: start + 1000,
            sent_in_flight,
            lost,
            prior_delivered,
            is_app_limited: false,
        };
        let window = &Window::of(1000, self.next.cwnd, 80_000, 1_000_000);
        let (now, delivered) = (self.next.now, self.next.total);
        self.model.on_lost(&Lost { now, loss: &segment, delivered, window });
    }
}

/// Plateau of three rounds; then Drain until no more than the product is in flight.
#[test]
fn startup_ends_at_a_plateau_and_drain_with_the_queue() {
    let mut path = Path::new();
    path.next.rate = RATE / 2.0;
    path.rounds(2);
    path.next.rate = RATE;
    path.rounds(3);
    assert_eq!(path.model.state, State::Startup);
    path.rounds(1);
    assert_eq!((path.model.state, path.model.bandwidth), (State::Drain, RATE));
    path.rounds(2);
    assert_eq!(path.model.state, State::Drain);
    path.next.in_flight = 40_000;
    path.rounds(1);
    // Drain and DOWN want the same without a long-term bound.
    assert_eq!(path.model.state, State::Cruise);
}

#[test]
fn drain_ends_after_three_rounds_whatever_is_in_flight() {
    let mut path = Path::new();
    path.rounds_to(State::Drain);
    assert_eq!(path.rounds_to(State::Down), 4);
}

/// Six ranges and more than 2 % of the flight, in a repair of a round; fewer ranges do not end it.
#[test]
fn startup_ends_with_many_losses() {
    let lossy = |ranges| {
        let mut path = Path::new();
        path.rounds(1);
        (0..ranges).for_each(|number| path.lose(number + 1, 1000 * (number + 1), 80_000));
        path.model.on_loss(path.next.total);
        (path.next.lost, path.next.sent_in_flight) = (2000, 80_000);
        path.rounds(1);
        path
    };
    assert_eq!(lossy(5).model.state, State::Startup);
    let mut path = lossy(6);
    assert_eq!((path.model.state, path.model.long.inflight), (State::Drain, 40_000));
    path.model.undo();
    assert_eq!((path.model.state, path.model.long.inflight), (State::Startup, UNLIMITED));
}

/// Rounds of the application neither end Startup nor UP.
#[test]
fn rounds_that_the_application_limits_are_no_plateau() {
    let mut path = Path::new();
    path.next.is_limited = true;
    path.rounds(20);
    assert_eq!(path.model.state, State::Startup);
    let mut path = Path::probing();
    path.next.is_limited = true;
    path.rounds(20);
    assert_eq!(path.model.state, State::Up);
}

/// From CRUISE a round of REFILL, and UP until a plateau; a probe after as many rounds as the
/// product has segments.
#[test]
fn a_probe_refills_for_a_round_and_ends_at_a_plateau() {
    let mut path = Path::cruising();
    assert!((36..=41).contains(&path.rounds_to(State::Refill)));
    assert_eq!(path.rounds_to(State::Up), 1);
    path.next.in_flight = 60_000;
    assert_eq!(path.rounds_to(State::Down), 3);
    assert_eq!(path.model.long.inflight, UNLIMITED);
}

/// Without a random stream after 2 s: DOWN becomes REFILL if the queue does not drain.
#[test]
fn down_ends_after_the_longest_wait() {
    let mut path = Path::probing();
    path.rounds_to(State::Down);
    path.next.cwnd = 1_000_000;
    // A path of 200 segments, so that the rounds of a Reno flow are more.
    path.next.rate = 5.0 * RATE;
    path.next.in_flight = 300_000;
    assert_eq!(path.rounds_to(State::Refill), 51);
}

/// Excess loss in UP: the bound is where it occurred, and 0.7 of the target at least; the next
/// probe is cut short at the bound, and if it loses little another one follows at once.
#[test]
fn a_probe_that_loses_too_much_makes_the_next_one_cautious() {
    let mut path = Path::probing();
    path.lose(1, 1000, 50_000);
    assert_eq!(path.model.state, State::Up);
    path.lose(2, 2000, 50_000);
    assert_eq!((path.model.state, path.model.long.inflight), (State::Down, 49_000));
    // Only the first excess of a probe counts.
    path.lose(3, 9000, 30_000);
    assert_eq!(path.model.long.inflight, 49_000);
    path.model.repair.end();
    path.next.in_flight = 41_000;
    path.rounds(2);
    assert_eq!(path.model.state, State::Down);
    path.next.in_flight = 40_000;
    path.rounds(1);
    assert_eq!(path.model.state, State::Cruise);
    path.rounds_to(State::Up);
    path.next.in_flight = 48_999;
    path.rounds(1);
    assert_eq!(path.model.state, State::Up);
    path.next.in_flight = 49_000;
    path.rounds(1);
    assert_eq!(path.model.state, State::Down);
    path.rounds(1);
    assert_eq!(path.model.state, State::Refill);
}

#[test]
fn a_bound_is_at_least_seven_tenths_of_the_target() {
    let mut path = Path::probing();
    path.lose(1, 9000, 20_000);
    assert_eq!(path.model.long.inflight, 28_000);
}

/// Losses that were none: bounds are lifted, and a probe that they ended begins anew.
#[test]
fn a_spurious_loss_returns_to_the_probe() {
    let mut path = Path::probing();
    path.lose(1, 2000, 50_000);
    path.lose(2, 3000, 50_000);
    assert_eq!((path.model.state, path.model.long.inflight), (State::Down, 49_000));
    path.model.undo();
    assert_eq!((path.model.state, path.model.long.inflight), (State::Refill, UNLIMITED));
}

/// Losses in CRUISE lower the short-term bounds once in a round; REFILL lifts them.
#[test]
fn losses_in_cruise_bound_rate_and_flight_until_the_next_probe() {
    let mut path = Path::cruising();
    path.next.rate = 0.9 * RATE;
    path.next.delivered = 36_000;
    // Deliveries before the losses do not count.
    path.rounds(1);
    path.lose(1, 1000, 40_000);
    path.rounds(2);
    assert_eq!((path.model.bandwidth, path.model.short.inflight), (0.9 * RATE, 56_000));
    assert_eq!(path.model.bounded(80_000, 1000), 56_000);
    path.rounds_to(State::Refill);
    assert_eq!((path.model.bandwidth, path.model.short.inflight), (RATE, UNLIMITED));
}

/// A mark in a probe ends it like excess loss, elsewhere it lowers the short-term bounds.
#[test]
fn a_mark_ends_a_probe() {
    let mut path = Path::probing();
    path.next.sent_in_flight = 50_000;
    path.model.on_mark(path.next.total);
    path.rounds(1);
    assert_eq!((path.model.state, path.model.long.inflight), (State::Down, 50_000));
    let mut path = Path::cruising();
    path.model.on_mark(path.next.total);
    path.rounds(2);
    assert!(path.model.short.bandwidth.is_finite() && path.model.long.inflight == UNLIMITED);
}

/// From Startup `ProbeRTT` leads back there, from `ProbeBW` to CRUISE; 200 ms with few bytes in
/// flight, and a round.
#[test]
fn probe_rtt_lasts_200_ms_and_returns_to_where_it_began() {
    for (limited, after) in [(true, State::Startup), (false, State::Cruise)] {
        let mut path = Path::new();
        path.next.is_limited = limited;
        path.rounds(7);
        path.next.rtt = Some(RTT * 2);
        path.next.in_flight = 41_000;
        path.rounds_to(State::ProbeRtt);
        assert!(path.next.now > Time::ZERO + Span::from_seconds(5));
        assert_eq!(path.model.bounded(80_000, 1000), 20_000);
        path.rounds(10);
        assert_eq!(path.model.state, State::ProbeRtt);
        path.next.in_flight = 20_000;
        // One round to note it, five to be at 200 ms, and one to be after them.
        assert_eq!(path.rounds_to(after), 7);
        assert!(path.model.restores);
    }
}
