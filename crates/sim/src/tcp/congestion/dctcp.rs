//! DCTCP (RFC 8257): a mark reduces the window by as much as marks are frequent.
//!
//! `alpha` estimates the fraction of bytes that are marked. At the end of each window of data it
//! becomes `(1 - g) alpha + g M`, M the bytes acknowledged with an echo over all that were
//! acknowledged in the window (§3.3). A mark reduces cwnd to `cwnd (1 - alpha/2)`, once per window
//! (§3.3); growth and the reaction to losses are those of Reno (§3.5). Parameter: `gain` g, 1/16.
//! alpha begins at 1 (§4.2), as a classic ECN sender.
//!
//! With `avoidance = "counted"` the window opens for the data acknowledged and is whole segments,
//! as in Linux, which has Reno's growth: a mark takes `cwnd alpha/2` rounded down, so none below
//! `cwnd = 2/alpha`, and begins the count anew.
//!
//! Receivers echo each mark ([`EcnEcho::Dctcp`](crate::tcp::EcnEcho), §3.2) unless `ecn_echo` says
//! otherwise. Departures: a loss in a window that a mark has reduced does not reduce it again.
//! `ecn` is a key of its own; without it this is Reno. alpha is exact; Linux has it in units of
//! 1/1024 and rounds down.

use super::additive::{Additive, Avoidance};
use super::law::{Cause, Congested, InRecovery, Law, LawValue, Opening};
use super::round::Round;
use super::{Ack, Window};
use crate::language::kinds::BETWEEN_ZERO_AND_ONE;
use crate::language::part::prelude::*;

part! {
    /// Parameters of DCTCP.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct DctcpPlan {
        /// Part of the estimate that a window of data replaces.
        gain: f64 = default("0.0625", "0.25") as Kind::Number(BETWEEN_ZERO_AND_ONE),
    }
}

/// Values of RFC 8257.
impl Default for DctcpPlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// State of DCTCP.
#[derive(Clone, Debug)]
pub(super) struct Dctcp {
    plan: DctcpPlan,
    reno: Additive,
    alpha: f64,
    round: Round,
    /// Bytes acknowledged in the present window of data.
    acked: u64,
    /// Bytes of these that were acknowledged with an echo.
    marked: u64,
}

impl Dctcp {
    pub(super) fn new(plan: DctcpPlan) -> Self {
        let (reno, round) = (Additive::new(Avoidance::Standard), Round::default());
        Self { plan, reno, alpha: 1.0, round, acked: 0, marked: 0 }
    }

    /// Makes a law whose windows are whole segments.
    pub(super) fn counted(plan: DctcpPlan) -> Self {
        Self { reno: Additive::new(Avoidance::Counted), ..Self::new(plan) }
    }

    /// ssthresh after a mark.
    fn left_at_mark(&self, window: &Window) -> u64 {
        let (cwnd, mss) = (window.cwnd(), window.mss());
        if self.reno.is_counted() {
            cwnd - (cwnd as f64 * self.alpha / 2.0) as u64 / mss * mss
        } else {
            (cwnd as f64 * (1.0 - self.alpha / 2.0)) as u64
        }
    }

    fn count(&mut self, ack: &Ack<'_>) {
        let bytes = ack.report.map_or(ack.acked, |delivered| delivered.bytes);
        self.acked += bytes;
        self.marked += ack.marked;
        if self.round.ends(ack.flight) && self.acked > 0 {
            let fraction = self.marked as f64 / self.acked as f64;
            self.alpha += self.plan.gain * (fraction - self.alpha);
            (self.acked, self.marked) = (0, 0);
        }
    }
}

