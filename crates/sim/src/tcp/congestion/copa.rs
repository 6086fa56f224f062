//! Copa (Arun and Balakrishnan, NSDI 2018): the rate moves towards `1/(delta dq)` segments per
//! second, dq the time that segments wait in queues.
//!
//! `dq = RTTstanding - RTTmin`: the shortest round trip of the last half of the smoothed one, less
//! that of the last 10 s. An ACK of a segment opens cwnd by `v/(delta cwnd)` segments while
//! `cwnd/RTTstanding` is at most the target, and else closes it by as much. Once per window the
//! direction is that of cwnd since the window before; the velocity `v` is 1, and doubles with each
//! window once the direction has held for three. Slow start doubles cwnd per round trip until it is
//! above the target. Segments are paced at `2 cwnd/RTTstanding`.
//!
//! Competitive mode: where queues have not been nearly empty, dq below a tenth of the range of the
//! round trips in the last four, within five round trips, 1/delta grows by 1 per round trip without
//! a loss, and is halved at a loss; delta is never above its default. It is off unless `competes`
//! is set, where the paper has it always: `docs/models/copa.md` has how it begins and does not end
//! without a competitor. Parameters: `delta` 0.5, `competes` false.
//!
//! Chosen: an ACK counts the segments that it delivers. The velocity moves cwnd by at most what is
//! delivered, so that it no more than doubles in a round trip; cwnd keeps two segments. A window
//! that is not filled does not grow. A loss in default mode leaves cwnd, which ACKs go on moving in
//! the recovery; after a timeout slow start begins anew. An ACK of a segment sent twice measures
//! nothing and moves cwnd by the last round trips known. Marks are not read.

use super::extreme::Extreme;
use super::law::{Cause, Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
use super::round::Round;
use super::{Ack, Timeout, Window};
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::units::{Rate, Span, Time};

const DELTA: Interval = Interval { min: Bound::From(1e-3), max: Bound::From(1.0) };
const MIN_RTT_WINDOW: Span = Span::from_seconds(10);
const LONGEST_ROUND_TRIPS: i64 = 4;
const NEARLY_EMPTY: f64 = 0.1;
const FULL_ROUND_TRIPS: i64 = 5;
const STEADY_ROUNDS: u32 = 3;
const LEAST_SEGMENTS: u64 = 2;

part! {
    /// Parameters of Copa.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CopaPlan {
        /// Weight of delay against rate: about 5/4 of 1/delta segments wait.
        delta: f64 = default("0.5", "0.1") as Kind::Number(DELTA),
        /// True if it takes a larger share beside flows that fill buffers.
        competes: bool = default("false", "true"),
    }
}

/// Values of the paper, without the competitive mode.
impl Default for CopaPlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// State of Copa.
#[expect(clippy::struct_excessive_bools, reason = "each holds alone")]
#[derive(Clone, Debug)]
pub(super) struct Copa {
    plan: CopaPlan,
    /// 1/delta of the present mode.
    weight: f64,
    is_starting: bool,
    standing: Extreme<false>,
    shortest: Extreme<false>,
    longest: Extreme<true>,
    /// `RTTstanding` and `RTTmin`.
    rtts: Option<(Span, Span)>,
    /// Latest instant at which queues were nearly empty.
    emptied: Option<Time>,
    competes_now: bool,
    round: Round,
    has_lost: bool,
    velocity: f64,
    /// Direction of cwnd, and the number of rounds that it has held for.
    is_up: bool,
    rounds: u32,
    /// cwnd at the start of the round, segments.
    before: f64,
    /// Part of a byte that belongs to cwnd besides.
    fraction: f64,
}

impl Copa {
    pub(super) fn new(plan: CopaPlan) -> Self {
        Self {
            plan,
            weight: 1.0 / plan.delta,
            is_starting: true,
            standing: Extreme::default(),
            shortest: Extreme::default(),
            longest: Extreme::default(),
            rtts: None,
            emptied: None,
            competes_now: false,
            round: Round::default(),
            has_lost: false,
            velocity: 1.0,
            is_up: true,
            rounds: 0,
            before: 0.0,
            fraction: 0.0,
        }
    }

    fn cwnd(&self, window: &Window) -> f64 {
        (window.cwnd() as f64 + self.fraction) / window.mss() as f64
    }

