//! Several segments of one window are lost: how each rule repairs them, counted and timed. Some of
//! the scripts `losses_*` show the same transfers line by line.

use std::collections::BTreeSet;

use cellway_sim::tcp::{
    AckRule, Config, Connection, Counters, Event, Recovery, Segment, TickPhases,
};
use cellway_sim::units::{Bytes, Span, Time};
use proptest::prelude::*;

use crate::pair::{End, Fate, Known, Pair, Path, Step, is_pure_ack};

const MSS: u64 = 1000;
/// Segments in the window that suffers.
const WINDOW: u64 = 20;
const ROUND_TRIP: Span = Span::from_milliseconds(100);

/// The first segment has number 1.
fn number(segment: &Segment) -> u64 {
    (segment.seq - 1) / MSS + 1
}

/// Loses the first transmission of some segments, and remembers what is sent again and when.
struct Lossy {
    lost: BTreeSet<u64>,
    resent: Vec<(Time, u64)>,
    first_sent: Vec<(Time, u64)>,
    timed_out: bool,
    /// The values of ssthresh, without repetition.
    ssthresh: Vec<u64>,
    ack_bytes: BTreeSet<(usize, u64)>,
    highest: u64,
    known: Known,
}

impl Lossy {
    fn of(lost: impl IntoIterator<Item = u64>) -> Self {
        Self {
            lost: lost.into_iter().collect(),
            resent: Vec::new(),
            first_sent: Vec::new(),
            timed_out: false,
            ssthresh: Vec::new(),
            ack_bytes: BTreeSet::new(),
            highest: 0,
            known: Known::default(),
        }
    }

    fn note_sent(&mut self, now: Time, segment: &Segment) {
        let sent = if segment.seq < self.highest { &mut self.resent } else { &mut self.first_sent };
        sent.push((now, number(segment)));
        self.highest = self.highest.max(segment.end());
    }
}

impl Path for Lossy {
    fn fate(&mut self, from: End, segment: &Segment) -> Fate {
        let is_lost = from == End::A && segment.len > 0 && self.lost.remove(&number(segment));
        if is_lost { Fate::Lost } else { Fate::Arrives }
    }

    fn on_step(&mut self, now: Time, step: &Step<'_>, a: &Connection) {
        self.known.on_step(End::A, step);
        match *step {
            Step::Sent(End::A, segment) => self.note_sent(now, segment),
            Step::Sent(End::B, segment) if is_pure_ack(segment) => {
                self.ack_bytes.insert((segment.sacked().count(), segment.ip_bytes()));
            }
            Step::TimedOut(End::A) => self.timed_out = true,
            Step::Told(_, event) => assert_ne!(event, Event::Aborted),
            _ => {}
        }
        if self.ssthresh.last() != Some(&a.ssthresh()) {
            self.ssthresh.push(a.ssthresh());
        }
    }
}

struct Transfer {
    path: Lossy,
    counters: Counters,
}

impl Transfer {
    /// The numbers of what was sent again.
    fn resent(&self) -> Vec<u64> {
        self.path.resent.iter().map(|&(_, number)| number).collect()
    }

    /// Instants of what was sent again, from the first one on.
    fn delays(&self) -> Vec<Span> {
        let start = self.path.resent.first().map_or(Time::ZERO, |&(at, _)| at);
        self.path.resent.iter().map(|&(at, _)| at - start).collect()
    }
}

fn config(recovery: Recovery) -> Config {
    Config {
        mss: Bytes(MSS),
        window: Bytes(60_000),
        recovery,
        ack: AckRule::EverySegment,
        initial_window: WINDOW as u32,
        window_scaling: false,
        fast_retransmit_guard: recovery.default_guard(),
        ..Config::default()
    }
}

/// Segments `lost` of the first window of 20, of `segments` in all.
fn transfer(recovery: Recovery, segments: u64, lost: impl IntoIterator<Item = u64>) -> Transfer {
    let path = Lossy::of(lost);
    let mut pair = Pair::open(&config(recovery), TickPhases::default(), ROUND_TRIP / 2, path);
    pair.act(End::A, |a| a.write(segments * MSS));
    pair.drive();
    assert_eq!((pair.a.acked(), pair.b.delivered()), (segments * MSS, segments * MSS));
    assert!(pair.path.lost.is_empty());
    Transfer { counters: pair.a.counters(), path: pair.path }
}

/// Every other segment from the second on, as in the scripts.
fn alternate(count: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(|n| 2 * n)
}

#[test]
fn one_loss_waits_for_the_timer_with_vanilla_alone() {
    for &rule in Recovery::ALL {
        for lost in 2..=WINDOW {
            let transfer = transfer(rule, 60, [lost]);
            let (timeouts, fast) = if rule == Recovery::Vanilla { (1, 0) } else { (0, 1) };
            let counters = transfer.counters;
            assert_eq!(
                (counters.timeouts, counters.fast_retransmits),
                (timeouts, fast),
                "{rule:?}, {lost}"
            );
            if ![Recovery::Vanilla, Recovery::Tahoe].contains(&rule) {
                assert_eq!(transfer.resent(), [lost], "{rule:?}");
            }
        }
    }
}

