//! BBR version 3 (draft-ietf-ccwg-bbr-06, 6 July 2026): rate and window follow a model of the path
//! with bounds from losses. Names of the draft stand at what has them; its sections are those
//! cited here and in the files of this module.
//!
//! States, as numbers of the series `state`: 0 Startup, 1 Drain, `ProbeBW` as 2 DOWN, 3 CRUISE,
//! 4 REFILL and 5 UP, 6 `ProbeRTT`. Gains of the rate 2.77, 0.5, 0.9, 1, 1, 1.25, 1, of cwnd 2, in
//! UP 2.25 and in `ProbeRTT` 0.5. The bandwidth is the largest delivery rate of this cycle and the
//! one before. Probes that lose more than 2 % bound the volume in flight for long, with a headroom
//! of 15 % outside probes; other losses bound rate and volume until the next probe, in a round to
//! no less than 0.7 of what they were. `ProbeRTT` is due every 5 s, for 200 ms and a round, with
//! half of the product in flight and four segments at least. Pacing is 1 % below the estimate.
//!
//! Rates are in bits per second of the sequence space, without headers. Chosen, where the draft
//! leaves it open: a congestion mark counts as a loss in its round, and ends a probe like excess
//! loss; a sample without a reliable rate is no round of a plateau; what a repair may take back is
//! saved once, as it begins. Departures: segments leave one by one, and the send quantum counts in
//! the window only; a pause that ends `ProbeRTT` restores cwnd with its first ACK; the round trip
//! of the SYN does not count.

mod aggregation;
mod cycle;
mod full_pipe;
mod long_term;
mod model;
mod repair;
mod round_trip;
mod sample;
mod short_term;
mod state;
#[cfg(test)]
mod tests;

use super::law::{Cause, Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
use super::{Ack, Lost, Timeout, Transmission, Window};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Rate, Span};
use model::Model;
use sample::Sample;
use short_term::UNLIMITED;
use state::STARTUP_GAIN;

part! {
    /// Parameters of BBR version 3.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Bbr3Plan {
        /// Age of the shortest round trip at which it is measured anew; twice that is its window.
        probe_rtt_interval: Span = default("5 s", "\"10 s\"") as POSITIVE_TIME,
    }
}

/// Values of the draft.
impl Default for Bbr3Plan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// Least factor by which a bound falls in a round: `BBR.Beta`.
const BETA: f64 = 0.7;
/// `BBR.MinPipeCwnd`.
const MIN_SEGMENTS: u64 = 4;
/// One less `BBR.PacingMarginPercent`.
const MARGIN: f64 = 0.99;

const VALUES: &[LawValue] = &[
    LawValue { name: "state", unit: "1" },
    LawValue { name: "bandwidth", unit: "bit/s" },
    LawValue { name: "max_bandwidth", unit: "bit/s" },
    LawValue { name: "pacing_rate", unit: "bit/s" },
    LawValue { name: "min_rtt", unit: "s" },
    LawValue { name: "inflight", unit: "B" },
    LawValue { name: "inflight_longterm", unit: "B" },
    LawValue { name: "inflight_shortterm", unit: "B" },
];

/// State of the law: the model, and the rate that follows from it.
#[derive(Debug)]
pub(super) struct Bbr3 {
    model: Model,
    /// bit/s; zero before the first round trip.
    pacing_rate: f64,
    /// Bytes delivered until which cwnd counts as filled.
    filled_until: u64,
    max_inflight: u64,
}

impl Bbr3 {
    pub(super) fn new(plan: Bbr3Plan) -> Self {
        let model = Model::new(plan.probe_rtt_interval);
        Self { model, pacing_rate: 0.0, filled_until: 0, max_inflight: 0 }
    }

    fn update(&mut self, ack: &mut Ack<'_>) {
        let Some(report) = ack.report else { return };
        if self.model.initial_cwnd == 0 {
            self.model.open(ack.now, ack.window.cwnd());
        }
        if report.prior_in_flight + ack.window.mss() > ack.window.cwnd() {
            self.filled_until = report.total + ack.flight.log().in_flight();
        }
        let mut sample = Sample::new(ack, report, report.total <= self.filled_until);
        let is_of_probe = |prior| self.model.has_limited(prior);
        sample.is_limited |= sample.prior_delivered.is_some_and(is_of_probe);
        self.model.on_ack(&sample);
        self.set_first_rate(ack.srtt);
        self.set_pacing_rate(self.model.state.pacing_gain());
        self.model.quantum = ((self.pacing_rate / 8e3) as u64).min(65_536).max(2 * sample.mss);
        self.set_cwnd(&sample, ack.window);
    }