    /// Takes a round trip.
    fn measure(&mut self, now: Time, rtt: Span, srtt: Span) {
        let standing = self.standing.update(now, rtt, srtt / 2);
        let shortest = self.shortest.update(now, rtt, MIN_RTT_WINDOW);
        let longest = self.longest.update(now, rtt, srtt * LONGEST_ROUND_TRIPS);
        self.rtts = Some((standing, shortest));
        let (waits, range) = (standing - shortest, longest - shortest);
        if waits.seconds_f64() <= NEARLY_EMPTY * range.seconds_f64() {
            self.emptied = Some(now);
        }
        let emptied = *self.emptied.get_or_insert(now);
        let is_full = now - emptied > srtt * FULL_ROUND_TRIPS;
        self.competes_now = self.plan.competes && is_full;
        if !self.competes_now {
            self.weight = 1.0 / self.plan.delta;
        }
    }

    /// True while the rate is at most the target.
    fn is_below(&self, cwnd: f64) -> bool {
        let Some((standing, shortest)) = self.rtts else { return true };
        cwnd * (standing - shortest).seconds_f64() <= self.weight * standing.seconds_f64()
    }

    fn end_round(&mut self, cwnd: f64) {
        let is_up = cwnd > self.before;
        self.rounds = if is_up == self.is_up { self.rounds + 1 } else { 0 };
        self.velocity = if self.rounds >= STEADY_ROUNDS { 2.0 * self.velocity } else { 1.0 };
        (self.is_up, self.before) = (is_up, cwnd);
        if self.competes_now && !std::mem::take(&mut self.has_lost) {
            self.weight += 1.0;
        }
    }

    /// The window after `delivered` segments.
    fn moved(&mut self, cwnd: f64, delivered: f64) -> f64 {
        let is_below = self.is_below(cwnd);
        if self.is_starting && is_below {
            return cwnd + delivered;
        }
        if self.is_starting {
            (self.is_starting, self.velocity, self.rounds) = (false, 1.0, 0);
        }
        let step = delivered * (self.velocity * self.weight / cwnd).min(1.0);
        if is_below { cwnd + step } else { (cwnd - step).max(LEAST_SEGMENTS as f64) }
    }

    fn take(&mut self, ack: &mut Ack<'_>) {
        let Some(report) = ack.report else { return };
        if let Some(rtt) = ack.latest_rtt {
            self.measure(ack.now, rtt, ack.srtt.unwrap_or(rtt));
        }
        let mss = ack.window.mss();
        let cwnd = self.cwnd(ack.window);
        if self.round.ends(ack.flight) {
            self.end_round(cwnd);
        }
        let is_filled = report.prior_in_flight + mss > ack.window.cwnd();
        let moved = self.moved(cwnd, report.bytes as f64 / mss as f64);
        if moved > cwnd && !is_filled {
            return;
        }
        let bytes = moved * mss as f64;
        let whole = libm::floor(bytes);
        self.fraction = bytes - whole;
        ack.window.set_cwnd(whole as u64);
    }
}

impl Law for Copa {
    fn needs(&self) -> LawNeeds {
        LawNeeds { samples: true, pacing: true, ..LawNeeds::default() }
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        self.take(ack);
        Opening::Done
    }

    fn on_ack_in_recovery(&mut self, ack: &mut Ack<'_>) {
        self.take(ack);
    }

    fn left_of(&self, bytes: u64) -> u64 {
        bytes
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        if self.competes_now && congested.cause != Cause::Mark {
            self.has_lost = true;
            self.weight = (self.weight / 2.0).max(1.0 / self.plan.delta);
        }
        InRecovery::Law
    }

    fn on_timeout(&mut self, _timeout: &mut Timeout<'_>) -> InRecovery {
        (self.is_starting, self.velocity, self.rounds, self.fraction) = (true, 1.0, 0, 0.0);
        InRecovery::Rule
    }

    fn pace(&self, window: &Window, _srtt: Option<Span>) -> Option<Rate> {
        let (standing, _) = self.rtts?;
        let bits = 2.0 * 8.0 * window.cwnd() as f64 / standing.seconds_f64();
        Some(Rate::from_bits_per_second((bits as u64).max(1)))
    }

