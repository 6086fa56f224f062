//! Segments between two connections: RFC 9293 §3.1 without the fields that no model here reads.

use std::ops::BitOr;

use super::{CellHead, RateHeader};

/// Bytes of the IPv4 and TCP headers without options. The options of a SYN are not counted.
pub const HEADER_BYTES: u64 = 40;

/// The timestamps option, ten bytes and two of padding (RFC 7323 appendix A).
pub const TIMESTAMP_BYTES: u64 = 12;

/// A TCP segment: positions and lengths, no bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Sequence number of the first byte, or of the SYN or FIN when there is none.
    pub seq: u64,
    /// Next sequence number expected from the other end; meaningful with [`Flags::ACK`].
    pub ack: u64,
    /// Advertised window in bytes, after scaling.
    pub window: u32,
    /// Payload in bytes.
    pub len: u16,
    /// Control bits and options.
    pub flags: Flags,
    /// ECN field of its IP header.
    pub ecn: Ecn,
    /// Timestamps of both ends; meaningful with [`Flags::TIMESTAMPS`].
    pub timestamps: Timestamps,
    /// Blocks that have arrived beyond `ack`, or a congestion header.
    pub sack: SackOption,
}

/// The option of RFC 7323 §3.2, in ticks of the clocks of both ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timestamps {
    /// `TSval`: the clock of the end that sends the segment.
    pub value: u32,
    /// `TSecr`: the value of the other end that is echoed.
    pub echo: u32,
}

/// The ECN field of an IP header (RFC 3168 §5, RFC 9331 §4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ecn {
    /// Not-ECT: the transport does not react to marks.
    #[default]
    NotCapable,
    /// ECT(0): the transport reacts to marks.
    Capable,
    /// ECT(1): the identifier of L4S, a transport that reacts to frequent marks.
    L4s,
    /// CE: congestion was experienced on the way.
    Congested,
}

impl Segment {
    /// Size of the IP packet in bytes.
    #[inline]
    pub fn ip_bytes(&self) -> u64 {
        HEADER_BYTES + self.option_bytes() + u64::from(self.len)
    }

    #[inline]
    fn option_bytes(&self) -> u64 {
        let is_stamped = self.flags.contains(Flags::TIMESTAMPS) && !self.flags.contains(Flags::SYN);
        self.sack.option_bytes() + if is_stamped { TIMESTAMP_BYTES } else { 0 }
    }

    /// Marks the segment at a queue: CE if its transport reacts to marks, else no change (RFC 3168
    /// §5).
    pub fn mark(&mut self) {
        if matches!(self.ecn, Ecn::Capable | Ecn::L4s) {
            self.ecn = Ecn::Congested;
        }
    }

    /// Takes the marks that its packet, or a cell of it, has got on a hop: CE, or a brake of ABC,
    /// which is ECT(0) in place of ECT(1). A brake on what was ECT(0) already changes nothing.
    #[cold]
    pub fn take_marks(&mut self, head: CellHead) {
        if head.has_efci() {
            self.mark();
        } else if self.ecn == Ecn::L4s {
            self.ecn = Ecn::Capable;
        }
    }

    /// True if the segment carries only an acknowledgement.
    #[inline]
    pub fn is_pure_ack(&self) -> bool {
        self.end() == self.seq
    }

    /// The sequence number after this segment: SYN and FIN count as one each (RFC 9293 §3.4).
    #[inline]
    pub fn end(&self) -> u64 {
        let controls =
            u64::from(self.flags.contains(Flags::SYN)) + u64::from(self.flags.contains(Flags::FIN));
        self.seq + u64::from(self.len) + controls
    }

    /// First sequence number of each block and the one after its last, in the order of the option.
    pub fn sacked(&self) -> impl Iterator<Item = (u64, u64)> {
        let at = |offset: u32| self.ack.wrapping_add_signed(i64::from(offset.cast_signed()));
        self.sack.offsets().iter().map(move |&[start, end]| (at(start), at(end)))
    }

