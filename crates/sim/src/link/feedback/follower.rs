//! A source that follows the feedback it receives over a control link which takes no capacity.
//!
//! The capacity is exogenous, so the source owns a path of its own, evaluates the law there as far
//! as its reports have arrived, and sends no messages. Report k is over the interval from (k - 1) s
//! to k s and is heard `delay` later; it counts from the instant at which it is heard. Before the
//! first one the source has the rate at the path's beginning, known from its set-up.
//!
//! The switch may apply the law and report the result, or report samples to which the source
//! applies the law (Shakkottai et al. 2001, section VI-B). Both are the same here: every report
//! travels equally long.
//!
//! A unit is sent at the rate of each instant, as on the line: a report counts for the rest of the
//! unit. Departure: the paper's analysis holds the rate during a packet (assumption 2), and a
//! source that heard of an outage would then never recover from it.

use super::{AnyLaw, Average, FeedbackLaw};
use crate::link::capacity::{Capacity, WHOLE_BIT};
use crate::units::{Span, Time};

/// Reports from a line to a source: interval, delay and sharing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlLink {
    /// s: the measuring interval, after which a report leaves.
    pub interval: Span,
    /// Time from the end of an interval until its report is heard.
    pub delay: Span,
    /// Connections that share the line equally, this one among them.
    pub sharers: u64,
}

/// The rate of a source as a function of time.
#[derive(Debug)]
pub struct Follower {
    control: ControlLink,
    law: AnyLaw,
    capacity: Capacity,
    /// Number of reports heard.
    reports_received: i64,
    /// Feedback before the first report.
    first: Average,
    /// The end of the run; a unit that would be sent later is never sent.
    until: Time,
}

impl Follower {
    /// Makes a source at the beginning of a run that ends at `until`; `capacity` need not have a
    /// memory.
    pub fn new(control: ControlLink, law: AnyLaw, mut capacity: Capacity, until: Time) -> Self {
        // A rate in bits per second is also the number of parts of a bit sent in a picosecond.
        let rate = u128::from(capacity.rate_at(Time::ZERO).bits_per_second());
        let parts = rate * control.interval.picoseconds() as u128;
        Self {
            control,
            law,
            capacity,
            reports_received: 0,
            first: Average { parts, samples: 1 },
            until,
        }
    }

    /// The feedback last heard by `at`. Instants never decrease from call to call.
    pub fn value_at(&mut self, at: Time) -> Average {
        let interval = self.control.interval;
        let reports_received = reports(at, self.control);
        while self.reports_received < reports_received {
            let from = Time::ZERO + interval * self.reports_received;
            self.law.on_sample(self.capacity.carried_parts(from, from + interval));
            self.reports_received += 1;
        }
        self.law.value().unwrap_or(self.first)
    }

    /// Bits per second from `at` on, for reports.
    pub fn rate_at(&mut self, at: Time) -> f64 {
        let ControlLink { interval, sharers, .. } = self.control;
        self.value_at(at).bits_per_second_f64(interval, sharers)
    }

    /// The instant at which the last of `bits` has been sent, if the first is sent at `start`;
    /// [`Time::MAX`] if reports of zero outlast the run.
    pub fn finish(&mut self, start: Time, bits: u64) -> Time {
        let ControlLink { interval, delay, sharers } = self.control;
        let mut left = u128::from(bits) * WHOLE_BIT;
        let mut at = start;
        while at < self.until {
            let Average { parts, samples } = self.value_at(at);
            let end = Time::ZERO + interval * (self.reports_received + 1) + delay;
            // At this rate so many parts of a bit are sent in such a span.
            let span = interval.picoseconds() as u128 * u128::from(samples * sharers);
            let most = (end - at).picoseconds() as u128;
            if parts > 0 {
                let takes = (left * span).div_ceil(parts);
                if takes <= most {
                    return at + Span::from_picoseconds(takes as i64);
                }
            }
            left -= parts / span * most + parts % span * most / span;
            at = end;
        }
        Time::MAX
    }
}

