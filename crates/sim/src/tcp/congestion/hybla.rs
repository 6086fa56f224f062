//! Hybla (Caini and Firrincieli 2004, Int. J. Satellite Communications and Networking 22(5)): a
//! window that grows in time as that of a Reno with a round trip of `rtt0`, and whose rate does,
//! too: it is `rho` times as large.
//!
//! `rho = RTT/rtt0`, at least 1. The initial window is multiplied by rho. An ACK opens the window
//! by `2^rho - 1` segments in slow start, and by `rho²/cwnd` in avoidance. Congestion halves the
//! flight. Parameter: `rtt0`, 25 ms.
//!
//! Chosen: RTT is the shortest one, so that a queue of its own does not make the window grow
//! faster. It is known with the first ACK, which multiplies the window. Slow start stops at
//! ssthresh: an ACK may stand for a thousand segments. An ACK counts once, in Linux, too.
//!
//! Departures: ssthresh at the start is as written, not multiplied by rho. Where rho is above 1
//! `hystart` and `byte_counting` have no part in slow start. The paper advises to pace; `pacing`
//! does.

use super::Ack;
use super::law::{Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
use crate::language::part::prelude::*;
use crate::units::Span;

const RTT0: Kind = Kind::Time { min: Span::from_milliseconds(1) };

part! {
    /// Parameters of Hybla.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct HyblaPlan {
        /// Round trip of the Reno whose growth it has.
        rtt0: Span = default("25 ms", "\"50 ms\"") as RTT0,
    }
}

/// Values of the paper.
impl Default for HyblaPlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// State of Hybla.
#[derive(Clone, Debug)]
pub(super) struct Hybla {
    plan: HyblaPlan,
    min_rtt: Option<Span>,
    /// Part of a byte that the window has grown by besides.
    fraction: f64,
}

impl Hybla {
    pub(super) fn new(plan: HyblaPlan) -> Self {
        Self { plan, min_rtt: None, fraction: 0.0 }
    }

    fn rho(&self) -> f64 {
        let ratio = |rtt: Span| rtt.seconds_f64() / self.plan.rtt0.seconds_f64();
        self.min_rtt.map_or(1.0, |rtt| ratio(rtt).max(1.0))
    }

    fn open(&mut self, ack: &mut Ack<'_>, segments: f64, limit: u64) {
        let bytes = segments * ack.window.mss() as f64 + self.fraction;
        let whole = libm::floor(bytes);
        self.fraction = bytes - whole;
        ack.window.open((whole as u64).min(limit));
    }
}

impl Law for Hybla {
    fn needs(&self) -> LawNeeds {
        LawNeeds { round_trips: true, ..LawNeeds::default() }
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        if let Some(rtt) = ack.latest_rtt {
            let is_first = self.min_rtt.is_none();
            self.min_rtt = Some(self.min_rtt.map_or(rtt, |min| min.min(rtt)));
            if is_first {
                ack.window.set_cwnd((self.rho() * ack.window.cwnd() as f64) as u64);
            }
        }
        let (cwnd, ssthresh) = (ack.window.cwnd(), ack.window.ssthresh());
        if cwnd >= ssthresh || self.rho() <= 1.0 || ack.ecn_echo || ack.acked == 0 {
            return Opening::Standard;
        }
        self.open(ack, libm::exp2(self.rho()) - 1.0, ssthresh - cwnd);
        Opening::Done
    }

    fn avoid(&mut self, ack: &mut Ack<'_>) {
        let cwnd = ack.window.cwnd() as f64 / ack.window.mss() as f64;
        self.open(ack, self.rho() * self.rho() / cwnd, u64::MAX);
    }

    fn left_of(&self, bytes: u64) -> u64 {
        bytes / 2
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        congested.window.set_ssthresh(self.left_of(congested.bytes));
        self.fraction = 0.0;
        InRecovery::Rule
    }

    fn values(&self) -> &'static [LawValue] {
        &[LawValue { name: "rho", unit: "1" }]
    }

    fn value(&self, _index: usize) -> Option<f64> {
        Some(self.rho())
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;
    use crate::tcp::congestion::{Flight, Window};
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    const MSS: u64 = 1000;

    /// cwnd in segments after an ACK for each segment of `rounds` windows.
    fn grown(rtt: i64, cwnd: u64, ssthresh: u64, rounds: u32) -> f64 {
        let mut law = Hybla::new(HyblaPlan::default());
        let mut window = Window::of(MSS, cwnd * MSS, ssthresh * MSS, MAX_WINDOW);
        let flight = Flight::default();
        for _ in 0..rounds {
            for _ in 0..window.whole_segments() {
                let mut ack = Ack::of_test(Time::ZERO, MSS, &flight, &mut window);
                ack.latest_rtt = Some(Span::from_milliseconds(rtt));
                if law.on_ack(&mut ack) == Opening::Standard {
                    if ack.window.cwnd() < ack.window.ssthresh() {
                        ack.window.open(MSS);
                    } else {
                        law.avoid(&mut ack);
                    }
                }
            }
        }
        window.cwnd() as f64 / MSS as f64
    }

    /// Equations (8) and (9) of the paper: `W(t)/rho` is that of a Reno with 25 ms. From one
    /// segment 250 ms make ten windows of it, 2^10; in avoidance a window of 10·40 grows by 10·10
    /// per round trip.
    #[test]
    fn a_round_trip_grows_the_window_as_ten_of_25_ms() {
        assert_eq!(grown(25, 1, 1 << 20, 3), 8.0);
        // rho with the first ACK, which then opens 2^10 - 1.
        assert_eq!(grown(250, 1, 1 << 18, 1), 10.0 + 1023.0);
        let (short, long) = (grown(25, 40, 1, 10) / 40.0, grown(250, 40, 1, 1) / 400.0);
        assert!((short - 50.0 / 40.0).abs() < 0.02 && (long - 1.0).abs() < 0.05, "{short} {long}");
    }

    #[test]
    fn slow_start_stops_at_ssthresh() {
        assert_eq!(grown(500, 1, 64, 1), 64.0);
    }
}
