//! Model of the path: the largest delivery rate of ten rounds, the shortest round trip of ten
//! seconds, and whether the pipe is full.

use super::super::Delivered;
use super::super::filters::{Rounds, WindowedMax};
use crate::units::{Span, Time};

const RATE_ROUNDS: u64 = 10;
/// Growth of the rate in a round by which the pipe is not full.
const GROWTH: f64 = 1.25;
/// Rounds without that growth after which it is.
const FULL_ROUNDS: u32 = 3;

/// Model of the path; rates in bits per second.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) rounds: Rounds,
    pub(super) rates: WindowedMax,
    pub(super) min_rtt: Option<Span>,
    /// Instant of the shortest round trip, or of the end of `ProbeRTT`.
    pub(super) min_rtt_at: Time,
    pub(super) is_filled: bool,
    /// Rate of the latest round that raised it by a quarter, and rounds since.
    full: (f64, u32),
    /// Values of `Rounds` between which samples are those of `ProbeRTT`.
    pub(super) probe_samples: Option<(u64, u64)>,
}

impl Model {
    /// Bytes that a rate has in the shortest round trip, by a gain.
    pub(super) fn product(&self, rate: f64, gain: f64) -> Option<f64> {
        self.min_rtt.map(|min_rtt| gain * rate * min_rtt.seconds_f64() / 8.0)
    }

    /// Takes the delivery rate of an ACK; in the form `linux` one that is shorter than the shortest
    /// round trip ends no round.
    pub(super) fn take_rate(&mut self, report: &Delivered, is_linux: bool) {
        let long = report.rate.filter(|sample| sample.is_long);
        let timing = if is_linux { long } else { report.rate };
        self.rounds.on_delivery(timing.map(|sample| sample.prior_delivered), report.total);
        let Some(sample) = long else { return };
        let is_of_probe = self
            .probe_samples
            .is_some_and(|(from, to)| (from..=to).contains(&sample.prior_delivered));
        let is_limited = sample.is_app_limited || is_of_probe;
        let rate = 8.0 * sample.delivered as f64 / sample.interval.seconds_f64();
        if rate >= self.rates.max() || !is_limited {
            let rounds = RATE_ROUNDS + u64::from(is_linux);
            self.rates.update(self.rounds.count, rate, rounds);
        }
        if !self.is_filled && self.rounds.starts && !is_limited {
            self.look_for_growth();
        }
    }

    fn look_for_growth(&mut self) {
        if self.rates.max() >= GROWTH * self.full.0 {
            self.full = (self.rates.max(), 0);
            return;
        }
        self.full.1 += 1;
        self.is_filled = self.full.1 >= FULL_ROUNDS;
    }

    /// Takes the round trip of an ACK; true if the shortest was older than `interval`.
    pub(super) fn take_rtt(&mut self, now: Time, rtt: Option<Span>, interval: Span) -> bool {
        let is_old = now - self.min_rtt_at > interval;
        if let Some(rtt) = rtt
            && (is_old || self.min_rtt.is_none_or(|min| rtt <= min))
        {
            (self.min_rtt, self.min_rtt_at) = (Some(rtt), now);
        }
        is_old
    }
}
