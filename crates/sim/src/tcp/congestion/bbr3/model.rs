//! Model of the path and its state machine: the steps of section 5.2.3 of the draft for each ACK,
//! and those for each loss.

use super::aggregation::Aggregation;
use super::cycle::Cycle;
use super::full_pipe::{FullPipe, LostRanges};
use super::long_term::{LongTerm, inflight_at, is_too_high};
use super::repair::Repair;
use super::round_trip::RoundTrip;
use super::sample::Sample;
use super::short_term::{ShortTerm, UNLIMITED};
use super::state::{PROBE_RTT_GAIN, State};
use super::{BETA, MIN_SEGMENTS};
use crate::engine::Stream;
use crate::tcp::congestion::Lost;
use crate::tcp::congestion::filters::{Rounds, WindowedMax};
use crate::units::{Span, Time};

/// Cycles of the filter of the bandwidth: `BBR.MaxBwFilterLen`.
const CYCLES: u64 = 2;
/// Rounds after which Drain ends whatever is in flight.
const DRAIN_ROUNDS: u64 = 3;

/// State of the model; rates in bit/s.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) state: State,
    pub(super) random: Option<Stream>,
    /// `BBR.bw`.
    pub(super) bandwidth: f64,
    pub(super) full_pipe: FullPipe,
    pub(super) short: ShortTerm,
    pub(super) long: LongTerm,
    pub(super) round_trip: RoundTrip,
    pub(super) aggregation: Aggregation,
    /// `C.send_quantum`.
    pub(super) quantum: u64,
    pub(super) initial_cwnd: u64,
    pub(super) repair: Repair,
    /// True if cwnd is to be the prior one at least.
    pub(super) restores: bool,
    rounds: Rounds,
    rates: WindowedMax,
    cycle: Cycle,
    ranges: LostRanges,
    drain_round: u64,
    is_marked: bool,
    total: u64,
}

impl Model {
    pub(super) fn new(probe_rtt_interval: Span) -> Self {
        Self { round_trip: RoundTrip::new(probe_rtt_interval), ..Self::default() }
    }

    /// Begins at the first ACK.
    pub(super) fn open(&mut self, now: Time, cwnd: u64) {
        self.initial_cwnd = cwnd;
        self.round_trip.open(now);
        self.aggregation.restart(now);
    }

    /// `BBR.max_bw`.
    pub(super) fn max_bandwidth(&self) -> f64 {
        self.rates.max()
    }

    /// Bytes of a rate over the shortest round trip, times a gain.
    fn product(&self, bandwidth: f64, gain: f64) -> u64 {
        self.round_trip.shortest.map_or(self.initial_cwnd, |shortest| {
            (gain * bandwidth * shortest.seconds_f64() / 8.0) as u64
        })
    }

    /// A volume that segments and their offload can use: `QuantizationBudget`.
    fn budget(&self, volume: u64, mss: u64) -> u64 {
        let least = (3 * self.quantum).max(MIN_SEGMENTS * mss);
        volume.max(least) + if self.state == State::Up { 2 * mss } else { 0 }
    }

    /// Volume in flight for a gain of the rate: `Inflight`.
    fn inflight(&self, bandwidth: f64, gain: f64, mss: u64) -> u64 {
        self.budget(self.product(bandwidth, gain), mss)
    }

    /// `BBR.max_inflight`.
    pub(super) fn max_inflight(&self, mss: u64) -> u64 {
        let volume = self.product(self.bandwidth, self.state.cwnd_gain());
        self.budget(volume + self.aggregation.extra(), mss)
    }

    /// `ProbeRTTCwnd`.
    fn probe_rtt_cwnd(&self, mss: u64) -> u64 {
        self.product(self.bandwidth, PROBE_RTT_GAIN).max(MIN_SEGMENTS * mss)
    }

    /// cwnd within the bounds of the state: `BoundCwndForProbeRTT` and `BoundCwndForModel`.
    pub(super) fn bounded(&self, cwnd: u64, mss: u64) -> u64 {
        let least = MIN_SEGMENTS * mss;
        let long = match self.state {
            State::Down | State::Refill | State::Up => self.long.inflight,
            State::Cruise | State::ProbeRtt => self.long.with_headroom(mss, least),
            State::Startup | State::Drain => UNLIMITED,
        };
        let own = if self.state == State::ProbeRtt { self.probe_rtt_cwnd(mss) } else { UNLIMITED };
        cwnd.min(own).min(long.min(self.short.inflight).max(least))
    }

    /// True if samples of what was sent after so many bytes were delivered are those of `ProbeRTT`.
    pub(super) fn has_limited(&self, prior_delivered: u64) -> bool {
        self.round_trip.has_limited(prior_delivered)
    }

