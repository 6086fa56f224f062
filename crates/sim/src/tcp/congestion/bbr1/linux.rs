//! Details of Linux 6.18 that the draft has not, or has in another way.
//!
//! * Windows are whole segments: the bandwidth-delay product is rounded up, and what is in flight
//!   to an even number; in the phase of 1.25 there are two segments more.
//! * The surplus of ACKs is added to cwnd ([`aggregation`](super::aggregation)), and a
//!   [policer](super::policer) ends probes.
//! * Segments leave in bursts (`paced_bursts`), at 1 % less than the estimate; the send quantum has
//!   the bytes of 1/1024 s, two segments at least, or one below 1.2 Mbit/s.
//! * The largest rate is that of this round and ten before; a sample shorter than the shortest
//!   round trip ends no round.
//! * Bytes in flight, where a state or phase ends by them, are those at the instant at which the
//!   pacer lets the next burst go.
//! * A recovery begins a round, in which what is delivered is sent; one that begins with the ACK
//!   that ends another goes on with its cwnd.
//!
//! Source: the behaviour of Linux 6.18 (`tcp_bbr`, since 4.9; aggregation since 5.1), in our own
//! words. Departures: the round trip of the SYN is no sample; time has no ticks of 4 ms.

use super::aggregation::Aggregation;
use super::policer::{Facts, Policer};
use super::{Bbr1, State};
use crate::tcp::congestion::law::Congested;
use crate::tcp::congestion::{Delivered, Flight, Window};
use crate::tcp::outstanding::Log;
use crate::tcp::paced_bursts::burst_of;
use crate::units::{Rate, Time};

/// Pacing below the estimate.
const MARGIN: f64 = 0.99;

/// State of the details.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Linux {
    pub(super) aggregation: Aggregation,
    policer: Policer,
    /// Bytes delivered when the latest recovery ended, with cwnd at its end.
    ended: Option<(u64, u64)>,
}

impl Bbr1 {
    /// The bandwidth: that of a policer if there is one.
    pub(super) fn bandwidth(&self) -> f64 {
        let policed = self.linux.as_ref().and_then(|linux| linux.policer.rate());
        policed.unwrap_or_else(|| self.rates.max())
    }

    pub(super) fn is_policed(&self) -> bool {
        self.linux.as_ref().is_some_and(|linux| linux.policer.rate().is_some())
    }

    pub(super) fn margin(&self) -> f64 {
        if self.linux.is_some() { MARGIN } else { 1.0 }
    }

    /// Ends of rounds for which a recovery sends what is delivered.
    pub(super) fn conserved(&self) -> u64 {
        u64::from(self.linux.is_none())
    }

    /// Bytes in flight that cwnd allows.
    pub(super) fn target(&self, mss: u64) -> u64 {
        let Some(linux) = &self.linux else { return self.inflight(self.cwnd_gain(), mss) };
        let bandwidth = self.bandwidth();
        let surplus = if self.is_filled { linux.aggregation.surplus(bandwidth) } else { 0 };
        self.inflight_of_linux(bandwidth, self.cwnd_gain(), surplus, mss)
    }

    /// Bytes in flight that a gain wants, and a surplus.
    pub(super) fn inflight_of_linux(&self, rate: f64, gain: f64, surplus: u64, mss: u64) -> u64 {
        let product = match self.min_rtt {
            Some(min_rtt) => gain * rate * min_rtt.seconds_f64() / 8.0,
            None => self.initial_cwnd as f64,
        };
        let segments = (product / mss as f64).ceil() as u64 + surplus / mss;
        let even = (segments + 3 * self.burst(mss)).next_multiple_of(2);
        let is_first = matches!(self.state, State::ProbeBw { phase: 0, .. });
        mss * (even + if is_first { 2 } else { 0 })
    }

    /// Bytes of `in_flight` that will be when the pacer lets the next burst go, with that if the
    /// gain is above one.
    pub(super) fn at_release(&self, now: Time, in_flight: u64, log: &Log, mss: u64) -> u64 {
        if self.linux.is_none() {
            return in_flight;
        }
        let burst = match self.pacing_gain() {
            gain if gain > 1.0 => self.burst(mss),
            _ => 0,
        };
        let wait = log.paced_until.max(now) - now;
        let delivered = self.rates.max() * wait.seconds_f64() / 8.0 / mss as f64;
        (in_flight + burst * mss).saturating_sub(delivered as u64 * mss)
    }

    fn burst(&self, mss: u64) -> u64 {
        burst_of(Rate::from_bits_per_second(self.pacing_rate as u64), mss)
    }

    /// Notes the end of a recovery, before cwnd is restored.
    pub(super) fn note_end_of_recovery(&mut self, cwnd: u64) {
        let (total, is_recovering) = (self.latest_total, self.is_recovering);
        if let Some(linux) = &mut self.linux {
            linux.ended = is_recovering.then_some((total, cwnd));
        }
    }

    /// True if a recovery goes on after the end of another, by the same ACK.
    pub(super) fn goes_on(&mut self, congested: &mut Congested<'_>) -> bool {
        let delivered = congested.flight.log().delivered();
        let ended = self.linux.as_mut().and_then(|linux| linux.ended.take());
        let Some((_, cwnd)) = ended.filter(|(total, _)| *total == delivered) else { return false };
        congested.window.set_cwnd(cwnd);
        self.is_recovering = true;
        true
    }

    /// Takes an ACK into the details.
    pub(super) fn update_linux(
        &mut self,
        now: Time,
        report: &Delivered,
        flight: &Flight,
        window: &Window,
    ) {
        let Some(sample) = report.rate.filter(|sample| sample.is_long) else { return };
        let (mss, cwnd) = (window.mss(), window.cwnd());
        let starts_round = self.rounds.starts;
        let facts = Facts {
            now,
            delivered: report.total,
            lost: flight.log().lost_so_far(),
            shows_loss: report.lost > 0,
            starts_round,
            is_app_limited: sample.is_app_limited,
            is_probe_bw: matches!(self.state, State::ProbeBw { .. }),
        };
        let Some(linux) = &mut self.linux else { return };
        if linux.policer.on_ack(&facts) {
            self.begin_probe_bw(now);
        }
        let bandwidth = self.bandwidth();
        let Some(linux) = &mut self.linux else { return };
        if starts_round {
            linux.aggregation.on_round();
        }
        linux.aggregation.on_ack(now, report.bytes, bandwidth, cwnd, mss);
    }
}
