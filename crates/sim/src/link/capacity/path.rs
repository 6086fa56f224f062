//! The path of a rate, drawn as far as it is asked for.

use std::collections::VecDeque;

use super::Process;
use crate::units::{Rate, Span, Time};

/// Parts of a bit: bits times picoseconds per second, so that a rate in bits per second sends a
/// whole number of parts in a picosecond.
pub const WHOLE_BIT: u128 = 1_000_000_000_000;

/// The rate of a line as a function of time.
///
/// Calls may come in any order, but not go back further than `memory` from the latest.
#[derive(Debug)]
pub struct Capacity {
    process: Box<dyn Process>,
    /// Pieces without a gap, each of another rate than the one before; at least one.
    pieces: VecDeque<Piece>,
    /// The end of the last piece.
    drawn_until: Time,
    memory: Span,
    /// Least wait of a unit that finds the line idle.
    request_delay: Span,
    steady: Steady,
}

/// The last unit that met no change of the rate: another one of its size takes the same time as
/// long as the rate holds.
#[derive(Clone, Copy, Debug, Default)]
struct Steady {
    bits: u64,
    span: Span,
    from: Time,
    until: Time,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    from: Time,
    rate: Rate,
}

impl Capacity {
    /// The latest instant of a path: a unit that would end later ends then. A run with a rate that
    /// varies has ended, with all that it computes, before.
    pub const FAR: Time = Time::from_picoseconds(Span::LONGEST.picoseconds() / 2);

    /// The path of `process`, from the start of the run.
    pub fn new(process: Box<dyn Process>, memory: Span) -> Self {
        let (pieces, steady) = (VecDeque::new(), Steady::default());
        let request_delay = Span::ZERO;
        let mut path =
            Self { process, pieces, drawn_until: Time::ZERO, memory, request_delay, steady };
        path.draw();
        path
    }

    /// Sets the least wait of a unit that finds the line idle.
    #[must_use]
    pub(super) fn on_request(self, request_delay: Span) -> Self {
        Self { request_delay, ..self }
    }

    /// The instant at which a unit that is ready at `at` may begin, on a line that has sent all
    /// before it by `free_at`.
    pub fn begin(&self, at: Time, free_at: Time) -> Time {
        if at > free_at { at.saturating_add(self.request_delay) } else { free_at }
    }

    /// The rate from `at` on.
    pub fn rate_at(&mut self, at: Time) -> Rate {
        let index = self.find(at);
        self.pieces[index].rate
    }

    /// The next change of the rate after `at`; never later than [`Self::FAR`].
    pub fn next_change(&mut self, at: Time) -> Time {
        let index = self.find(at);
        self.end_of(index)
    }

    /// The instant at which the last of `bits` has been sent, if the first is sent at `start`.
    pub fn finish(&mut self, start: Time, bits: u64) -> Time {
        let Steady { bits: alike, span, from, until } = self.steady;
        let end = start.saturating_add(span);
        if bits == alike && from <= start && end <= until {
            return end;
        }
        self.finish_anew(start, bits)
    }

    fn finish_anew(&mut self, start: Time, bits: u64) -> Time {
        let mut left = u128::from(bits) * WHOLE_BIT;
        let mut index = self.find(start);
        let mut at = start;
        while at < Self::FAR {
            let (rate, end) = (self.pieces[index].rate, self.end_of(index));
            let sent = sent(rate, end - at);
            if left <= sent {
                // A rate of zero sends nothing, so that nothing is left.
                let rate = u128::from(rate.bits_per_second()).max(1);
                let span = Span::from_picoseconds(left.div_ceil(rate) as i64);
                if at == start {
                    self.steady = Steady { bits, span, from: start, until: end };
                }
                return at + span;
            }
            left -= sent;
            at = end;
            index += 1;
            // Each unit of a back-to-back run ends a part of a picosecond late: the few bits that
            // it then lacks at an outage must not wait for its end.
            if left < WHOLE_BIT && self.is_outage(index) {
                return at;
            }
        }
        start.max(Self::FAR)
    }

    fn is_outage(&self, index: usize) -> bool {
        self.pieces.get(index).is_some_and(|piece| piece.rate.bits_per_second() == 0)
    }