/// Fall and Floyd 1996: Reno survives two losses in a window by halving twice, and three seldom.
#[test]
fn reno_halves_for_the_second_loss_and_waits_for_the_third() {
    let two = transfer(Recovery::Reno, 60, alternate(2));
    assert_eq!((two.counters.timeouts, two.counters.fast_retransmits), (0, 2));
    // 21 segments: 20 of the window and one that slow start let out; then what fast recovery left
    // of the half.
    assert_eq!(two.path.ssthresh[1..], [10_000, 5000]);
    for count in [3, 4, 5, 8] {
        let transfer = transfer(Recovery::Reno, 60, alternate(count));
        assert!(transfer.path.timed_out, "{count} losses");
    }
}

#[test]
fn new_reno_and_hoe_repair_one_hole_per_round_trip() {
    for rule in [Recovery::NewReno, Recovery::NewRenoSteady, Recovery::Hoe] {
        for count in [1, 2, 3, 4, 5, 8] {
            let transfer = transfer(rule, 60, alternate(count));
            assert_eq!((transfer.counters.timeouts, transfer.counters.fast_retransmits), (0, 1));
            assert_eq!(transfer.resent(), alternate(count).collect::<Vec<_>>());
            let expected: Vec<Span> = (0..count as i64).map(|n| ROUND_TRIP * n).collect();
            assert_eq!(transfer.delays(), expected, "{rule:?}, {count} losses");
        }
    }
}

/// Hoe 1996: one new segment for every two duplicates of the recovery.
#[test]
fn hoe_sends_one_new_segment_for_two_duplicates() {
    let transfer = transfer(Recovery::Hoe, 60, [2]);
    let entry = transfer.path.resent[0].0;
    let sent = |&&(at, _): &&(Time, u64)| entry <= at && at < entry + ROUND_TRIP;
    // Of 20 duplicates, for 3 to 20, 21 and 22, three begin recovery; 15 of the others come in this
    // round trip.
    assert_eq!(
        transfer.path.first_sent.iter().filter(sent).filter(|(_, n)| *n > 22).count(),
        15 / 2
    );
}

/// What is lost leaves the pipe of RFC 6675 as soon as it counts as lost, so all holes leave
/// together; the pipe of Fall and Floyd keeps it and starves with many losses, yet two round trips
/// are enough here.
#[test]
fn selective_acknowledgements_repair_all_holes_within_two_round_trips() {
    for (rule, round_trips) in [(Recovery::Sack, 1), (Recovery::SackPipe, 3)] {
        for count in [1, 2, 3, 4, 5, 8] {
            let transfer = transfer(rule, 60, alternate(count));
            assert_eq!((transfer.counters.timeouts, transfer.counters.fast_retransmits), (0, 1));
            assert_eq!(transfer.resent(), alternate(count).collect::<Vec<_>>());
            let last = *transfer.delays().last().expect("something is sent again");
            assert!(last < ROUND_TRIP * round_trips, "{rule:?}, {count} losses: {last:?}");
        }
    }
}

/// Recovery inflated the window no further than the peer could ever advertise and deflated it from
/// there by all that a partial ACK covers, so that 65 000 bytes left 8 segments outstanding where
/// 66 000, which are scaled, left 33 (RFC 6582 §3.2 step 3: about ssthresh).
#[test]
fn a_window_that_just_fits_the_field_recovers_like_one_that_needs_scaling() {
    let acked = |window| {
        let (recovery, window_scaling, initial_window) = (Recovery::NewReno, true, 65);
        let window = Bytes(window);
        let config = Config { window, window_scaling, initial_window, ..config(recovery) };
        let path = Lossy::of([60, 118]);
        let mut pair = Pair::open(&config, TickPhases::default(), ROUND_TRIP / 2, path);
        pair.act(End::A, |a| a.write(5_000 * MSS));
        pair.drive_until(Time::ZERO + ROUND_TRIP * 15);
        assert!(pair.path.lost.is_empty());
        pair.a.acked() / MSS
    };
    let (fits, scaled) = (acked(65_000), acked(66_000));
    assert!(100 * fits >= 98 * scaled, "{fits} and {scaled} segments");
}

/// RFC 2018 §3: an option of 2 + 8n bytes in whole words on top of 40.
#[test]
fn acks_with_blocks_are_longer() {
    let of = |rule| transfer(rule, 60, alternate(8)).path.ack_bytes;
    assert_eq!(of(Recovery::NewReno), [(0, 40)].into());
    assert_eq!(of(Recovery::Sack), [(0, 40), (1, 52), (2, 60), (3, 68)].into());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Three segments at least arrive after each loss, and no timer runs from before a repair:
    /// nothing waits.
    #[test]
    fn any_losses_of_a_window_are_repaired_once_each(
        lost in prop::collection::btree_set(2_u64..=17, 1..=16)
    ) {
        for rule in [Recovery::NewRenoSteady, Recovery::Hoe, Recovery::Sack] {
            let transfer = transfer(rule, 200, lost.clone());
            prop_assert_eq!(transfer.counters.timeouts, 0);
            let lost: Vec<_> = lost.iter().copied().collect();
            prop_assert_eq!(transfer.resent(), lost, "{:?}", rule);
        }
    }
}
