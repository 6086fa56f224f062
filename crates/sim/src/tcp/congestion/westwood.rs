//! Westwood+ (Grieco and Mascolo 2004, ACM CCR 34(2)): growth of Reno, but congestion leaves as
//! much as the path has carried lately, and not one half.
//!
//! Once per round trip a sample of the bandwidth is the data acknowledged in it over its length. A
//! filter keeps `gain` of its value, and takes the rest from the sample; 0.9. Congestion sets
//! ssthresh to the bandwidth times the shortest round trip ever seen; cwnd becomes that, if it is
//! more, and one segment after a timeout.
//!
//! Chosen: a round that a recovery interrupts lasts until its end, so the data that it repairs
//! count over the time it took. The first sample is the first value. Before it, congestion halves
//! the flight. An estimate above cwnd leaves ssthresh at cwnd, except after a timeout: a recovery
//! sets cwnd to ssthresh, and must not raise it. Samples of an application that limits the flight
//! count, as in the paper. With `avoidance = "counted"` windows open for the data acknowledged and
//! are whole segments, as Linux has Reno's growth here, too.

use super::Ack;
use super::additive::{Additive, Avoidance};
use super::law::{Cause, Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
use super::round::Round;
use crate::language::kinds::BETWEEN_ZERO_AND_ONE;
use crate::language::part::prelude::*;
use crate::units::{Span, Time};

part! {
    /// Parameters of Westwood+.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct WestwoodPlan {
        /// Part of the bandwidth that its filter keeps at a sample.
        gain: f64 = default("0.9", "0.8") as Kind::Number(BETWEEN_ZERO_AND_ONE),
    }
}

/// Values of the paper.
impl Default for WestwoodPlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// State of Westwood+.
#[derive(Clone, Debug)]
pub(super) struct Westwood {
    plan: WestwoodPlan,
    reno: Additive,
    min_rtt: Option<Span>,
    round: Round,
    /// Start of the round, and `snd_una` then.
    since: Option<(Time, u64)>,
    /// Bytes per second.
    bandwidth: Option<f64>,
}

impl Westwood {
    pub(super) fn new(plan: WestwoodPlan) -> Self {
        let (reno, round) = (Additive::new(Avoidance::Standard), Round::default());
        Self { plan, reno, min_rtt: None, round, since: None, bandwidth: None }
    }

    /// Makes a law whose windows are whole segments.
    pub(super) fn counted(plan: WestwoodPlan) -> Self {
        Self { reno: Additive::new(Avoidance::Counted), ..Self::new(plan) }
    }

    fn measure(&mut self, ack: &Ack<'_>) {
        if let Some(rtt) = ack.latest_rtt {
            self.min_rtt = Some(self.min_rtt.map_or(rtt, |min| min.min(rtt)));
        }
        if !self.round.ends(ack.flight) {
            return;
        }
        let (now, snd_una) = (ack.now, ack.flight.snd_una);
        if let Some((start, before)) = self.since.replace((now, snd_una))
            && now > start
        {
            let sample = (snd_una - before) as f64 / (now - start).seconds_f64();
            let gain = self.plan.gain;
            self.bandwidth =
                Some(self.bandwidth.map_or(sample, |b| gain * b + (1.0 - gain) * sample));
        }
    }
}

impl Law for Westwood {
    fn needs(&self) -> LawNeeds {
        LawNeeds { round_trips: true, ..LawNeeds::default() }
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        self.measure(ack);
        Opening::Standard
    }

    fn on_ack_in_recovery(&mut self, ack: &mut Ack<'_>) {
        self.measure(ack);
    }

    fn avoid(&mut self, ack: &mut Ack<'_>) {
        self.reno.avoid(ack);
    }

    fn left_of(&self, bytes: u64) -> u64 {
        let carried = self.bandwidth.zip(self.min_rtt);
        carried.map_or(bytes / 2, |(bandwidth, rtt)| (bandwidth * rtt.seconds_f64()) as u64)
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        let Congested { cause, bytes, ref mut window, .. } = *congested;
        let left = self.left_of(bytes);
        let is_timeout = cause == Cause::Timeout;
        window.set_ssthresh(if is_timeout { left } else { left.min(window.cwnd()) });
        self.reno.on_reduced(window);
        InRecovery::Rule
    }

    fn values(&self) -> &'static [LawValue] {
        &[LawValue { name: "bandwidth", unit: "bit/s" }, LawValue { name: "min_rtt", unit: "s" }]
    }

    fn value(&self, index: usize) -> Option<f64> {
        if index == 0 {
            self.bandwidth.map(|bytes| 8.0 * bytes)
        } else {
            self.min_rtt.map(Span::seconds_f64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::{Flight, Window};
    use crate::tcp::scaling::MAX_WINDOW;

    /// Filter by hand: 10 kB in each of two rounds of 100 ms are 100 kB/s, then 20 kB in 100 ms:
    /// 0.9·100 + 0.1·200 = 110 kB/s. With 80 ms as the shortest round trip 8.8 kB are left.
    #[test]
    fn congestion_leaves_the_bandwidth_times_the_shortest_round_trip() {
        let mut law = Westwood::new(WestwoodPlan::default());
        let mut window = Window::of(1000, 30_000, 0, MAX_WINDOW);
        let mut flight = Flight::default();
        assert_eq!(law.left_of(30_000), 15_000);
        for (at, acked, rtt) in
            [(0, 0, 80), (100, 10_000, 90), (200, 10_000, 100), (300, 20_000, 95)]
        {
            flight.snd_una += acked;
            flight.snd_max = flight.snd_una + 5000;
            let now = Time::ZERO + Span::from_milliseconds(at);
            let mut ack = Ack::of_test(now, acked, &flight, &mut window);
            ack.latest_rtt = Some(Span::from_milliseconds(rtt));
            law.on_ack(&mut ack);
        }
        assert!((law.value(0).unwrap() - 880_000.0).abs() < 1e-3, "{law:?}");
        for (cause, cwnd, ssthresh) in
            [(Cause::Loss, 30_000, 8800), (Cause::Loss, 6000, 6000), (Cause::Timeout, 6000, 8800)]
        {
            window.set_cwnd(cwnd);
            law.on_congestion(&mut Congested {
                cause,
                bytes: 0,
                flight: &flight,
                window: &mut window,
            });
            assert_eq!(window.ssthresh(), ssthresh);
        }
    }
}
