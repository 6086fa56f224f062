//! ECN between two ends, packet by packet, as RFC 3168 §6.1 has it.

use std::collections::BTreeMap;

use cellway_sim::tcp::{
    AckRule, Config, CongestionLaw, Connection, CubicPlan, Ecn, EcnCounters, FastRetransmitGuard,
    Flags, Recovery, Role, Segment, TickPhases,
};
use cellway_sim::units::{Bytes, Span, Time};

use crate::pair::{End, Fate, Pair, Path, Step, is_pure_ack};

pub(crate) const MSS: u64 = 1000;
const ROUND_TRIP: Span = Span::from_milliseconds(100);

/// Gives some data segments of A, by the number of their transmission, another fate, and remembers
/// everything.
#[derive(Default)]
pub(crate) struct Watched {
    fates: BTreeMap<u64, Fate>,
    transmissions: u64,
    /// Segments that each end sent, in order.
    pub(crate) sent: [Vec<(Time, Segment)>; 2],
    /// cwnd of A, without repetition.
    cwnd: Vec<u64>,
}

impl Path for Watched {
    fn fate(&mut self, from: End, segment: &Segment) -> Fate {
        if from == End::B || segment.len == 0 {
            return Fate::Arrives;
        }
        self.transmissions += 1;
        self.fates.remove(&self.transmissions).unwrap_or(Fate::Arrives)
    }

    fn on_step(&mut self, now: Time, step: &Step<'_>, a: &Connection) {
        if let Step::Sent(end, segment) = *step {
            self.sent[end as usize].push((now, *segment));
        }
        if self.cwnd.last() != Some(&a.cwnd()) {
            self.cwnd.push(a.cwnd());
        }
    }
}

/// A window of 20 segments in avoidance.
pub(crate) fn config() -> Config {
    Config {
        mss: Bytes(MSS),
        window: Bytes(60_000),
        recovery: Recovery::NewReno,
        ack: AckRule::EverySegment,
        initial_window: 20,
        initial_ssthresh: Some(Bytes(20 * MSS)),
        limited_transmit: true,
        fast_retransmit_guard: FastRetransmitGuard::Always,
        ecn: true,
        ..Config::default()
    }
}

/// 200 segments, of which these transmissions fare otherwise.
pub(crate) fn transfer(
    config: &Config,
    fates: impl IntoIterator<Item = (u64, Fate)>,
) -> Pair<Watched> {
    let path = Watched { fates: fates.into_iter().collect(), ..Watched::default() };
    let mut pair = Pair::open(config, TickPhases::default(), ROUND_TRIP / 2, path);
    pair.act(End::A, |a| a.write(200 * MSS));
    pair.act(End::A, Connection::close);
    pair.drive();
    assert_eq!((pair.a.acked(), pair.b.delivered()), (200 * MSS, 200 * MSS));
    assert!(pair.path.fates.is_empty());
    pair
}

impl Watched {
    /// First sequence numbers of the segments of A with CWR.
    fn with_cwr(&self) -> Vec<u64> {
        let sent = self.sent[End::A as usize].iter();
        sent.filter(|(_, s)| s.flags.contains(Flags::CWR)).map(|(_, s)| s.seq).collect()
    }

    /// Numbers that the ACKs with ECE acknowledge.
    fn echoes(&self) -> Vec<u64> {
        let sent = self.sent[End::B as usize].iter();
        sent.filter(|(_, s)| s.flags.contains(Flags::ECE)).map(|(_, s)| s.ack).collect()
    }
}

pub(crate) fn counters(pair: &Pair<Watched>) -> (u64, u64) {
    let [a, b] = [&pair.a, &pair.b].map(|end| end.counters().ecn.expect("both have ECN"));
    assert_eq!((a.marks_received, b.reductions), (0, 0));
    (b.marks_received, a.reductions)
}

/// §6.1.2, 6.1.3: the third segment is marked. Its ACK and all after it carry ECE, until the
/// receiver has the first new data after the reduction, which carry CWR.
#[test]
fn ece_is_sent_until_cwr_arrives() {
    let pair = transfer(&config(), [(3, Fate::Marked)]);
    assert_eq!(counters(&pair), (1, 1));
    let [cwr] = pair.path.with_cwr()[..] else { panic!("one segment carries CWR") };
    // 20 were on their way, and two that the first two ACKs let go.
    assert_eq!(cwr, 1 + 22 * MSS);
    let expected: Vec<u64> = (3..=22).map(|number| 1 + number * MSS).collect();
    assert_eq!(pair.path.echoes(), expected);
    let sender = pair.a.counters();
    assert_eq!((sender.retransmitted_segments, sender.timeouts), (0, 0));
}

