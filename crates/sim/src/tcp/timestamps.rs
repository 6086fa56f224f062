//! The timestamps option (RFC 7323 §3 to 5): the echoed value, and the discarding of old segments.
//!
//! `TS.Recent` is the value of the segment that holds the next byte to be acknowledged. So the
//! echoed value is no younger than the first segment that an ACK answers, and a round trip measured
//! with it includes the wait of a delayed ACK (§4.3). A segment with a value before `TS.Recent` is
//! an old duplicate: it is discarded and acknowledged (PAWS, §5.3).
//!
//! Parameters: the tick of the clock, in 4.4BSD the slow tick of the host, which is the default
//! with `bsd` timers; else 1 ms (§5.4: from 1 ms to 1 s). The option takes 12 bytes of every
//! segment except a SYN, whose options are not counted; so a full segment has 12 bytes less of data
//! (RFC 6691).
//!
//! Departures: clocks begin at zero. Sequence numbers have 64 bits and never wrap, so PAWS discards
//! nothing that would be mistaken for new data. No end is idle for 24 days (§5.5).

use super::clocks::{TickPhases, Timers};
use super::config::Config;
use super::timers::Ticks;
use crate::pdu::{Segment, Timestamps};
use crate::units::{Span, Time};

/// The clock of an end's timestamps; `None` if it has none.
pub(super) fn clock(config: &Config, phases: TickPhases) -> Option<Ticks> {
    config.timestamps.then(|| match (config.timestamp_clock, &config.timers) {
        (Some(tick), _) => Ticks::new(Span::ZERO, tick),
        (None, Timers::Bsd(timers)) => Ticks::new(phases.slow, timers.slow),
        (None, Timers::Fine(_) | Timers::Fixed(_)) => {
            Ticks::new(Span::ZERO, Span::from_milliseconds(1))
        }
    })
}

#[derive(Clone, Debug)]
pub(super) struct TimestampOption {
    clock: Ticks,
    /// `TS.Recent`; `None` before the first segment.
    recent: Option<u32>,
    discarded: u64,
}

impl TimestampOption {
    pub(super) fn new(config: &Config, phases: TickPhases) -> Option<Self> {
        clock(config, phases).map(|clock| Self { clock, recent: None, discarded: 0 })
    }

    /// Timestamps of a segment that is sent now.
    pub(super) fn stamp(&self, now: Time) -> Timestamps {
        let value = self.clock.count(now) as u32;
        Timestamps { value, echo: self.recent.unwrap_or(0) }
    }

    /// Takes the timestamp of the peer's SYN.
    pub(super) fn on_syn(&mut self, segment: &Segment) {
        self.recent = Some(segment.timestamps.value);
    }

    /// True if a segment is not an old duplicate (§5.3 R1); its value then becomes `TS.Recent` if
    /// it begins at or before `last_acked`, the number of the latest ACK (§4.3 step 2).
    pub(super) fn accepts(&mut self, segment: &Segment, last_acked: u64) -> bool {
        let value = segment.timestamps.value;
        if self.recent.is_some_and(|recent| is_before(value, recent)) {
            self.discarded += 1;
            return false;
        }
        if segment.seq <= last_acked {
            self.recent = Some(value);
        }
        true
    }

    /// Segments discarded by PAWS.
    pub(super) fn discarded(&self) -> u64 {
        self.discarded
    }
}

/// Order of values, which are numbers modulo 2³² (§5.2).
fn is_before(value: u32, other: u32) -> bool {
    (value.wrapping_sub(other) as i32) < 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option() -> TimestampOption {
        let clock = Ticks::new(Span::ZERO, Span::from_milliseconds(1));
        TimestampOption { clock, recent: None, discarded: 0 }
    }

    /// A segment of 100 bytes by its letter, with this value.
    fn segment(letter: u8, value: u32) -> Segment {
        let timestamps = Timestamps { value, echo: 0 };
        Segment { seq: after(letter) - 100, len: 100, timestamps, ..Segment::default() }
    }

    /// Sequence number that acknowledges a segment.
    fn after(letter: u8) -> u64 {
        u64::from(letter - b'A' + 1) * 100 + 1
    }

    /// First example of RFC 7323 §4.3: every third segment is acknowledged.
    #[test]
    fn a_delayed_ack_echoes_the_first_segment_that_it_answers() {
        let mut option = option();
        for (letter, value) in [(b'A', 1), (b'B', 2), (b'C', 3)] {
            assert!(option.accepts(&segment(letter, value), 1));
            assert_eq!(option.stamp(Time::ZERO).echo, 1);
        }
    }

    /// Second example of RFC 7323 §4.3: segments arrive out of order, each is acknowledged.
    #[test]
    fn an_ack_of_a_filled_gap_echoes_the_segment_that_filled_it() {
        let mut option = option();
        let (mut rcv_nxt, mut echoes) = (1, Vec::new());
        for (letter, value, acked) in
            [(b'A', 1, b'A'), (b'C', 3, b'A'), (b'B', 2, b'C'), (b'E', 5, b'C'), (b'D', 4, b'E')]
        {
            assert!(option.accepts(&segment(letter, value), rcv_nxt));
            rcv_nxt = after(acked);
            echoes.push(option.stamp(Time::ZERO).echo);
        }
        assert_eq!(echoes, [1, 1, 2, 2, 4]);
    }

    /// PAWS of RFC 7323 §5.3: a segment older than `TS.Recent` is discarded even if its numbers are
    /// those of new data, as they would be after a wrap; one of equal age is not.
    #[test]
    fn an_old_value_is_discarded_whatever_its_numbers() {
        let mut option = option();
        assert!(option.accepts(&segment(b'A', 10), 1));
        assert!(!option.accepts(&segment(b'B', 9), after(b'A')));
        assert!(option.accepts(&segment(b'B', 10), after(b'A')));
        assert_eq!((option.discarded(), option.stamp(Time::ZERO).echo), (1, 10));
    }

    /// Values wrap after 2³² ticks (RFC 7323 §5.2).
    #[test]
    fn a_clock_that_wraps_goes_on() {
        let mut option = option();
        assert!(option.accepts(&segment(b'A', u32::MAX), 1));
        assert!(option.accepts(&segment(b'B', 3), after(b'A')));
        assert!(!option.accepts(&segment(b'B', u32::MAX - 1), after(b'A')));
        assert_eq!(option.stamp(Time::ZERO).echo, 3);
    }
}
