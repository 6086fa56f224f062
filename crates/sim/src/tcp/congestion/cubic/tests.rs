//! RFC 9438 by hand, and against recursions and formulas that are written apart from it.

use super::*;
use crate::tcp::congestion::{Cause, Flight};
use crate::tcp::scaling::MAX_WINDOW;

const MSS: u64 = 1000;

/// A window that is always full: every ACK is of one segment, a round trip after it was sent.
struct Full {
    law: Cubic,
    window: Window,
    flight: Flight,
    now: Time,
    round_trip: Span,
}

fn full(plan: CubicPlan, cwnd: u64, round_trip: Span) -> Full {
    let window = Window::of(MSS, cwnd * MSS, 0, MAX_WINDOW);
    let (law, flight) = (Cubic::new(plan), Flight::default());
    let mut full = Full { law, window, flight, now: Time::ZERO, round_trip };
    full.fill();
    full
}

impl Full {
    fn fill(&mut self) {
        self.flight.snd_max = self.flight.snd_una + self.window.cwnd() / MSS * MSS;
    }

    fn cwnd(&self) -> f64 {
        self.law.cwnd(&self.window)
    }

    fn k(&self) -> f64 {
        self.law.epoch.expect("avoidance has begun").k
    }

    fn ack(&mut self) {
        self.flight.snd_una += MSS;
        let mut ack = Ack::of_test(self.now, MSS, &self.flight, &mut self.window);
        ack.srtt = Some(self.round_trip);
        if self.law.on_ack(&mut ack) == Opening::Standard {
            self.law.avoid(&mut ack);
        }
        self.fill();
        self.now += span(self.round_trip.seconds_f64() / self.cwnd());
    }

    /// Runs for so many seconds.
    fn run(&mut self, seconds: f64) {
        let until = self.now + span(seconds);
        while self.now < until {
            self.ack();
        }
    }

    fn reduce(&mut self) {
        let (flight, window) = (&self.flight, &mut self.window);
        let (cause, bytes) = (Cause::Loss, flight.size());
        self.law.on_congestion(&mut Congested { cause, bytes, flight, window });
    }

    fn congestion(&mut self) {
        self.reduce();
        self.window.deflate();
        self.fill();
    }
}

fn span(seconds: f64) -> Span {
    Span::from_picoseconds((seconds * 1e12) as i64)
}

fn near(found: f64, expected: f64, part: f64) {
    assert!((found - expected).abs() <= part * expected, "{found}, expected {expected}");
}

/// Decrease of §4.2 and 4.6: of 100 segments 70 are left, K = ∛(30/0.4) s, and the window is back
/// at 100 after that time, by §4.2's function at every second before and after.
#[test]
fn the_window_follows_the_cubic_function() {
    for round_trip in [200, 400].map(Span::from_milliseconds) {
        let mut full = full(CubicPlan::default(), 100, round_trip);
        full.congestion();
        assert_eq!((full.window.cwnd(), full.window.ssthresh()), (70 * MSS, 70 * MSS));
        full.ack();
        near(full.k(), 4.217_163_327, 1e-9);
        for (second, expected) in
            [(1.0, 86.681), (2.0, 95.639), (3.0, 99.279), (4.0, 99.996), (6.0, 102.267)]
        {
            // The Reno beside it is slower with such windows: 70 + 0.53 t/RTT.
            full.run(second - full.now.seconds_f64());
            near(full.cwnd(), expected, 0.01);
        }
        full.run(9.0 - full.now.seconds_f64());
        near(full.cwnd(), 0.4 * libm::pow(9.0 - 4.217_163_327, 3.0) + 100.0, 0.02);
    }
}

/// Bounds of §4.4 and 4.5: at most 1.5 times as much per round trip, and a target below cwnd is
/// cwnd.
#[test]
fn a_target_is_between_cwnd_and_half_as_much_again() {
    let mut law = Cubic::new(CubicPlan { c: 1e6, ..CubicPlan::default() });
    let zero = Time::ZERO;
    law.epoch = Some(Epoch { zero, k: 0.1, origin: 100.0, w_est: 1.0 });
    let grown = law.grown(Time::ZERO + Span::from_seconds(1), Span::ZERO, 10.0, 1.0);
    near(grown, 10.5, 1e-12);
    let mut law = Cubic::new(CubicPlan::default());
    law.epoch = Some(Epoch { zero, k: 3.0, origin: 50.0, w_est: 1.0 });
    near(law.grown(Time::ZERO, Span::ZERO, 49.0, 1.0), 49.0, 0.0);
    // W_cubic(0.1) = 0.4 (-2.9)³ + 50 = 40.2444; one of 40 segments is acknowledged.
    let grown = law.grown(Time::ZERO, Span::from_milliseconds(100), 40.0, 1.0);
    near(grown, 40.0 + 0.2444 / 40.0, 1e-9);
}

