//! One segment of the log.

use crate::units::Time;

/// State of a segment that is not acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordState {
    /// Sent, neither reported nor counted as lost.
    InFlight,
    /// Reported beyond the ACK number.
    Reported,
    /// Counted as lost and not sent again since.
    Lost,
}

/// A segment, or a part of one, from its transmission to its acknowledgement.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// First sequence number.
    pub start: u64,
    /// Bytes of sequence space.
    pub len: u32,
    /// Bytes in flight after its latest transmission, itself included.
    pub in_flight: u32,
    /// Instant of its latest transmission.
    pub sent: Time,
    /// Instant at which the flight that it closes began: see [`Delivery`](super::delivery).
    pub(super) flight_began: Time,
    /// Bytes delivered before its latest transmission.
    pub delivered: u64,
    /// Instant of the latest delivery before its latest transmission.
    pub(super) delivered_at: Time,
    /// Bytes found lost before its latest transmission.
    pub(super) lost: u64,
    /// Its state.
    pub state: RecordState,
    /// True if it was sent more than once, so that its ACK does not tell which copy arrived (Karn
    /// and Partridge 1987).
    pub is_resent: bool,
    /// True if it was sent while the application limited the flight.
    pub(super) is_app_limited: bool,
}

/// A segment, or a part of one, when detection counts it as lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// First sequence number.
    pub start: u64,
    /// Sequence number after it.
    pub end: u64,
    /// Bytes in flight when it had been sent.
    pub sent_in_flight: u64,
    /// Bytes found lost since it was sent, itself included.
    pub lost: u64,
    /// Bytes delivered in all when it was sent.
    pub prior_delivered: u64,
    /// True if the application limited the flight when it was sent.
    pub is_app_limited: bool,
}

impl Record {
    /// Sequence number after it.
    #[inline]
    pub fn end(&self) -> u64 {
        self.start + u64::from(self.len)
    }

    /// Facts of its loss, after which `lost` bytes are found lost in all.
    pub(super) fn loss(&self, lost: u64) -> Loss {
        Loss {
            start: self.start,
            end: self.end(),
            sent_in_flight: u64::from(self.in_flight),
            lost: lost - self.lost,
            prior_delivered: self.delivered,
            is_app_limited: self.is_app_limited,
        }
    }

    /// Cuts off and returns the part before `seq`, which lies within it.
    pub(super) fn split_before(&mut self, seq: u64) -> Self {
        let len = (seq - self.start) as u32;
        let head = Self { len, ..*self };
        self.start = seq;
        self.len -= len;
        head
    }
}
