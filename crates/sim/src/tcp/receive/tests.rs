//! Acknowledgements, windows and blocks of a receiver.

use super::*;
use crate::tcp::clocks::{FineTimers, Timers};
use crate::units::{Bytes, Span};

fn receiver(buffer: u64, ack: AckRule) -> Receiver {
    let timers = Timers::Fine(FineTimers {
        granularity: Span::from_milliseconds(1),
        initial_rto: Span::from_seconds(3),
        min_rto: Span::from_seconds(1),
        max_rto: Span::from_seconds(64),
        ack_delay: Span::from_milliseconds(200),
        ..FineTimers::default()
    });
    let config =
        Config { mss: Bytes(1000), window: Bytes(buffer), timers, ack, ..Config::default() };
    let mut receiver = Receiver::new(&config, false, false, TickPhases::default());
    receiver.on_syn();
    receiver
}

fn data(seq: u64, len: u16, flags: Flags) -> Segment {
    Segment { seq, ack: 1, len, flags: flags | Flags::ACK, ..Segment::default() }
}

#[test]
fn the_window_is_what_the_smallest_sufficient_shift_can_express() {
    let window = |buffer, scaled| receiver(buffer, AckRule::EverySegment).advertise(scaled);
    assert_eq!((window(65_535, true), window(65_535, false)), (65_535, 65_535));
    assert_eq!((window(65_537, true), window(65_537, false)), (65_536, 65_535));
    // S0: 16 · 64 kB need a shift of 5, since 16 bits fall one short of 64 kB.
    assert_eq!(window(16 << 16, true), 16 << 16);
    assert_eq!(window(1 << 40, true), 65_535 << 14);
}

#[test]
fn a_second_full_segment_ends_the_wait() {
    let mut receiver = receiver(32_000, AckRule::Delayed);
    receiver.on_segment(Time::ZERO, &data(1, 1000, Flags::default()));
    assert!(!receiver.is_ack_due());
    assert_eq!(receiver.next_timeout(), Time::ZERO + Span::from_milliseconds(200));
    receiver.on_segment(Time::ZERO, &data(1001, 1000, Flags::default()));
    assert!(receiver.is_ack_due());
    receiver.on_ack_sent(false);
    assert_eq!((receiver.is_ack_due(), receiver.next_timeout()), (false, Time::MAX));
}

#[test]
fn a_fin_ahead_of_a_gap_waits_for_the_gap() {
    let mut receiver = receiver(32_000, AckRule::Delayed);
    receiver.on_segment(Time::ZERO, &data(1001, 500, Flags::FIN));
    assert!(receiver.is_ack_due() && !receiver.is_finished());
    assert_eq!(receiver.delivered(), 0);
    receiver.on_segment(Time::ZERO, &data(1, 1000, Flags::default()));
    assert!(receiver.is_finished());
    assert_eq!((receiver.delivered(), receiver.rcv_nxt()), (1500, 1502));
}

/// Answers of RFC 2018 §4, case 3: of eight segments of 500 bytes from 5000 on the second,
/// fourth, sixth and eighth are lost; then the fourth arrives, and the second.
#[test]
fn blocks_come_in_the_order_of_rfc_2018() {
    let mut receiver = receiver(32_000, AckRule::EverySegment);
    receiver.on_segment(Time::ZERO, &data(1, 4999, Flags::default()));
    let mut answer = |seq| {
        receiver.on_segment(Time::ZERO, &data(seq, 500, Flags::default()));
        let ack = Segment { ack: receiver.rcv_nxt(), sack: receiver.sack(), ..Segment::default() };
        (ack.ack, ack.sacked().collect::<Vec<_>>())
    };
    assert_eq!(answer(5000), (5500, vec![]));
    assert_eq!(answer(6000), (5500, vec![(6000, 6500)]));
    assert_eq!(answer(7000), (5500, vec![(7000, 7500), (6000, 6500)]));
    assert_eq!(answer(8000), (5500, vec![(8000, 8500), (7000, 7500), (6000, 6500)]));
    assert_eq!(answer(6500), (5500, vec![(6000, 7500), (8000, 8500)]));
    assert_eq!(answer(5500), (7500, vec![(8000, 8500)]));
}

/// Answers of RFC 2018 §4, case 2: the first of eight segments is lost, and one block grows.
#[test]
fn one_gap_is_one_block() {
    let mut receiver = receiver(32_000, AckRule::EverySegment);
    for n in 1..8 {
        receiver.on_segment(Time::ZERO, &data(1 + 500 * n, 500, Flags::default()));
        let sacked =
            Segment { ack: receiver.rcv_nxt(), sack: receiver.sack(), ..Segment::default() };
        assert_eq!(sacked.sacked().collect::<Vec<_>>(), [(501, 501 + 500 * n)]);
    }
}

/// Order of RFC 2018 §4: an arrival that advances the number, or brings nothing new before it,
/// puts no block in front; a repeated block does.
#[test]
fn the_oldest_of_four_blocks_is_left_out_until_it_is_news_again() {
    let mut receiver = receiver(32_000, AckRule::EverySegment);
    let mut starts = |seq, len| {
        receiver.on_segment(Time::ZERO, &data(seq, len, Flags::default()));
        let ack = Segment { ack: receiver.rcv_nxt(), sack: receiver.sack(), ..Segment::default() };
        ack.sacked().map(|(start, _)| start).collect::<Vec<_>>()
    };
    for seq in [2001, 4001, 6001] {
        starts(seq, 1000);
    }
    assert_eq!(starts(8001, 1000), [8001, 6001, 4001]);
    assert_eq!(starts(1, 1000), [8001, 6001, 4001]);
    assert_eq!(starts(2001, 1000), [2001, 8001, 6001]);
}

/// Answers of RFC 2883 §4.1: a segment twice after lost ACKs; beside a gap; and beyond one.
#[test]
fn data_that_arrive_twice_stand_in_front() {
    let answers = |seqs: &[u64]| {
        let config = Config { d_sack: true, mss: Bytes(500), ..Config::default() };
        let mut receiver = Receiver::new(&config, true, true, TickPhases::default());
        receiver.on_syn();
        receiver.on_segment(Time::ZERO, &data(1, 2999, Flags::default()));
        let mut last = (0, vec![]);
        for (index, &seq) in seqs.iter().enumerate() {
            receiver.on_segment(Time::ZERO, &data(seq, 500, Flags::default()));
            let (ack, sack) = (receiver.rcv_nxt(), receiver.sack());
            let answer = Segment { ack, sack, ..Segment::default() };
            last = (ack, answer.sacked().collect::<Vec<_>>());
            assert_eq!(answer.duplicate().is_some(), index + 1 == seqs.len(), "{seq}");
        }
        last
    };
    assert_eq!(answers(&[3000, 3500, 3000]), (4000, vec![(3000, 3500)]));
    assert_eq!(answers(&[3000, 4000, 3000]), (3500, vec![(3000, 3500), (4000, 4500)]));
    assert_eq!(
        answers(&[3000, 3500, 4500, 5000, 5500, 5000]),
        (4000, vec![(5000, 5500), (4500, 6000)])
    );
}
