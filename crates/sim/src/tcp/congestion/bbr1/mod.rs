//! BBR version 1 (draft-cardwell-iccrg-bbr-congestion-control-00; Cardwell et al., ACM Queue 14(5),
//! 2016), for comparison: rate and window follow a model of the path, the largest delivery rate of
//! ten rounds and the shortest round trip of ten seconds.
//!
//! States, as numbers of the series `state`: 0 Startup, gains 2/ln 2 until three rounds raise the
//! rate by less than a quarter; 1 Drain, the inverse rate until no more than the
//! bandwidth-delay product is in flight; 2 `ProbeBW`, rates of 1.25, 0.75 and six times 1, each for
//! a shortest round trip; 3 `ProbeRTT`, four segments for 200 ms and a round, if the shortest round
//! trip is ten seconds old. The window is twice the product in `ProbeBW`, and three send quanta. A
//! loss changes the window for one round only: what is delivered is sent.
//!
//! The [form](form::Bbr1Form) `linux` has the details of Linux 6.18, which the draft has not or has
//! in another way (`linux`).
//!
//! Rates are in bits per second of the sequence space, without headers. Chosen: the phase in which
//! `ProbeBW` begins is drawn from the random stream of the flow. Departures: a congestion mark
//! changes nothing; in the form `draft` segments leave one by one, the send quantum counts in the
//! window only.

mod aggregation;
mod form;
mod linux;
mod model;
mod policer;
mod state;

pub use form::{Bbr1Form, Bbr1Plan};