    /// Bits that the line could send between two instants.
    pub fn carried(&mut self, from: Time, to: Time) -> f64 {
        self.carried_parts(from, to) as f64 / WHOLE_BIT as f64
    }

    /// Capacity between two instants in parts of a bit, [`WHOLE_BIT`] to a bit.
    pub fn carried_parts(&mut self, from: Time, to: Time) -> u128 {
        let (mut index, mut at) = (self.find(from), from);
        let mut whole = 0;
        while at < to {
            let end = self.end_of(index).min(to);
            whole += sent(self.pieces[index].rate, end - at);
            if end >= Self::FAR {
                break;
            }
            at = end;
            index += 1;
        }
        whole
    }

    /// The piece of an instant; forgets pieces further back than the memory.
    fn find(&mut self, at: Time) -> usize {
        while self.drawn_until <= at && self.drawn_until < Self::FAR {
            self.draw();
        }
        let horizon = at - self.memory;
        while self.pieces.get(1).is_some_and(|next| next.from <= horizon) {
            self.pieces.pop_front();
        }
        let after = self.pieces.partition_point(|piece| piece.from <= at);
        after.checked_sub(1).expect("questions go no further back than the memory")
    }

    /// The end of a piece, at which the next one is known.
    fn end_of(&mut self, index: usize) -> Time {
        while self.pieces.len() <= index + 1 && self.drawn_until < Self::FAR {
            self.draw();
        }
        self.pieces.get(index + 1).map_or(self.drawn_until, |next| next.from)
    }

    fn draw(&mut self) {
        let (rate, holds) = self.process.next();
        debug_assert!(holds > Span::ZERO, "time goes on");
        if self.pieces.back().is_none_or(|last| last.rate != rate) {
            self.pieces.push_back(Piece { from: self.drawn_until, rate });
        }
        self.drawn_until = self.drawn_until.saturating_add(holds).min(Self::FAR);
    }
}

/// Parts of a bit that a rate sends in a span.
fn sent(rate: Rate, span: Span) -> u128 {
    u128::from(rate.bits_per_second()) * span.picoseconds() as u128
}

