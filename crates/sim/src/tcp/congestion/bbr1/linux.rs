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
use super::state::State;
use crate::tcp::congestion::{Ack, Delivered};
use crate::tcp::paced_bursts::burst_of;
use crate::units::{Rate, Time};

/// Pacing below the estimate.
pub(super) const MARGIN: f64 = 0.99;

/// State of the details.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Linux {
    aggregation: Aggregation,
    policer: Policer,
    /// Bytes delivered when the latest recovery ended, with cwnd at its end.
    ended: Option<(u64, u64)>,
}

impl Linux {
    /// The rate that a policer allows, while one is known.
    pub(super) fn policed(&self) -> Option<f64> {
        self.policer.rate()
    }

    /// Surplus of ACKs, bytes.
    pub(super) fn surplus(&self, bandwidth: f64) -> u64 {
        self.aggregation.surplus(bandwidth)
    }

    /// Takes an ACK in a state, which may start a round, at the largest rate; true if a policer is
    /// forgotten.
    pub(super) fn on_ack(
        &mut self,
        ack: &Ack<'_>,
        report: &Delivered,
        (state, starts_round, largest): (State, bool, f64),
    ) -> bool {
        let Some(sample) = report.rate.filter(|sample| sample.is_long) else { return false };
        let is_forgotten = self.policer.on_ack(&Facts {
            now: ack.now,
            delivered: report.total,
            lost: ack.flight.log().lost_so_far(),
            shows_loss: report.lost > 0,
            starts_round,
            is_app_limited: sample.is_app_limited,
            is_probe_bw: state.is_probe_bw(),
        });
        if starts_round {
            self.aggregation.on_round();
        }
        let bandwidth = self.policed().unwrap_or(largest);
        let (cwnd, mss) = (ack.window.cwnd(), ack.window.mss());
        self.aggregation.on_ack(ack.now, report.bytes, bandwidth, cwnd, mss);
        is_forgotten
    }

    /// Takes the end of a pause.
    pub(super) fn restart(&mut self, now: Time) {
        self.aggregation.restart(now);
    }

    /// Notes the end of a recovery, before cwnd is restored.
    pub(super) fn end_recovery(&mut self, delivered: u64, cwnd: u64) {
        self.ended = Some((delivered, cwnd));
    }

    /// cwnd of the recovery that the ACK has ended with which another begins.
    pub(super) fn kept_cwnd(&mut self, delivered: u64) -> Option<u64> {
        let (_, cwnd) = self.ended.take().filter(|(at, _)| *at == delivered)?;
        Some(cwnd)
    }
}

/// Segments of a burst at a pacing rate in bits per second.
pub(super) fn burst(pacing_rate: f64, mss: u64) -> u64 {
    burst_of(Rate::from_bits_per_second(pacing_rate as u64), mss)
}

/// Segments in flight with three bursts, an even number, and two more in the phase of 1.25.
pub(super) fn with_budget(segments: u64, burst: u64, state: State) -> u64 {
    let even = (segments + 3 * burst).next_multiple_of(2);
    even + if matches!(state, State::ProbeBw { phase: 0, .. }) { 2 } else { 0 }
}
