//! A rule of congestion control from outside the crate: what a rule of today needs and those of the
//! crate do not, the time, the round trip, congestion marks and a growth of its own.
//!
//! The rule is a sketch of CUBIC (RFC 9438): the cubic function and one reduction per window,
//! without its Reno-friendly region, fast convergence and the look ahead by a round trip. The other
//! one only paces: it asks to be called at an instant.

use cellway_sim::tcp::congestion::{
    Ack, Congestion, DUP_ACK_THRESHOLD, Flight, NextSegment, Repair, Timeout, Transmission, WakeUp,
    Window,
};
use cellway_sim::tcp::{AckRule, Config, Connection, Flags, Role, Segment, TickPhases};
use cellway_sim::units::{Bytes, Span, Time};

use crate::pair::{End, Fate, Pair, Path, Step};

/// C of §4.1, segments per second cubed.
const C: f64 = 0.4;
/// What a loss leaves of the window (§4.6).
const BETA: f64 = 0.7;
const MSS: u64 = 1000;

#[derive(Clone, Debug, Default)]
struct Cubic {
    /// When avoidance began.
    epoch: Option<Time>,
    /// In segments, before the last reduction.
    w_max: f64,
    /// Growth that is no whole byte yet.
    fraction: f64,
    /// The window was reduced, and is not again until this is acknowledged; until then a partial
    /// ACK needs this repair.
    recover: Option<(u64, Repair)>,
    last_rtt: Option<Span>,
}

impl Cubic {
    /// K of §4.2, seconds.
    fn k(&self) -> f64 {
        libm::cbrt(self.w_max * (1.0 - BETA) / C)
    }

    fn reduce(&mut self, ack: &mut Ack<'_>) {
        self.w_max = ack.window.cwnd() as f64 / ack.window.mss() as f64;
        self.epoch = None;
        ack.window.set_ssthresh((ack.window.cwnd() as f64 * BETA) as u64);
        ack.window.deflate();
    }

    /// §4.2: cwnd grows by (target - cwnd)/cwnd segments per ACK.
    fn grow(&mut self, ack: &mut Ack<'_>) {
        let (cwnd, mss) = (ack.window.cwnd(), ack.window.mss());
        if cwnd < ack.window.ssthresh() {
            return ack.window.open(ack.acked.min(mss));
        }
        let since = (ack.now - *self.epoch.get_or_insert(ack.now)).seconds_f64();
        let beyond = since - self.k();
        let target = C * beyond * beyond * beyond + self.w_max;
        let segments = cwnd as f64 / mss as f64;
        self.fraction += ((target - segments) / segments).clamp(0.0, 0.5) * mss as f64;
        ack.window.open(self.fraction as u64);
        self.fraction -= self.fraction.floor();
    }
}

impl Congestion for Cubic {
    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        self.last_rtt = ack.rtt.or(self.last_rtt);
        match self.recover {
            Some((until, repair)) if ack.flight.snd_una < until => return repair,
            Some(_) => self.recover = None,
            None if ack.ecn_echo => {
                self.recover = Some((ack.flight.snd_max, Repair::Nothing));
                self.reduce(ack);
            }
            None => self.grow(ack),
        }
        Repair::Nothing
    }

    fn on_ecn_echo(&mut self, _ack: &mut Ack<'_>) {}

    fn on_dup_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        if ack.flight.dup_acks != DUP_ACK_THRESHOLD || self.recover.is_some() {
            return Repair::Nothing;
        }
        self.recover = Some((ack.flight.snd_max, Repair::Retransmit));
        self.reduce(ack);
        Repair::FastRetransmit
    }

    fn is_recovering(&self) -> bool {
        self.recover.is_some()
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        self.epoch = None;
        timeout.window.halve_flight(timeout.flight);
        timeout.window.collapse();
    }
}

/// Loses the first transmission of one segment.
struct LosesOnce(Option<u64>);

impl Path<Cubic> for LosesOnce {
    fn fate(&mut self, from: End, segment: &Segment) -> Fate {
        let is_lost = from == End::A && self.0.take_if(|seq| *seq == segment.seq).is_some();
        if is_lost { Fate::Lost } else { Fate::Arrives }
    }
}

fn config() -> Config {
    Config {
        mss: Bytes(MSS),
        window: Bytes(10 << 20),
        ack: AckRule::EverySegment,
        initial_ssthresh: Some(Bytes(100 * MSS)),
        ..Config::default()
    }
}

