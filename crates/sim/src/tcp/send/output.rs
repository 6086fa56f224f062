//! Choice of the next segment, as far as the rule of congestion control, both windows and
//! silly-window avoidance allow: the decisions of `tcp_output` (Stevens, TCP/IP Illustrated, volume
//! 2, chapter 26).
//!
//! Departure: silly-window avoidance applies to retransmissions too, where BSD sends whatever fits,
//! so segment boundaries stay where they were.

use super::{Ahead, Sender};
use crate::tcp::behaviour::{Behaviour, Behaviours};
use crate::tcp::congestion::{Congestion, Flight, Hole, NextSegment};
use crate::tcp::piece::{Piece, Sending};

impl<R: Congestion> Sender<R> {
    /// True if all that was written is sent and acknowledged, as always at an end that only
    /// receives: no rule has anything to send.
    #[inline]
    pub(super) fn is_quiet(&self) -> bool {
        let Flight { snd_una, snd_nxt, snd_max, .. } = self.flight;
        let is_all_acked = snd_una == snd_max && snd_nxt == snd_max && self.written == snd_max;
        is_all_acked && !self.closing && self.ahead == Ahead::Nothing
    }

    /// Does the work of [`poll_withheld`](Self::poll_withheld) in that state: no data wait.
    #[inline]
    pub(super) fn remain_quiet(&mut self, own: &mut Behaviours) -> Option<Piece> {
        own.on_output(&self.flight);
        if self.detection.is_some() {
            self.note_limit();
        }
        if !self.timer.is_running() {
            self.persist.stop();
        }
        None
    }

    /// The first unacknowledged segment.
    pub(super) fn first(&self) -> Piece {
        let una = self.flight.snd_una;
        self.piece(una, self.mss.min(self.flight.snd_wnd).min(self.flight.board.gap(una)))
    }

    /// The segment that the rule sends next, if there is one.
    #[expect(clippy::inline_always, reason = "every segment that is sent")]
    #[inline(always)]
    pub(super) fn next(&self, own: &Behaviours) -> Option<Piece> {
        match self.rule.next_segment(&self.window, &self.flight) {
            NextSegment::InSequence => self.in_sequence(own),
            NextSegment::Retransmission(hole) => Some(self.of_hole(hole)),
            NextSegment::NewDataOr(hole) => self
                .new_data(self.flight.snd_max, u64::MAX, own)
                .or_else(|| hole.map(|hole| self.of_hole(hole))),
            NextSegment::NewData(bytes) => self.new_data(self.flight.snd_nxt, bytes, own),
            NextSegment::Nothing => None,
        }
    }

    pub(super) fn of_hole(&self, hole: Hole) -> Piece {
        self.piece(hole.start, self.mss.min(hole.end - hole.start))
    }

    /// The next segment from `seq` on, of at most `max` bytes, if the receive window and
    /// silly-window avoidance allow.
    pub(super) fn new_data(&self, seq: u64, max: u64, own: &Behaviours) -> Option<Piece> {
        let Flight { snd_una, snd_wnd, .. } = self.flight;
        let room = (snd_una + snd_wnd).saturating_sub(seq);
        self.if_worth_sending(self.piece(seq, room.min(max).min(self.mss)), own)
    }

    /// The segment at `snd_nxt`, if the windows and silly-window avoidance allow.
    fn in_sequence(&self, own: &Behaviours) -> Option<Piece> {
        if !self.flight.board.is_empty() && self.flight.snd_nxt < self.flight.snd_max {
            return self.next_hole(own);
        }
        let Flight { snd_una, snd_nxt, snd_wnd, .. } = self.flight;
        let allowed = self.window.cwnd() + self.beyond_cwnd();
        let usable = (snd_una + allowed.min(snd_wnd)).saturating_sub(snd_nxt);
        self.if_worth_sending(self.piece(snd_nxt, usable.min(self.mss)), own)
    }

    /// Bytes allowed beyond cwnd: one segment of new data for each of the first two duplicate ACKs
    /// (RFC 3042 §2).
    #[inline]
    fn beyond_cwnd(&self) -> u64 {
        if self.flight.dup_acks == 0 { 0 } else { self.limited_transmit() }
    }

    fn limited_transmit(&self) -> u64 {
        let Flight { snd_nxt, snd_max, dup_acks, .. } = self.flight;
        let applies = dup_acks <= self.limited_transmits.into() && snd_nxt == snd_max;
        if applies && !self.rule.is_recovering() { u64::from(dup_acks) * self.mss } else { 0 }
    }

    /// Notes bytes sent by limited transmit, which are no part of the window that a loss halves
    /// (RFC 5681 §3.2 step 2). These are whole segments, where cwnd may have room for a part of
    /// one.
    pub(super) fn note_limited_transmit(&mut self, sent: u64) {
        if self.beyond_cwnd() > 0 && self.flight.size() > self.window.cwnd() {
            self.flight.limited += sent;
        }
    }

    /// The next hole when the sender goes back: reported ranges are skipped and do not count in
    /// cwnd.
    fn next_hole(&self, own: &Behaviours) -> Option<Piece> {
        let Flight { snd_una, snd_nxt, snd_wnd, ref board, .. } = self.flight;
        let seq = board.skip(snd_nxt);
        let edge = snd_una + snd_wnd.min(self.window.cwnd() + board.bytes_between(snd_una, seq));
        let (usable, gap) = (edge.saturating_sub(seq), board.gap(seq));
        let piece = self.piece(seq, usable.min(self.mss).min(gap));
        if piece.len > 0 && piece.len == gap {
            Some(piece)
        } else {
            self.if_worth_sending(piece, own)
        }
    }

    /// A piece of at most `max` bytes from `seq`, with the FIN if they are the last.
    pub(super) fn piece(&self, seq: u64, max: u64) -> Piece {
        let len = max.min(self.buffered().saturating_sub(seq));
        let fin = self.closing && seq + len == self.written;
        let is_new = seq >= self.flight.snd_max;
        Piece { seq, len, fin, sending: if is_new { Sending::First } else { Sending::Again } }
    }

    /// The piece, if silly-window avoidance allows it (RFC 1122 §4.2.3.4): a full segment, all that
    /// is left, or half the largest window ever offered; in Linux also the end of the window.
    #[inline]
    fn if_worth_sending(&self, piece: Piece, own: &Behaviours) -> Option<Piece> {
        // Nearly every piece is a full segment, or empty.
        let is_worth = if piece.len == 0 {
            piece.fin
        } else {
            piece.len == self.mss || self.is_worth_sending(piece, own)
        };
        is_worth.then_some(piece)
    }

    fn is_worth_sending(&self, piece: Piece, own: &Behaviours) -> bool {
        let is_last = piece.end() == self.buffered();
        let ends = is_last && own.lets_end_short(piece.seq, &self.flight);
        piece.fin || ends || 2 * piece.len >= self.max_snd_wnd || self.fills_window(piece, own)
    }

    fn fills_window(&self, piece: Piece, own: &Behaviours) -> bool {
        let Flight { snd_una, snd_wnd, .. } = self.flight;
        let edge = snd_una + snd_wnd;
        piece.end() == edge
            && own.fills_window(piece.seq, &self.flight)
            && self.ends_inside_burst(piece.seq, edge)
    }
}
