//! Detection of policers in Linux (since 4.9): two intervals of 4 to 16 rounds in a row that begin
//! and end with a loss, lose at least 50/256 of what they deliver, and deliver at rates within an
//! eighth of each other, or 4 kbit/s. Their mean is then the bandwidth for 48 rounds of `ProbeBW`,
//! without probes.

use crate::units::{Span, Time};

const LEAST_ROUNDS: u32 = 4;
const MOST_ROUNDS: u32 = 4 * LEAST_ROUNDS;
/// Part of the delivered bytes that a policer loses at least.
const LOST: f64 = 50.0 / 256.0;
/// Difference of rates that counts as none.
const RATIO: f64 = 1.0 / 8.0;
const DIFFERENCE: f64 = 4000.0;
/// Rounds for which the rate of a policer counts.
const KEPT_ROUNDS: u32 = 48;
/// Resolution of the clock of an interval.
const TICK: Span = Span::from_milliseconds(1);

/// Facts of an ACK.
#[expect(clippy::struct_excessive_bools, reason = "each holds alone")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) now: Time,
    /// Bytes delivered and lost so far.
    pub(super) delivered: u64,
    pub(super) lost: u64,
    /// True if the ACK shows a loss.
    pub(super) shows_loss: bool,
    pub(super) starts_round: bool,
    pub(super) is_app_limited: bool,
    pub(super) is_probe_bw: bool,
}

/// State of the detection; rates in bits per second.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Policer {
    /// Begin of the present interval, with the bytes delivered and lost before it.
    interval: Option<(Time, u64, u64)>,
    rounds: u32,
    /// Rate of the latest interval.
    rate: Option<f64>,
    is_found: bool,
}

impl Policer {
    /// The rate that a policer allows, while one is known.
    pub(super) fn rate(&self) -> Option<f64> {
        self.rate.filter(|_| self.is_found)
    }

    /// Takes an ACK; true if it is the end of the time for which a policer is known.
    pub(super) fn on_ack(&mut self, facts: &Facts) -> bool {
        if self.is_found {
            self.rounds += u32::from(facts.is_probe_bw && facts.starts_round);
            let ends = self.rounds >= KEPT_ROUNDS;
            if ends {
                *self = Self::default();
            }
            return ends;
        }
        let Some((began, delivered, lost)) = self.interval else {
            if facts.shows_loss {
                self.begin(facts);
            }
            return false;
        };
        self.rounds += u32::from(facts.starts_round);
        if facts.is_app_limited || self.rounds > MOST_ROUNDS {
            *self = Self::default();
        } else if self.rounds >= LEAST_ROUNDS && facts.shows_loss {
            let (delivered, lost) = (facts.delivered - delivered, facts.lost - lost);
            let time = facts.now - began;
            if delivered > 0 && lost as f64 >= LOST * delivered as f64 && time >= TICK {
                self.end(8.0 * delivered as f64 / time.seconds_f64(), facts);
            }
        }
        false
    }

    fn begin(&mut self, facts: &Facts) {
        self.interval = Some((facts.now, facts.delivered, facts.lost));
        self.rounds = 0;
    }

    /// Takes the rate of an interval that has ended.
    fn end(&mut self, rate: f64, facts: &Facts) {
        let is_like = |last: &f64| {
            let difference = (rate - last).abs();
            difference <= RATIO * last || difference <= DIFFERENCE
        };
        if let Some(last) = self.rate.filter(is_like) {
            (self.rate, self.is_found) = (Some(f64::midpoint(rate, last)), true);
            self.rounds = 0;
        } else {
            self.rate = Some(rate);
            self.begin(facts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes rounds of 10 ms that each deliver and lose so many bytes.
    fn after(policer: &mut Policer, now: &mut Facts, rounds: u32, delivered: u64, lost: u64) {
        for _ in 0..rounds {
            now.now += Span::from_milliseconds(10);
            (now.delivered, now.lost) = (now.delivered + delivered, now.lost + lost);
            now.shows_loss = lost > 0;
            policer.on_ack(now);
        }
    }

    fn begun() -> (Policer, Facts) {
        let mut policer = Policer::default();
        let facts = Facts {
            now: Time::ZERO,
            delivered: 0,
            lost: 1000,
            shows_loss: true,
            starts_round: true,
            is_app_limited: false,
            is_probe_bw: true,
        };
        policer.on_ack(&facts);
        (policer, facts)
    }

    /// 10 000 bytes in 10 ms are 8 Mbit/s.
    #[test]
    fn two_intervals_of_like_rates_find_a_policer() {
        let (mut policer, mut facts) = begun();
        after(&mut policer, &mut facts, 7, 10_000, 2000);
        assert_eq!(policer.rate(), None);
        after(&mut policer, &mut facts, 1, 10_000, 2000);
        assert_eq!(policer.rate().map(f64::round), Some(8e6));
    }

    #[test]
    fn rates_that_differ_by_more_than_an_eighth_find_none() {
        let (mut policer, mut facts) = begun();
        after(&mut policer, &mut facts, 4, 10_000, 2000);
        after(&mut policer, &mut facts, 4, 11_300, 2300);
        assert_eq!(policer.rate(), None);
        after(&mut policer, &mut facts, 4, 11_300, 2300);
        assert_eq!(policer.rate().map(f64::round), Some(9.04e6));
    }

    /// 19.5 % are the least.
    #[test]
    fn few_losses_find_none() {
        let (mut policer, mut facts) = begun();
        after(&mut policer, &mut facts, 40, 10_000, 1950);
        assert_eq!(policer.rate(), None);
    }

    #[test]
    fn a_policer_is_forgotten_after_48_rounds() {
        let (mut policer, mut facts) = begun();
        after(&mut policer, &mut facts, 8, 10_000, 2000);
        after(&mut policer, &mut facts, 47, 30_000, 0);
        assert!(policer.rate().is_some());
        after(&mut policer, &mut facts, 1, 30_000, 0);
        assert_eq!(policer.rate(), None);
    }
}