/// §6.1.2: half of what is in flight, at once; the ACK that echoes opens nothing.
#[test]
fn a_mark_halves_the_window_without_inflating_it() {
    let pair = transfer(&config(), [(3, Fate::Marked)]);
    let least = pair.path.cwnd.iter().min();
    // 22 sent and two acknowledged when the third ACK comes.
    assert_eq!(least, Some(&(10 * MSS)));
    let at = pair.path.cwnd.iter().position(|cwnd| Some(cwnd) == least).expect("there is one");
    assert!(pair.path.cwnd[..at].iter().all(|cwnd| *cwnd < 21 * MSS));
    assert!(pair.path.cwnd[at..].is_sorted());
}

/// §6.1.2: once per window of data, however many of it are marked.
#[test]
fn marks_on_a_whole_window_are_one_reduction() {
    let pair = transfer(&config(), (1..=20).map(|number| (number, Fate::Marked)));
    assert_eq!(counters(&pair), (20, 1));
    assert_eq!(pair.path.with_cwr().len(), 1);
}

/// The same where every segment is marked: once per round trip, down to two segments.
#[test]
fn marks_on_everything_reduce_once_per_round_trip() {
    let pair = transfer(&config(), (1..=200).map(|number| (number, Fate::Marked)));
    let (marks, reductions) = counters(&pair);
    assert_eq!((marks, pair.a.counters().retransmitted_segments), (200, 0));
    let sent = &pair.path.sent[End::A as usize];
    let with_cwr: Vec<Time> =
        sent.iter().filter(|(_, s)| s.flags.contains(Flags::CWR)).map(|(at, _)| *at).collect();
    assert!(with_cwr.windows(2).all(|pair| pair[1] - pair[0] >= ROUND_TRIP));
    assert!(with_cwr.len() as u64 >= reductions - 1 && reductions > 10, "{reductions}");
    assert_eq!(pair.path.cwnd.iter().min(), Some(&(2 * MSS)));
}

/// §6.1.3: a mark on the segment with CWR is a new one.
#[test]
fn a_mark_on_the_segment_with_cwr_counts_again() {
    let pair = transfer(&config(), [(3, Fate::Marked), (23, Fate::Marked)]);
    assert_eq!(counters(&pair), (2, 2));
    assert_eq!(pair.path.with_cwr().len(), 2);
}

/// §6.1.2: loss and mark in one window are one reduction, whichever comes first.
#[test]
fn a_loss_and_a_mark_of_one_window_reduce_it_once() {
    for (lost, marked) in [(4, 2), (4, 10), (18, 3)] {
        for recovery in [Recovery::NewReno, Recovery::Sack] {
            let config = Config { recovery, ..config() };
            let pair = transfer(&config, [(lost, Fate::Lost), (marked, Fate::Marked)]);
            let alone = transfer(&config, [(lost, Fate::Lost)]);
            let sender = pair.a.counters();
            assert_eq!((sender.retransmitted_segments, sender.timeouts), (1, 0));
            let least = |pair: &Pair<Watched>| pair.a.ssthresh() / MSS;
            assert!(least(&pair) + 1 >= least(&alone), "{lost} {marked} {recovery:?}");
        }
    }
}

/// §6.1.2: "if the data packet with CWR is dropped", the loss reduces again, and CWR comes with
/// the first new data after that.
#[test]
fn a_lost_cwr_is_sent_again_after_the_loss() {
    let pair = transfer(&config(), [(3, Fate::Marked), (23, Fate::Lost)]);
    assert_eq!(counters(&pair), (1, 1));
    let sender = pair.a.counters();
    assert_eq!((sender.fast_retransmits, sender.retransmitted_segments), (1, 1));
    let with_cwr = pair.path.with_cwr();
    assert_eq!((with_cwr.len(), with_cwr[0]), (2, 1 + 22 * MSS));
    let last_echo = pair.path.echoes().into_iter().max();
    assert!(last_echo >= Some(with_cwr[0]) && last_echo < Some(1 + 60 * MSS));
}

/// A segment that is marked and lost later says what its loss says.
#[test]
fn a_mark_that_is_lost_with_its_segment_is_a_loss() {
    let pair = transfer(&config(), [(3, Fate::Lost)]);
    assert_eq!(counters(&pair), (0, 0));
    assert!(pair.path.echoes().is_empty());
    // CWR after every reduction (§6.1.2).
    assert_eq!(pair.path.with_cwr().len(), 1);
}