/// A path of bits per second for so many milliseconds, repeated; without a memory.
#[cfg(test)]
pub(in crate::link) fn listed(pieces: &[(u64, i64)]) -> Capacity {
    let pieces = pieces.iter().map(|&(rate, milliseconds)| {
        (Rate::from_bits_per_second(rate), Span::from_milliseconds(milliseconds))
    });
    Capacity::new(Box::new(super::pieces::Pieces::new(pieces, true)), Span::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Stream;
    use crate::link::capacity::two_state::TwoState;

    fn ms(milliseconds: i64) -> Time {
        Time::ZERO + Span::from_milliseconds(milliseconds)
    }

    fn two_state(seed: u64, memory: Span) -> Capacity {
        let rates = [800_000, 400_000].map(Rate::from_bits_per_second);
        let means = [Span::from_milliseconds(30), Span::from_milliseconds(20)];
        let stream = Stream::new(seed, "link bottleneck there capacity");
        Capacity::new(Box::new(TwoState::new(rates, means, stream)), memory)
    }

    #[test]
    fn a_unit_on_the_line_goes_on_at_the_new_rate() {
        let mut path = listed(&[(8_000, 10), (4_000, 10)]);
        // 8 ms at 8 bits a millisecond, and half as fast from 10 ms on.
        assert_eq!(path.finish(ms(0), 64), ms(8));
        assert_eq!(path.finish(ms(8), 16), ms(10));
        assert_eq!(path.finish(ms(8), 24), ms(12));
        assert_eq!(path.finish(ms(8), 16 + 40 + 8), ms(21));
        assert_eq!(
            path.finish(ms(8), 16 + 40 + 80 + 40 + 3),
            ms(40) + Span::from_microseconds(375)
        );
    }

    #[test]
    fn what_is_begun_before_an_outage_is_finished_after_it() {
        let mut path = listed(&[(8_000, 10), (0, 15)]);
        assert_eq!(path.finish(ms(9), 8), ms(10));
        assert_eq!(path.finish(ms(9), 16), ms(26));
        assert_eq!(path.finish(ms(12), 8), ms(26));
        assert_eq!(path.finish(ms(30), 80), ms(55));
        assert_eq!(
            [path.rate_at(ms(34)), path.rate_at(ms(35))].map(Rate::bits_per_second),
            [8_000, 0]
        );
        assert_eq!(path.next_change(ms(35)), ms(50));
    }

    /// Thirds of 10 ms are rounded up, so that the last one ends a picosecond late; it would end 15
    /// ms later if it waited for the end of the outage.
    #[test]
    fn units_that_fill_the_time_before_an_outage_leave_before_it() {
        let mut path = listed(&[(1_200_000, 10), (0, 15)]);
        let mut at = ms(0);
        for end in [10, 35, 60, 85] {
            at = (0..3).fold(at, |at, _| path.finish(at, 4_000));
            assert_eq!(at, ms(end));
        }
        // More than a bit waits.
        assert!(path.finish(ms(100), 12_001) > ms(125));
    }

    /// One bit at 3 bit/s takes a third of a second.
    #[test]
    fn a_part_of_a_picosecond_is_a_picosecond() {
        let third = Span::from_picoseconds(333_333_333_334);
        assert_eq!(listed(&[(3, 1_000)]).finish(ms(0), 1), Time::ZERO + third);
        let constant = Rate::from_bits_per_second(149_760_000);
        let mut path = listed(&[(149_760_000, 90 * 86_400_000)]);
        let (mut at, mut expected) = (ms(0), ms(0));
        for bits in (0..1000).map(|unit| 424 + 8 * unit) {
            at = path.finish(at, bits);
            expected += constant.span_of_bits(bits);
            assert_eq!(at, expected);
        }
    }

    #[test]
    fn a_line_at_rate_zero_for_good_is_through_far_behind_the_run() {
        #[derive(Debug)]
        struct Dead;
        impl Process for Dead {
            fn next(&mut self) -> (Rate, Span) {
                (Rate::from_bits_per_second(0), Span::MAX)
            }
        }
        let mut path = Capacity::new(Box::new(Dead), Span::ZERO);
        assert_eq!(path.finish(ms(5), 1), Capacity::FAR);
        assert_eq!(path.finish(Capacity::FAR, 1), Capacity::FAR);
        assert!(path.carried(ms(0), ms(1_000)).abs() < f64::EPSILON);
    }

    #[test]
    fn what_a_window_carries_is_the_integral_of_the_rate() {
        let mut path = listed(&[(8_000, 10), (4_000, 10)]);
        let carried = [(0, 10), (5, 15), (12, 12), (19, 41)]
            .map(|(from, to)| path.carried(ms(from), ms(to)).round() as i64);
        assert_eq!(carried, [80, 60, 0, 4 + 80 + 40 + 8]);
    }

    #[test]
    fn a_window_in_the_past_is_remembered() {
        let mut ahead = two_state(5, Span::from_seconds(1));
        let mut slow = two_state(5, Span::ZERO);
        assert!(ahead.finish(ms(4_000), 80_000) > ms(4_000));
        for from in (3_000..4_000).step_by(7) {
            let window = (ms(from), ms(from + 30));
            assert_eq!(
                ahead.carried(window.0, window.1).to_bits(),
                slow.carried(window.0, window.1).to_bits()
            );
        }
    }

    #[test]
    fn one_stream_is_one_path_however_it_is_asked() {
        let (mut one, mut other) = (two_state(3, Span::ZERO), two_state(3, Span::ZERO));
        let mut at = Time::ZERO;
        let mut changes = Vec::new();
        while at < ms(20_000) {
            at = one.next_change(at);
            changes.push(at);
        }
        let mut end = Time::ZERO;
        while end < ms(20_000) {
            end = other.finish(end, 4_000);
        }
        let mut third = two_state(3, Span::from_seconds(20));
        let _ = third.rate_at(ms(20_000));
        assert!(
            changes
                .iter()
                .all(|&at| { third.rate_at(at) != third.rate_at(at - Span::from_picoseconds(1)) })
        );
        // The same bits in the same time.
        let bits = third.carried(ms(0), end);
        assert!((bits / 4_000.0 - (bits / 4_000.0).round()).abs() < 1e-3, "{bits}");
        assert_ne!(two_state(4, Span::ZERO).next_change(Time::ZERO), changes[0]);
    }
}