    fn values(&self) -> &'static [LawValue] {
        &[
            LawValue { name: "standing_rtt", unit: "s" },
            LawValue { name: "queueing_delay", unit: "s" },
            LawValue { name: "velocity", unit: "1" },
            LawValue { name: "delta", unit: "1" },
        ]
    }

    fn value(&self, index: usize) -> Option<f64> {
        let rtts = self.rtts;
        match index {
            0 => rtts.map(|(standing, _)| standing.seconds_f64()),
            1 => rtts.map(|(standing, shortest)| (standing - shortest).seconds_f64()),
            2 => Some(self.velocity),
            _ => Some(1.0 / self.weight),
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;
    use crate::tcp::congestion::{Delivered, Flight};

    const MILLISECOND: Span = Span::from_milliseconds(1);

    fn copa(standing: i64, shortest: i64) -> Copa {
        let mut copa = Copa::new(CopaPlan::default());
        copa.rtts = Some((MILLISECOND * standing, MILLISECOND * shortest));
        copa.is_starting = false;
        copa
    }

    /// Target of section 2: with 10 ms of waiting 1/(0.5·10 ms) = 200 segments/s, at 50 ms ten of
    /// them in flight. A segment then moves cwnd by 1/(0.5·10).
    #[test]
    fn the_window_moves_towards_the_target_rate() {
        let mut copa = copa(50, 40);
        assert_eq!((copa.moved(10.0, 1.0), copa.moved(10.001, 1.0) < 10.0), (10.2, true));
        copa.velocity = 4.0;
        assert_eq!(copa.moved(10.0, 1.0), 10.8);
        copa.velocity = 1e3;
        assert_eq!((copa.moved(10.0, 1.0), copa.moved(11.0, 1.0)), (11.0, 10.0));
    }

    /// Velocity of section 2.1: it doubles from the third round of a direction on.
    #[test]
    fn the_velocity_doubles_once_a_direction_has_held() {
        let mut copa = copa(50, 40);
        let found: Vec<f64> = [1.0, 2.0, 3.0, 4.0, 5.0, 4.0, 3.0, 2.0, 1.0]
            .into_iter()
            .map(|cwnd| {
                copa.end_round(cwnd);
                copa.velocity
            })
            .collect();
        assert_eq!(found, [1.0, 1.0, 2.0, 4.0, 8.0, 1.0, 1.0, 1.0, 2.0]);
    }

    /// What is repaired is sent twice, so that its ACKs are no samples of the round trip (RFC 6298
    /// §3); slow start after a timeout doubles cwnd all the same.
    #[test]
    fn an_ack_without_a_round_trip_moves_the_window() {
        let mut copa = copa(50, 40);
        let (flight, mut window) = (Flight::default(), Window::of(1000, 10_000, 8000, 100_000));
        copa.on_timeout(&mut Timeout { now: Time::ZERO, flight: &flight, window: &mut window });
        window.set_cwnd(1000);
        for prior_in_flight in [1000, 2000] {
            let report = Delivered { bytes: 1000, prior_in_flight, ..Delivered::default() };
            let mut ack = Ack::of_test(Time::ZERO, 1000, &flight, &mut window);
            ack.report = Some(&report);
            copa.take(&mut ack);
        }
        assert_eq!((window.cwnd(), copa.rtts.is_some()), (3000, true));
    }

    /// Mode of section 2.2: a queue that stays full for more than five round trips makes 1/delta
    /// grow, a loss halves it, and an empty queue ends the mode.
    #[test]
    fn a_queue_that_stays_full_begins_the_competitive_mode() {
        let mut copa = Copa::new(CopaPlan { competes: true, ..CopaPlan::default() });
        let at = |ms: i64| Time::ZERO + MILLISECOND * ms;
        copa.measure(at(0), MILLISECOND * 40, MILLISECOND * 100);
        for ms in 1..=50 {
            copa.measure(at(10 * ms), MILLISECOND * 100, MILLISECOND * 100);
            assert!(!copa.competes_now, "{ms}");
        }
        copa.measure(at(560), MILLISECOND * 100, MILLISECOND * 100);
        assert!(copa.competes_now);
        (0..6).for_each(|_| copa.end_round(10.0));
        assert_eq!(copa.weight, 8.0);
        let mut window = Window::of(1000, 10_000, 10_000, 100_000);
        let flight = Flight::default();
        let (cause, flight) = (Cause::Loss, &flight);
        let mut congested = Congested { cause, bytes: 0, flight, window: &mut window };
        assert_eq!(copa.on_congestion(&mut congested), InRecovery::Law);
        assert_eq!(copa.weight, 4.0);
        copa.measure(at(700), MILLISECOND * 40, MILLISECOND * 100);
        assert!(!copa.competes_now && copa.weight == 2.0);
    }
}
