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

use super::hooks::{Arrival, Behaviour, Findings, Sample};
use super::lost_syn::SynEcho;
use crate::pdu::{Flags, Segment, Timestamps};
use crate::tcp::clocks::{TickPhases, Timers};
use crate::tcp::counters::Counters;
use crate::tcp::piece::Piece;
use crate::tcp::timers::Ticks;
use crate::units::{Span, Time};

/// The timestamps of one end.
#[derive(Clone, Debug)]
pub(super) struct Timestamping {
    clock: Ticks,
    /// `TS.Recent`; `None` before the first segment.
    recent: Option<u32>,
    /// Value of our first SYN.
    first: Option<u32>,
    discarded: u64,
}

impl Timestamping {
    /// Makes the option with a clock of `tick`, if that is given.
    pub(super) fn new(tick: Option<Span>, timers: &Timers, phases: TickPhases) -> Self {
        let clock = match (tick, timers) {
            (Some(tick), _) => Ticks::new(Span::ZERO, tick),
            (None, Timers::Bsd(timers)) => Ticks::new(phases.slow, timers.slow),
            (None, Timers::Fine(_) | Timers::Fixed(_)) => {
                Ticks::new(Span::ZERO, Span::from_milliseconds(1))
            }
        };
        Self { clock, recent: None, first: None, discarded: 0 }
    }

    /// The echo of the ACK of our SYN, which may be that of a SYN before the latest.
    pub(super) fn echo_of_syn(&self, now: Time, segment: &Segment) -> Option<SynEcho> {
        let age = self.age_of_echo(now, segment)?;
        Some(SynEcho { age, is_first: self.first == Some(segment.timestamps.echo) })
    }

    /// The age of an echo; `None` without one, or for one of the future.
    fn age_of_echo(&self, now: Time, segment: &Segment) -> Option<Span> {
        let ticks = (self.clock.count(now) as u32).wrapping_sub(segment.timestamps.echo) as i32;
        let has_echo = segment.flags.contains(Flags::TIMESTAMPS) && ticks >= 0;
        has_echo.then(|| self.clock.span_of(i64::from(ticks)))
    }
}

impl Behaviour for Timestamping {
    /// Takes the timestamp of the peer's SYN.
    fn agree(&mut self, syn: Option<&Segment>) {
        self.recent = syn.map(|syn| syn.timestamps.value);
    }

    /// True if a segment is not an old duplicate (§5.3 R1); its value then becomes `TS.Recent` if
    /// it begins at or before `last_acked` (§4.3 step 2).
    fn accepts(&mut self, segment: &Segment, last_acked: u64) -> bool {
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

    /// Takes the echo of an ACK of new data, which is the time at which the answered segment was
    /// sent (§4.1). Each is a sample for the timeout, in ticks, also of segments sent twice.
    fn on_ack(&mut self, arrival: &Arrival<'_>, findings: &mut Findings) {
        let Arrival { now, segment, is_new, .. } = *arrival;
        if is_new {
            let age = self.age_of_echo(now, segment);
            findings.sample = age.map_or(Sample::Missing, Sample::Echo);
        }
    }

    fn stamp(&mut self, now: Time, _piece: Option<Piece>, segment: &mut Segment) {
        let value = self.clock.count(now) as u32;
        if segment.flags.contains(Flags::SYN) {
            self.first.get_or_insert(value);
        }
        segment.flags = segment.flags | Flags::TIMESTAMPS;
        segment.timestamps = Timestamps { value, echo: self.recent.unwrap_or(0) };
    }

    /// Counts segments discarded by PAWS.
    fn count(&self, counters: &mut Counters) {
        counters.paws_discards = self.discarded;
    }
}

/// Order of values, which are numbers modulo 2³² (§5.2).
fn is_before(value: u32, other: u32) -> bool {
    (value.wrapping_sub(other) as i32) < 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option() -> Timestamping {
        let tick = Some(Span::from_milliseconds(1));
        Timestamping::new(tick, &Timers::default(), TickPhases::default())
    }

    /// The value that a segment echoes.
    fn echo(option: &mut Timestamping) -> u32 {
        let mut segment = Segment::default();
        option.stamp(Time::ZERO, None, &mut segment);
        assert!(segment.flags.contains(Flags::TIMESTAMPS));
        segment.timestamps.echo
    }

    /// The sample of an ACK that arrives after so many milliseconds and echoes `echo`.
    fn sample(now: i64, echo: u32, is_new: bool) -> Sample {
        let timestamps = Timestamps { value: 0, echo };
        let segment = &Segment { flags: Flags::TIMESTAMPS, timestamps, ..Segment::default() };
        let now = Time::ZERO + Span::from_milliseconds(now);
        let mut findings = Findings::default();
        option().on_ack(&Arrival { now, segment, snd_una: 1, is_new }, &mut findings);
        findings.sample
    }

    /// RTTM of RFC 7323 §4.1: only ACKs of new data are samples; ticks of 1 ms begin with 1.
    #[test]
    fn the_age_of_an_echo_is_a_sample_if_new_data_are_acknowledged() {
        assert_eq!(sample(100, 61, true), Sample::Echo(Span::from_milliseconds(40)));
        assert_eq!(sample(100, 61, false), Sample::Timed);
        assert_eq!(sample(100, 102, true), Sample::Missing);
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
            assert_eq!(echo(&mut option), 1);
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
            echoes.push(echo(&mut option));
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
        assert_eq!((option.discarded, echo(&mut option)), (1, 10));
    }

    /// Values wrap after 2³² ticks (RFC 7323 §5.2).
    #[test]
    fn a_clock_that_wraps_goes_on() {
        let mut option = option();
        assert!(option.accepts(&segment(b'A', u32::MAX), 1));
        assert!(option.accepts(&segment(b'B', 3), after(b'A')));
        assert!(!option.accepts(&segment(b'B', u32::MAX - 1), after(b'A')));
        assert_eq!(echo(&mut option), 3);
    }
}
