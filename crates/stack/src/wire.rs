//! Segments as octets of IPv4 (RFC 791) and TCP (RFC 9293), and back.
//!
//! Options are those of RFC 9293 §3.2 (maximum segment size), RFC 2018 (SACK) and RFC 7323 (window
//! scale, timestamps); others are skipped. Octet `i` of a stream is `i mod 251`.

use std::net::{Ipv4Addr, SocketAddrV4};

use cellway_sim::pdu::{Ecn, Timestamps};

use crate::stack::StackError;

const IP_HEADER: usize = 20;
const TCP_HEADER: usize = 20;
const TCP: u8 = 6;
const TIME_TO_LIVE: u8 = 64;
const DONT_FRAGMENT: [u8; 2] = [0x40, 0];
/// Number of octets after which a stream repeats.
const PERIOD: u64 = 251;

/// Bits of the flags, RFC 9293 §3.1, RFC 3168 §6.1 and RFC 9768 §3.1.
pub(crate) mod flag {
    pub(crate) const FIN: u16 = 1;
    pub(crate) const SYN: u16 = 2;
    pub(crate) const RST: u16 = 4;
    pub(crate) const PSH: u16 = 8;
    pub(crate) const ACK: u16 = 16;
    pub(crate) const ECE: u16 = 64;
    pub(crate) const CWR: u16 = 128;
    pub(crate) const AE: u16 = 256;
    /// All bits, also those that are not named here.
    pub(crate) const ALL: u16 = 511;
}

/// A TCP header with its options, as it is on a wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) seq: u32,
    pub(crate) ack: u32,
    pub(crate) flags: u16,
    /// The window field, not scaled.
    pub(crate) window: u16,
    pub(crate) mss: Option<u16>,
    pub(crate) shift: Option<u8>,
    pub(crate) sack_permitted: bool,
    pub(crate) timestamps: Option<Timestamps>,
    /// First numbers of blocks, and those after their last; blocks of zeros are absent.
    pub(crate) blocks: [(u32, u32); 4],
    pub(crate) ecn: Ecn,
}

impl Header {
    /// True if all of these flags are set.
    pub(crate) fn has(&self, flags: u16) -> bool {
        self.flags & flags == flags
    }
}

/// Octet of a stream at this place.
pub(crate) fn octet_at(place: u64) -> u8 {
    (place % PERIOD) as u8
}

/// The packet of a segment with `length` octets of the stream from `place` on.
pub(crate) fn encode(
    sockets: [SocketAddrV4; 2],
    header: &Header,
    id: u16,
    place: u64,
    length: usize,
) -> Vec<u8> {
    let ecn = match header.ecn {
        Ecn::NotCapable => 0,
        Ecn::L4s => 1,
        Ecn::Capable => 2,
        Ecn::Congested => 3,
    };
    let options = &options(header);
    assemble(sockets, &Parts { header, ecn, options, id, place, length })
}

/// Parts of a packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<'p> {
    /// The header, whose options and ECN field do not count.
    pub(crate) header: &'p Header,
    /// Value of the ECN field.
    pub(crate) ecn: u8,
    /// Options in whole words.
    pub(crate) options: &'p [u8],
    /// Identification of the packet.
    pub(crate) id: u16,
    /// Place of its first octet in the stream.
    pub(crate) place: u64,
    /// Octets of the stream.
    pub(crate) length: usize,
}

/// The packet of these parts.
pub(crate) fn assemble([from, to]: [SocketAddrV4; 2], parts: &Parts<'_>) -> Vec<u8> {
    let Parts { header, ecn, options, id, place, length } = *parts;
    let above = TCP_HEADER + options.len();
    let mut octets = vec![0; IP_HEADER + TCP_HEADER];
    octets[..2].copy_from_slice(&[0x45, ecn]);
    octets[2..4].copy_from_slice(&((IP_HEADER + above + length) as u16).to_be_bytes());
    octets[4..6].copy_from_slice(&id.to_be_bytes());
    octets[6..8].copy_from_slice(&DONT_FRAGMENT);
    octets[8..10].copy_from_slice(&[TIME_TO_LIVE, TCP]);
    octets[12..16].copy_from_slice(&from.ip().octets());
    octets[16..20].copy_from_slice(&to.ip().octets());
    octets[20..22].copy_from_slice(&from.port().to_be_bytes());
    octets[22..24].copy_from_slice(&to.port().to_be_bytes());
    octets[24..28].copy_from_slice(&header.seq.to_be_bytes());
    octets[28..32].copy_from_slice(&header.ack.to_be_bytes());
    let words = (above as u16 / 4) << 12;
    octets[32..34].copy_from_slice(&(words | header.flags).to_be_bytes());
    octets[34..36].copy_from_slice(&header.window.to_be_bytes());
    octets.extend(options);
    octets.extend((place..place + length as u64).map(octet_at));
    let checksum = !sum(&octets[..IP_HEADER], 0);
    octets[10..12].copy_from_slice(&checksum.to_be_bytes());
    let checksum = !sum_of_tcp(&octets, IP_HEADER);
    octets[36..38].copy_from_slice(&checksum.to_be_bytes());
    octets
}

