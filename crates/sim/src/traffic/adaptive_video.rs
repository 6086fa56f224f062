//! Adaptive video over HTTP: a player that asks for segments of one duration, each at a bit rate of
//! a ladder that a [rule of adaptation](super::adaptation) chooses, on one persistent connection.
//!
//! The player asks for the next segment when the last one has arrived, or later, when the segment
//! has room in the playback buffer. Playback begins when `start_up` of video is in the buffer, and
//! after a stall again. It stalls when the buffer is empty and segments are missing.
//!
//! Source: ISO/IEC 23009-1 (DASH) for segments and their ladder; Huang et al. 2014 for the player
//! that waits at a full buffer. The ladder is every other rate of Netflix's of 2015 (Aaron et al.,
//! *Per-Title Encode Optimization*; from memory, certain of the ends); a segment of 4 s is that of
//! Huang et al.; a buffer of 60 s is an assumption of ours, since players differ.
//!
//! Departures: segments of one rate have one size; a manifest is not asked for; sound is part of
//! the rates; no segment is asked for before the last has arrived, or asked for again at another
//! rate.

use super::AnyApplication;
use super::adaptation::{Adaptation, AdaptationRule, AnyRule, Facts};
use super::application::{Application, Offer, Writes};
use super::asked::{Asked, Server};
use super::ladder::Ladder;
use super::playback::{Playback, PlaybackCounters};
use super::size::{Size, WRITE_SIZE};
use super::source::Site;
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Span, Time};

part! {
    /// Parameters of adaptive video.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AdaptiveVideoPlan {
        /// Bit rates of the video, each above the one before.
        ladder: Ladder = default(
            "[\"235 kbit/s of payload\", \"560 kbit/s of payload\", \"1050 kbit/s of payload\", \
             \"2350 kbit/s of payload\", \"4300 kbit/s of payload\", \"5800 kbit/s of payload\"]",
            "[\"1 Mbit/s of payload\", \"3 Mbit/s of payload\"]"
        ),
        /// Choice of the bit rate of the next segment.
        adaptation: Adaptation = default("rate_based", "\"buffer_based\""),
        /// Duration of a segment.
        segment: Span = default("4 s", "\"2 s\"") as POSITIVE_TIME,
        /// Video that the player holds at most.
        buffer: Span = default("60 s", "\"240 s\"") as POSITIVE_TIME,
        /// Video in the buffer at which playback begins, at first and after a stall.
        start_up: Span = default("4 s", "\"8 s\"") as POSITIVE_TIME,
        /// Bytes of a request.
        request: Size = default("350 B", "\"500 B\"") as WRITE_SIZE,
        /// Duration of the video.
        length: Option<Span> = absent("until the flow stops", "\"10 min\"") as POSITIVE_TIME,
    }
    finish AdaptiveVideoPlan::checked;
}

impl AdaptiveVideoPlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let least = self.segment.max(self.start_up);
        if self.buffer >= least {
            return Ok(self);
        }
        let message = format!(
            "`{}.buffer` of {} has no room for a segment, or for `start_up`; expected at least \
             {least}",
            section.place(),
            self.buffer
        );
        Err(Fault::new(&section.spanned::<Span>("buffer")?.at, message))
    }

    /// Number of its segments, if it ends.
    fn segments(&self) -> Option<u64> {
        let [length, segment] = [self.length?, self.segment].map(Span::picoseconds);
        Some((length as u64).div_ceil(segment as u64))
    }
}

impl Writes for AdaptiveVideoPlan {
    type Application = Box<Player>;

    fn application(&self, site: &Site<'_>) -> Box<Player> {
        Box::new(Player {
            rule: self.adaptation.rule(),
            ladder: self.ladder.bits_per_second(),
            requests: (self.request.clone(), (site.stream)("requests")),
            asked: site.asked.clone(),
            left: self.segments(),
            end: 0,
            previous: None,
            state: State::Waiting(site.start),
            playback: Playback::new(site.start, self.start_up),
            completed: None,
            plan: self.clone(),
        })
    }

    fn has_responses(&self) -> bool {
        true
    }

    fn responder(&self, site: &Site<'_>) -> Option<AnyApplication> {
        Some(AnyApplication::Server(Box::new(Server::new(site.asked))))
    }
}

/// The application that plays a video.
#[derive(Debug)]
pub struct Player {
    plan: AdaptiveVideoPlan,
    rule: AnyRule,
    ladder: Vec<f64>,
    requests: (Size, Stream),
    asked: Asked,
    /// Segments that are still to be asked for; `None` for no limit.
    left: Option<u64>,
    /// Bytes of all segments that were asked for.
    end: u64,
    /// Place in the ladder of the last segment.
    previous: Option<usize>,
    state: State,
    playback: Playback,
    /// The instant of the request whose segment has just arrived.
    completed: Option<Time>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// The next segment is asked for at this instant.
    Waiting(Time),
    /// A segment of so many bits, asked for at this instant, is on its way.
    Loading(Time, f64),
    /// All segments have arrived.
    Done,
}

impl Player {
    /// Asks for the next segment; returns the bytes of the request.
    fn ask(&mut self, now: Time) -> u64 {
        let filled = self.playback.buffered(now).seconds_f64() / self.plan.buffer.seconds_f64();
        let facts = Facts { ladder: &self.ladder, previous: self.previous, filled };
        let place = self.rule.choose(&facts);
        let rate = self.ladder[place];
        let bytes = ((rate * self.plan.segment.seconds_f64() / 8.0 + 0.5) as u64).max(1);
        let request = self.requests.0.draw(&mut self.requests.1);
        self.asked.ask(request, bytes);
        self.end += bytes;
        self.left = self.left.map(|left| left - 1);
        self.previous = Some(place);
        self.state = State::Loading(now, 8.0 * bytes as f64);
        request
    }

    /// Takes a segment into the buffer.
    fn on_segment(&mut self, since: Time, bits: f64, now: Time) {
        self.completed = Some(since);
        // A segment takes at least the time of its bits on a link.
        let taken = (now - since).max(Span::from_picoseconds(1));
        self.rule.on_segment(bits / taken.seconds_f64());
        let is_last = self.left == Some(0);
        let place = self.previous.expect("a segment was asked for");
        self.playback.on_segment(now, self.plan.segment, self.ladder[place], is_last);
        let beyond = self.playback.buffered(now) + self.plan.segment - self.plan.buffer;
        self.state = if is_last {
            State::Done
        } else {
            State::Waiting(now.saturating_add(beyond.max(Span::ZERO)))
        };
    }
}

impl Application for Box<Player> {
    fn on_delivered(&mut self, now: Time, delivered: u64) {
        if let State::Loading(since, bits) = self.state
            && delivered >= self.end
        {
            self.on_segment(since, bits, now);
        }
    }

    fn poll(&mut self, now: Time, _acked: u64) -> Offer {
        match self.state {
            State::Waiting(at) if at <= now => Offer::bytes(self.ask(now)),
            State::Waiting(at) => Offer::NOTHING.and_again_at(at),
            _ => Offer::NOTHING,
        }
    }

    fn is_through(&self, _acked: u64) -> bool {
        self.state == State::Done
    }

    fn take_completed(&mut self) -> Option<Time> {
        self.completed.take()
    }

    fn playback(&self) -> Option<PlaybackCounters> {
        Some(self.playback.counters())
    }
}