/// §6.1.1, 6.1.4, 6.1.5: new data alone are ECT, neither SYNs, pure ACKs nor what is sent again.
#[test]
fn only_new_data_may_be_marked() {
    for recovery in Recovery::ALL {
        let config = Config { handshake: true, recovery: *recovery, ..config() };
        let lost = [5, 9, 10].map(|number| (number, Fate::Lost));
        let pair = transfer(&config, lost);
        let mut highest = 0;
        for (_, segment) in &pair.path.sent[End::A as usize] {
            let is_new = segment.len > 0 && segment.seq >= highest;
            highest = highest.max(segment.seq + u64::from(segment.len));
            assert_eq!(segment.ecn == Ecn::Capable, is_new, "{recovery:?} {segment:?}");
        }
        let of_b = &pair.path.sent[End::B as usize];
        assert!(of_b.iter().all(|(_, s)| s.ecn == Ecn::NotCapable));
        assert!(of_b.iter().any(|(_, s)| is_pure_ack(s)));
    }
}

/// §6.1.2: every rule reduces by its own law, and sends nothing again.
#[test]
fn every_rule_reacts_as_to_a_loss_but_repairs_nothing() {
    let laws = [CongestionLaw::Reno, CongestionLaw::Cubic(CubicPlan::default())];
    for recovery in Recovery::ALL {
        for congestion in laws {
            let is_cubic = congestion != CongestionLaw::Reno;
            if is_cubic && !recovery.takes_any_law() {
                continue;
            }
            let config = Config { recovery: *recovery, congestion, ..config() };
            let pair = transfer(&config, [(20, Fate::Marked)]);
            let sender = pair.a.counters();
            assert_eq!((counters(&pair), sender.retransmitted_segments), ((1, 1), 0));
            let (before, left) = (20.0, if is_cubic { 0.7 } else { 0.5 });
            let expected = before * left * MSS as f64;
            let least = *pair.path.cwnd.iter().min().expect("there is one") as f64;
            assert!((least - expected).abs() <= MSS as f64, "{recovery:?}: {least}");
        }
    }
}

/// Without ECN nothing is marked, and marks have no place.
#[test]
fn without_ecn_there_are_neither_marks_nor_bits() {
    let pair = transfer(&Config { ecn: false, handshake: true, ..config() }, [(3, Fate::Marked)]);
    assert_eq!(pair.a.counters().ecn, None);
    for (_, segment) in pair.path.sent.iter().flatten() {
        assert_eq!(segment.ecn, Ecn::NotCapable);
        assert!(!segment.flags.contains(Flags::ECE) && !segment.flags.contains(Flags::CWR));
    }
}

/// §6.1.1: a SYN with ECE and CWR is answered with ECE alone.
#[test]
fn both_ends_agree_in_the_handshake() {
    let pair = transfer(&Config { handshake: true, ..config() }, [(3, Fate::Marked)]);
    assert_eq!(counters(&pair), (1, 1));
    let bits = |end: End| {
        let (_, syn) = pair.path.sent[end as usize][0];
        assert!(syn.flags.contains(Flags::SYN));
        [Flags::ECE, Flags::CWR].map(|bit| syn.flags.contains(bit))
    };
    assert_eq!((bits(End::A), bits(End::B)), ([true, true], [true, false]));
}

/// §6.1.1: an answer without ECE, or with the bits of the SYN reflected, is none of ECN.
#[test]
fn an_answer_that_does_not_agree_leaves_ecn_off() {
    for (answer, agrees) in [
        (Flags::ECE, true),
        (Flags::default(), false),
        (Flags::ECE | Flags::CWR, false),
        (Flags::CWR, false),
    ] {
        let config = Config { handshake: true, ..config() };
        let mut client = Connection::new(&config, Role::Active, TickPhases::default());
        client.open();
        client.write(MSS);
        while client.poll_transmit(Time::ZERO).is_some() {}
        let flags = Flags::SYN | Flags::ACK | answer;
        let segment = Segment { ack: 1, window: 60_000, flags, ..Segment::default() };
        client.on_segment(Time::ZERO, &segment);
        let data = client.poll_transmit(Time::ZERO).expect("data follow");
        assert_eq!((data.len, data.ecn == Ecn::Capable), (1000, agrees));
    }
}

/// §6.1.3: a delayed ACK echoes a mark on either of its segments.
#[test]
fn delayed_acks_echo_marks_too() {
    for marked in [3, 4] {
        let config = Config { ack: AckRule::Delayed, ..config() };
        let pair = transfer(&config, [(marked, Fate::Marked)]);
        assert_eq!(counters(&pair), (1, 1));
        assert_eq!(pair.path.echoes()[0], 1 + 4 * MSS);
    }
    assert_eq!(EcnCounters::default().marks_received, 0);
}