impl Law for Dctcp {
    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        self.count(ack);
        Opening::Standard
    }

    fn on_ack_in_recovery(&mut self, ack: &mut Ack<'_>) {
        self.count(ack);
    }

    fn avoid(&mut self, ack: &mut Ack<'_>) {
        self.reno.avoid(ack);
    }

    fn left_of(&self, bytes: u64) -> u64 {
        bytes / 2
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        let Congested { cause, bytes, ref mut window, .. } = *congested;
        if cause == Cause::Mark {
            window.set_ssthresh(self.left_at_mark(window));
        } else {
            window.set_ssthresh(self.left_of(bytes));
        }
        self.reno.on_reduced(window);
        InRecovery::Rule
    }

    fn values(&self) -> &'static [LawValue] {
        &[LawValue { name: "alpha", unit: "1" }]
    }

    fn value(&self, _index: usize) -> Option<f64> {
        Some(self.alpha)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;
    use crate::tcp::congestion::Flight;
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    /// Recursion of §3.3 by hand: alpha 1, then a window with a quarter marked: 15/16 + 1/64. A
    /// mark then leaves 1 - alpha/2 of cwnd, a loss one half.
    #[test]
    fn alpha_follows_the_fraction_of_marked_bytes() {
        let mut law = Dctcp::new(DctcpPlan::default());
        let mut window = Window::of(1000, 8000, 0, MAX_WINDOW);
        let mut flight = Flight { snd_max: 8000, ..Flight::default() };
        law.round.restart(&flight);
        for segment in 0..8 {
            flight.snd_una += 1000;
            let mut ack = Ack::of_test(Time::ZERO, 1000, &flight, &mut window);
            ack.marked = if segment < 2 { 1000 } else { 0 };
            law.on_ack(&mut ack);
        }
        assert_eq!(law.alpha, 15.0 / 16.0 + 1.0 / 64.0);
        flight.snd_max += 8000;
        for (cause, left) in [(Cause::Mark, 4187), (Cause::Loss, 4000)] {
            law.on_congestion(&mut Congested {
                cause,
                bytes: 8000,
                flight: &flight,
                window: &mut window,
            });
            assert_eq!(window.ssthresh(), left);
        }
    }

    /// Whole segments of 20 with alpha/2 of 0.19, 0.05 and 0.04: three, one and none are taken. A
    /// mark begins the count anew: 20 segments after it, not 10, open the window.
    #[test]
    fn a_mark_takes_whole_segments_of_a_counted_window() {
        for (alpha, taken) in [(0.38, 3), (0.1, 1), (0.08, 0)] {
            let mut law = Dctcp { alpha, ..Dctcp::counted(DctcpPlan::default()) };
            let mut window = Window::of(1000, 20_000, 0, MAX_WINDOW);
            let flight = &Flight::default();
            law.avoid(&mut Ack::of_test(Time::ZERO, 10_000, flight, &mut window));
            let (cause, bytes) = (Cause::Mark, 20_000);
            law.on_congestion(&mut Congested { cause, bytes, flight, window: &mut window });
            window.lower_to_ssthresh();
            let left = 1000 * (20 - taken);
            assert_eq!((window.ssthresh(), window.cwnd()), (left, left), "{alpha}");
            let mut opened = |acked| {
                law.avoid(&mut Ack::of_test(Time::ZERO, acked, flight, &mut window));
                window.cwnd() - left
            };
            assert_eq!([left - 1000, 1000].map(&mut opened), [0, 1000], "{alpha}");
        }
    }

    /// Fixed point of §3.3: with a constant fraction F of marks alpha comes to F, and its distance
    /// shrinks by 1 - g per window.
    #[test]
    fn a_constant_fraction_is_the_fixed_point() {
        let mut law = Dctcp::new(DctcpPlan::default());
        let mut window = Window::of(1000, 8000, 0, MAX_WINDOW);
        let mut flight = Flight { snd_max: 4000, ..Flight::default() };
        law.round.restart(&flight);
        for round in 1..=60 {
            for segment in 0..4 {
                flight.snd_una += 1000;
                let mut ack = Ack::of_test(Time::ZERO, 1000, &flight, &mut window);
                ack.marked = if segment == 0 { 1000 } else { 0 };
                law.on_ack(&mut ack);
                if segment == 3 {
                    flight.snd_max += 4000;
                    law.round.restart(&flight);
                }
            }
            let expected = 0.25 + 0.75 * libm::pow(15.0 / 16.0, f64::from(round));
            assert!((law.alpha - expected).abs() < 1e-12, "{round}: {}", law.alpha);
        }
    }
}
