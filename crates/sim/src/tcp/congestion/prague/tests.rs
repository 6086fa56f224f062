//! The law ACK by ACK.

#![allow(clippy::float_cmp, reason = "values that are exact")]

use super::*;
use crate::tcp::scaling::MAX_WINDOW;

const MSS: u64 = 1000;

/// A sender of whole segments that is acknowledged one by one.
struct Sender {
    law: Prague,
    window: Window,
    flight: Flight,
    now: Time,
    rtt: Span,
}

impl Sender {
    fn new(plan: PraguePlan, cwnd: u64, rtt: i64) -> Self {
        let flight = Flight { snd_max: cwnd * MSS, ..Flight::default() };
        let window = Window::of(MSS, cwnd * MSS, 0, MAX_WINDOW);
        let mut law = Prague::new(plan);
        law.round.restart(&flight);
        let rtt = Span::from_milliseconds(rtt);
        Self { law, window, flight, now: Time::ZERO + rtt, rtt }
    }

    /// Acknowledges a segment, and sends what the window then lets out.
    fn ack(&mut self, is_marked: bool) {
        self.flight.snd_una += MSS;
        let mut ack = Ack::of_test(self.now, MSS, &self.flight, &mut self.window);
        (ack.srtt, ack.ecn_echo) = (Some(self.rtt), is_marked);
        ack.marked = if is_marked { MSS } else { 0 };
        assert_eq!(self.law.on_ack(&mut ack), Opening::Done);
        self.flight.snd_max = self.flight.snd_una + self.window.cwnd() / MSS * MSS;
    }

    /// Rounds of an ACK for each segment in flight, of which `marked` says which are marked.
    fn rounds(&mut self, rounds: u64, marked: impl Fn(u64) -> bool) {
        for _ in 0..rounds {
            let segments = (self.flight.snd_max - self.flight.snd_una) / MSS;
            (0..segments).for_each(|segment| self.ack(marked(segment)));
            self.now += self.rtt;
        }
    }

    fn lose(&mut self) -> u64 {
        self.law.on_congestion(&mut Congested {
            cause: Cause::Loss,
            bytes: self.flight.snd_max - self.flight.snd_una,
            flight: &self.flight,
            window: &mut self.window,
        });
        self.window.ssthresh()
    }
}

fn plan(transition: u32) -> PraguePlan {
    PraguePlan { transition, ..PraguePlan::default() }
}

/// An ACK opens W segments by 1/W: W² grows by two with each. With 5 ms it does by one 25th of
/// that, from the transition on.
#[test]
fn growth_in_time_is_that_of_25_ms() {
    let grown = |rtt, transition| {
        let mut sender = Sender::new(plan(transition), 40, rtt);
        sender.rounds(100, |_| false);
        let segments = sender.window.cwnd() as f64 / MSS as f64;
        let acks = (sender.flight.snd_una / MSS) as f64;
        (segments * segments - 1600.0) / (2.0 * acks)
    };
    for (rtt, transition, expected) in [(50, 0, 1.0), (5, 1000, 1.0), (5, 0, 0.04)] {
        let found = grown(rtt, transition);
        assert!((found / expected - 1.0).abs() < 0.01, "{rtt} {transition} {found}");
    }
}

/// By hand: alpha is 1 until the first mark, at which cwnd becomes half; then 15/16, and a 16th of
/// one mark among about forty segments.
#[test]
fn alpha_begins_with_the_first_mark() {
    let mut sender = Sender::new(plan(0), 40, 50);
    sender.rounds(3, |_| false);
    assert_eq!(sender.law.alpha, 1.0);
    let cwnd = sender.window.cwnd();
    sender.ack(true);
    assert!((sender.window.cwnd() as f64 / cwnd as f64 - 0.5).abs() < 1e-3);
    while sender.law.alpha == 1.0 {
        sender.rounds(1, |_| false);
    }
    let fraction = 16.0 * sender.law.alpha - 15.0;
    assert!((1.0 / 46.0..1.0 / 36.0).contains(&fraction), "{fraction}");
}

/// Further marks reduce nothing for a round, and for 25 ms where a round is shorter: of ten
/// rounds of 5 ms that are marked one in five reduces.
#[test]
fn a_round_is_reduced_once() {
    let reductions = |rtt| {
        let mut sender = Sender::new(plan(0), 40, rtt);
        let mut times = Vec::new();
        for _ in 0..400 {
            let was = sender.law.reduced.map(|reduced| reduced.at);
            sender.rounds(1, |segment| segment % 10 == 0);
            let is = sender.law.reduced.map(|reduced| reduced.at);
            times.extend(is.filter(|_| is != was));
        }
        let spans: Vec<Span> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        spans.into_iter().min().expect("many reductions")
    };
    assert_eq!(reductions(5), Span::from_milliseconds(25));
    assert!(reductions(50) >= Span::from_milliseconds(50));
}

/// What a mark has taken is not taken again by a loss of the same window: 40 segments become 20 by
/// both, and by the loss alone.
#[test]
fn a_loss_behind_a_mark_leaves_half_of_all() {
    let mut sender = Sender::new(plan(0), 40, 50);
    sender.ack(true);
    let taken = sender.law.reduced.expect("it is reduced").taken;
    assert!(taken.abs_diff(20 * MSS) < MSS, "{taken}");
    sender.flight.snd_max = sender.flight.snd_una + sender.window.cwnd();
    assert!(sender.lose().abs_diff(20 * MSS) < MSS);
    let mut alone = Sender::new(plan(0), 40, 50);
    assert_eq!(alone.lose(), 20 * MSS);
}

/// A window per round trip is 8 W/RTT.
#[test]
fn segments_leave_at_the_window_per_round_trip() {
    let rate = |ssthresh| {
        let window = Window::of(MSS, 40 * MSS, ssthresh, MAX_WINDOW);
        let law = Prague::new(plan(0));
        law.pace(&window, Some(Span::from_milliseconds(20))).map(Rate::bits_per_second)
    };
    assert_eq!([rate(0), rate(100 * MSS)], [Some(16_000_000), Some(32_000_000)]);
}
