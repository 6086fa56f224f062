//! Numbers of a connection on the wire: 32 bits from random beginnings, and shifted windows, in
//! place of the 64 bits from zero and the bytes of the simulator.

use cellway_sim::pdu::{Flags, SackOption, Segment};
use cellway_sim::tcp::{Config, scaling_shift};

use crate::wire::{Header, flag};

/// Flags of the simulator and their bits on the wire.
const FLAGS: [(Flags, u16); 6] = [
    (Flags::FIN, flag::FIN),
    (Flags::SYN, flag::SYN),
    (Flags::ACK, flag::ACK),
    (Flags::ECE, flag::ECE),
    (Flags::CWR, flag::CWR),
    (Flags::AE, flag::AE),
];

/// Beginnings, latest numbers and shifts of both ends.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// Number of our SYN.
    own: u32,
    /// Number of the other end's SYN, once it has come.
    peer: Option<u32>,
    /// Shift of the other end's windows, once both have agreed to one.
    peer_shift: u8,
    has_scaling: bool,
    /// True once our SYN has offered a shift.
    offers_scaling: bool,
}

impl Numbers {
    /// Takes the number of our SYN.
    pub(crate) fn new(own: u32) -> Self {
        Self { own, peer: None, peer_shift: 0, has_scaling: false, offers_scaling: false }
    }

    /// Takes the number and the offer of our SYN, which another TCP has made.
    pub(crate) fn offer(&mut self, syn: &Header) {
        self.own = syn.seq;
        self.offers_scaling = syn.shift.is_some();
    }

    /// Number of a header of ours where `near` is expected; `None` for one before our SYN.
    pub(crate) fn own_seq(&self, header: &Header, near: u64) -> Option<u64> {
        unwrapped(header.seq, self.own, near)
    }

    /// True once the other end's SYN has come; before, its numbers mean nothing.
    pub(crate) fn has_begun(&self) -> bool {
        self.peer.is_some()
    }

    /// True for the number that acknowledges our SYN and no more.
    pub(crate) fn is_of_syn(&self, ack: u32) -> bool {
        ack == self.own.wrapping_add(1)
    }

    /// Takes those of the other end's SYN.
    pub(crate) fn begin(&mut self, syn: &Header) {
        self.peer = Some(syn.seq);
        self.peer_shift = syn.shift.unwrap_or(0);
        self.has_scaling = syn.shift.is_some();
    }

    /// Number of a header where `near` is expected; `None` for one before the other end's SYN.
    pub(crate) fn seq(&self, header: &Header, near: u64) -> Option<u64> {
        unwrapped(header.seq, self.peer.unwrap_or(0), near)
    }

    /// The segment of a header with the number `seq` and `length` octets of payload; numbers up to
    /// `sent` are ours.
    pub(crate) fn segment(&self, header: &Header, seq: u64, length: usize, sent: u64) -> Segment {
        let is_syn = header.has(flag::SYN);
        let ours = |number: u32| unwrapped(number, self.own, sent);
        let ack = if header.has(flag::ACK) { ours(header.ack).unwrap_or(0) } else { 0 };
        let flags = FLAGS.into_iter().filter(|(_, bit)| header.has(*bit));
        let flags = flags.fold(Flags::default(), |all, (flag, _)| all | flag);
        let options = [
            (Flags::SCALE, is_syn && header.shift.is_some()),
            (Flags::TIMESTAMPS, header.timestamps.is_some()),
        ];
        let options = options.into_iter().filter(|(_, is_there)| *is_there);
        let flags = options.fold(flags, |all, (flag, _)| all | flag);
        let shift = if is_syn || !self.scales() { 0 } else { self.peer_shift };
        let blocks = header.blocks.iter().filter(|block| **block != (0, 0));
        let blocks = blocks.filter_map(|(start, end)| Some((ours(*start)?, ours(*end)?)));
        // RFC 2018 §3: a block has octets, and they were sent.
        let blocks = blocks.filter(|(start, end)| start < end && *end <= sent);
        Segment {
            seq,
            ack,
            window: u32::from(header.window) << shift,
            len: length as u16,
            flags,
            ecn: header.ecn,
            timestamps: header.timestamps.unwrap_or_default(),
            sack: if is_syn && header.sack_permitted {
                SackOption::PERMITTED
            } else {
                SackOption::new(ack, blocks)
            },
        }
    }

    /// The header of a segment under this configuration; a SYN tells `mss`.
    pub(crate) fn header(&mut self, segment: &Segment, mss: u16, config: &Config) -> Header {
        let has = |flag| segment.flags.contains(flag);
        let is_syn = has(Flags::SYN);
        let own_shift = scaling_shift(config.window.0);
        self.offers_scaling |= is_syn && has(Flags::SCALE);
        let shift = if is_syn || !self.scales() { 0 } else { own_shift };
        let flags = FLAGS.into_iter().filter(|(flag, _)| has(*flag)).map(|(_, bit)| bit).sum();
        let mut blocks = [(0, 0); 4];
        for (block, (start, end)) in blocks.iter_mut().zip(segment.sacked()) {
            *block = (self.of_peer(start), self.of_peer(end));
        }
        Header {
            seq: self.own.wrapping_add(segment.seq as u32),
            ack: if has(Flags::ACK) { self.of_peer(segment.ack) } else { 0 },
            flags,
            window: (segment.window >> shift).min(u32::from(u16::MAX)) as u16,
            mss: is_syn.then_some(mss),
            shift: (is_syn && has(Flags::SCALE)).then_some(own_shift as u8),
            sack_permitted: segment.sack == SackOption::PERMITTED,
            timestamps: has(Flags::TIMESTAMPS).then_some(segment.timestamps),
            blocks,
            ecn: segment.ecn,
        }
    }

    /// True if both SYNs have offered a shift (RFC 7323 §2.2).
    fn scales(&self) -> bool {
        self.has_scaling && self.offers_scaling
    }

    fn of_peer(&self, number: u64) -> u32 {
        self.peer.unwrap_or(0).wrapping_add(number as u32)
    }
}

/// The number of 64 bits nearest to `near` that is `number` on the wire, counted from `first`;
/// `None` for one before that.
fn unwrapped(number: u32, first: u32, near: u64) -> Option<u64> {
    let offset = number.wrapping_sub(first).wrapping_sub(near as u32).cast_signed();
    near.checked_add_signed(i64::from(offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_on_past_thirty_two_bits() {
        let first = u32::MAX - 9;
        assert_eq!(unwrapped(first, first, 0), Some(0));
        assert_eq!(unwrapped(5, first, 0), Some(15));
        assert_eq!(unwrapped(first - 1, first, 5), None);
        assert_eq!(unwrapped(first, first, 1 << 32), Some(1 << 32));
        assert_eq!(unwrapped(first.wrapping_sub(1), first, 1 << 32), Some((1 << 32) - 1));
        assert_eq!(unwrapped(first.wrapping_add(7), first, (1 << 32) - 100), Some((1 << 32) + 7));
    }
}
