//! Echoes of congestion marks, ACK by ACK: RFC 8257 §3.2 and RFC 9768.

use cellway_sim::tcp::{AckRule, Config, Ecn, EcnEcho, Flags, Segment};

use crate::ecn::{MSS, Watched, config, counters, transfer};
use crate::pair::{End, Fate, Pair};

fn echoing(echo: EcnEcho, ack: AckRule) -> Config {
    Config { ecn_echo: Some(echo), ack, ..config() }
}

fn marked(numbers: &[u64]) -> impl Iterator<Item = (u64, Fate)> {
    numbers.iter().map(|number| (*number, Fate::Marked))
}

/// First ACKs of B, as the number of segments and the value of AE, CWR and ECE.
fn acks(pair: &Pair<Watched>, count: usize) -> Vec<(u64, u32)> {
    let ace = |segment: &Segment| {
        let bit = |flag| u32::from(segment.flags.contains(flag));
        4 * bit(Flags::AE) + 2 * bit(Flags::CWR) + bit(Flags::ECE)
    };
    let sent = pair.path.sent[End::B as usize].iter();
    sent.take(count).map(|(_, ack)| ((ack.ack - 1) / MSS, ace(ack))).collect()
}

/// §3.2: the ACK of marked data has ECE, and no other; CWR ends nothing.
#[test]
fn dctcp_echoes_marked_segments_alone() {
    let pair = transfer(&echoing(EcnEcho::Dctcp, AckRule::EverySegment), marked(&[3, 5, 23]));
    let with_ece: Vec<u64> =
        acks(&pair, 200).into_iter().filter(|(_, ace)| *ace == 1).map(|(ack, _)| ack).collect();
    assert_eq!(with_ece, [3, 5, 23]);
    // The third begins a window; the fifth is of the same one.
    assert_eq!(counters(&pair), (3, 2));
}

/// §3.2, figure 1: with one ACK for two segments, those before a change are acknowledged at once.
#[test]
fn dctcp_acknowledges_at_a_change_what_came_before_it() {
    let pair = transfer(&echoing(EcnEcho::Dctcp, AckRule::Delayed), marked(&[4, 7, 8]));
    let expected = [(2, 0), (3, 0), (4, 1), (6, 0), (8, 1), (10, 0)];
    assert_eq!(acks(&pair, 6), expected);
    assert_eq!(pair.a.counters().retransmitted_segments, 0);
}

/// RFC 9768 §3.2.2: the counter begins at 5 and wraps after 7; an ACK leaves for the first mark
/// behind a segment without one, and for the second since an ACK.
#[test]
fn an_accurate_echo_counts_every_mark() {
    let pair = transfer(&echoing(EcnEcho::Accurate, AckRule::Delayed), marked(&[3, 4, 5, 8]));
    let expected = [(2, 5), (3, 6), (5, 0), (7, 0), (8, 1), (10, 1)];
    assert_eq!(acks(&pair, 6), expected);
    // Three of one window, and one that was sent before its reduction.
    assert_eq!(counters(&pair), (4, 1));
    let from_a = pair.path.sent[End::A as usize].iter();
    assert!(from_a.filter(|(_, segment)| segment.len > 0).all(|(_, segment)| {
        let (has, five) = (|flags| segment.flags.contains(flags), Flags::AE | Flags::ECE);
        segment.ecn == Ecn::Capable && has(five) && !has(Flags::CWR)
    }));
}

/// RFC 9768 §3.1: AE, CWR and ECE in the SYN, CWR alone in its answer.
#[test]
fn both_ends_agree_on_accurate_ecn_in_the_handshake() {
    let config = Config { handshake: true, ..echoing(EcnEcho::Accurate, AckRule::EverySegment) };
    let pair = transfer(&config, marked(&[3]));
    let bits = |end: End| {
        let (_, syn) = pair.path.sent[end as usize][0];
        [Flags::AE, Flags::CWR, Flags::ECE].map(|bit| syn.flags.contains(bit))
    };
    assert_eq!((bits(End::A), bits(End::B)), ([true; 3], [false, true, false]));
    assert_eq!(counters(&pair), (1, 1));
}

#[test]
fn data_and_acks_of_l4s_have_ect_1() {
    let config = Config { l4s: Some(true), ..echoing(EcnEcho::Accurate, AckRule::EverySegment) };
    let pair = transfer(&config, marked(&[3]));
    let mut segments = pair.path.sent.iter().flatten();
    assert!(segments.all(|(_, segment)| segment.ecn == Ecn::L4s));
    assert_eq!(counters(&pair), (1, 1), "it is marked like others");
}

/// Echo of ABC: NS, the bit of AE, in the ACKs of braked data alone, which are told apart from
/// those before them; CE is told in ECE until CWR, and reduces the window once. Data that are sent
/// again may be braked, too.
#[test]
fn abc_tells_brakes_apart_from_congestion() {
    let config = |ack| Config { l4s: Some(true), ..echoing(EcnEcho::Abc, ack) };
    let fates = [(4, Fate::Braked), (7, Fate::Braked), (8, Fate::Braked), (23, Fate::Lost)];
    let pair = transfer(&config(AckRule::Delayed), fates);
    let expected = [(2, 0), (3, 0), (4, 4), (6, 0), (8, 4), (10, 0)];
    assert_eq!(acks(&pair, 6), expected);
    assert_eq!(counters(&pair), (3, 0), "a brake is no congestion");
    let from_a = pair.path.sent[End::A as usize].iter();
    assert!(from_a.filter(|(_, one)| one.len > 0).all(|(_, one)| one.ecn == Ecn::L4s));
    let both = transfer(&config(AckRule::EverySegment), [(3, Fate::Marked), (4, Fate::Braked)]);
    assert_eq!(acks(&both, 4), [(1, 0), (2, 0), (3, 1), (4, 5)]);
    assert_eq!(counters(&both), (2, 1));
}
