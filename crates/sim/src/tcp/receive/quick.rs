//! ACKs of Linux: quick ACKs, an ACK for more than one full segment, an adaptive delay, and
//! compressed ACKs beyond a gap.
//!
//! Source: Linux 6.12, `Documentation/networking/ip-sysctl.rst` (`tcp_comp_sack_delay_ns`,
//! `tcp_comp_sack_slack_ns`, `tcp_comp_sack_nr`) and its behaviour on a network; RFC 5681 §4.2.
//!
//! * **Quick ACKs.** At the start, after a pause longer than the retransmission timeout of this
//!   end, and after data that it had before, the next `segments` segments are acknowledged one by
//!   one, at most those of half a window. The first mark of a window gives two.
//! * **Otherwise** an ACK leaves when more than one full segment waits, or after the delay: at
//!   least `ack_delay`, longer if arrivals are rarer or if it expires, at most 200 ms and at most
//!   the smoothed round trip.
//! * **Beyond a gap** every segment is acknowledged at once. With `compressed` only the first three
//!   are; further ACKs wait for 5 % of the smoothed round trip, at most 1 ms, and 100 µs of slack
//!   (a timer that is alone expires at its end), and at most 44 of them become one. An end without
//!   a round trip compresses nothing.
//!
//! Departures: an end that answers within the delay stays quick (Linux stops quick ACKs there); the
//! smoothed round trip is the sender's of this end, from the handshake if it only receives, where
//! Linux has an estimate of receivers, too.

use crate::tcp::clocks::QuickPlan;
use crate::units::{Span, Time};

/// Longest wait of a delayed ACK.
const LONGEST_WAIT: Span = Span::from_milliseconds(200);
/// Duplicate ACKs of one number that are sent at once.
const AT_ONCE: u32 = 3;
/// ACKs that become one: `tcp_comp_sack_nr`.
const MOST_HELD: u32 = 44;
/// `tcp_comp_sack_delay_ns`.
const LONGEST_HOLD: Span = Span::from_milliseconds(1);
/// `tcp_comp_sack_slack_ns`.
const SLACK: Span = Span::from_microseconds(100);
/// Part of the round trip for which ACKs are held: 5 %.
const PART: i64 = 20;
/// Quick ACKs at a mark, and the fewest at any cause.
const FEW: u32 = 2;

/// State of the rule at one end.
#[derive(Clone, Debug)]
pub(super) struct Quick {
    /// Quick ACKs of one cause.
    most: u32,
    /// Quick ACKs that are left.
    left: u32,
    shortest_wait: Span,
    /// The present delay, without its limits.
    wait: Span,
    /// Latest arrival of data in order.
    latest: Option<Time>,
    compression: Option<Compression>,
    round_trip: RoundTrip,
}

/// The timeout and the smoothed round trip of an end.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct RoundTrip {
    pub(in crate::tcp) timeout: Span,
    pub(in crate::tcp) smoothed: Option<Span>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Compression {
    /// ACK number of the duplicates that are counted.
    number: u64,
    /// Those sent at once.
    sent: u32,
    /// Those that wait.
    held: u32,
}

/// The time of an ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Now,
    After(Span),
}

/// A segment with data that has arrived.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arrival {
    /// The next one in order.
    Next {
        /// True if it is acknowledged at once in any case.
        is_due: bool,
        /// True if data wait beyond a gap.
        has_gap: bool,
    },
    /// One beyond a gap, or one that had arrived before.
    Beside {
        /// True if all before its end had arrived.
        is_old: bool,
        /// True if it has new data.
        is_new: bool,
    },
}

impl Quick {
    /// Makes the rule of an end with a window of so many full segments. Without selective
    /// acknowledgements nothing is compressed.
    pub(super) fn new(plan: QuickPlan, segments: u64, shortest_wait: Span, sacks: bool) -> Self {
        let half = u32::try_from(segments / 2).unwrap_or(u32::MAX).max(FEW);
        Self {
            most: plan.segments.min(half),
            left: 0,
            shortest_wait,
            wait: shortest_wait,
            latest: None,
            compression: (plan.compressed && sacks).then(Compression::default),
            round_trip: RoundTrip { timeout: Span::LONGEST, smoothed: None },
        }
    }

    /// Takes the present round trip of this end.
    pub(super) fn note(&mut self, round_trip: RoundTrip) {
        self.round_trip = round_trip;
    }

    /// The time of the ACK for an arrival, whose number is `number`; `waits` says that earlier ones
    /// are held.
    pub(super) fn on_arrival(
        &mut self,
        now: Time,
        arrival: Arrival,
        number: u64,
        waits: bool,
    ) -> Reply {
        match arrival {
            Arrival::Next { .. } => self.on_next(now),
            Arrival::Beside { is_old: true, .. } => self.on_old(),
            Arrival::Beside { .. } => {}
        }
        let is_quick = self.take();
        match arrival {
            _ if is_quick => Reply::Now,
            Arrival::Next { is_due: true, .. } | Arrival::Beside { is_new: false, .. } => {
                Reply::Now
            }
            Arrival::Next { has_gap: false, .. } => Reply::After(self.delay()),
            Arrival::Next { .. } | Arrival::Beside { .. } => self.beyond_gap(number, waits),
        }
    }

