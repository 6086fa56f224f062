//! Bursts of Linux: a segment that may leave waits for the next ACK if that lets a larger burst
//! out (TSO deferral).
//!
//! A burst has the bytes of 1/1024 s at the pacing rate, and `64 KiB >> (round trip / 512 µs)`
//! more: two segments at least, 64 KiB at most. The pacing rate is cwnd per smoothed round trip,
//! twice that below half of ssthresh and 1.2 times above. Full bursts leave at once, and the rest
//! of what may leave
//!
//! * during recovery,
//! * if it is a third of the smaller window, cwnd or the receive window,
//! * if it ends the data,
//! * if nothing had left for a millisecond,
//! * if the first segment in flight left less than half of a round trip ago: its ACK is far.
//!
//! Else it stays until an ACK comes. A sender that the receive window limits so has up to a segment
//! less in flight, and its window is no less full for laws that open full windows alone. Where cwnd
//! is the limit nothing waits: Linux has the rule there, too, but no effect of it was seen.
//!
//! Source: Linux 6.12, `Documentation/networking/ip-sysctl.rst` (`tcp_tso_win_divisor`,
//! `tcp_min_tso_segs`, `tcp_tso_rtt_log`, `tcp_pacing_ca_ratio`); half of a round trip and the
//! millisecond were measured (docs/models/linux.md). Departures: the smoothed round trip stands
//! for the shortest one; the limits of single writes, at which Linux ends a burst, are not
//! followed; senders that pace, and those of rules without a log of the flight, do not wait.

use crate::tcp::congestion::Window;
use crate::units::{Span, Time};

/// Largest burst, bytes.
const LARGEST: u64 = 65_536;
/// Fewest segments of a burst.
const SEGMENTS: u64 = 2;
/// Part of the window that leaves at once.
const WIN_DIVISOR: u64 = 3;
/// Time after which a sender counts as quiet.
const QUIET: Span = Span::from_milliseconds(1);
/// Time of the pacing rate that is a burst.
const PART_OF_SECOND: i128 = 1024;
/// Unit of the round trip that shortens bursts.
const RTT_UNIT: Span = Span::from_microseconds(512);

/// Room for the next segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// First byte to leave.
    pub(super) seq: u64,
    /// Bytes from it on that cwnd and the receive window allow.
    pub(super) limit: u64,
    /// The smaller window, bytes.
    pub(super) window: u64,
    /// First unacknowledged byte, and the instant at which its segment last left.
    pub(super) una: u64,
    pub(super) first_sent: Option<Time>,
}

/// State of the bursts of a sender.
#[derive(Clone, Debug, Default)]
pub(super) struct Bursts {
    /// Instant of the present output, its first unacknowledged byte and the first byte that it
    /// sends.
    output: Option<(Time, u64, u64)>,
    /// True if nothing had left for a while when it began.
    was_quiet: bool,
    last_sent: Option<Time>,
}

impl Bursts {
    /// True if the segment at `room.seq` waits for the next ACK.
    pub(super) fn defers(&mut self, now: Time, room: Room, burst: u64, srtt: Option<Span>) -> bool {
        self.begin(now, room);
        let rest = self.rest(room.seq + room.limit, burst);
        let is_in_burst = room.limit > rest;
        if is_in_burst || rest >= room.window / WIN_DIVISOR {
            return false;
        }
        let full = self.sent_in_output(room.seq + room.limit) - rest;
        if self.was_quiet && full == 0 {
            return false;
        }
        room.first_sent.zip(srtt).is_some_and(|(first, srtt)| now - first >= srtt / 2)
    }

    /// True if a window that ends at `edge` ends inside the burst of the segment at `seq`, which is
    /// not its first.
    pub(super) fn is_inside(&self, seq: u64, edge: u64, burst: u64) -> bool {
        let rest = self.rest(edge, burst);
        seq + rest > edge
    }

    /// Notes that a segment leaves.
    pub(super) fn on_sent(&mut self, now: Time) {
        self.last_sent = Some(now);
    }

    fn begin(&mut self, now: Time, room: Room) {
        let is_same = self.output.is_some_and(|(at, una, _)| (at, una) == (now, room.una));
        if !is_same {
            self.output = Some((now, room.una, room.seq));
            self.was_quiet = self.last_sent.is_none_or(|last| now - last > QUIET);
        }
    }

    /// Bytes of the present output up to `edge`.
    fn sent_in_output(&self, edge: u64) -> u64 {
        self.output.map_or(0, |(_, _, began)| edge.saturating_sub(began))
    }

