//! TCP Prague (De Schepper, Tilmans, Briscoe and others,
//! draft-briscoe-iccrg-prague-congestion-control-04, 2024): DCTCP for the Internet, whose rate does
//! not follow from a short round trip.
//!
//! `alpha` estimates the fraction of bytes that are marked, as in DCTCP: once per round it becomes
//! `(1 - g) alpha + g M`, from the first mark on, before which it is 1. A mark reduces cwnd to
//! `cwnd (1 - alpha/2)`, and further ones do not for a round (§2.4.2). Every byte acknowledged that
//! was not marked opens cwnd by `MSS/cwnd`, after a reduction, too (§2.4.1), unless the application
//! leaves it unused, as far as the rule's log tells. A loss halves the
//! flight, as Reno does; what a mark has taken in the same window of data is not taken again
//! (§2.4.3). Segments are paced at `cwnd/srtt`, twice that below half of ssthresh.
//!
//! From `transition` rounds after slow start on the round trip counts as no shorter than
//! `virtual_rtt` (§2.4.4): growth is multiplied by `(srtt/virtual_rtt)²`, and estimate and
//! reductions come once in a `virtual_rtt`. Parameters: `gain` g, 1/16; `virtual_rtt` 25 ms, where
//! nothing is off; `transition` 500.
//!
//! Data, ACKs and retransmissions have ECT(1) and the echo is accurate unless `l4s` and `ecn_echo`
//! say otherwise. Departures: `ecn` is a key of its own, without which this is Reno with pacing;
//! bursts of 250 µs are single segments; no fallback for queues that mark as RFC 3168 has it; the
//! `reductions` of results are windows of data with marks. Known by descriptions and by programs
//! that follow the draft, which itself could not be had.

use super::Ack;
use super::law::{Cause, Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
use super::round::Round;
use super::{Flight, Window};
use crate::language::kinds::{ANY_TIME, BETWEEN_ZERO_AND_ONE};
use crate::language::part::prelude::*;
use crate::units::{Rate, Span, Time};

part! {
    /// Parameters of TCP Prague.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PraguePlan {
        /// Part of the estimate that a round replaces.
        gain: f64 = default("0.0625", "0.25") as Kind::Number(BETWEEN_ZERO_AND_ONE),
        /// Least round trip that growth, estimate and reductions count with.
        virtual_rtt: Span = default("25 ms", "\"0 s\"") as ANY_TIME,
        /// Rounds after slow start from which on they do.
        transition: u32 = default("500", "0") as Kind::Integer { min: 0, max: 1_000_000 },
    }
}

/// Values of the draft.
impl Default for PraguePlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// A reduction for a mark.
#[derive(Clone, Copy, Debug)]
struct Reduced {
    at: Time,
    /// Sequence number after the data that were sent before it.
    end: u64,
    /// Bytes that it took from cwnd.
    taken: u64,
}

/// State of TCP Prague.
#[derive(Clone, Debug)]
pub(super) struct Prague {
    plan: PraguePlan,
    alpha: f64,
    /// True once a mark has come.
    is_marked: bool,
    round: Round,
    /// Rounds since slow start.
    rounds: u32,
    /// Beginning of the present round.
    began: Time,
    /// Bytes acknowledged in the present round.
    acked: u64,
    /// Bytes of these that were marked.
    marked: u64,
    /// Latest reduction for a mark.
    reduced: Option<Reduced>,
    /// Part of a byte that cwnd has grown by besides.
    fraction: f64,
}

impl Prague {
    pub(super) fn new(plan: PraguePlan) -> Self {
        Self {
            plan,
            alpha: 1.0,
            is_marked: false,
            round: Round::default(),
            rounds: 0,
            began: Time::ZERO,
            acked: 0,
            marked: 0,
            reduced: None,
            fraction: 0.0,
        }
    }

    /// Round trip that it counts with.
    fn round_trip(&self, srtt: Option<Span>) -> Span {
        let srtt = srtt.unwrap_or(Span::ZERO);
        if self.rounds >= self.plan.transition { srtt.max(self.plan.virtual_rtt) } else { srtt }
    }

    fn count(&mut self, ack: &Ack<'_>) {
        let bytes = delivered(ack);
        self.acked += bytes;
        self.marked += ack.marked;
        self.is_marked |= ack.marked > 0;
        let has_passed = ack.now - self.began >= self.round_trip(ack.srtt);
        if has_passed && self.round.ends(ack.flight) && self.acked > 0 {
            self.end_round(ack);
        }
    }

