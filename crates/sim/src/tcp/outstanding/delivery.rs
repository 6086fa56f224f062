//! Delivery rate (draft-ietf-ccwg-bbr §4.1): for each ACK, the bytes delivered since the newest
//! segment that it delivers was sent, over the longer one of the times that sending and
//! acknowledging them took.
//!
//! Bytes are those of the sequence space, without headers. An interval below the shortest round
//! trip gives no sample: ACKs were compressed. A sample is application-limited if the sender had
//! nothing to send when its segment left, until all that was in flight then is delivered.

use super::record::Record;
use crate::units::{Rate, Span, Time};

/// A sample of the delivery rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateSample {
    /// Bytes delivered over the interval.
    pub delivered: u64,
    /// The longer one of the send and the ACK interval; not zero.
    pub interval: Span,
    /// Bytes delivered in all when its segment was sent.
    pub prior_delivered: u64,
    /// Bytes in flight when its segment had been sent.
    pub sent_in_flight: u64,
    /// Bytes found lost since its segment was sent.
    pub lost: u64,
    /// True if the application limited the flight when its segment was sent.
    pub is_app_limited: bool,
    /// True if the interval is at least the shortest round trip: the rate counts.
    pub is_long: bool,
}

impl RateSample {
    /// Bytes per second over the interval.
    pub fn rate(&self) -> Rate {
        let bits = 8.0 * self.delivered as f64;
        Rate::from_bits_per_second((bits / self.interval.seconds_f64()) as u64)
    }
}

/// Facts of one ACK, or of a loss that a timer finds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Delivered {
    /// Bytes that it is the first to acknowledge or report.
    pub bytes: u64,
    /// Bytes that detection counts as lost at this event.
    pub lost: u64,
    /// Bytes in flight before it.
    pub prior_in_flight: u64,
    /// Bytes delivered so far on the connection.
    pub total: u64,
    /// Round trip of its newest segment, unless that was sent twice.
    pub rtt: Option<Span>,
    /// Sample of the delivery rate, if it delivers anything.
    pub rate: Option<RateSample>,
    /// Newest transmission that it delivers.
    pub newest: Option<Newest>,
    /// True if it delivers data that were sent once, before data that were delivered earlier.
    pub is_reordered: bool,
    /// Last sequence number, exclusive, of delivered data that were sent once; 0 if there are none.
    pub sent_once_before: u64,
    /// First sequence number, and the one after, of data that had arrived before (D-SACK, RFC
    /// 2883).
    pub duplicate: Option<(u64, u64)>,
    /// True if a tail loss probe has repaired the only loss of its flight (RFC 8985 §7.4).
    pub probe_repaired: bool,
}

/// A delivered transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newest {
    /// Instant of the transmission.
    pub sent: Time,
    /// Sequence number after it.
    pub end: u64,
    /// True if it was a retransmission.
    pub is_resent: bool,
}

/// State of the samples on a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Delivery {
    /// Bytes delivered.
    pub(super) delivered: u64,
    /// Instant of the latest delivery.
    delivered_at: Time,
    /// Instant at which the newest delivered segment was sent, the begin of the next flight.
    flight_began: Time,
    /// Bytes found lost.
    pub(super) lost: u64,
    /// Value of `delivered` up to which samples are application-limited; 0 if none is.
    limited_until: u64,
    /// Shortest round trip.
    min_rtt: Option<Span>,
    /// Newest delivered record of the present ACK.
    newest: Option<Record>,
}

impl Delivery {
    /// Notes the state of the connection in the record of a transmission.
    pub(super) fn stamp(&mut self, now: Time, in_flight: u64, record: &mut Record) {
        if in_flight == 0 {
            (self.flight_began, self.delivered_at) = (now, now);
        }
        record.sent = now;
        record.in_flight = (in_flight + u64::from(record.len)) as u32;
        record.flight_began = self.flight_began;
        record.delivered = self.delivered;
        record.delivered_at = self.delivered_at;
        record.lost = self.lost;
        record.is_app_limited = self.limited_until > 0;
    }

    /// Marks the flight as limited by the application.
    pub(super) fn limit(&mut self, in_flight: u64) {
        self.limited_until = (self.delivered + in_flight).max(1);
    }

    /// True while samples of what is sent are limited by the application.
    pub(super) fn is_limited(&self) -> bool {
        self.limited_until > 0
    }

    /// Counts a delivered record.
    pub(super) fn deliver(&mut self, record: &Record) {
        self.delivered += u64::from(record.len);
        let is_newer = |newest: &Record| (record.sent, record.end()) > (newest.sent, newest.end());
        if self.newest.as_ref().is_none_or(is_newer) {
            self.newest = Some(*record);
        }
    }

    /// Completes the facts of an ACK.
    pub(super) fn finish(&mut self, now: Time, delivered: &mut Delivered) {
        delivered.total = self.delivered;
        let Some(newest) = self.newest.take() else { return };
        self.delivered_at = now;
        self.flight_began = newest.sent;
        let (sent, end, is_resent) = (newest.sent, newest.end(), newest.is_resent);
        delivered.newest = Some(Newest { sent, end, is_resent });
        let rtt = now - newest.sent;
        if !is_resent {
            delivered.rtt = Some(rtt);
            self.min_rtt = Some(self.min_rtt.map_or(rtt, |min| min.min(rtt)));
        }
        if self.delivered > self.limited_until {
            self.limited_until = 0;
        }
        delivered.rate = self.sample(now, &newest);
    }

    fn sample(&self, now: Time, newest: &Record) -> Option<RateSample> {
        let send = newest.sent - newest.flight_began;
        let interval = send.max(now - newest.delivered_at);
        (interval > Span::ZERO).then(|| RateSample {
            delivered: self.delivered - newest.delivered,
            interval,
            prior_delivered: newest.delivered,
            sent_in_flight: u64::from(newest.in_flight),
            lost: self.lost - newest.lost,
            is_app_limited: newest.is_app_limited,
            is_long: self.min_rtt.is_none_or(|min| interval >= min),
        })
    }
}