    /// Takes an ACK: `UpdateModelAndState`.
    pub(super) fn on_ack(&mut self, sample: &Sample) {
        self.total = sample.total;
        self.short.on_ack(sample);
        self.update_bandwidth(sample);
        self.adapt_short_term(sample);
        let (round, is_reached) = (self.rounds.count, self.full_pipe.is_reached);
        self.aggregation.on_ack(sample, self.bandwidth, round, is_reached);
        self.full_pipe.on_ack(sample, self.rounds.starts);
        self.check_startup(sample);
        self.check_drain(sample);
        self.update_cycle(sample);
        self.round_trip.on_ack(sample.now, sample.rtt);
        self.check_probe_rtt(sample);
        self.short.advance(sample);
        self.bandwidth = self.rates.max().min(self.short.bandwidth);
    }

    /// Takes the sample of the rate: `UpdateMaxBw`.
    fn update_bandwidth(&mut self, sample: &Sample) {
        self.rounds.on_delivery(sample.prior_delivered, sample.total);
        if self.rounds.starts {
            self.cycle.on_round();
        }
        if sample.rate > 0.0 && (sample.rate >= self.rates.max() || !sample.is_limited) {
            self.rates.update(self.cycle.count, sample.rate, CYCLES);
        }
    }

    fn adapt_short_term(&mut self, sample: &Sample) {
        if !self.short.is_round_start {
            return;
        }
        if self.short.is_loss_in_round && !self.state.is_probing() {
            self.short.adapt(self.rates.max(), sample.cwnd);
        }
        self.short.is_loss_in_round = false;
    }

    /// Ends Startup at a plateau of the rate, or after a round with many losses.
    fn check_startup(&mut self, sample: &Sample) {
        if self.short.is_round_start {
            let are_many = self.ranges.end_round();
            let is_long = self.repair.has_lasted(sample.prior_delivered);
            let is_high = are_many && is_long && is_too_high(sample.lost, sample.sent_in_flight);
            if is_high && self.state == State::Startup {
                self.repair.ended = Some(State::Startup);
                (self.full_pipe.is_full_now, self.full_pipe.is_reached) = (true, true);
                let product = self.product(self.bandwidth, 1.0);
                self.long.inflight = product.max(self.short.latest_delivered);
            }
        }
        if self.state == State::Startup && self.full_pipe.is_reached {
            (self.state, self.drain_round) = (State::Drain, self.rounds.count);
        }
    }

    fn check_drain(&mut self, sample: &Sample) {
        if self.state != State::Drain {
            return;
        }
        let is_drained = sample.in_flight <= self.inflight(self.bandwidth, 1.0, sample.mss);
        if is_drained || self.rounds.count > self.drain_round + DRAIN_ROUNDS {
            self.start_down(sample.now);
        }
    }

    fn start_down(&mut self, now: Time) {
        self.short.forget_signals();
        self.long.hold();
        self.cycle.begin(now, self.random.as_mut());
        self.rounds.begin(self.total);
        self.state = State::Down;
    }

    fn start_refill(&mut self) {
        self.short.lift();
        self.long.prepare();
        self.cycle.refill();
        self.rounds.begin(self.total);
        self.state = State::Refill;
    }

    fn start_up(&mut self, sample: &Sample) {
        self.cycle.probe();
        self.rounds.begin(self.total);
        self.full_pipe.restart(sample.rate);
        self.state = State::Up;
        self.long.steepen(sample.cwnd, sample.mss);
    }

    /// Moves through `ProbeBW`: `UpdateProbeBWCyclePhase`.
    fn update_cycle(&mut self, sample: &Sample) {
        if !self.full_pipe.is_reached || self.adapt_long_term(sample) {
            return;
        }
        match self.state {
            State::Down | State::Cruise if self.is_time_to_probe(sample) => self.start_refill(),
            State::Down if self.is_time_to_cruise(sample) => self.state = State::Cruise,
            State::Refill if self.rounds.starts => self.start_up(sample),
            State::Up => self.check_probe(sample),
            _ => {}
        }
    }

    /// Ends the feedback of a probe, and raises the long-term bound if losses are few; true if the
    /// state is decided.
    fn adapt_long_term(&mut self, sample: &Sample) -> bool {
        if std::mem::take(&mut self.is_marked) && self.cycle.is_probe_sample {
            self.reduce_long_term(
                sample.now,
                sample.sent_in_flight,
                sample.is_limited,
                sample.cwnd,
            );
        }
        if self.rounds.starts && self.cycle.on_round_start() && self.state.is_probe_bw() {
            self.cycle.count += u64::from(!sample.is_limited);
            if self.cycle.is_encouraged() {
                self.start_refill();
                return true;
            }
        }
        if self.long.inflight == UNLIMITED || is_too_high(sample.lost, sample.sent_in_flight) {
            return false;
        }
        self.long.raise_to(sample.sent_in_flight);
        if self.state == State::Up {
            self.long.probe(sample, self.rounds.starts);
        }
        false
    }

    /// The product, unless congestion has cut cwnd: `TargetInflight`.
    fn target(&self, cwnd: u64) -> u64 {
        self.product(self.bandwidth, 1.0).min(cwnd)
    }

    fn is_time_to_probe(&self, sample: &Sample) -> bool {
        self.cycle.is_due(sample.now, self.target(sample.cwnd) / sample.mss)
    }