/// Number of reports heard by `at`.
fn reports(at: Time, control: ControlLink) -> i64 {
    let since = (at - Time::ZERO) - control.delay;
    since.picoseconds().max(0) / control.interval.picoseconds()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Stream;
    use crate::link::capacity::listed;
    use crate::link::feedback::{EffCap, InstCap};

    const fn ms(milliseconds: i64) -> Span {
        Span::from_milliseconds(milliseconds)
    }

    const fn at(milliseconds: i64) -> Time {
        Time::from_picoseconds(ms(milliseconds).picoseconds())
    }

    fn instcap(pieces: &[(u64, i64)], delay: i64, sharers: u64) -> Follower {
        let control = ControlLink { interval: ms(10), delay: ms(delay), sharers };
        Follower::new(control, AnyLaw::InstCap(InstCap::default()), listed(pieces), at(2_000))
    }

    /// Rates of 8, then 4 bit/ms, each for 20 ms: from 30 ms + delay on the interval from 20 ms on
    /// is known.
    #[test]
    fn an_interval_is_known_one_delay_after_its_end() {
        let mut follower = instcap(&[(8_000, 20), (4_000, 20)], 5, 1);
        let rates = [0, 15, 34, 35, 54, 55].map(|now| follower.rate_at(at(now)).round() as u64);
        assert_eq!(rates, [8_000, 8_000, 8_000, 4_000, 4_000, 8_000]);
    }

    #[test]
    fn a_report_counts_for_what_is_left_of_a_unit() {
        let mut follower = instcap(&[(8_000, 20), (4_000, 20)], 5, 1);
        assert_eq!(follower.finish(at(20), 8 * 15), at(35));
        // 8 bit of 16 are left when the rate is halved.
        let mut follower = instcap(&[(8_000, 20), (4_000, 20)], 5, 1);
        assert_eq!(follower.finish(at(34), 16), at(37));
    }

    #[test]
    fn two_connections_have_half_the_rate_each() {
        let mut follower = instcap(&[(8_000, 20), (4_000, 20)], 5, 2);
        assert_eq!(follower.rate_at(at(40)).round() as u64, 2_000);
        assert_eq!(follower.finish(at(40), 16), at(48));
    }

    /// An interval of rate zero stops the source until a later one is reported.
    #[test]
    fn at_rate_zero_it_waits_for_the_next_report() {
        let mut follower = instcap(&[(8_000, 20), (0, 20)], 0, 1);
        assert_eq!(follower.finish(at(30), 8), at(51));
        let mut dead = instcap(&[(0, 20)], 0, 1);
        assert_eq!(dead.finish(at(30), 8), Time::MAX);
    }

    /// Minimum at the switch, heard a delay later: the minimum of the samples that were heard by
    /// then (section VI-B).
    #[test]
    fn effcap_at_the_source_is_effcap_at_the_switch() {
        let path = || {
            let mut stream = Stream::new(3, "sojourns");
            let mut sojourn =
                |rate| (rate, 1 + stream.span_below(ms(160)).picoseconds() / 1_000_000_000);
            let pieces = (0..200).flat_map(|_| [sojourn(800_000), sojourn(400_000)]);
            listed(&pieces.collect::<Vec<_>>())
        };
        let (interval, delay) = (ms(30), ms(200));
        let mut at_source = Follower::new(
            ControlLink { interval, delay, sharers: 1 },
            AnyLaw::EffCap(EffCap::new(7, 49)),
            path(),
            at(100_000),
        );
        let (mut law, mut samples) = (EffCap::new(7, 49), path());
        let mut reports = Vec::new();
        for number in 0..2000 {
            let from = Time::ZERO + interval * number;
            law.on_sample(samples.carried_parts(from, from + interval));
            reports.push((from + interval + delay, law.value()));
        }
        for now in (231..60_000).step_by(7) {
            let reports_received =
                reports.iter().rev().find(|(reports_received, _)| *reports_received <= at(now));
            assert_eq!(
                Some(at_source.value_at(at(now))),
                reports_received.and_then(|(_, value)| *value)
            );
        }
    }
}
