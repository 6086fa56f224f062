//! `HyStart++` (RFC 9406): the first slow start ends when round trips grow, before any loss.
//!
//! A round lasts until all data sent before its start are acknowledged. Conservative slow start
//! (CSS) begins if the shortest of at least eight round trips of a round exceeds that of the round
//! before by an eighth, limited to between 4 and 16 ms: the window then opens a quarter as fast. A
//! round trip below the one at which CSS began ends CSS, and slow start goes on; after five rounds
//! of CSS ssthresh becomes cwnd. The constants are those that §4.3 recommends, and have no keys:
//! `hystart` is on or off. An ACK counts by the bytes that it acknowledges, up to L = 8 segments,
//! as nothing is paced here, or up to `byte_counting`.
//!
//! Chosen: the round trip of an ACK is that of the last segment that it acknowledges, so that it
//! does not include the wait of a delayed ACK; the ACK that ends a round belongs to it; a quarter
//! of an opening is in whole bytes. Only the first slow start is so (§4.3); a later one is that of
//! RFC 5681.

use super::opening::PerAck;
use super::{Ack, Window};
use crate::tcp::readings::Readings;
use crate::units::Span;

const MIN_RTT_THRESH: Span = Span::from_milliseconds(4);
const MAX_RTT_THRESH: Span = Span::from_milliseconds(16);
const MIN_RTT_DIVISOR: i64 = 8;
const N_RTT_SAMPLE: u32 = 8;
const CSS_GROWTH_DIVISOR: u64 = 4;
const CSS_ROUNDS: u32 = 5;
#[derive(Clone, Debug)]
pub(super) struct HyStart {
    /// ssthresh before any congestion.
    ssthresh: u64,
    opening: PerAck,
    /// Sequence number after the data sent before the start of the round; `None` before the first
    /// ACK.
    window_end: Option<u64>,
    /// `lastRoundMinRTT`; `None` for infinity, as with `currentRoundMinRTT`.
    last_round_min: Option<Span>,
    round_min: Option<Span>,
    samples: u32,
    conservative: Option<Conservative>,
}

/// State of conservative slow start (CSS).
#[derive(Clone, Copy, Debug)]
struct Conservative {
    /// `cssBaselineMinRtt`.
    baseline: Span,
    /// Rounds that have ended, including the one in which it began.
    rounds: u32,
}

impl HyStart {
    pub(super) fn new(ssthresh: u64, readings: &Readings) -> Self {
        Self {
            ssthresh,
            opening: PerAck::of_hystart(readings),
            window_end: None,
            last_round_min: None,
            round_min: None,
            samples: 0,
            conservative: None,
        }
    }

    /// True while neither congestion nor `HyStart++` has set ssthresh.
    pub(super) fn is_on(&self, window: &Window) -> bool {
        window.ssthresh() == self.ssthresh
    }

    /// Takes an ACK of new data in slow start.
    pub(super) fn on_ack(&mut self, ack: &mut Ack<'_>) {
        let opening = self.opening.of(ack.acked, ack.window.mss());
        let divisor = if self.conservative.is_some() { CSS_GROWTH_DIVISOR } else { 1 };
        ack.window.open(opening / divisor);
        if let Some(rtt) = ack.latest_rtt {
            self.round_min = Some(self.round_min.map_or(rtt, |min| min.min(rtt)));
            self.samples += 1;
        }
        if self.samples >= N_RTT_SAMPLE {
            self.compare();
        }
        let window_end = *self.window_end.get_or_insert(ack.flight.snd_max);
        if ack.flight.snd_una >= window_end {
            self.end_round(ack);
        }
    }

    fn compare(&mut self) {
        let Some(min) = self.round_min else { return };
        match (self.conservative, self.last_round_min) {
            (Some(Conservative { baseline, .. }), _) if min < baseline => self.conservative = None,
            (None, Some(last)) if min >= last + threshold(last) => {
                self.conservative = Some(Conservative { baseline: min, rounds: 0 });
            }
            _ => {}
        }
    }

    fn end_round(&mut self, ack: &mut Ack<'_>) {
        self.window_end = Some(ack.flight.snd_max);
        self.last_round_min = self.round_min.take();
        self.samples = 0;
        if let Some(conservative) = &mut self.conservative {
            conservative.rounds += 1;
            if conservative.rounds == CSS_ROUNDS {
                ack.window.set_ssthresh(ack.window.cwnd());
            }
        }
    }
}