    fn is_time_to_cruise(&self, sample: &Sample) -> bool {
        let headroom = self.long.with_headroom(sample.mss, MIN_SEGMENTS * sample.mss);
        let drained = self.inflight(self.rates.max(), 1.0, sample.mss);
        sample.in_flight <= headroom.min(drained)
    }

    /// Ends `ProbeBW_UP`: `IsTimeToGoDown`.
    fn check_probe(&mut self, sample: &Sample) {
        if self.is_time_to_go_down(sample) {
            self.cycle.was_too_high = false;
            self.start_down(sample.now);
        }
    }

    fn is_time_to_go_down(&mut self, sample: &Sample) -> bool {
        if self.cycle.was_too_high && sample.in_flight >= self.long.inflight {
            self.cycle.was_precautionary = true;
            return true;
        }
        if sample.is_cwnd_limited && sample.cwnd >= self.long.inflight {
            self.full_pipe.restart(sample.rate);
            return false;
        }
        self.full_pipe.is_full_now
    }

    /// Begins, leads through and ends `ProbeRTT`: `CheckProbeRTT`.
    fn check_probe_rtt(&mut self, sample: &Sample) {
        if self.round_trip.is_due(self.state) {
            self.repair.save_cwnd(sample.cwnd, self.state);
            self.state = State::ProbeRtt;
            self.round_trip.begin(sample.total);
            self.cycle.stop();
            self.rounds.begin(sample.total);
        }
        if self.state == State::ProbeRtt {
            let is_low = sample.in_flight <= self.probe_rtt_cwnd(sample.mss);
            if self.round_trip.holds(sample, is_low, self.rounds.starts) {
                self.rounds.begin(sample.total);
            }
            if self.round_trip.ends_with_round(sample.now) {
                self.end_probe_rtt(sample.now);
            }
        }
        self.round_trip.is_restarting &= sample.delivered == 0;
    }

    fn end_probe_rtt(&mut self, now: Time) {
        self.restores = true;
        self.short.lift();
        self.state = State::Startup;
        if self.full_pipe.is_reached {
            self.start_down(now);
            self.state = State::Cruise;
        }
    }

    /// Notes data sent after a pause of the application: `HandleRestartFromIdle`.
    pub(super) fn restart(&mut self, now: Time) {
        self.round_trip.is_restarting = true;
        self.aggregation.restart(now);
        if self.state == State::ProbeRtt && self.round_trip.ends(now) {
            self.end_probe_rtt(now);
        }
    }

    /// Takes a lost segment: `HandleLostPacket`.
    pub(super) fn on_lost(&mut self, lost: &Lost<'_>) {
        let Lost { now, loss, delivered, window } = *lost;
        self.total = delivered;
        self.repair.begin(window.cwnd(), self.state, &self.short, &self.long);
        self.short.on_loss(delivered);
        self.ranges.on_lost(loss.start, loss.end);
        if self.cycle.is_probe_sample && is_too_high(loss.lost, loss.sent_in_flight) {
            let is_limited = loss.is_app_limited || self.has_limited(loss.prior_delivered);
            self.reduce_long_term(now, inflight_at(loss), is_limited, window.cwnd());
        }
    }

    /// Sets the long-term bound after a probe that lost too much, and ends it:
    /// `HandleInflightTooHigh`.
    fn reduce_long_term(&mut self, now: Time, inflight: u64, is_limited: bool, cwnd: u64) {
        self.cycle.fail();
        if !is_limited {
            self.long.inflight = inflight.max((BETA * self.target(cwnd) as f64) as u64);
        }
        if self.state == State::Up {
            self.repair.ended = Some(State::Up);
            self.start_down(now);
        }
    }

    /// Notes that losses are repaired without a timeout; a tail loss probe has repaired its own.
    pub(super) fn on_loss(&mut self, delivered: u64) {
        if self.repair.is_under_way {
            self.repair.is_fast(delivered);
        } else {
            self.short.on_loss(delivered);
        }
    }

    /// Takes a mark.
    pub(super) fn on_mark(&mut self, delivered: u64) {
        self.short.on_loss(delivered);
        self.is_marked = true;
    }

    /// Takes a timeout.
    pub(super) fn on_timeout(&mut self, cwnd: u64) {
        self.repair.begin(cwnd, self.state, &self.short, &self.long);
        self.repair.time_out();
    }

    /// Takes back a repair of losses that were none: `HandleSpuriousLossDetection`.
    pub(super) fn undo(&mut self) {
        self.short.is_loss_in_round = false;
        self.full_pipe.restart(0.0);
        match self.repair.take_back(&mut self.short, &mut self.long) {
            Some(State::Startup) if self.state != State::Startup => {
                self.full_pipe.is_reached = false;
                if self.state != State::ProbeRtt {
                    self.state = State::Startup;
                }
            }
            Some(State::Up) if !matches!(self.state, State::Up | State::ProbeRtt) => {
                self.start_refill();
            }
            _ => {}
        }
    }
}
