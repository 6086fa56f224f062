//! Vegas (Brakmo and Peterson 1995, IEEE JSAC 13(8)): the window follows the number of packets that
//! the flow has in queues, and grows before a loss only as far as that number is small.
//!
//! `diff = cwnd - cwnd·BaseRTT/RTT`, in segments: the difference of the expected and the actual
//! rate, times `BaseRTT`, the shortest round trip ever seen. Once per round trip cwnd grows by a
//! segment if diff is below `alpha`, and shrinks by one if it is above `beta`. Slow start opens the
//! window in every other round trip and compares in between; it ends when diff is above `gamma`.
//! Parameters in segments: `alpha` 2, `beta` 4, `gamma` 1.
//!
//! Chosen: RTT is the shortest of the round, where the paper times one segment: a delayed ACK or a
//! burst does not count. A round without a full window does not open it. A loss halves the flight,
//! as in Reno.
//!
//! Departures: the paper's own retransmissions, by fine timers at the first duplicate ACK, are left
//! to the rule. Its windows are paced in no way, nor are they here.

use super::law::{Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
use super::round::Round;
use super::{Ack, Window};
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::units::Span;

const SEGMENTS: Interval = Interval { min: Bound::Beyond(0.0), max: Bound::From(1e6) };
const LEAST_SEGMENTS: u64 = 2;

part! {
    /// Parameters of Vegas.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct VegasPlan {
        /// Segments in queues below which the window grows.
        alpha: f64 = default("2", "1") as Kind::Number(SEGMENTS),
        /// Segments in queues above which the window shrinks; at least `alpha`.
        beta: f64 = default("4", "3") as Kind::Number(SEGMENTS),
        /// Segments in queues above which slow start ends.
        gamma: f64 = default("1", "2") as Kind::Number(SEGMENTS),
    }
    finish VegasPlan::checked;
}

impl VegasPlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        if self.alpha <= self.beta {
            return Ok(self);
        }
        let (place, alpha, beta) = (section.place(), self.alpha, self.beta);
        let message = format!(
            "`{place}.alpha` of {alpha} is above the `beta` of {beta}; expected at most that"
        );
        Err(Fault::new(&section.spanned::<f64>("alpha")?.at, message))
    }
}

/// Values of the paper.
impl Default for VegasPlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// State of Vegas.
#[derive(Clone, Debug)]
pub(super) struct Vegas {
    plan: VegasPlan,
    base: Option<Span>,
    round: Round,
    /// Shortest round trip of the round.
    shortest: Option<Span>,
    diff: Option<f64>,
    /// True in a round of slow start that leaves the window, so that rates can be compared.
    is_held: bool,
}

impl Vegas {
    pub(super) fn new(plan: VegasPlan) -> Self {
        let (round, is_held) = (Round::default(), false);
        Self { plan, base: None, round, shortest: None, diff: None, is_held }
    }

    /// Segments in queues; `None` in a round without a round trip.
    fn queued(&self, window: &Window) -> Option<f64> {
        let (base, rtt) = (self.base?.seconds_f64(), self.shortest?.seconds_f64());
        Some(window.cwnd() as f64 / window.mss() as f64 * (1.0 - base / rtt))
    }

    fn end_round(&mut self, is_filled: bool, is_slow_start: bool, window: &mut Window) {
        let VegasPlan { alpha, beta, gamma } = self.plan;
        let queued = self.queued(window);
        self.shortest = None;
        let was_held = self.is_held;
        self.is_held = is_slow_start && !was_held;
        let Some(diff) = queued else { return };
        self.diff = queued;
        if is_slow_start {
            if was_held && diff > gamma {
                window.set_ssthresh(window.cwnd());
            }
        } else if diff < alpha {
            if is_filled {
                window.open(window.mss());
            }
        } else if diff > beta {
            let least = LEAST_SEGMENTS * window.mss();
            window.set_cwnd((window.cwnd() - window.mss()).max(least));
            window.set_ssthresh(window.ssthresh().min(window.cwnd()));
        }
    }
}