use super::law::{Cause, Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
use super::{Ack, Delivered, Timeout, Transmission, Window};
use crate::engine::Stream;
use crate::tcp::outstanding::Log;
use crate::units::{Rate, Span, Time};
use linux::Linux;
use model::Model;
use state::{CYCLE, HIGH_GAIN, State};

const PROBE_RTT: Span = Span::from_milliseconds(200);
const MIN_SEGMENTS: u64 = 4;

const VALUES: &[LawValue] = &[
    LawValue { name: "state", unit: "1" },
    LawValue { name: "bandwidth", unit: "bit/s" },
    LawValue { name: "min_rtt", unit: "s" },
    LawValue { name: "pacing_rate", unit: "bit/s" },
    LawValue { name: "inflight", unit: "B" },
];

/// State of the law; rates in bits per second.
#[expect(clippy::struct_excessive_bools, reason = "each holds alone")]
#[derive(Debug, Default)]
pub(super) struct Bbr1 {
    plan: Bbr1Plan,
    random: Option<Stream>,
    state: State,
    model: Model,
    pacing_rate: f64,
    has_round_trip: bool,
    restarts: bool,
    /// cwnd before recovery or `ProbeRTT`.
    prior_cwnd: u64,
    initial_cwnd: u64,
    is_recovering: bool,
    /// Round in which the recovery began, while what is delivered is sent.
    conserves: Option<u64>,
    /// True until all that a timeout has found lost is repaired.
    has_timed_out: bool,
    latest_bytes: u64,
    latest_total: u64,
    target: u64,
    /// Details of the form `linux`.
    linux: Option<Linux>,
}

impl Bbr1 {
    pub(super) fn new(plan: Bbr1Plan) -> Self {
        let linux = plan.is_linux().then(Linux::default);
        Self { plan, linux, ..Self::default() }
    }

    fn pacing_gain(&self) -> f64 {
        match self.policed() {
            Some(_) if self.state.is_probe_bw() => 1.0,
            _ => self.state.pacing_gain(),
        }
    }

    /// The rate that a policer allows, if there is one.
    fn policed(&self) -> Option<f64> {
        self.linux.as_ref().and_then(Linux::policed)
    }

    fn bandwidth(&self) -> f64 {
        self.policed().unwrap_or_else(|| self.model.rates.max())
    }

    fn margin(&self) -> f64 {
        if self.linux.is_some() { linux::MARGIN } else { 1.0 }
    }

    /// Bytes in flight that cwnd allows.
    fn target(&self, mss: u64) -> u64 {
        let gain = self.state.cwnd_gain();
        let Some(linux) = &self.linux else { return self.inflight(gain, mss) };
        let bandwidth = self.bandwidth();
        let surplus = if self.model.is_filled { linux.surplus(bandwidth) } else { 0 };
        self.whole_segments(bandwidth, gain, surplus, mss)
    }

    /// Bytes in flight that a gain wants, and a surplus, in the form `linux`.
    fn whole_segments(&self, rate: f64, gain: f64, surplus: u64, mss: u64) -> u64 {
        let product = self.model.product(rate, gain).unwrap_or(self.initial_cwnd as f64);
        let segments = (product / mss as f64).ceil() as u64 + surplus / mss;
        mss * linux::with_budget(segments, linux::burst(self.pacing_rate, mss), self.state)
    }

    /// Bytes of `in_flight` that count at the end of a state or phase.
    fn at_release(&self, now: Time, in_flight: u64, log: &Log, mss: u64) -> u64 {
        if self.linux.is_none() {
            return in_flight;
        }
        let burst = linux::burst(self.pacing_rate, mss);
        let sent = if self.pacing_gain() > 1.0 { burst * mss } else { 0 };
        let wait = log.paced_until.max(now) - now;
        let delivered = self.model.rates.max() * wait.seconds_f64() / 8.0 / mss as f64;
        (in_flight + sent).saturating_sub(delivered as u64 * mss)
    }

    /// Bytes in flight that a gain wants, with three send quanta.
    fn inflight(&self, gain: f64, mss: u64) -> u64 {
        if self.linux.is_some() {
            return self.whole_segments(self.model.rates.max(), gain, 0, mss);
        }
        let Some(product) = self.model.product(self.model.rates.max(), gain) else {
            return self.initial_cwnd;
        };
        let quantum = match self.pacing_rate {
            rate if rate < 1.2e6 => mss as f64,
            rate if rate < 24e6 => 2.0 * mss as f64,
            rate => (rate / 8e3).min(65_536.0),
        };
        (product + 3.0 * quantum) as u64
    }

    fn begin_probe_bw(&mut self, now: Time) {
        // Any phase but that of 0.75.
        let drawn = self.random.as_mut().map_or(0.0, Stream::unit);
        let phase = (8 - (7.0 * drawn) as usize) % CYCLE.len();
        self.state = State::ProbeBw { phase, since: now };
    }

    fn update_state(&mut self, now: Time, report: &Delivered, log: &Log, mss: u64) {
        if self.state == State::Startup && self.model.is_filled {
            self.state = State::Drain;
        }
        if self.state == State::Drain
            && self.at_release(now, log.in_flight(), log, mss) <= self.inflight(1.0, mss)
        {
            self.begin_probe_bw(now);
        }
        if let State::ProbeBw { phase, since } = self.state {
            let is_long = self.model.min_rtt.is_some_and(|min_rtt| now - since > min_rtt);
            let prior = self.at_release(now, report.prior_in_flight, log, mss);
            let gain = CYCLE[phase];
            let ends = if gain > 1.0 {
                is_long && (report.lost > 0 || prior >= self.inflight(gain, mss))
            } else {
                is_long || gain < 1.0 && prior <= self.inflight(1.0, mss)
            };
            if ends {
                self.state = State::ProbeBw { phase: (phase + 1) % CYCLE.len(), since: now };
            }
        }
    }

    /// Takes the round trip of an ACK, and leads through `ProbeRTT`.
    fn update_min_rtt(&mut self, now: Time, report: &Delivered, in_flight: u64, w: &mut Window) {
        let is_old = self.model.take_rtt(now, report.rtt, self.plan.probe_rtt_interval);
        if is_old && !self.restarts && !matches!(self.state, State::ProbeRtt { .. }) {
            self.save(w);
            self.state = State::ProbeRtt { until: None, round_done: false };
            self.model.probe_samples = Some((report.total, report.total));
        }
        self.restarts &= report.bytes == 0;
        let State::ProbeRtt { until, round_done } = self.state else { return };
        if let Some((_, to)) = &mut self.model.probe_samples {
            *to = report.total + in_flight;
        }
        match until {
            None if in_flight <= MIN_SEGMENTS * w.mss() => {
                self.model.rounds.begin(report.total);
                self.state = State::ProbeRtt { until: Some(now + PROBE_RTT), round_done: false };
            }
            None => {}
            Some(until) => {
                let round_done = round_done || self.model.rounds.starts;
                self.state = State::ProbeRtt { until: Some(until), round_done };
                if round_done && now > until {
                    self.end_probe_rtt(now, w);
                }
            }
        }
    }

    fn end_probe_rtt(&mut self, now: Time, window: &mut Window) {
        self.model.min_rtt_at = now;
        self.restore(window);
        self.state = State::Startup;
        if self.model.is_filled {
            self.begin_probe_bw(now);
        }
    }

    fn save(&mut self, window: &Window) {
        let is_modulated = self.is_recovering
            || self.has_timed_out
            || matches!(self.state, State::ProbeRtt { .. });
        let least = if is_modulated { self.prior_cwnd } else { 0 };
        self.prior_cwnd = window.cwnd().max(least);
    }

    fn restore(&mut self, window: &mut Window) {
        window.set_cwnd(window.cwnd().max(self.prior_cwnd));
    }

    fn set_pacing_rate(&mut self, srtt: Option<Span>) {
        if let Some(srtt) = srtt.filter(|srtt| !self.has_round_trip && !srtt.is_zero()) {
            self.has_round_trip = true;
            let rate = HIGH_GAIN * 8.0 * self.initial_cwnd as f64 / srtt.seconds_f64();
            self.pacing_rate = self.margin() * rate;
        }
        let rate = self.margin() * self.pacing_gain() * self.bandwidth();
        if rate > 0.0 && (self.model.is_filled || rate > self.pacing_rate) {
            self.pacing_rate = rate;
        }
    }

    fn set_cwnd(&mut self, report: &Delivered, in_flight: u64, window: &mut Window) {
        let mss = window.mss();
        self.target = self.target(mss);
        let mut cwnd = window.cwnd();
        if self.is_recovering {
            cwnd = cwnd.saturating_sub(report.lost).max(mss);
            let rounds = u64::from(self.linux.is_none());
            if self.conserves.is_some_and(|round| self.model.rounds.count > round + rounds) {
                self.conserves = None;
            }
        }
        if self.conserves.is_some() {
            cwnd = cwnd.max(in_flight + report.bytes);
        } else {
            if self.model.is_filled {
                cwnd = (cwnd + report.bytes).min(self.target);
            } else if cwnd < self.target || report.total < self.initial_cwnd {
                cwnd += report.bytes;
            }
            cwnd = cwnd.max(MIN_SEGMENTS * mss);
        }
        if matches!(self.state, State::ProbeRtt { .. }) {
            cwnd = cwnd.min(MIN_SEGMENTS * mss);
        }
        window.set_cwnd(cwnd);
    }

    fn update(&mut self, ack: &mut Ack<'_>) {
        let Some(report) = ack.report else { return };
        let in_flight = ack.flight.log().in_flight();
        if self.initial_cwnd == 0 {
            self.initial_cwnd = ack.window.cwnd();
            self.model.min_rtt_at = ack.now;
        }
        self.latest_bytes = report.bytes;
        self.latest_total = report.total;
        self.model.take_rate(report, self.linux.is_some());
        let state = (self.state, self.model.rounds.starts, self.model.rates.max());
        if let Some(linux) = &mut self.linux
            && linux.on_ack(ack, report, state)
        {
            self.begin_probe_bw(ack.now);
        }
        self.update_state(ack.now, report, ack.flight.log(), ack.window.mss());
        self.update_min_rtt(ack.now, report, in_flight, ack.window);
        self.set_pacing_rate(ack.srtt);
        self.set_cwnd(report, in_flight, ack.window);
    }
}

impl Law for Bbr1 {
    fn needs(&self) -> LawNeeds {
        let bursts = self.linux.is_some();
        LawNeeds { samples: true, pacing: true, random: true, bursts, ..LawNeeds::default() }
    }

    fn seed(&mut self, random: Stream) {
        self.random = Some(random);
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        (self.is_recovering, self.conserves) = (false, None);
        self.update(ack);
        Opening::Done
    }

    fn on_ack_in_recovery(&mut self, ack: &mut Ack<'_>) {
        self.update(ack);
    }

    fn left_of(&self, _bytes: u64) -> u64 {
        u64::MAX
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        let delivered = congested.flight.log().delivered();
        let kept = self.linux.as_mut().and_then(|linux| linux.kept_cwnd(delivered));
        if let Some(cwnd) = kept.filter(|_| congested.cause == Cause::Loss) {
            congested.window.set_cwnd(cwnd);
            self.is_recovering = true;
        } else if congested.cause == Cause::Loss {
            self.save(congested.window);
            self.is_recovering = true;
            self.conserves = Some(self.model.rounds.count);
            if self.linux.is_some() {
                self.model.rounds.begin(delivered);
            }
            let mss = congested.window.mss();
            let cwnd = congested.flight.log().in_flight() + self.latest_bytes.max(mss);
            congested.window.set_cwnd(cwnd);
        }
        InRecovery::Law
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) -> InRecovery {
        self.save(timeout.window);
        (self.is_recovering, self.conserves) = (false, None);
        self.has_timed_out = true;
        InRecovery::Rule
    }

    fn on_recovered(&mut self, window: &mut Window) {
        if let Some(linux) = self.linux.as_mut().filter(|_| self.is_recovering) {
            linux.end_recovery(self.latest_total, window.cwnd());
        }
        (self.is_recovering, self.conserves, self.has_timed_out) = (false, None, false);
        self.restore(window);
    }

    fn undo(&mut self) {
        (self.is_recovering, self.conserves, self.has_timed_out) = (false, None, false);
    }

    fn on_sent(&mut self, sent: &Transmission<'_>) {
        if sent.flight.size() == 0 && sent.flight.log().is_app_limited() {
            self.restarts = true;
            if self.state.is_probe_bw() {
                self.pacing_rate = self.margin() * self.bandwidth();
            }
            if let Some(linux) = &mut self.linux {
                linux.restart(sent.now);
            }
        }
    }

    fn pace(&self, window: &Window, srtt: Option<Span>) -> Option<Rate> {
        let rate = if self.pacing_rate > 0.0 {
            self.pacing_rate
        } else {
            HIGH_GAIN * 8.0 * window.cwnd() as f64 / srtt.map_or(1e-3, Span::seconds_f64).max(1e-6)
        };
        Some(Rate::from_bits_per_second((rate as u64).max(1000)))
    }

    fn values(&self) -> &'static [LawValue] {
        VALUES
    }

    fn value(&self, index: usize) -> Option<f64> {
        match index {
            0 => Some(self.state.number()),
            1 => Some(self.bandwidth()).filter(|rate| *rate > 0.0),
            2 => self.model.min_rtt.map(Span::seconds_f64),
            3 => Some(self.pacing_rate).filter(|rate| *rate > 0.0),
            _ => Some(self.target as f64).filter(|target| *target > 0.0),
        }
    }
}