    /// Data that had arrived before, if the first block reports such (D-SACK): they lie before the
    /// ACK number, or within the second block (RFC 2883 §4).
    pub fn duplicate(&self) -> Option<(u64, u64)> {
        let mut blocks = self.sacked();
        let (start, end) = blocks.next()?;
        let is_within = |(from, to)| from <= start && end <= to;
        (end <= self.ack || blocks.next().is_some_and(is_within)).then_some((start, end))
    }
}

/// The SACK option of RFC 2018 §3, as offsets from the acknowledgement number: a window never
/// exceeds 2^30 bytes. At most three blocks, as many as §3 finds room for beside a timestamp, which
/// most senders of blocks sent too. A block of zeros is absent. The first one may lie before the
/// number: D-SACK, RFC 2883.
///
/// A [congestion header](RateHeader) stands in the same words: its connections have no blocks. It
/// begins with a block without bytes, which no option has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SackOption([[u32; 2]; 3]);

impl SackOption {
    /// No option.
    pub const ABSENT: Self = Self([[0; 2]; 3]);

    /// The option SACK-Permitted of a SYN (RFC 2018 §2).
    pub const PERMITTED: Self = Self([[0; 2], [0; 2], [1; 2]]);

    /// The first three of `blocks`.
    pub fn new(ack: u64, blocks: impl Iterator<Item = (u64, u64)>) -> Self {
        let mut offsets = [[0; 2]; 3];
        for (offset, (start, end)) in offsets.iter_mut().zip(blocks) {
            *offset = [start, end].map(|seq| seq.wrapping_sub(ack) as u32);
        }
        Self(offsets)
    }

    /// The words with a congestion header in place of blocks.
    pub fn of_header(header: RateHeader) -> Self {
        Self(header.words())
    }

    /// The congestion header, if there is one.
    #[inline]
    pub fn header(&self) -> Option<RateHeader> {
        let [start, end] = self.0[0];
        if start == 0 || start != end { None } else { RateHeader::of_words(self.0) }
    }

    #[inline]
    fn offsets(&self) -> &[[u32; 2]] {
        let count = self.0.iter().position(|[start, end]| start == end);
        &self.0[..count.unwrap_or(self.0.len())]
    }

    /// Kind, length and eight bytes per block, padded to whole words (RFC 9293 §3.1); or those of
    /// the congestion header.
    #[inline]
    fn option_bytes(&self) -> u64 {
        let [start, end] = self.0[0];
        if start == end {
            return if start == 0 { 0 } else { self.header_bytes() };
        }
        (2 + 8 * self.offsets().len() as u64).next_multiple_of(4)
    }

    #[cold]
    fn header_bytes(&self) -> u64 {
        self.header().map_or(0, |header| header.protocol.header_bytes())
    }
}

/// A set of control bits and options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// Opens the sender's direction.
    pub const SYN: Self = Self(1);
    /// The `ack` field counts.
    pub const ACK: Self = Self(2);
    /// The sender has no more data.
    pub const FIN: Self = Self(4);
    /// A SYN offers window scaling (RFC 7323 §2.2).
    pub const SCALE: Self = Self(8);
    /// AE, with CWR and ECE the field ACE of accurate ECN (RFC 9768 §3.1).
    pub const AE: Self = Self(16);
    /// ECN-Echo: the receiver has seen a congestion mark (RFC 3168 §6.1).
    pub const ECE: Self = Self(32);
    /// Congestion Window Reduced: the sender has reacted (RFC 3168 §6.1).
    pub const CWR: Self = Self(64);
    /// It has timestamps (RFC 7323 §3.2).
    pub const TIMESTAMPS: Self = Self(128);

    /// True if all flags of `other` are set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The flags of ACE that carry a counter modulo 8 (RFC 9768 §3.2.2).
    pub(crate) fn of_ace(count: u32) -> Self {
        Self::AE.when(count & 4 != 0)
            | Self::CWR.when(count & 2 != 0)
            | Self::ECE.when(count & 1 != 0)
    }

    /// Value of the field ACE (RFC 9768 §3.2.2).
    pub(crate) fn ace(self) -> u32 {
        let bit = |flag| u32::from(self.contains(flag));
        4 * bit(Self::AE) + 2 * bit(Self::CWR) + bit(Self::ECE)
    }

    /// Flags without those of `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Flags if `condition` holds, else none.
    pub(crate) fn when(self, condition: bool) -> Self {
        if condition { self } else { Self::default() }
    }
}