impl Law for Vegas {
    fn needs(&self) -> LawNeeds {
        LawNeeds { round_trips: true, ..LawNeeds::default() }
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        if let Some(rtt) = ack.latest_rtt {
            self.base = Some(self.base.map_or(rtt, |base| base.min(rtt)));
            self.shortest = Some(self.shortest.map_or(rtt, |shortest| shortest.min(rtt)));
        }
        let is_slow_start = |window: &Window| window.cwnd() < window.ssthresh();
        if self.round.ends(ack.flight) {
            let was_in_flight = ack.flight.size() + ack.acked + ack.flight.deferred();
            let is_filled = was_in_flight + ack.window.mss() > ack.window.cwnd() && !ack.ecn_echo;
            self.end_round(is_filled, is_slow_start(ack.window), ack.window);
        }
        if is_slow_start(ack.window) && !self.is_held { Opening::Standard } else { Opening::Done }
    }

    fn left_of(&self, bytes: u64) -> u64 {
        bytes / 2
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        self.round.restart(congested.flight);
        self.shortest = None;
        self.is_held = false;
        congested.window.set_ssthresh(self.left_of(congested.bytes));
        InRecovery::Rule
    }

    fn values(&self) -> &'static [LawValue] {
        &[LawValue { name: "base_rtt", unit: "s" }, LawValue { name: "diff", unit: "1" }]
    }

    fn value(&self, index: usize) -> Option<f64> {
        if index == 0 { self.base.map(Span::seconds_f64) } else { self.diff }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::Flight;
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    const MSS: u64 = 1000;

    /// cwnd in segments after rounds of these round trips, each acknowledged as a whole, and
    /// ssthresh in segments.
    fn after(cwnd: u64, ssthresh: u64, rounds: &[i64]) -> (u64, u64) {
        let mut law = Vegas::new(VegasPlan::default());
        let mut window = Window::of(MSS, cwnd * MSS, ssthresh * MSS, MAX_WINDOW);
        let mut flight = Flight { snd_max: cwnd * MSS, ..Flight::default() };
        for &rtt in rounds {
            let mut ack = Ack::of_test(Time::ZERO, flight.size(), &flight, &mut window);
            ack.latest_rtt = Some(Span::from_milliseconds(rtt));
            let mut ended = Flight { snd_una: flight.snd_max, ..flight.clone() };
            ack.flight = &ended;
            if law.on_ack(&mut ack) == Opening::Standard {
                ack.window.open(ack.acked);
            }
            ended.snd_max = ended.snd_una + window.cwnd();
            flight = ended;
        }
        (window.whole_segments(), window.ssthresh() / MSS)
    }

    /// Thresholds of section 4.2 of the paper: 20 segments over 100 ms have 20·(1 - 100/RTT) in
    /// queues, 1.8 at 110 ms, 3.3 at 120 ms, 4.6 at 130 ms.
    #[test]
    fn the_window_moves_by_a_segment_outside_alpha_and_beta() {
        // The first round trip, of 100 ms, opens it, too.
        assert_eq!(after(19, 2, &[100]), (20, 2));
        assert_eq!(after(19, 2, &[100, 110]), (21, 2));
        assert_eq!(after(19, 2, &[100, 120]), (20, 2));
        assert_eq!(after(19, 2, &[100, 130]), (19, 2));
        // 0.9 of the window: 4.5 of five segments shrink it, 3.6 of four do not.
        assert_eq!(after(5, 4, &[100, 1000, 1000, 1000, 1000]), (4, 4));
    }

    /// Slow start of section 4.3: twice as much in every other round, and an end above gamma: 16
    /// segments with 1.05 queued at 107 ms, 0.93 at 106.2.
    #[test]
    fn slow_start_opens_every_other_round_until_a_segment_is_queued() {
        assert_eq!(after(4, 1000, &[100, 100, 100, 100]).0, 16);
        assert_eq!(after(4, 1000, &[100, 100, 100, 100, 106]), (16, 1000));
        assert_eq!(after(4, 1000, &[100, 100, 100, 100, 107, 107]), (16, 16));
    }
}