    /// Sets the rate after the first round trip: the initial window in that time.
    fn set_first_rate(&mut self, srtt: Option<Span>) {
        if let Some(srtt) = srtt.filter(|srtt| self.pacing_rate == 0.0 && !srtt.is_zero()) {
            let bits = 8.0 * self.model.initial_cwnd as f64;
            self.pacing_rate = STARTUP_GAIN * bits / srtt.seconds_f64();
        }
    }

    fn set_pacing_rate(&mut self, gain: f64) {
        let rate = gain * self.model.bandwidth * MARGIN;
        if rate > 0.0 && (self.model.full_pipe.is_reached || rate > self.pacing_rate) {
            self.pacing_rate = rate;
        }
    }

    fn set_cwnd(&mut self, sample: &Sample, window: &mut Window) {
        self.max_inflight = self.model.max_inflight(sample.mss);
        if std::mem::take(&mut self.model.restores) {
            window.set_cwnd(window.cwnd().max(self.model.repair.prior_cwnd));
        }
        let grown = window.cwnd() + sample.bytes;
        let is_small = window.cwnd() < self.max_inflight || sample.total < self.model.initial_cwnd;
        let cwnd = if self.model.full_pipe.is_reached {
            grown.min(self.max_inflight)
        } else if is_small {
            grown
        } else {
            window.cwnd()
        };
        self.bound(cwnd, window);
    }

    /// Sets cwnd within the bounds of the model.
    fn bound(&self, cwnd: u64, window: &mut Window) {
        let mss = window.mss();
        window.set_cwnd(self.model.bounded(cwnd.max(MIN_SEGMENTS * mss), mss));
    }
}

impl Law for Bbr3 {
    fn needs(&self) -> LawNeeds {
        LawNeeds { samples: true, losses: true, pacing: true, random: true, ..LawNeeds::default() }
    }

    fn seed(&mut self, random: Stream) {
        self.model.random = Some(random);
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        self.update(ack);
        Opening::Done
    }

    fn on_ack_in_recovery(&mut self, ack: &mut Ack<'_>) {
        self.update(ack);
    }

    fn on_lost(&mut self, lost: &Lost<'_>) {
        self.model.on_lost(lost);
    }

    fn left_of(&self, _bytes: u64) -> u64 {
        UNLIMITED
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        let delivered = congested.flight.log().delivered();
        match congested.cause {
            Cause::Loss => self.model.on_loss(delivered),
            Cause::Mark => self.model.on_mark(delivered),
            Cause::Timeout => {}
        }
        InRecovery::Law
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) -> InRecovery {
        self.model.on_timeout(timeout.window.cwnd());
        InRecovery::Rule
    }

    fn on_recovered(&mut self, window: &mut Window) {
        self.model.repair.end();
        let prior = window.cwnd().max(self.model.repair.prior_cwnd);
        let most = if self.model.full_pipe.is_reached { self.max_inflight } else { UNLIMITED };
        self.bound(prior.min(most), window);
    }

    fn undo(&mut self) {
        self.model.undo();
    }

    fn on_sent(&mut self, sent: &Transmission<'_>) {
        if sent.flight.size() == 0 && sent.flight.log().is_app_limited() {
            self.model.restart(sent.now);
            if self.model.state.is_probe_bw() {
                self.set_pacing_rate(1.0);
            }
        }
    }

    fn pace(&self, window: &Window, srtt: Option<Span>) -> Option<Rate> {
        let rate = if self.pacing_rate > 0.0 {
            self.pacing_rate
        } else {
            let srtt = srtt.map_or(1e-3, Span::seconds_f64).max(1e-6);
            STARTUP_GAIN * 8.0 * window.cwnd() as f64 / srtt
        };
        Some(Rate::from_bits_per_second((rate as u64).max(1000)))
    }

    fn values(&self) -> &'static [LawValue] {
        VALUES
    }

    fn value(&self, index: usize) -> Option<f64> {
        let model = &self.model;
        let bytes = |volume| Some(volume as f64).filter(|_| volume != UNLIMITED && volume > 0);
        match index {
            0 => Some(f64::from(model.state as u8)),
            1 => Some(model.bandwidth).filter(|rate| *rate > 0.0),
            2 => Some(model.max_bandwidth()).filter(|rate| *rate > 0.0),
            3 => Some(self.pacing_rate).filter(|rate| *rate > 0.0),
            4 => model.round_trip.shortest.map(Span::seconds_f64),
            5 => bytes(self.max_inflight),
            6 => bytes(model.long.inflight),
            _ => bytes(model.short.inflight),
        }
    }
}
