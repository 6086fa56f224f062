//! Output of the persist timer.

use super::Sender;
use crate::tcp::behaviour::{Behaviour, Behaviours};
use crate::tcp::congestion::{Congestion, Transmission};
use crate::tcp::piece::{Piece, Sending};
use crate::units::Time;

impl<R: Congestion> Sender<R> {
    /// Ends the output, unless the persist timer has something to send.
    pub(super) fn poll_withheld(&mut self, now: Time, own: &mut Behaviours) -> Option<Piece> {
        own.on_output(&self.flight);
        if self.detection.is_some() {
            self.note_limit();
        }
        // While the retransmission timer runs something is outstanding that will be acknowledged.
        if self.timer.is_running() {
            return None;
        }
        if !self.is_blocked_by_window() {
            self.persist.stop();
            return None;
        }
        if !self.persist.is_running() {
            self.persist.begin(now, &mut self.timer);
            return None;
        }
        if !self.persist.take_due() {
            return None;
        }
        match self.room() {
            0 => Some(self.probe(now, own)),
            room => Some(self.book(now, self.piece(self.flight.snd_nxt, room), own)),
        }
    }

    /// True if data wait and the window has no room for a segment of them.
    fn is_blocked_by_window(&self) -> bool {
        let waiting = self.buffered().saturating_sub(self.flight.snd_nxt).min(self.mss);
        waiting > self.room()
    }

    /// Bytes of room in the window.
    fn room(&self) -> u64 {
        (self.flight.snd_una + self.flight.snd_wnd).saturating_sub(self.flight.snd_nxt)
    }

    /// The probe: one byte beyond the window. The retransmission timer does not run for it.
    fn probe(&mut self, now: Time, own: &mut Behaviours) -> Piece {
        let (start, flight) = (self.flight.snd_nxt, &self.flight);
        let end = start + 1;
        self.rule.on_sent(&Transmission { now, start, end, flight });
        let piece = Piece { seq: start, len: 1, fin: false, sending: Sending::Probe };
        own.on_sent(now, piece);
        if let Some(log) = &mut self.flight.log {
            log.on_sent(now, start, end);
        }
        self.flight.snd_max = self.flight.snd_max.max(end);
        self.sent.rare_mut().window_probes += 1;
        piece
    }
}