/// Options in whole words, each behind no-operations.
fn options(header: &Header) -> Vec<u8> {
    const NO_OPERATION: u8 = 1;
    let mut options = Vec::new();
    if let Some(mss) = header.mss {
        options.extend([2, 4]);
        options.extend(mss.to_be_bytes());
    }
    if header.sack_permitted {
        options.extend([NO_OPERATION, NO_OPERATION, 4, 2]);
    }
    if let Some(shift) = header.shift {
        options.extend([NO_OPERATION, 3, 3, shift]);
    }
    if let Some(Timestamps { value, echo }) = header.timestamps {
        options.extend([NO_OPERATION, NO_OPERATION, 8, 10]);
        options.extend([value, echo].into_iter().flat_map(u32::to_be_bytes));
    }
    let blocks: Vec<_> = header.blocks.iter().filter(|block| **block != (0, 0)).collect();
    if !blocks.is_empty() {
        options.extend([NO_OPERATION, NO_OPERATION, 5, 2 + 8 * blocks.len() as u8]);
        let numbers = blocks.into_iter().flat_map(|(start, end)| [*start, *end]);
        options.extend(numbers.flat_map(u32::to_be_bytes));
    }
    options
}

/// Addresses, header and payload of a packet.
pub(crate) fn decode(octets: &[u8]) -> Result<([SocketAddrV4; 2], Header, &[u8]), StackError> {
    let wrong = |why: &str| StackError::new(format!("a packet of the other end {why}"));
    if octets.len() < IP_HEADER + TCP_HEADER || octets[0] >> 4 != 4 || octets[9] != TCP {
        return Err(wrong("is not of IPv4 with TCP; this end is the simulator's own TCP"));
    }
    let start = 4 * usize::from(octets[0] & 0x0f);
    let word = |at: usize| u16::from_be_bytes([octets[at], octets[at + 1]]);
    if usize::from(word(2)) != octets.len() || start + TCP_HEADER > octets.len() {
        return Err(wrong("has another length than its header says"));
    }
    if sum(&octets[..start], 0) != 0xffff || sum_of_tcp(octets, start) != 0xffff {
        return Err(wrong("has a wrong checksum"));
    }
    let data = start + 4 * usize::from(octets[start + 12] >> 4);
    if data < start + TCP_HEADER || data > octets.len() {
        return Err(wrong("has a TCP header of another length than it says"));
    }
    let number = |at: usize| u32::from_be_bytes(octets[at..at + 4].try_into().expect("four"));
    let address = |at: usize| Ipv4Addr::from(number(at));
    let mut header = Header {
        seq: number(start + 4),
        ack: number(start + 8),
        flags: word(start + 12) & flag::ALL,
        window: word(start + 14),
        ecn: crate::ip::ecn_of(octets),
        ..Header::default()
    };
    read_options(&octets[start + TCP_HEADER..data], &mut header);
    let from = SocketAddrV4::new(address(12), word(start));
    let to = SocketAddrV4::new(address(16), word(start + 2));
    Ok(([from, to], header, &octets[data..]))
}

/// Reads options up to the first one that is not whole.
fn read_options(mut options: &[u8], header: &mut Header) {
    let number = |octets: &[u8]| u32::from_be_bytes(octets.try_into().expect("four octets"));
    loop {
        let (kind, length) = match options {
            [] | [0, ..] => return,
            [1, rest @ ..] => {
                options = rest;
                continue;
            }
            [kind, length, ..] if usize::from(*length) >= 2 => (*kind, usize::from(*length)),
            _ => return,
        };
        let Some((option, rest)) = options.split_at_checked(length) else { return };
        match (kind, &option[2..]) {
            (2, &[high, low]) => header.mss = Some(u16::from_be_bytes([high, low])),
            (3, &[shift]) => header.shift = Some(shift.min(14)),
            (4, []) => header.sack_permitted = true,
            (5, blocks) => {
                for (known, block) in header.blocks.iter_mut().zip(blocks.chunks_exact(8)) {
                    *known = (number(&block[..4]), number(&block[4..]));
                }
            }
            (8, both) if both.len() == 8 => {
                let (value, echo) = (number(&both[..4]), number(&both[4..]));
                header.timestamps = Some(Timestamps { value, echo });
            }
            _ => {}
        }
        options = rest;
    }
}

/// Ones' complement sum of 16-bit words, RFC 1071, on top of `start`.
fn sum(octets: &[u8], start: u32) -> u16 {
    let word = |two: &[u8]| u32::from(two[0]) << 8 | u32::from(two.get(1).copied().unwrap_or(0));
    let mut sum = octets.chunks(2).map(word).fold(start, |sum, word| sum + word);
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}

/// Sum of a TCP segment from `start` on, with its pseudo-header (RFC 9293 §3.1).
fn sum_of_tcp(octets: &[u8], start: usize) -> u16 {
    let length = (octets.len() - start) as u32;
    let addresses = u32::from(sum(&octets[12..20], 0));
    sum(&octets[start..], addresses + u32::from(TCP) + length)
}