/// Reno's window of §4.3: 9/17 of a segment per window up to the window of the congestion, then
/// one; the square of a Reno's window that opens by a/W per ACK grows by 2a.
#[test]
fn where_the_function_is_slower_a_window_is_that_of_reno() {
    let mut full = full(CubicPlan::default(), 20, Span::from_milliseconds(10));
    full.congestion();
    for acks in 1..=400 {
        full.ack();
        let slow = 14.0 * 14.0 + 2.0 * (9.0 / 17.0) * f64::from(acks);
        let reno = if slow < 400.0 { slow } else { 400.0 + (slow - 400.0) * 17.0 / 9.0 };
        near(full.cwnd(), reno.sqrt(), 0.005);
    }
    assert!(full.cwnd() > 28.0);
}

/// Fast convergence of §4.7.
#[test]
fn a_window_that_did_not_come_back_leaves_more_room() {
    for (fast_convergence, w_max, k) in
        [(true, 0.85 * 80.0, 3.107_232_506), (false, 80.0, 3.914_867_641)]
    {
        let plan = CubicPlan { fast_convergence, ..CubicPlan::default() };
        let mut full = full(plan, 100, Span::from_milliseconds(100));
        full.congestion();
        full.window.set_cwnd(80 * MSS);
        full.fill();
        full.congestion();
        assert_eq!((full.law.w_max, full.law.cwnd_prior, full.cwnd()), (w_max, 80.0, 56.0));
        full.ack();
        near(full.k(), k, 1e-9);
        // Above the window of the previous congestion: no longer lowered.
        full.window.set_cwnd(90 * MSS);
        full.fill();
        full.congestion();
        near(full.law.w_max, 90.0, 1e-4);
    }
}

/// Avoidance after a slow start begins where the function is flat (§4.8 and 4.10).
#[test]
fn after_slow_start_the_function_begins_at_its_origin() {
    let mut full = full(CubicPlan::default(), 50, Span::from_milliseconds(100));
    full.ack();
    assert_eq!((full.k(), full.law.epoch.unwrap().origin), (0.0, 50.0));
    near(full.law.cwnd_prior, 50.0, 0.0);
    full.congestion();
    let (now, flight, window) = (full.now, &full.flight, &mut full.window);
    full.law.on_timeout(&mut Timeout { now, flight, window });
    full.window.set_cwnd(35 * MSS);
    full.fill();
    full.ack();
    assert_eq!((full.k(), full.law.epoch.unwrap().origin), (0.0, 35.0));
}

/// Time of §5.8: neither that without anything in flight nor that of windows that are not filled
/// counts.
#[test]
fn time_that_an_application_limits_does_not_count() {
    let grown_in_3_s = |pause: &dyn Fn(&mut Full)| {
        let mut full = full(CubicPlan::default(), 100, Span::from_milliseconds(100));
        full.congestion();
        full.run(1.0);
        let cwnd = full.window.cwnd();
        pause(&mut full);
        assert_eq!(full.window.cwnd(), cwnd);
        full.run(2.0);
        full.cwnd()
    };
    let always = grown_in_3_s(&|_| {});
    let idle = grown_in_3_s(&|full| {
        full.now += Span::from_seconds(100);
        full.flight.snd_max = full.flight.snd_una;
        let (start, end, flight) = (full.flight.snd_una, full.flight.snd_una + MSS, &full.flight);
        full.law.on_sent(&Transmission { now: full.now, start, end, flight });
        full.fill();
    });
    let limited = grown_in_3_s(&|full| {
        for _ in 0..1000 {
            full.now += full.round_trip;
            full.flight.snd_una += MSS;
            full.flight.snd_max = full.flight.snd_una + 10 * MSS;
            let mut ack = Ack::of_test(full.now, MSS, &full.flight, &mut full.window);
            assert_eq!(full.law.on_ack(&mut ack), Opening::Done);
        }
        full.fill();
    });
    near(idle, always, 1e-3);
    near(limited, always, 1e-3);
}

