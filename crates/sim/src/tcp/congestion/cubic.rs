//! CUBIC (RFC 9438): after congestion the window follows a cubic function of the time since then.
//! The function is flat at the window of the congestion, and independent of the round trip.
//!
//! `W_cubic(t) = C (t - K)³ + W_max`, `K = ∛((W_max - cwnd_epoch)/C)`, windows in segments, times
//! in seconds (§4.2). An acknowledged segment opens the window by (target - cwnd)/cwnd segments
//! with target = `W_cubic(t + RTT)` between cwnd and 1.5 cwnd (§4.4, 4.5), but cwnd is never below
//! the window of a Reno with the same decrease, `W_est`, where that is above `W_cubic(t)` (§4.3).
//! Congestion reduces the window to `beta` times the flight (§4.6); if cwnd had not come back to
//! `W_max`, that is lowered further (§4.7). Parameters: `beta` 0.7, `c` 0.4 segments/s³,
//! `fast_convergence` true.
//!
//! Chosen: RTT is the smoothed round trip of RFC 6298, of one segment timed at a time. Growth is
//! per segment acknowledged, in fractions, where §4.4 says "for each received new ACK": with
//! delayed ACKs a window that grows per ACK would stay behind its function; Linux counts segments,
//! too. The flight counts up to cwnd: after a timeout everything sent before it is outstanding, and
//! beta of that would let slow start overshoot again and again. Slow start is that of RFC 5681. A
//! timeout lowers ssthresh to no more than `beta` times the flight; in a recovery that has lowered
//! it further already, ssthresh stays (§4.8). After a timeout `W_max` is unknown, and the next
//! avoidance begins with K = 0 (§4.8), as after a slow start that no congestion ended (§4.10). ACKs
//! of a flight that did not fill cwnd do not open it, and their time does not count, unless the
//! rule [validates](super::validation) cwnd; nor does the time without anything in flight (§4.2,
//! 5.8). Also with ECN a window keeps two segments.
//!
//! A loss that turns out to be spurious restores `W_max`, `cwnd_prior` and the epoch with its K, as
//! the rule restores cwnd and ssthresh (§4.9).
//!
//! Linux (`tcp_cubic.c`) differs: targets are whole segments, and a window opens by a whole
//! segment, some ACKs after its target has ([`counted`], with `avoidance = "counted"`, which has
//! this and the two next); a window at its target still grows by a segment in a hundred windows,
//! and by 5 % per round trip while `W_max` is unknown; alpha stays 0.53 when `W_est` has reached
//! the former window (RFC 8312 §4.2); it decreases from cwnd and not from the flight (`reduces`);
//! RTT is the shortest ever measured; the same window may stay for 1/32 s before the function is
//! evaluated again; cwnd goes down in steps during recovery (RFC 6937). ns-3 has the same except
//! for the last two.

mod counted;

use super::law::{Cause, Congested, InRecovery, Law, Opening};
use super::{Ack, Timeout, Transmission, Window};
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::units::{Span, Time};
use counted::Counted;

part! {
    /// Parameters of CUBIC.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CubicPlan {
        /// Fraction of the window that is kept at congestion.
        beta: f64 = default("0.7", "0.8") as Kind::Number(BETWEEN_ZERO_AND_ONE),
        /// C: scale of the growth far from the window of the congestion, segments per second cubed.
        c: f64 = default("0.4", "4") as Kind::Number(C),
        /// A window that had not come back to that of the previous congestion gives more room to
        /// others.
        fast_convergence: bool = default("true", "false"),
    }
}

const C: Interval = Interval { min: Bound::Beyond(0.0), max: Bound::From(1e6) };

/// Values of RFC 9438.
impl Default for CubicPlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// State of CUBIC; all windows in segments.
#[derive(Clone, Debug)]
pub(super) struct Cubic {
    plan: CubicPlan,
    /// cwnd at the latest congestion, or less; 0 if unknown.
    w_max: f64,
    /// cwnd at the latest congestion.
    cwnd_prior: f64,
    /// The present avoidance; `None` if it has not begun since the latest congestion.
    epoch: Option<Epoch>,
    /// The instant of the latest ACK of new data.
    latest_ack: Time,
    /// Fraction of a byte by which cwnd, in whole bytes, is too small.
    fraction: f64,
    /// The count of a window that opens by whole segments.
    counted: Option<Counted>,
    /// True if it looks itself for cwnd to limit the flight.
    validates: bool,
    /// `W_max`, `cwnd_prior` and the epoch before the latest loss, while it may be spurious.
    before: Option<(f64, f64, Option<Epoch>)>,
}

/// A stretch of congestion avoidance.
#[derive(Clone, Copy, Debug)]
struct Epoch {
    /// The instant at which t is zero: its beginning, later by all the time that does not count.
    zero: Time,
    /// K, seconds.
    k: f64,
    /// The window at which the function is flat.
    origin: f64,
    /// The window of Reno.
    w_est: f64,
}

impl Epoch {
    /// `W_cubic(t)`, t in seconds.
    fn window(&self, c: f64, t: f64) -> f64 {
        let offset = t - self.k;
        c * offset * offset * offset + self.origin
    }
}