impl BitOr for Flags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::RateProtocol;

    /// 24 bytes of header fields, 8 of timestamps and 24 of blocks; an `Option` needs no more.
    #[test]
    fn a_segment_is_small_enough_to_ride_on_a_cell() {
        assert!(size_of::<Segment>() <= 56 && size_of::<Option<Segment>>() <= 56);
    }

    /// draft-falk-xcp-spec-03 §3: 20 bytes; without blocks.
    #[test]
    fn a_congestion_header_stands_in_place_of_blocks() {
        for (protocol, bytes) in [(RateProtocol::Xcp, 60), (RateProtocol::Rcp, 56)] {
            let header =
                RateHeader { protocol, rtt: 0.1, window: 3e4, grant: -12.5, returned: 7.0 };
            let sack = SackOption::of_header(header);
            let segment = Segment { ack: 9, sack, flags: Flags::ACK, ..Segment::default() };
            assert_eq!((segment.sack.header(), segment.ip_bytes()), (Some(header), bytes));
            assert_eq!((segment.sacked().count(), segment.duplicate()), (0, None));
        }
        let blocks = SackOption::new(0, [(1, 2)].into_iter());
        for other in [SackOption::ABSENT, SackOption::PERMITTED, blocks] {
            assert_eq!(other.header(), None);
        }
    }

    #[test]
    fn controls_occupy_sequence_space_but_no_bytes() {
        let segment = Segment { flags: Flags::SYN, ..Segment::default() };
        assert_eq!((segment.end(), segment.ip_bytes()), (1, 40));
        let flags = Flags::FIN | Flags::ACK;
        let last = Segment { seq: 11, ack: 1, len: 100, flags, ..Segment::default() };
        assert_eq!((last.end(), last.ip_bytes()), (112, 140));
    }

    /// RFC 7323 appendix A: with three blocks all 40 bytes of options are full. Options of a SYN
    /// are not counted.
    #[test]
    fn timestamps_lengthen_every_segment_by_three_words() {
        let flags = Flags::ACK | Flags::TIMESTAMPS;
        let sack = SackOption::new(0, [(2, 3), (4, 5), (6, 7)].into_iter());
        assert_eq!(Segment { flags, ..Segment::default() }.ip_bytes(), 52);
        assert_eq!(Segment { flags, len: 9128, ..Segment::default() }.ip_bytes(), 9180);
        assert_eq!(Segment { flags, sack, ..Segment::default() }.ip_bytes(), 80);
        assert_eq!(Segment { flags: flags | Flags::SYN, ..Segment::default() }.ip_bytes(), 40);
    }

    /// RFC 2018 §3: n blocks take 8n + 2 bytes; two NOPs fill the last word.
    #[test]
    fn blocks_lengthen_an_ack_by_whole_words() {
        let blocks = [(1 << 40, (1 << 40) + 500), (7000, 7500), (6000, 6500), (8000, 8500)];
        let ack = |count| {
            let sack = SackOption::new(5500, blocks[1..].iter().copied().take(count));
            Segment { ack: 5500, sack, flags: Flags::ACK, ..Segment::default() }
        };
        assert_eq!([0, 1, 2, 3].map(|count| ack(count).ip_bytes()), [40, 52, 60, 68]);
        assert_eq!(ack(2).sacked().collect::<Vec<_>>(), blocks[1..3]);
        let far = Segment { ack: (1 << 40) - 500, ..Segment::default() };
        let far = Segment { sack: SackOption::new(far.ack, blocks.into_iter().take(1)), ..far };
        assert_eq!(far.sacked().collect::<Vec<_>>(), blocks[..1]);
        let four = Segment {
            sack: SackOption::new(0, blocks[1..].iter().copied().cycle().take(4)),
            ..far
        };
        assert_eq!(four.ip_bytes(), 68);
    }
}