/// §4.2: cwnd is back at what it was K = ∛(W (1 - β)/C) seconds after a loss, whatever the round
/// trip is; with MSS²/cwnd per ACK it would take 30 round trips.
#[test]
fn a_window_grows_by_the_time_since_the_loss() {
    for round_trip in [Span::from_milliseconds(20), Span::from_milliseconds(100)] {
        let path = LosesOnce(Some(300 * MSS + 1));
        let phases = TickPhases::default();
        let mut pair = Pair::open_with(&config(), Cubic::default, phases, round_trip / 2, path);
        pair.act(End::A, Connection::write_forever);
        pair.drive_while(|pair| pair.a.rule().w_max == 0.0 || pair.a.rule().epoch.is_none());
        let (rule, began) = (pair.a.rule().clone(), pair.now);
        assert_eq!(rule.last_rtt, Some(round_trip));
        assert!((100.0..110.0).contains(&rule.w_max), "{}", rule.w_max);
        // Half a segment below: the function is flat there, and cwnd follows it from below.
        let aim = ((rule.w_max - 0.5) * MSS as f64) as u64;
        pair.drive_while(|pair| pair.a.cwnd() < aim);
        let expected = rule.k() - libm::cbrt(0.5 / C);
        let found = (pair.now - began).seconds_f64();
        assert!(
            (found - expected).abs() < 2.5 * round_trip.seconds_f64(),
            "{found} s, {expected} s"
        );
        assert_eq!((pair.a.counters().timeouts, pair.a.counters().fast_retransmits), (0, 1));
    }
}

/// RFC 3168 §6.1.2: an echoed mark is answered as a loss, once per window, and nothing is sent
/// again.
#[test]
fn an_echoed_mark_reduces_the_window_once() {
    let config = Config { initial_window: 10, initial_ssthresh: None, ecn: true, ..config() };
    let mut sender =
        Connection::with_rule(&config, Cubic::default(), Role::Active, TickPhases::default());
    sender.open();
    sender.write(100 * MSS);
    let mut answer = |ack, flags| {
        let now = Time::ZERO + Span::from_milliseconds(50);
        while sender.poll_transmit(now).is_some() {}
        let segment = Segment {
            seq: 1,
            ack,
            window: 1 << 20,
            flags: Flags::ACK | flags,
            ..Segment::default()
        };
        sender.on_segment(now, &segment);
        sender.cwnd()
    };
    assert_eq!(answer(MSS + 1, Flags::ECE), 7 * MSS);
    assert_eq!(answer(2 * MSS + 1, Flags::ECE), 7 * MSS);
    while sender.poll_transmit(Time::ZERO + Span::from_milliseconds(50)).is_some() {}
    assert_eq!(sender.counters().retransmitted_segments, 0);
}

/// One segment per `gap`, under a window that does not change.
#[derive(Clone, Debug)]
struct Paced {
    gap: Span,
    /// When the next segment may leave; `None`: at once.
    next: Option<Time>,
}

impl Congestion for Paced {
    fn on_ack(&mut self, _ack: &mut Ack<'_>) -> Repair {
        Repair::Nothing
    }

    fn on_timeout(&mut self, _timeout: &mut Timeout<'_>) {}

    fn next_segment(&self, _window: &Window, _flight: &Flight) -> NextSegment {
        if self.next.is_some() { NextSegment::Nothing } else { NextSegment::InSequence }
    }

    fn on_sent(&mut self, sent: &Transmission<'_>) {
        self.next = Some(sent.now + self.gap);
    }

    fn next_wake_up(&self) -> Time {
        self.next.unwrap_or(Time::MAX)
    }

    fn on_wake_up(&mut self, _wake_up: &mut WakeUp<'_>) -> Repair {
        self.next = None;
        Repair::Nothing
    }
}

/// When data left A.
struct Departures(Vec<Time>);

impl Path<Paced> for Departures {
    fn fate(&mut self, from: End, _segment: &Segment) -> Fate {
        // The fifth is lost once: the retransmission timer runs beside the pace.
        if from == End::A && self.0.len() == 4 { Fate::Lost } else { Fate::Arrives }
    }

    fn on_step(&mut self, now: Time, step: &Step<'_>, _a: &Connection<Paced>) {
        if let Step::Sent(End::A, segment) = step
            && segment.len > 0
        {
            self.0.push(now);
        }
    }
}

/// ACKs come every 7.4 ms and more often than that; segments leave at the pace, as long as the
/// window of ten lasts.
#[test]
fn a_rule_that_paces_is_called_at_its_instants() {
    let gap = Span::from_microseconds(1300);
    let config = Config { initial_window: 10, ..config() };
    let rule = Paced { gap, next: None };
    let delay = Span::from_microseconds(3700);
    let path = Departures(Vec::new());
    let mut pair = Pair::open_with(&config, || rule.clone(), TickPhases::default(), delay, path);
    pair.act(End::A, |a| a.write(30 * MSS));
    pair.drive();
    // Four segments are acknowledged; those after the lost one are the rest of the window.
    let departures = &pair.path.0;
    let on_pace: Vec<Time> = (0..14).map(|index| Time::ZERO + gap * index).collect();
    assert_eq!(departures[..14], on_pace);
    assert!(departures.windows(2).all(|pair| pair[1] - pair[0] >= gap), "{departures:?}");
    assert_eq!((pair.a.counters().timeouts, pair.a.acked()), (1, 30 * MSS));
}
