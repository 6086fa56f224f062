//! Facts of one ACK that the model takes.

use super::super::{Ack, Delivered};
use crate::units::{Span, Time};

/// An ACK: its rate sample `RS`, and the connection `C` after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) now: Time,
    /// `C.delivered`.
    pub(super) total: u64,
    /// `RS.newly_acked`.
    pub(super) bytes: u64,
    /// `C.inflight`.
    pub(super) in_flight: u64,
    pub(super) mss: u64,
    /// `C.cwnd`, before the ACK changes it.
    pub(super) cwnd: u64,
    /// `C.is_cwnd_limited`: in the last round trip cwnd was full.
    pub(super) is_cwnd_limited: bool,
    /// `RS.rtt`.
    pub(super) rtt: Option<Span>,
    /// `RS.delivery_rate` in bit/s; zero if there is no reliable sample.
    pub(super) rate: f64,
    /// `RS.delivered`.
    pub(super) delivered: u64,
    /// `RS.prior_delivered`; `None` if the ACK delivers nothing.
    pub(super) prior_delivered: Option<u64>,
    /// `RS.tx_in_flight`.
    pub(super) sent_in_flight: u64,
    /// `RS.lost`.
    pub(super) lost: u64,
    /// `RS.is_app_limited`.
    pub(super) is_limited: bool,
}

impl Sample {
    /// Makes the sample of an ACK with a report.
    pub(super) fn new(ack: &Ack<'_>, report: &Delivered, is_cwnd_limited: bool) -> Self {
        let rate = report.rate;
        let bits = rate
            .filter(|rate| rate.is_long)
            .map_or(0.0, |rate| 8.0 * rate.delivered as f64 / rate.interval.seconds_f64());
        Self {
            now: ack.now,
            total: report.total,
            bytes: report.bytes,
            in_flight: ack.flight.log().in_flight(),
            mss: ack.window.mss(),
            cwnd: ack.window.cwnd(),
            is_cwnd_limited,
            rtt: report.rtt,
            rate: bits,
            delivered: rate.map_or(0, |rate| rate.delivered),
            prior_delivered: rate.map(|rate| rate.prior_delivered),
            sent_in_flight: rate.map_or(0, |rate| rate.sent_in_flight),
            lost: rate.map_or(0, |rate| rate.lost),
            is_limited: rate.is_some_and(|rate| rate.is_app_limited),
        }
    }
}
