//! Duplicate thresholds, RFC 6675 §4 `IsLost`: a segment is lost if three ranges, or more than two
//! segments' bytes, are reported above it.
//!
//! Departures: a retransmission is not found lost before the timer expires, as in RFC 6675 §5.1;
//! after a timeout all that is not reported counts as lost, and reports are kept.

use super::hooks::{LossDetection, Situation};
use crate::tcp::flight::Flight;
use crate::tcp::outstanding::Delivered;

/// Detection by duplicate thresholds; it has no state.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Thresholds;

impl LossDetection for Thresholds {
    fn on_ack(&mut self, situation: &Situation, delivered: &mut Delivered, flight: &mut Flight) {
        let before = flight.board.lost_before(situation.mss);
        let una = flight.snd_una;
        delivered.lost += flight.log_mut().lose(una, before, |record| !record.is_resent);
    }

    fn on_timeout(&mut self, _situation: &Situation, flight: &mut Flight) {
        let (una, max) = (flight.snd_una, flight.snd_max);
        flight.log_mut().lose(una, max, |_| true);
    }
}