    fn end_round(&mut self, ack: &Ack<'_>) {
        if self.is_marked {
            let fraction = self.marked as f64 / self.acked as f64;
            self.alpha += self.plan.gain * (fraction - self.alpha);
        }
        if ack.window.cwnd() >= ack.window.ssthresh() {
            self.rounds = self.rounds.saturating_add(1);
        }
        (self.began, self.acked, self.marked) = (ack.now, 0, 0);
    }

    /// Reduces cwnd for a mark, unless it has done so within a round.
    fn reduce(&mut self, ack: &mut Ack<'_>) {
        let round_trip = self.round_trip(ack.srtt);
        if let Some(reduced) = self.reduced
            && (ack.flight.snd_una <= reduced.end || ack.now - reduced.at < round_trip)
        {
            return;
        }
        let cwnd = ack.window.cwnd();
        ack.window.set_ssthresh((cwnd as f64 * (1.0 - self.alpha / 2.0)) as u64);
        ack.window.lower_to_ssthresh();
        let taken = cwnd - ack.window.cwnd();
        self.reduced = Some(Reduced { at: ack.now, end: ack.flight.snd_max, taken });
    }

    fn grow(&mut self, ack: &mut Ack<'_>) {
        let round_trip = self.round_trip(ack.srtt);
        let ratio = match ack.srtt {
            Some(srtt) if srtt < round_trip => srtt.seconds_f64() / round_trip.seconds_f64(),
            _ => 1.0,
        };
        let unmarked = delivered(ack).saturating_sub(ack.marked) as f64;
        let (mss, cwnd) = (ack.window.mss() as f64, ack.window.cwnd() as f64);
        let bytes = ratio * ratio * unmarked * mss / cwnd + self.fraction;
        let whole = libm::floor(bytes);
        self.fraction = bytes - whole;
        ack.window.open(whole as u64);
    }

    /// Bytes that the latest mark has taken from the window of data that is reduced now.
    fn taken(&self, flight: &Flight) -> u64 {
        let is_same = |reduced: &Reduced| flight.snd_una < reduced.end;
        self.reduced.filter(is_same).map_or(0, |reduced| reduced.taken)
    }
}

fn delivered(ack: &Ack<'_>) -> u64 {
    ack.report.map_or(ack.acked, |delivered| delivered.bytes)
}

/// True unless the application leaves a part of cwnd free. A flow that is paced seldom fills it.
fn is_used(ack: &Ack<'_>) -> bool {
    let fills = || ack.flight.size() + ack.window.mss() > ack.window.cwnd();
    ack.report.is_none() || ack.unsent > 0 || fills()
}

impl Law for Prague {
    fn needs(&self) -> LawNeeds {
        LawNeeds { pacing: true, ..LawNeeds::default() }
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        self.count(ack);
        if ack.marked > 0 {
            self.reduce(ack);
        }
        if ack.window.cwnd() < ack.window.ssthresh() {
            return Opening::Standard;
        }
        if is_used(ack) {
            self.grow(ack);
        }
        Opening::Done
    }

    fn on_ack_in_recovery(&mut self, ack: &mut Ack<'_>) {
        self.count(ack);
    }

    fn left_of(&self, bytes: u64) -> u64 {
        bytes / 2
    }

    /// Answers a loss; marks are answered where ACKs bring them.
    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        if congested.cause == Cause::Mark {
            return InRecovery::Law;
        }
        let bytes = congested.bytes + self.taken(congested.flight);
        congested.window.set_ssthresh(self.left_of(bytes));
        InRecovery::Rule
    }

    fn pace(&self, window: &Window, srtt: Option<Span>) -> Option<Rate> {
        let seconds = srtt.filter(|srtt| *srtt > Span::ZERO)?.seconds_f64();
        let factor = if window.cwnd() < window.ssthresh() / 2 { 2.0 } else { 1.0 };
        let bits = factor * 8.0 * window.cwnd() as f64 / seconds;
        Some(Rate::from_bits_per_second((bits as u64).max(1)))
    }

    fn values(&self) -> &'static [LawValue] {
        &[LawValue { name: "alpha", unit: "1" }]
    }

    fn value(&self, _index: usize) -> Option<f64> {
        Some(self.alpha)
    }
}

#[cfg(test)]
mod tests;