/// Mean window of §5.1 with a loss in every 1/p segments: of the cubic function (C (3 + β)/(4 (1 -
/// β)))^¼ (RTT/p)^¾, and where Reno's is larger √(3/(2p)). Windows approach it slowly, since the
/// function is flat there, so they begin at its peak.
#[test]
fn the_response_function() {
    let plan = CubicPlan { fast_convergence: false, ..CubicPlan::default() };
    for (p, round_trip, is_cubic) in [
        (1e-5_f64, 0.1_f64, true),
        (1e-4, 0.1, true),
        (1e-3, 0.2, true),
        (1e-3, 0.01, false),
        (1e-2, 0.1, false),
    ] {
        let cubic = libm::pow(0.4 * 3.7 / 1.2, 0.25) * libm::pow(round_trip / p, 0.75);
        let reno = (1.5_f64 / p).sqrt();
        assert_eq!(cubic > reno, is_cubic);
        let mut full = full(plan, (cubic / 0.925) as u64, span(round_trip));
        full.congestion();
        let (mut area, mut measured) = (0.0, 0.0);
        for cycle in 0..40 {
            for _ in 0..(1.0 / p) as u64 {
                let (cwnd, at) = (full.cwnd(), full.now);
                full.ack();
                if cycle >= 20 {
                    area += cwnd * (full.now - at).seconds_f64();
                    measured += (full.now - at).seconds_f64();
                }
            }
            full.congestion();
        }
        near(area / measured, cubic.max(reno), 0.05);
    }
}

/// Data sent before a timeout are still outstanding after it. A loss on the way back once left 0.7
/// of them, 70 windows of now, and slow start overshot again and again.
#[test]
fn what_an_earlier_window_left_outstanding_is_no_part_of_this_one() {
    let mut full = full(CubicPlan::default(), 10, Span::from_milliseconds(100));
    full.flight.snd_max = full.flight.snd_una + 1000 * MSS;
    full.reduce();
    assert_eq!(full.window.ssthresh(), 7 * MSS);
}

/// A hole that is filled acknowledges a thousand segments at once; a window of ten opens by no more
/// than an ACK of ten would open it.
#[test]
fn a_filled_hole_opens_a_window_by_one_round_trip_at_most() {
    let mut law = Cubic::new(CubicPlan::default());
    let grown = law.grown(Time::ZERO, Span::from_milliseconds(10), 10.0, 1000.0);
    assert!(grown <= 11.0 + 1e-9, "{grown}");
}

/// Undo of §4.9: after a spurious loss at 100 segments, in avoidance with K = ∛(30/0.4) since a
/// loss before, the window goes on along the function of that loss.
#[test]
fn a_spurious_loss_leaves_the_function_as_it_was() {
    let state = |full: &Full| {
        let Epoch { zero, k, origin, w_est } = full.law.epoch.expect("avoidance has begun");
        (zero, k, origin, w_est, full.law.w_max, full.law.cwnd_prior)
    };
    let mut full = full(CubicPlan::default(), 100, Span::from_milliseconds(100));
    full.congestion();
    full.run(2.0);
    let (before, cwnd) = (state(&full), full.window.cwnd());
    full.congestion();
    let (now, flight, window) = (full.now, &full.flight, &mut full.window);
    full.law.on_timeout(&mut Timeout { now, flight, window });
    assert_eq!((full.law.w_max, full.law.epoch.is_none()), (0.0, true));
    full.law.undo();
    full.window.set_cwnd(cwnd);
    full.fill();
    assert_eq!(state(&full), before);
    near(full.k(), 4.217_163_327, 1e-9);
    full.run(4.217 - full.now.seconds_f64());
    near(full.cwnd(), 100.0, 0.01);
    // Nothing is left to take back, and a mark is no loss.
    full.law.undo();
    near(full.law.w_max, 100.0, 0.0);
    let (flight, window) = (&full.flight, &mut full.window);
    let (cause, bytes) = (Cause::Mark, flight.size());
    full.law.on_congestion(&mut Congested { cause, bytes, flight, window });
    full.law.undo();
    assert!(full.law.epoch.is_none());
}
