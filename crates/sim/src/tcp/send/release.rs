//! Release of segments that the windows allow.

use super::Sender;
use crate::tcp::bursts::{Room, burst_of};
use crate::tcp::congestion::{Congestion, Flight};
use crate::tcp::pacer::usual_rate;
use crate::tcp::piece::{Piece, Sending};
use crate::tcp::release::Release;
use crate::units::Time;

impl<R: Congestion> Sender<R> {
    /// True if `piece`, which would leave now, has to wait.
    #[cold]
    pub(super) fn holds_back(&mut self, now: Time, piece: Piece) -> bool {
        match self.release.as_deref_mut() {
            Some(Release::Paced(pacer)) => {
                let holds = pacer.holds_back(now);
                self.note_instants();
                holds
            }
            Some(Release::PacedInBursts(bursts)) => {
                let holds = bursts.holds_back(now);
                self.note_instants();
                holds
            }
            Some(Release::InBursts(_)) => self.defers(now, piece),
            None => false,
        }
    }

    /// Notes a segment that leaves under a rule without detection, whose log notes no release.
    #[cold]
    pub(super) fn note_lone_release(&mut self, now: Time, bytes: u64) {
        self.note_release(now, bytes);
        self.note_instants();
    }

    /// Notes a segment that leaves.
    pub(super) fn note_release(&mut self, now: Time, bytes: u64) {
        match self.release.as_deref_mut() {
            Some(Release::Paced(pacer)) => {
                let of_law = self.rule.pace(&self.window, self.srtt);
                if let Some(rate) = of_law.or_else(|| usual_rate(&self.window, self.srtt)) {
                    pacer.on_sent(now, bytes, rate);
                }
            }
            Some(Release::PacedInBursts(bursts)) => {
                if let Some(rate) = self.rule.pace(&self.window, self.srtt) {
                    bursts.on_sent(now, bytes, rate);
                    self.flight.log_mut().paced_until = bursts.release();
                }
            }
            Some(Release::InBursts(bursts)) => {
                bursts.on_sent(now);
                self.flight.log_mut().deferred = 0;
            }
            None => {}
        }
    }

    /// True if `piece` waits for an ACK that lets a larger burst out.
    fn defers(&mut self, now: Time, piece: Piece) -> bool {
        let is_full = piece.sending == Sending::First && piece.len == self.mss;
        if !is_full || piece.end() == self.buffered() || self.rule.is_recovering() {
            return false;
        }
        let Some(room) = self.room_of(piece.seq) else { return false };
        let (burst, srtt) = (burst_of(&self.window, self.srtt), self.srtt);
        let Some(Release::InBursts(bursts)) = self.release.as_deref_mut() else { return false };
        let defers = bursts.defers(now, room, burst, srtt);
        if defers {
            self.flight.log_mut().deferred = room.limit;
        }
        defers
    }

    /// True if a segment that fills the receive window up to `edge` belongs to the burst before it.
    pub(super) fn ends_inside_burst(&self, seq: u64, edge: u64) -> bool {
        let Some(Release::InBursts(bursts)) = self.release.as_deref() else { return true };
        bursts.is_inside(seq, edge, burst_of(&self.window, self.srtt))
    }

    /// Room in the receive window; `None` if cwnd has less.
    fn room_of(&self, seq: u64) -> Option<Room> {
        let Flight { snd_una: una, snd_wnd, .. } = self.flight;
        let (cwnd, log) = (self.window.cwnd(), self.flight.log());
        let limit = (una + snd_wnd).saturating_sub(seq);
        let is_limit = limit <= cwnd.saturating_sub(log.in_flight());
        let (window, first_sent) = (cwnd.min(snd_wnd), log.first_sent());
        is_limit.then_some(Room { seq, limit, window, una, first_sent })
    }
}
