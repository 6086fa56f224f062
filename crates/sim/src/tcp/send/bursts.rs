//! Deferral of segments that the windows allow.

use super::Sender;
use crate::tcp::bursts::{Room, burst_of};
use crate::tcp::congestion::{Congestion, Flight};
use crate::tcp::piece::{Piece, Sending};
use crate::units::Time;

impl<R: Congestion> Sender<R> {
    /// True if `piece` waits for an ACK that lets a larger burst out.
    #[cold]
    pub(super) fn defers(&mut self, now: Time, piece: Piece) -> bool {
        let is_last = piece.end() == self.buffered();
        if piece.sending != Sending::First || piece.len < self.mss || is_last {
            return false;
        }
        if self.pacer.is_some() || self.rule.is_recovering() {
            return false;
        }
        let Some(room) = self.room_of(piece.seq) else { return false };
        let burst = burst_of(&self.window, self.srtt);
        let bursts = self.bursts.as_mut();
        let defers = bursts.is_some_and(|bursts| bursts.defers(now, room, burst, self.srtt));
        if defers {
            self.flight.deferred = room.limit;
        }
        defers
    }

    /// True if a segment that fills the receive window up to `edge` belongs to the burst before it.
    pub(super) fn ends_inside_burst(&self, seq: u64, edge: u64) -> bool {
        let burst = burst_of(&self.window, self.srtt);
        self.bursts.as_ref().is_none_or(|bursts| bursts.is_inside(seq, edge, burst))
    }

    /// What the receive window lets out; `None` if cwnd lets out less.
    fn room_of(&self, seq: u64) -> Option<Room> {
        let Flight { snd_una: una, snd_wnd, ref log, .. } = self.flight;
        let cwnd = self.window.cwnd();
        let of_cwnd = match log {
            Some(log) if self.detection.is_some() => cwnd.saturating_sub(log.in_flight()),
            _ => (una + cwnd).saturating_sub(seq),
        };
        let limit = (una + snd_wnd).saturating_sub(seq);
        (limit <= of_cwnd).then_some(Room { seq, limit, window: cwnd.min(snd_wnd), una })
    }
}