impl Cubic {
    pub(super) fn new(plan: CubicPlan) -> Self {
        Self {
            plan,
            w_max: 0.0,
            cwnd_prior: 0.0,
            epoch: None,
            latest_ack: Time::ZERO,
            fraction: 0.0,
            counted: None,
            validates: true,
            before: None,
        }
    }

    /// Makes a law whose windows are whole segments.
    pub(super) fn counted(plan: CubicPlan) -> Self {
        Self { counted: Some(Counted::default()), ..Self::new(plan) }
    }

    /// Increment of Reno's window: with it a Reno that keeps `beta` has the throughput of one that
    /// halves (§4.3).
    fn alpha(&self) -> f64 {
        3.0 * (1.0 - self.plan.beta) / (1.0 + self.plan.beta)
    }

    fn cwnd(&self, window: &Window) -> f64 {
        (window.cwnd() as f64 + self.fraction) / window.mss() as f64
    }

    /// Begins avoidance with this cwnd (§4.2, 4.8, 4.10).
    fn begin(&mut self, now: Time, cwnd: f64) -> Epoch {
        if self.w_max == 0.0 {
            self.cwnd_prior = cwnd;
        }
        let origin = self.w_max.max(cwnd);
        let k = libm::cbrt((origin - cwnd) / self.plan.c);
        Epoch { zero: now, k, origin, w_est: cwnd }
    }

    /// The window after an ACK of `acked` segments.
    fn grown(&mut self, now: Time, srtt: Span, cwnd: f64, acked: f64) -> f64 {
        let mut epoch = self.epoch.unwrap_or_else(|| self.begin(now, cwnd));
        // A hole that is filled acknowledges more than a window at once.
        let acked = acked.min(cwnd);
        let is_slow = self.counted.is_some() || epoch.w_est < self.cwnd_prior;
        epoch.w_est += if is_slow { self.alpha() } else { 1.0 } * acked / cwnd;
        self.epoch = Some(epoch);
        let (c, t) = (self.plan.c, (now - epoch.zero).seconds_f64());
        if let Some(counted) = &mut self.counted {
            let w_cubic = epoch.window(c, t + srtt.seconds_f64());
            return cwnd + counted.opened(cwnd, acked, w_cubic, epoch.w_est, self.w_max == 0.0);
        }
        if epoch.window(c, t) < epoch.w_est {
            return cwnd.max(epoch.w_est);
        }
        let target = epoch.window(c, t + srtt.seconds_f64()).clamp(cwnd, 1.5 * cwnd);
        cwnd + acked * (target - cwnd) / cwnd
    }

    /// Excludes the time since the latest ACK.
    fn pause(&mut self, now: Time) {
        if let Some(epoch) = &mut self.epoch {
            epoch.zero += now - self.latest_ack;
        }
        self.latest_ack = now;
    }
}

impl Law for Cubic {
    fn leave_validation(&mut self) {
        self.validates = false;
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        // A window is no less full for what waits for a larger burst.
        let was_in_flight = ack.flight.size() + ack.acked + ack.flight.deferred();
        let is_filled = !self.validates || was_in_flight + ack.window.mss() > ack.window.cwnd();
        if !is_filled {
            self.pause(ack.now);
        }
        self.latest_ack = ack.now;
        if is_filled { Opening::Standard } else { Opening::Done }
    }

    fn avoid(&mut self, ack: &mut Ack<'_>) {
        let mss = ack.window.mss() as f64;
        let (cwnd, acked) = (self.cwnd(ack.window), ack.acked as f64 / mss);
        let bytes = mss * self.grown(ack.now, ack.srtt.unwrap_or(Span::ZERO), cwnd, acked);
        let whole = libm::floor(bytes);
        self.fraction = bytes - whole;
        ack.window.open((whole as u64).saturating_sub(ack.window.cwnd()));
    }

    fn left_of(&self, bytes: u64) -> u64 {
        libm::round(self.plan.beta * bytes as f64) as u64
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        let Congested { cause, bytes, ref mut window, .. } = *congested;
        let CubicPlan { beta, fast_convergence, .. } = self.plan;
        let cwnd = self.cwnd(window);
        // A mark is never spurious.
        let is_loss = cause != Cause::Mark;
        self.before = is_loss.then_some((self.w_max, self.cwnd_prior, self.epoch));
        self.cwnd_prior = cwnd;
        let is_released = fast_convergence && cwnd < self.w_max;
        self.w_max = if is_released { cwnd * (1.0 + beta) / 2.0 } else { cwnd };
        self.epoch = None;
        self.fraction = 0.0;
        window.set_ssthresh(self.left_of(bytes.min(window.cwnd())));
        if self.counted.is_some() {
            window.round_ssthresh();
            self.counted = Some(Counted::default());
        }
        InRecovery::Rule
    }

    fn on_timeout(&mut self, _timeout: &mut Timeout<'_>) -> InRecovery {
        self.w_max = 0.0;
        self.epoch = None;
        self.fraction = 0.0;
        InRecovery::Rule
    }

    fn undo(&mut self) {
        if let Some((w_max, cwnd_prior, epoch)) = self.before.take() {
            (self.w_max, self.cwnd_prior, self.epoch) = (w_max, cwnd_prior, epoch);
            self.fraction = 0.0;
        }
    }

    fn on_sent(&mut self, sent: &Transmission<'_>) {
        if sent.flight.size() == 0 {
            self.pause(sent.now);
        }
    }
}

#[cfg(test)]
mod tests;
