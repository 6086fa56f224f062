//! Transfers too long for a trace: counts, sums and sequence numbers far beyond 32 bits.

use cellway_sim::tcp::{AckRule, Config, Connection, Event, Flags, Recovery, Segment, TickPhases};
use cellway_sim::units::{Bytes, Span, Time};

use crate::pair::{Clean, End, Fate, Pair, Path, Step};

fn config() -> Config {
    Config {
        mss: Bytes(9140),
        window: Bytes(10 << 20),
        ack: AckRule::EverySegment,
        handshake: true,
        ..Config::default()
    }
}

fn open<P: Path>(config: &Config, delay: Span, path: P) -> Pair<P> {
    Pair::open(config, TickPhases::default(), delay, path)
}

#[test]
fn five_gigabytes_pass_both_ends_of_32_bits() {
    let mut pair = open(&config(), Span::from_milliseconds(5), Clean);
    pair.act(End::A, |a| a.write(5_000_000_000));
    for boundary in [1_u64 << 31, 1 << 32] {
        pair.drive_while(|pair| pair.a.acked() <= boundary);
        let at_boundary = pair.a.acked();
        assert!(at_boundary - boundary <= 9140, "acknowledged segment by segment");
        assert!(pair.b.delivered() >= at_boundary);
    }
    pair.drive();
    let (sent, received) = (pair.a.counters(), pair.b.counters());
    assert_eq!((pair.a.acked(), pair.b.delivered()), (5_000_000_000, 5_000_000_000));
    // 5e9 / 9140 = 547 045.9…, and one ACK each.
    assert_eq!((sent.segments_sent, received.acks_sent), (547_046, 547_046));
    assert_eq!(
        (sent.retransmitted_segments, sent.timeouts, received.duplicate_segments_received),
        (0, 0, 0)
    );
    assert_eq!(
        (sent.rtt.min, sent.rtt.max),
        (Span::from_milliseconds(10), Span::from_milliseconds(10))
    );
    assert_eq!(sent.rtt.sum, Span::from_milliseconds(10) * sent.rtt.count as i64);
}

/// The window as scaled: 584 960 bytes shifted by 4 is whole; 64 segments in each of 100 round
/// trips. Without scaling seven whole segments fit into 65 535 bytes; what is left of the window,
/// 1555 bytes, is too small to send.
#[test]
fn a_window_per_round_trip_is_the_rate() {
    for (window, window_scaling, segments) in [(64 * 9140, true, 64), (10 << 20, false, 7)] {
        let config = Config { window: Bytes(window), window_scaling, ..config() };
        let mut pair = open(&config, Span::from_milliseconds(50), Clean);
        pair.act(End::A, Connection::write_forever);
        pair.drive_until(Time::ZERO + Span::from_seconds(2));
        let before = pair.a.acked();
        pair.drive_until(Time::ZERO + Span::from_seconds(12));
        assert_eq!(pair.a.acked() - before, 100 * segments * 9140, "scaling: {window_scaling}");
    }
}

/// Loses everything and remembers when A's timer expired and what was told.
#[derive(Default)]
struct Dead {
    timeouts: Vec<Time>,
    events: Vec<Event>,
}

impl Path for Dead {
    fn fate(&mut self, _from: End, _segment: &Segment) -> Fate {
        Fate::Lost
    }

    fn on_step(&mut self, now: Time, step: &Step<'_>, _a: &Connection) {
        match *step {
            Step::TimedOut(End::A) => self.timeouts.push(now),
            Step::Told(End::A, event) => self.events.push(event),
            _ => {}
        }
    }
}

#[test]
fn silence_through_twelve_back_offs_aborts() {
    let mut config = config();
    config.handshake = false;
    let mut pair = open(&config, Span::from_milliseconds(5), Dead::default());
    pair.act(End::A, |a| a.write(9140));
    pair.drive();
    // 6, 24, 48 s, then ten times 64 s: the thirteenth expiry gives up.
    let seconds: Vec<i64> =
        pair.path.timeouts.iter().map(|at| at.picoseconds() / 1_000_000_000_000).collect();
    assert_eq!(seconds, [6, 30, 78, 142, 206, 270, 334, 398, 462, 526, 590, 654, 718]);
    assert_eq!(pair.path.events, [Event::Connected, Event::Aborted]);
    assert_eq!((pair.a.counters().timeouts, pair.a.next_timeout()), (12, Time::MAX));
}

/// Windows of all segments, those of SYNs apart.
#[derive(Default)]
struct Windows([Vec<u32>; 2]);

impl Path for Windows {
    fn on_step(&mut self, _now: Time, step: &Step<'_>, _a: &Connection) {
        if let Step::Sent(_, segment) = *step {
            self.0[usize::from(segment.flags.contains(Flags::SYN))].push(segment.window);
        }
    }
}

/// RFC 7323 §2.2 and §2.3: a SYN tells 65 535 bytes at most, and later windows are multiples of 4.
#[test]
fn the_window_of_a_syn_is_not_scaled() {
    let config = Config { window: Bytes(200_001), ..config() };
    let mut pair = open(&config, Span::from_milliseconds(5), Windows::default());
    pair.act(End::A, |a| a.write(9140));
    pair.drive();
    let [others, of_syns] = pair.path.0;
    assert_eq!((of_syns, others), (vec![65_535; 2], vec![200_000; 2]));
}

/// Remembers all that was sent, without the options of the SYNs.
#[derive(Default)]
struct Log(Vec<(Time, End, u64, u64, u64)>);

impl Path for Log {
    fn on_step(&mut self, now: Time, step: &Step<'_>, a: &Connection) {
        if let Step::Sent(end, segment) = *step {
            self.0.push((now, end, segment.seq, segment.ack, segment.ip_bytes()));
            assert_eq!(segment.sacked().count(), 0);
            assert_eq!(a.counters().dup_acks_received, 0);
        }
    }
}

/// What turns losses into a window has nothing to say without them.
#[test]
fn without_losses_all_rules_are_the_same() {
    let sent = Recovery::ALL.iter().map(|&recovery| {
        let config = Config { recovery, window: Bytes(64 * 9140), ..config() };
        let mut pair = open(&config, Span::from_milliseconds(5), Log::default());
        pair.act(End::A, |a| a.write(5_000_000));
        pair.act(End::A, Connection::close);
        pair.drive();
        pair.path.0
    });
    let sent: Vec<_> = sent.collect();
    assert!(sent[0].len() > 1000);
    for (rule, of_rule) in Recovery::ALL.iter().zip(&sent) {
        assert_eq!(*of_rule, sent[0], "{rule:?}");
    }
}
