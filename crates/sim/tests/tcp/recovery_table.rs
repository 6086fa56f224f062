//! Every rule against the same losses in a window of 28, as one table that a person reviews:
//! `golden/recovery.txt`.
//!
//! All 28 segments leave at time zero, the round trip is 100 ms, every segment is acknowledged, and
//! no transmission time blurs the rounds. Beside ours stand the figures of ns-2 2.35 (Debian
//! 2.35+dfsg-5) for the same transfers: Agent/TCP, Reno, Newreno and Sack1, `windowInit_` and
//! `window_` 28, `minrto_` 1, `maxburst_` 0, `syn_` false, ErrorModel/List with the same segments,
//! 10 Gbit/s and 50 ms; `bugFix_` is the guard. With `UPDATE_GOLDENS=1` the table is written anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use cellway_sim::tcp::{
    AckRule, Config, Connection, Counters, FastRetransmitGuard, FineTimers, Recovery, Segment,
    TickPhases, Timers,
};
use cellway_sim::units::{Bytes, Span, Time};

use crate::golden::assert_golden;
use crate::pair::{End, Fate, Known, Pair, Path, Step};
use crate::recovery_subjects::{SUBJECTS, Subject};

const MSS: u64 = 1000;
const WINDOW: u64 = 28;
const SEGMENTS: u64 = 200;
const ROUND_TRIP: Span = Span::from_milliseconds(100);

/// Which segments of the window are lost, the first one having number 1.
const LOSSES: [&[u64]; 6] = [
    &[11],
    &[11, 12],
    &[11, 12, 13],
    &[11, 12, 13, 14],
    &[11, 12, 13, 14, 16],
    &[11, 12, 13, 14, 16, 18, 20, 22],
];

impl Subject {
    fn config(&self) -> Config {
        Config { readings: self.readings, ..config(self.rule, self.guard) }
    }
}

/// Loses the first transmission of some segments.
struct Lossy {
    lost: BTreeSet<u64>,
    highest: u64,
    last_repair: Time,
    known: Known,
}

impl Path for Lossy {
    fn fate(&mut self, from: End, segment: &Segment) -> Fate {
        let number = segment.seq / MSS + 1;
        let is_lost = from == End::A && segment.len > 0 && self.lost.remove(&number);
        if is_lost { Fate::Lost } else { Fate::Arrives }
    }

    fn on_step(&mut self, now: Time, step: &Step<'_>, _a: &Connection) {
        self.known.on_step(End::A, step);
        if let Step::Sent(End::A, segment) = *step {
            if segment.seq < self.highest {
                self.last_repair = now;
            }
            self.highest = self.highest.max(segment.end());
        }
    }
}

fn config(rule: Recovery, guard: FastRetransmitGuard) -> Config {
    Config {
        mss: Bytes(MSS),
        window: Bytes(WINDOW * MSS),
        recovery: rule,
        timers: Timers::Fine(FineTimers {
            granularity: Span::from_milliseconds(1),
            initial_rto: Span::from_seconds(3),
            min_rto: Span::from_seconds(1),
            max_rto: Span::from_seconds(60),
            ack_delay: Span::from_milliseconds(200),
            ..FineTimers::default()
        }),
        ack: AckRule::EverySegment,
        initial_window: WINDOW as u32,
        window_scaling: false,
        limited_transmit: rule.follows_rfcs(),
        fast_retransmit_guard: guard,
        ..Config::default()
    }
}

struct Measured {
    counters: Counters,
    /// From the first duplicates, after one round trip, to the last segment sent again.
    repair: f64,
    /// For the whole transfer.
    round_trips: f64,
}

fn transfer(config: &Config, segments: u64, lost: &[u64]) -> Measured {
    let lost = lost.iter().copied().collect();
    let path = Lossy { lost, highest: 0, last_repair: Time::ZERO, known: Known::default() };
    let mut pair = Pair::open(config, TickPhases::default(), ROUND_TRIP / 2, path);
    pair.act(End::A, |a| a.write(segments * MSS));
    pair.drive_while(|pair| pair.a.acked() < segments * MSS);
    assert!(pair.path.lost.is_empty(), "all losses came true");
    let in_round_trips =
        |at: Time| (at - Time::ZERO).picoseconds() as f64 / ROUND_TRIP.picoseconds() as f64;
    Measured {
        counters: pair.a.counters(),
        repair: in_round_trips(pair.path.last_repair) - 1.0,
        round_trips: in_round_trips(pair.now),
    }
}

