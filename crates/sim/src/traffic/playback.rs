//! Playback of video: the buffer that segments fill and playing empties, start-up and stalls.

use crate::units::{Span, Time};

/// Counters of one player since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaybackCounters {
    /// Segments that have arrived.
    pub segments: u64,
    /// Sum of their bit rates, bits per second.
    pub rates: f64,
    /// Segments whose bit rate differs from that of the one before.
    pub switches: u64,
    /// Time from the start of the flow to that of playback.
    pub start_up: Option<Span>,
    /// Stalls that are over.
    pub stalls: u64,
    /// Time that they lasted.
    pub stalled: Span,
    /// The instant at which a stall has begun, or begins unless a segment arrives before.
    pub stalls_at: Option<Time>,
}

impl PlaybackCounters {
    /// Time of stalls up to `until`.
    pub fn stalled_until(&self, until: Time) -> Span {
        let last = self.stalls_at.map_or(Span::ZERO, |at| (until - at).max(Span::ZERO));
        self.stalled + last
    }

    /// Number of stalls that have begun by `until`.
    pub fn stalls_until(&self, until: Time) -> u64 {
        self.stalls + u64::from(self.stalls_at.is_some_and(|at| at < until))
    }
}

/// The playback buffer of one player.
#[derive(Debug)]
pub(super) struct Playback {
    start: Time,
    start_up: Span,
    /// Video in the buffer at `at`.
    buffered: Span,
    at: Time,
    is_playing: bool,
    rate: Option<f64>,
    counters: PlaybackCounters,
}

impl Playback {
    /// Makes an empty buffer, which plays when `start_up` of video is in it.
    pub(super) fn new(start: Time, start_up: Span) -> Self {
        let counters = PlaybackCounters::default();
        Self {
            start,
            start_up,
            buffered: Span::ZERO,
            at: start,
            is_playing: false,
            rate: None,
            counters,
        }
    }

    /// Video in the buffer at `now`.
    pub(super) fn buffered(&self, now: Time) -> Span {
        let played = if self.is_playing { now - self.at } else { Span::ZERO };
        (self.buffered - played).max(Span::ZERO)
    }

    /// Adds a segment of this rate that has arrived.
    pub(super) fn on_segment(&mut self, now: Time, duration: Span, rate: f64, is_last: bool) {
        let buffered = self.buffered(now);
        // A player that has stalled waits for as much as at the start.
        self.is_playing &= self.counters.stalls_at.is_none_or(|at| now <= at);
        (self.buffered, self.at) = (buffered + duration, now);
        if !self.is_playing && (self.buffered >= self.start_up || is_last) {
            self.play(now);
        }
        if self.is_playing {
            self.counters.stalls_at = (!is_last).then(|| now.saturating_add(self.buffered));
        }
        self.counters.segments += 1;
        self.counters.rates += rate;
        let before = self.rate.replace(rate);
        self.counters.switches +=
            u64::from(before.is_some_and(|one| one.to_bits() != rate.to_bits()));
    }

    /// Begins to play, at first or after a stall.
    fn play(&mut self, now: Time) {
        self.is_playing = true;
        if let Some(at) = self.counters.stalls_at {
            self.counters.stalls += 1;
            self.counters.stalled += now - at;
        }
        self.counters.start_up.get_or_insert(now - self.start);
    }

    /// The counters so far.
    pub(super) fn counters(&self) -> PlaybackCounters {
        self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Time {
        Time::ZERO + Span::from_seconds(seconds)
    }

    /// Segments of 4 s from 1 s on, which play when 8 s are there: from 5 s on, empty at 13 s;
    /// those of 15 and 16 s end a stall of 3 s, and the last one plays to the end.
    #[test]
    fn a_player_stalls_when_its_buffer_is_empty() {
        let mut playback = Playback::new(at(1), Span::from_seconds(8));
        let mut add = |now, rate, is_last| {
            playback.on_segment(at(now), Span::from_seconds(4), rate, is_last);
            (playback.buffered(at(now)).seconds_f64(), playback.counters())
        };
        assert_eq!(add(2, 1.0, false), (4.0, add_counters(1, 1.0, 0, None)));
        assert_eq!(add(5, 1.0, false).1.start_up, Some(Span::from_seconds(4)));
        let (buffered, waiting) = add(15, 2.0, false);
        assert_eq!((buffered, waiting.stalls, waiting.stalls_at), (4.0, 0, Some(at(13))));
        assert_eq!(waiting.stalled_until(at(15)), Span::from_seconds(2));
        assert_eq!(waiting.stalls_until(at(15)), 1);
        let (buffered, resumed) = add(16, 1.0, false);
        assert_eq!((buffered, resumed.stalls), (8.0, 1));
        assert_eq!(resumed.stalled_until(at(20)), Span::from_seconds(3));
        let (buffered, ended) = add(20, 1.0, true);
        assert_eq!((buffered, ended.switches, ended.rates), (8.0, 2, 6.0));
        assert_eq!(ended.stalled_until(at(99)), Span::from_seconds(3));
    }

    fn add_counters(
        segments: u64,
        rates: f64,
        switches: u64,
        at: Option<Time>,
    ) -> PlaybackCounters {
        PlaybackCounters { segments, rates, switches, stalls_at: at, ..Default::default() }
    }
}
