use super::AckFilter::{Aggressive, Conservative};
use super::*;
use crate::pdu::{RateHeader, RateProtocol, SackOption, Timestamps};

fn ack(ack: u64) -> Segment {
    Segment { ack, flags: Flags::ACK, ..Segment::default() }
}

fn with(segment: Segment, flags: Flags) -> Segment {
    Segment { flags: segment.flags | flags, ..segment }
}

fn sack(number: u64, blocks: &[(u64, u64)]) -> Segment {
    Segment { sack: SackOption::new(number, blocks.iter().copied()), ..ack(number) }
}

/// Place of the packet that goes as the last one of a direction comes.
fn gone<const N: usize>(filter: AckFilter, segments: [Segment; N]) -> Option<usize> {
    let (new, waiting) = segments.split_last().expect("one comes");
    let frame = |&segment: &Segment| Frame {
        direction: 1,
        number: 0,
        cells: 1,
        bytes: segment.ip_bytes() as u32,
        sent_at: crate::units::Time::ZERO,
        segment,
    };
    let frames: Vec<Frame> = waiting.iter().map(frame).collect();
    filter.first_redundant(frames.iter().enumerate(), new)
}

#[test]
fn the_first_of_two_redundant_acks_goes() {
    assert_eq!(gone(Conservative, [ack(1000), ack(2000), ack(3000)]), Some(0));
    assert_eq!(gone(Aggressive, [ack(1000), ack(2000), ack(3000)]), Some(0));
}

/// One alone stays by the conservative rule; by the other it goes if nothing of its direction is
/// behind it.
#[test]
fn one_alone_goes_only_aggressively() {
    assert_eq!(gone(Conservative, [ack(1000), ack(3000)]), None);
    assert_eq!(gone(Aggressive, [ack(1000), ack(3000)]), Some(0));
    let data = Segment { len: 500, ..ack(1000) };
    assert_eq!(gone(Aggressive, [ack(1000), data, ack(3000)]), None);
    assert_eq!(gone(Aggressive, [data, ack(1000), ack(3000)]), Some(1));
}

/// RFC 5681 §3.2: three duplicate ACKs begin a fast retransmission.
#[test]
fn duplicate_acks_stay() {
    assert_eq!(gone(Aggressive, [ack(1000), ack(1000), ack(1000), ack(1000)]), None);
    assert_eq!(gone(Aggressive, [ack(1000), ack(1000), ack(1000), ack(5000)]), Some(0));
}

#[test]
fn later_numbers_and_data_stay() {
    assert_eq!(gone(Aggressive, [ack(5000), ack(4000)]), None);
    let data = Segment { len: 1, ..ack(1000) };
    assert_eq!(gone(Aggressive, [data, ack(4000)]), None);
    for flag in [Flags::SYN, Flags::FIN, Flags::AE] {
        assert_eq!(gone(Aggressive, [with(ack(1000), flag), ack(4000)]), None, "{flag:?}");
    }
    let no_ack = Segment { flags: Flags::default(), ..ack(1000) };
    assert_eq!(gone(Aggressive, [no_ack, ack(4000)]), None);
}

/// The grant of a congestion header is in no later ACK.
#[test]
fn grants_stay() {
    let (protocol, grant) = (RateProtocol::Xcp, 0.0);
    let header = RateHeader { protocol, rtt: 0.0, window: 0.0, grant, returned: 9.0 };
    let with_grant = Segment { sack: SackOption::of_header(header), ..ack(1000) };
    assert_eq!(gone(Aggressive, [with_grant, ack(4000)]), None);
}

/// A packet with data tells its number as an ACK alone does.
#[test]
fn data_replace_acks() {
    let data = Segment { len: 500, ..ack(4000) };
    assert_eq!(gone(Aggressive, [ack(1000), data]), Some(0));
}

/// An echo of congestion is told until it ends; a change of ECE or CWR is not lost.
#[test]
fn a_change_of_marks_is_kept() {
    let echo = |number| with(ack(number), Flags::ECE);
    assert_eq!(gone(Aggressive, [ack(1000), echo(2000)]), None);
    assert_eq!(gone(Aggressive, [echo(1000), echo(2000)]), Some(0));
    assert_eq!(gone(Conservative, [echo(1000), ack(2000), ack(3000)]), None);
    assert_eq!(gone(Conservative, [ack(500), echo(1000), echo(2000), ack(3000)]), Some(1));
}

#[test]
fn reports_that_the_new_ack_lacks_are_kept() {
    let one = sack(1000, &[(3000, 4000)]);
    assert_eq!(gone(Aggressive, [one, sack(1000, &[(3000, 5000)])]), Some(0));
    assert_eq!(gone(Aggressive, [one, sack(1000, &[(3000, 4000)])]), None);
    assert_eq!(gone(Aggressive, [one, sack(1000, &[(6000, 9000)])]), None);
    assert_eq!(gone(Aggressive, [one, ack(2000)]), None);
    assert_eq!(gone(Aggressive, [one, ack(4000)]), Some(0));
    let duplicate = sack(1000, &[(0, 500)]);
    assert_eq!(gone(Aggressive, [duplicate, ack(2000)]), None);
}

#[test]
fn later_timestamps_are_kept() {
    let stamped = |number, value, echo| Segment {
        timestamps: Timestamps { value, echo },
        ..with(ack(number), Flags::TIMESTAMPS)
    };
    assert_eq!(gone(Aggressive, [stamped(1, 10, 7), stamped(2, 10, 7)]), Some(0));
    assert_eq!(gone(Aggressive, [stamped(1, 11, 7), stamped(2, 10, 7)]), None);
    assert_eq!(gone(Aggressive, [stamped(1, 10, 8), stamped(2, 10, 7)]), None);
    assert_eq!(gone(Aggressive, [stamped(1, u32::MAX, 7), stamped(2, 3, 7)]), Some(0));
    assert_eq!(gone(Aggressive, [stamped(1, 10, 7), ack(2)]), None);
}