/// `RttThresh`.
fn threshold(last_round_min: Span) -> Span {
    (last_round_min / MIN_RTT_DIVISOR).min(MAX_RTT_THRESH).max(MIN_RTT_THRESH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::Flight;
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    const MSS: u64 = 1000;

    /// A sender in its first slow start, with one call per round.
    struct Rounds {
        hystart: HyStart,
        window: Window,
        flight: Flight,
    }

    fn rounds(cwnd: u64) -> Rounds {
        let window = Window::of(MSS, cwnd * MSS, MAX_WINDOW, MAX_WINDOW);
        let flight = Flight { snd_max: cwnd * MSS, ..Flight::default() };
        Rounds { hystart: HyStart::new(MAX_WINDOW, &Readings::default()), window, flight }
    }

    impl Rounds {
        fn ack(&mut self, segments: u64, rtt: Option<i64>) {
            self.flight.snd_una += segments * MSS;
            let mut ack = Ack::of_test(Time::ZERO, segments * MSS, &self.flight, &mut self.window);
            ack.latest_rtt = rtt.map(Span::from_milliseconds);
            self.hystart.on_ack(&mut ack);
            self.flight.snd_max = self.flight.snd_una + self.window.cwnd() / MSS * MSS;
        }

        /// Runs a round of ACKs of one segment, each after `rtt` milliseconds; returns their
        /// number, and then cwnd in segments.
        fn round(&mut self, rtt: i64) -> (u64, f64) {
            let before = self.hystart.window_end.unwrap_or(self.flight.snd_max);
            for acks in 1.. {
                self.ack(1, Some(rtt));
                if self.hystart.window_end != Some(before) {
                    return (acks, self.cwnd());
                }
            }
            unreachable!("a round ends")
        }

        fn cwnd(&self) -> f64 {
            self.window.cwnd() as f64 / MSS as f64
        }

        fn is_conservative(&self) -> bool {
            self.hystart.conservative.is_some()
        }
    }

    /// Threshold of §4.2: max(4 ms, min(RTT/8, 16 ms)).
    #[test]
    fn the_threshold_is_an_eighth_within_bounds() {
        for (rtt, expected) in [(8, 4_000), (32, 4_000), (40, 5_000), (128, 16_000), (600, 16_000)]
        {
            let found = threshold(Span::from_milliseconds(rtt));
            assert_eq!(found, Span::from_microseconds(expected), "{rtt} ms");
        }
    }

    /// Rounds of §4.2: twice as much while round trips stay, a quarter of that once they are 5 ms
    /// longer than 40 ms, and avoidance after five such rounds.
    #[test]
    fn longer_round_trips_end_slow_start() {
        let mut rounds = rounds(10);
        // A segment sent with the ACK that ends a round belongs to the round after the next.
        let doubled = [40, 40, 44].map(|rtt| rounds.round(rtt));
        assert_eq!(doubled, [(10, 20.0), (18, 38.0), (36, 74.0)]);
        assert!(!rounds.is_conservative());
        // 44 + 5.5 ms: seen with the eighth round trip; the others open a quarter.
        assert_eq!(rounds.round(50), (72, 74.0 + 8.0 + 64.0 / 4.0));
        assert!(rounds.is_conservative());
        for round in 2..=5 {
            let cwnd = rounds.cwnd();
            assert_eq!(rounds.window.ssthresh(), MAX_WINDOW, "round {round}");
            let (acks, opened) = rounds.round(50 + 20 * round);
            assert!((opened - cwnd - acks as f64 / 4.0).abs() < 1e-9);
        }
        assert_eq!(rounds.window.ssthresh(), rounds.window.cwnd());
        assert!(!rounds.hystart.is_on(&rounds.window));
    }

    /// CSS of §4.2: a round trip below the one at which it began shows that it was too early.
    #[test]
    fn a_shorter_round_trip_resumes_slow_start() {
        let mut rounds = rounds(10);
        for rtt in [40, 40, 60] {
            rounds.round(rtt);
        }
        assert!(rounds.is_conservative());
        for _ in 0..N_RTT_SAMPLE {
            assert!(rounds.is_conservative());
            rounds.ack(1, Some(59));
        }
        assert!(!rounds.is_conservative());
        let cwnd = rounds.window.cwnd();
        rounds.ack(1, Some(59));
        assert_eq!(rounds.window.cwnd(), cwnd + MSS);
    }

    /// Samples of §4.2: seven round trips decide nothing, nor does a round without one before it.
    #[test]
    fn fewer_than_eight_samples_say_nothing() {
        let mut seven = rounds(7);
        seven.round(40);
        for _ in 0..7 {
            seven.ack(1, Some(400));
        }
        assert!(!seven.is_conservative());
        let mut untimed = rounds(20);
        untimed.round(40);
        (0..30).for_each(|_| untimed.ack(1, None));
        assert!(!untimed.is_conservative());
        let mut first = rounds(50);
        first.round(400);
        assert!(!first.is_conservative());
    }

    /// Opening of §4.2: min(N, L·SMSS).
    #[test]
    fn an_ack_opens_by_what_it_acknowledges_up_to_eight_segments() {
        let mut rounds = rounds(40);
        rounds.ack(2, Some(40));
        assert_eq!(rounds.window.whole_segments(), 42);
        rounds.ack(20, Some(40));
        assert_eq!(rounds.window.whole_segments(), 50);
    }
}