    /// Takes the arrival of data in order.
    fn on_next(&mut self, now: Time) {
        let Some(latest) = self.latest.replace(now) else {
            self.left = self.most;
            return;
        };
        let pause = now - latest;
        if pause <= self.shortest_wait / 2 {
            self.wait = self.wait / 2 + self.shortest_wait / 2;
        } else if pause < self.wait {
            self.wait = (self.wait / 2 + pause).min(self.round_trip.timeout);
        } else if pause > self.round_trip.timeout {
            self.left = self.left.max(self.most);
        }
    }

    /// Takes data that had arrived before.
    fn on_old(&mut self) {
        self.left = self.left.max(self.most);
        self.wait = self.shortest_wait;
    }

    /// Takes the first mark of a window.
    pub(super) fn on_mark(&mut self) {
        self.left = self.left.max(FEW);
    }

    /// Takes an expiry: a delayed ACK was for nothing.
    pub(super) fn on_timeout(&mut self) {
        let held = self
            .compression
            .as_mut()
            .map_or(0, |compression| std::mem::take(&mut compression.held));
        if held == 0 {
            self.wait = (self.wait * 2).min(self.round_trip.timeout);
        }
    }

    /// Takes a quick ACK, if one is left.
    fn take(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        if self.left == 0 {
            self.wait = self.shortest_wait;
        }
        true
    }

    /// The delay of an ACK of data in order.
    fn delay(&self) -> Span {
        let longest = self.round_trip.smoothed.unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT);
        self.wait.min(longest.max(self.shortest_wait))
    }

    /// The time of the ACK of data beyond a gap; `waits` says that earlier ones are held.
    fn beyond_gap(&mut self, number: u64, waits: bool) -> Reply {
        let Some(smoothed) = self.round_trip.smoothed else { return Reply::Now };
        let Some(compression) = &mut self.compression else { return Reply::Now };
        if compression.number != number {
            (compression.number, compression.sent) = (number, 0);
        }
        if !waits {
            compression.held = 0;
        }
        if compression.held >= MOST_HELD {
            return Reply::Now;
        }
        if compression.sent < AT_ONCE {
            compression.sent += 1;
            return Reply::Now;
        }
        compression.held += 1;
        Reply::After((smoothed / PART).min(LONGEST_HOLD) + SLACK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(milliseconds: i64) -> Time {
        Time::from_picoseconds(milliseconds * 1_000_000_000)
    }

    fn ms(milliseconds: i64) -> Span {
        Span::from_milliseconds(milliseconds)
    }

    fn quick(window: u64) -> Quick {
        let plan = QuickPlan { segments: 16, compressed: true };
        let mut quick = Quick::new(plan, window, ms(40), true);
        quick.note(RoundTrip { timeout: ms(240), smoothed: Some(ms(40)) });
        quick
    }

    /// Quick ACKs in a row after an arrival at `time`.
    fn taken(quick: &mut Quick, time: Time) -> usize {
        quick.on_next(time);
        (0..100).take_while(|_| quick.take()).count()
    }

    #[test]
    fn sixteen_at_the_start_and_after_more_than_a_timeout() {
        let mut quick = quick(1000);
        assert_eq!(taken(&mut quick, at(0)), 16);
        assert_eq!(taken(&mut quick, at(240)), 0);
        assert_eq!(taken(&mut quick, at(481)), 16);
        quick.on_mark();
        assert_eq!(taken(&mut quick, at(482)), 2);
        quick.on_old();
        assert_eq!(taken(&mut quick, at(483)), 16);
    }

    #[test]
    fn half_a_window_limits_them_and_two_are_the_fewest() {
        assert_eq!(taken(&mut quick(10), at(0)), 5);
        assert_eq!(taken(&mut quick(3), at(0)), 2);
    }

    #[test]
    fn the_delay_follows_arrivals_and_doubles_when_it_expires() {
        let mut quick = quick(1000);
        taken(&mut quick, at(0));
        quick.note(RoundTrip { timeout: ms(700), smoothed: Some(ms(500)) });
        taken(&mut quick, at(30));
        // 40/2 + 30, then 50/2 + 40 and, after an expiry, twice that.
        assert_eq!(quick.delay(), ms(50));
        taken(&mut quick, at(70));
        assert_eq!(quick.delay(), ms(65));
        quick.on_timeout();
        assert_eq!(quick.delay(), ms(130));
        quick.on_timeout();
        assert_eq!(quick.delay(), LONGEST_WAIT);
        quick.note(RoundTrip { timeout: ms(700), smoothed: Some(ms(100)) });
        assert_eq!(quick.delay(), ms(100));
    }

    /// Values of `ip-sysctl`: 5 % of 40 ms are more than 1 ms; of 10 ms they are 500 µs.
    #[test]
    fn beyond_a_gap_three_leave_and_the_others_wait() {
        let mut quick = quick(1000);
        let mut answers = |n| (0..n).map(|_| quick.beyond_gap(1, true)).collect::<Vec<_>>();
        assert_eq!(answers(3), [Reply::Now; 3]);
        assert_eq!(answers(44), [Reply::After(ms(1) + SLACK); 44]);
        assert_eq!(answers(1), [Reply::Now]);
        quick.note(RoundTrip { timeout: ms(210), smoothed: Some(ms(10)) });
        assert_eq!(quick.beyond_gap(1, false), Reply::After(Span::from_microseconds(600)));
        assert_eq!(quick.beyond_gap(1001, false), Reply::Now);
        quick.note(RoundTrip { timeout: ms(210), smoothed: None });
        assert_eq!([(); 9].map(|()| quick.beyond_gap(1001, false)), [Reply::Now; 9]);
    }
}