    /// Bytes before `edge` that fill no burst.
    fn rest(&self, edge: u64, burst: u64) -> u64 {
        self.sent_in_output(edge) % burst
    }
}

/// Bytes of a burst, whole segments.
pub(super) fn burst_of(window: &Window, srtt: Option<Span>) -> u64 {
    let mss = window.mss();
    let Some(srtt) = srtt.filter(|srtt| *srtt > Span::ZERO) else { return SEGMENTS * mss };
    let ratio = if window.cwnd() < window.ssthresh() / 2 { 20 } else { 12 };
    let second = i128::from(Span::from_seconds(1).picoseconds());
    let paced = i128::from(window.cwnd()) * ratio / 10 * second
        / (i128::from(srtt.picoseconds()) * PART_OF_SECOND);
    let shift = (srtt.picoseconds() / RTT_UNIT.picoseconds()).clamp(0, 63);
    let bytes = u64::try_from(paced).unwrap_or(LARGEST).saturating_add(LARGEST >> shift);
    (bytes.min(LARGEST) / mss).max(SEGMENTS) * mss
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::scaling::MAX_WINDOW;

    fn at(microseconds: i64) -> Time {
        Time::ZERO + Span::from_microseconds(microseconds)
    }

    /// Room for `limit` bytes, whose first unacknowledged segment left at 0.
    fn room(seq: u64, limit: u64, una: u64) -> Room {
        Room { seq, limit, window: 20_000, una, first_sent: Some(at(0)) }
    }

    const SRTT: Option<Span> = Some(Span::from_milliseconds(10));

    /// Ten segments left at 0 and one at 9.9 ms; the ACK of the first comes after 10 ms.
    fn in_flight() -> Bursts {
        let mut bursts = Bursts::default();
        bursts.on_sent(at(9_900));
        bursts
    }

    #[test]
    fn one_segment_waits_for_the_second() {
        let mut bursts = in_flight();
        assert!(bursts.defers(at(10_000), room(11_000, 1000, 1000), 2000, SRTT));
        assert!(!bursts.defers(at(10_500), room(11_000, 2000, 2000), 2000, SRTT));
        bursts.on_sent(at(10_500));
        assert!(!bursts.defers(at(10_500), room(12_000, 1000, 2000), 2000, SRTT), "its second");
        assert!(bursts.defers(at(10_700), room(13_000, 1500, 4000), 2000, SRTT));
    }

    #[test]
    fn nothing_waits_after_a_quiet_millisecond() {
        let mut bursts = in_flight();
        assert!(!bursts.defers(at(10_901), room(11_000, 1000, 1000), 2000, SRTT));
        bursts.on_sent(at(10_901));
        assert!(bursts.defers(at(11_000), room(12_000, 1000, 2000), 2000, SRTT));
    }

    #[test]
    fn nothing_waits_for_an_ack_that_is_far() {
        let mut bursts = Bursts::default();
        bursts.on_sent(at(9_000));
        let late = Room { first_sent: Some(at(9_000)), ..room(2000, 1000, 1000) };
        assert!(!bursts.defers(at(9_500), late, 2000, SRTT));
        assert!(bursts.defers(at(9_500), late, 2000, Some(Span::from_milliseconds(1))));
    }

    #[test]
    fn a_third_of_the_window_leaves_at_once() {
        let mut bursts = in_flight();
        let small = |limit| Room { window: 3000, ..room(11_000, limit, 1000) };
        assert!(!bursts.defers(at(10_000), small(1000), 2000, SRTT));
        assert!(bursts.defers(at(10_000), Room { window: 3003, ..small(1000) }, 2000, SRTT));
    }

    /// 1/1024 s of 1.2 cwnd per round trip: 10 Mbyte/s and 11 718 bytes; doubled in slow start; and
    /// 64 KiB within 512 µs.
    #[test]
    fn a_burst_is_a_millisecond_of_the_pacing_rate() {
        let window = |ssthresh| {
            let mut window = Window::of(1000, 100_000, 0, MAX_WINDOW);
            window.set_ssthresh(ssthresh);
            window
        };
        assert_eq!(burst_of(&window(100_000), SRTT), 11_000);
        assert_eq!(burst_of(&window(300_000), SRTT), 19_000);
        assert_eq!(burst_of(&window(100_000), Some(Span::from_milliseconds(100))), 2000);
        assert_eq!(burst_of(&window(100_000), Some(Span::from_microseconds(100))), 65_000);
        assert_eq!(burst_of(&window(100_000), None), 2000);
    }
}