fn table() -> String {
    let mut text = format!(
        "A window of 28 segments, of which 11; 11-12; 11-13; 11-14; 11-14, 16; 11-14, 16, 18, 20, \
         22 are lost once.\n\
         again: segments sent again; repair: round trips from the third duplicate to the last of \
         them; 200: round trips until all\n\
         200 segments are acknowledged, {:.1} without a loss; goodput in segments per round \
         trip.\n\n\
         losses  again  fast  timeouts  repair   200  goodput   ns-2: again  timeouts   200\n",
        transfer(&config(Recovery::Reno, FastRetransmitGuard::Never), SEGMENTS, &[]).round_trips
    );
    for subject in &SUBJECTS {
        write!(text, "\n{}\n", subject.name).expect("a string takes all");
        for line in wrapped(subject.why) {
            writeln!(text, "  {line}").expect("a string takes all");
        }
        for (at, lost) in LOSSES.iter().enumerate() {
            let measured = transfer(&subject.config(), SEGMENTS, lost);
            text.push_str(&row(
                lost.len(),
                &measured,
                subject.elsewhere.map(|(cases, _)| cases[at]),
            ));
        }
    }
    text
}

fn row(losses: usize, measured: &Measured, elsewhere: Option<(u64, u64, f64)>) -> String {
    let Measured { counters, repair, round_trips } = measured;
    let (again, fast, timeouts) =
        (counters.retransmitted_segments, counters.fast_retransmits, counters.timeouts);
    let goodput = SEGMENTS as f64 / round_trips;
    let ours = format!(
        "{losses:>6}  {again:>5}  {fast:>4}  {timeouts:>8}  {repair:>6.1}  {round_trips:>4.1}  \
         {goodput:>7.2}"
    );
    elsewhere.map_or(format!("{ours}\n"), |(again, timeouts, round_trips)| {
        format!("{ours}   {again:>11}  {timeouts:>8}  {round_trips:>4.1}\n")
    })
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one");
        if line.len() + word.len() > 84 {
            lines.push(word.to_owned());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines
}

fn rules_with_fast_retransmit() -> impl Iterator<Item = &'static Recovery> {
    Recovery::ALL.iter().filter(|rule| rule.retransmits_fast())
}

#[test]
fn every_rule_against_the_same_losses() {
    for rule in Recovery::ALL {
        assert!(SUBJECTS.iter().any(|subject| subject.rule == *rule), "{rule:?} has no rows");
    }
    assert_golden("recovery.txt", &table());
}

/// What ns-2 sends again and how often its timer runs out, in every case; and its time, but for
/// what the reasons say.
#[test]
fn resends_and_timeouts_are_those_of_ns2() {
    for subject in &SUBJECTS {
        let Some((cases, allowed)) = subject.elsewhere else { continue };
        for (lost, elsewhere) in LOSSES.iter().zip(cases) {
            let measured = transfer(&subject.config(), SEGMENTS, lost);
            let counters = measured.counters;
            let ours = (counters.retransmitted_segments, counters.timeouts);
            assert_eq!(ours, (elsewhere.0, elsewhere.1), "{}, {lost:?}", subject.name);
            let apart = (measured.round_trips - elsewhere.2).abs();
            assert!(
                apart <= allowed,
                "{}, {lost:?}: {} {}",
                subject.name,
                measured.round_trips,
                elsewhere.2
            );
        }
    }
}

/// The first data segment of a connection was left to the timer.
#[test]
fn the_first_segment_of_all_is_repaired_by_fast_retransmit() {
    for &rule in rules_with_fast_retransmit() {
        for handshake in [false, true] {
            let config = Config { handshake, ..config(rule, FastRetransmitGuard::Always) };
            let counters = transfer(&config, SEGMENTS, &[1]).counters;
            assert_eq!((counters.fast_retransmits, counters.timeouts), (1, 0), "{rule:?}");
        }
    }
}

/// RFC 3042: in a window of three segments one loss leaves two duplicates, and they bring about the
/// third.
#[test]
fn limited_transmit_repairs_small_windows_without_the_timer() {
    for &rule in rules_with_fast_retransmit() {
        for (limited_transmit, timeouts) in [(false, 1), (true, 0)] {
            let config = Config {
                limited_transmit,
                initial_window: 3,
                ..config(rule, FastRetransmitGuard::Always)
            };
            let counters = transfer(&config, 20, &[1]).counters;
            assert_eq!(counters.timeouts, timeouts, "{rule:?}");
        }
    }
}
