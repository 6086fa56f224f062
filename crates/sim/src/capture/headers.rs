//! The headers of TCP (RFC 9293) and UDP (RFC 768) behind that of IP, before a payload of zeros.
//!
//! Options are those of RFC 9293 §3.2 (maximum segment size), RFC 2018 (SACK-permitted, SACK) and
//! RFC 7323 §2.2 and 3.2 (window scale, timestamps), each brought to whole words by no-operations
//! before it. The header of XCP or RCP is an option of experiments (RFC 6994), as long as the
//! header is: four octets of kind, length and identifier, and its fields as IEEE 754 singles.

use std::net::SocketAddr;

use super::ip::{self, Ip, pseudo_header};
use crate::pdu::{RateHeader, RateProtocol, Timestamps};

const TCP_HEADER: usize = 20;
pub(super) const TCP: u8 = 6;
const UDP: u8 = 17;
/// Octets of a UDP header.
pub(super) const UDP_HEADER: u32 = 8;
const NO_OPERATION: u8 = 1;
const EXPERIMENT: u8 = 253;

/// Fields of a TCP header.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tcp<'o> {
    pub(super) seq: u32,
    pub(super) ack: u32,
    /// Flags from AE down to FIN.
    pub(super) flags: u16,
    pub(super) window: u16,
    /// Options, in whole words.
    pub(super) options: &'o [u8],
}

pub(super) mod flag {
    pub(in crate::capture) const FIN: u16 = 1;
    pub(in crate::capture) const SYN: u16 = 2;
    pub(in crate::capture) const ACK: u16 = 16;
    pub(in crate::capture) const ECE: u16 = 64;
    pub(in crate::capture) const CWR: u16 = 128;
    /// RFC 9768 §3.1.
    pub(in crate::capture) const AE: u16 = 256;
}

/// Octets of a TCP header with these options.
pub(super) fn tcp_length(options: &[u8]) -> u32 {
    (TCP_HEADER + options.len()) as u32
}

/// The headers of a TCP segment with `payload` octets of zeros.
pub(super) fn tcp(
    [from, to]: [SocketAddr; 2],
    ip: Ip,
    header: &Tcp<'_>,
    payload: u32,
    out: &mut Vec<u8>,
) {
    let above = (TCP_HEADER + header.options.len()) as u32 + payload;
    ip::header([from.ip(), to.ip()], ip, TCP, above, out);
    let mut octets = [0; TCP_HEADER];
    octets[..2].copy_from_slice(&from.port().to_be_bytes());
    octets[2..4].copy_from_slice(&to.port().to_be_bytes());
    octets[4..8].copy_from_slice(&header.seq.to_be_bytes());
    octets[8..12].copy_from_slice(&header.ack.to_be_bytes());
    octets[12] = ((TCP_HEADER + header.options.len()) as u8 / 4) << 4;
    octets[12] |= (header.flags >> 8) as u8;
    octets[13] = header.flags as u8;
    octets[14..16].copy_from_slice(&header.window.to_be_bytes());
    let sum = pseudo_header([from.ip(), to.ip()], TCP, above);
    let checksum = sum.with(&octets).with(header.options).checksum();
    octets[16..18].copy_from_slice(&checksum.to_be_bytes());
    out.extend_from_slice(&octets);
    out.extend_from_slice(header.options);
}

/// The headers of a UDP datagram with `payload` octets of zeros.
pub(super) fn udp([from, to]: [SocketAddr; 2], ip: Ip, payload: u32, out: &mut Vec<u8>) {
    let length = UDP_HEADER + payload;
    ip::header([from.ip(), to.ip()], ip, UDP, length, out);
    let start = out.len();
    let words = [from.port(), to.port(), length as u16, 0];
    out.extend(words.into_iter().flat_map(u16::to_be_bytes));
    let sum = pseudo_header([from.ip(), to.ip()], UDP, length).with(&out[start..]);
    // A checksum of zero means that there is none.
    let checksum = if sum.checksum() == 0 { 0xffff } else { sum.checksum() };
    out[start + 6..start + 8].copy_from_slice(&checksum.to_be_bytes());
}

/// Options of a header, at most forty octets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    octets: [u8; 40],
    length: usize,
}

impl Options {
    pub(super) const NONE: Self = Self { octets: [0; 40], length: 0 };

    #[inline]
    pub(super) fn octets(&self) -> &[u8] {
        &self.octets[..self.length]
    }

    /// Adds the maximum segment size, RFC 9293 §3.2, kind 2.
    pub(super) fn maximum_segment_size(&mut self, bytes: u16) {
        self.push(&[2, 4]);
        self.push(&bytes.to_be_bytes());
    }

    /// Adds SACK-permitted, RFC 2018 §2, kind 4.
    pub(super) fn sack_permitted(&mut self) {
        self.push(&[NO_OPERATION, NO_OPERATION, 4, 2]);
    }

    /// Adds the window scale, RFC 7323 §2.2, kind 3.
    pub(super) fn window_scale(&mut self, shift: u8) {
        self.push(&[NO_OPERATION, 3, 3, shift]);
    }

    /// Adds timestamps, RFC 7323 §3.2, kind 8.
    #[inline]
    pub(super) fn timestamps(&mut self, Timestamps { value, echo }: Timestamps) {
        self.push(&[NO_OPERATION, NO_OPERATION, 8, 10]);
        self.push(&value.to_be_bytes());
        self.push(&echo.to_be_bytes());
    }

    /// Adds SACK, RFC 2018 §3, kind 5: first octet of each block and the one after its last.
    #[inline]
    pub(super) fn sack(&mut self, blocks: impl Iterator<Item = (u32, u32)>) {
        let start = self.length;
        self.push(&[NO_OPERATION, NO_OPERATION, 5, 2]);
        for (first, end) in blocks {
            self.push(&first.to_be_bytes());
            self.push(&end.to_be_bytes());
            self.octets[start + 3] += 8;
        }
        if self.octets[start + 3] == 2 {
            self.length = start;
        }
    }

    /// Adds a congestion header: `XC` or `RC`, then round trip, window (with XCP), grant and
    /// returned grant.
    #[cold]
    pub(super) fn rate_header(&mut self, header: RateHeader) {
        let RateHeader { protocol, rtt, window, grant, returned } = header;
        let [first, second] = if protocol == RateProtocol::Xcp { *b"XC" } else { *b"RC" };
        self.push(&[EXPERIMENT, protocol.header_bytes() as u8, first, second]);
        self.push(&rtt.to_be_bytes());
        if protocol == RateProtocol::Xcp {
            self.push(&window.to_be_bytes());
        }
        self.push(&grant.to_be_bytes());
        self.push(&returned.to_be_bytes());
    }

    #[inline]
    fn push(&mut self, octets: &[u8]) {
        self.octets[self.length..self.length + octets.len()].copy_from_slice(octets);
        self.length += octets.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    const KU: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), 49152);
    const EDC: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2)), 9);

    /// True if the ones' complement sum of the words of `octets` is right, by the slow way of RFC
    /// 1071 §1.
    fn is_right(octets: &[u8]) -> bool {
        let sum = octets.chunks(2).fold(0_u32, |sum, word| {
            let word = u32::from(word[0]) << 8 | u32::from(*word.get(1).unwrap_or(&0));
            let sum = sum + word;
            (sum & 0xffff) + (sum >> 16)
        });
        sum == 0xffff
    }

    /// RFC 791 figure 4 and RFC 9293 figure 1, filled by hand. The sums: 4500 + 003c + 1234 + 4000
    /// + 4002 (TTL 64, ECT(0) is in the first word) …, checked word by word below.
    #[test]
    fn a_segment_octet_by_octet() {
        let mut out = Vec::new();
        let header = Tcp {
            seq: 0x0102_0304,
            ack: 0x0506_0708,
            flags: flag::ACK,
            window: 0x1f40,
            options: &[],
        };
        tcp([KU, EDC], Ip { id: 0x1234, traffic_class: 2 }, &header, 100, &mut out);
        let expected: [&[u8]; 4] = [
            // Version, header length, DS and ECN, total length 140, id, do not fragment.
            &[0x45, 0x02, 0x00, 0x8c, 0x12, 0x34, 0x40, 0x00],
            // TTL, TCP, checksum: 4502 + 008c + 1234 + 4000 + 4006 + 0a00 + 0001 + 0a00 + 0002
            // = eb_cb; the complement is 1434.
            &[0x40, 0x06, 0x14, 0x34, 10, 0, 0, 1, 10, 0, 0, 2],
            &[0xc0, 0x00, 0x00, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x50, 0x10, 0x1f, 0x40],
            // 0a00 + 0001 + 0a00 + 0002 + 0006 + 0078 + c000 + 0009 + 0102 + 0304 + 0506 + 0708
            // + 5010 + 1f40 = 1_53ee; with the carry 53ef, the complement is ac10.
            &[0xac, 0x10, 0x00, 0x00],
        ];
        assert_eq!(out, expected.concat());
        let pseudo = [&[10, 0, 0, 1, 10, 0, 0, 2, 0, 6, 0, 120], &out[20..]].concat();
        assert!(is_right(&out[..20]) && is_right(&pseudo));
    }

    /// RFC 8200 §3 and §8.1, and RFC 768, filled by hand: no checksum of the header, and one of the
    /// datagram over addresses, length and next header.
    #[test]
    fn a_datagram_of_ipv6_octet_by_octet() {
        let [from, to] =
            [1, 2].map(|host| IpAddr::V6(Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, host)));
        let sockets = [SocketAddr::new(from, 49152), SocketAddr::new(to, 9)];
        let mut out = Vec::new();
        udp(sockets, Ip { id: 0x1234, traffic_class: 0xb9 }, 100, &mut out);
        let address = |host: u8| [&[0xfd][..], &[0; 14], &[host]].concat();
        let expected: [&[u8]; 4] = [
            // Version 6, class b9, no label; 108 octets of UDP, hop limit 64.
            &[0x6b, 0x90, 0x00, 0x00, 0x00, 0x6c, 0x11, 0x40],
            &address(1),
            &address(2),
            // fd00 + 0001 + fd00 + 0002 + 0011 + 006c + c000 + 0009 + 006c = 2_baf5; with the
            // carry baf7, the complement is 4508.
            &[0xc0, 0x00, 0x00, 0x09, 0x00, 0x6c, 0x45, 0x08],
        ];
        assert_eq!(out, expected.concat());
    }

    /// RFC 7323 §3.2 and appendix A: twelve octets, and with three blocks all forty.
    #[test]
    fn timestamps_stand_before_blocks() {
        let mut options = Options::NONE;
        options.timestamps(Timestamps { value: 0x0102_0304, echo: 5 });
        assert_eq!(options.octets(), [1, 1, 8, 10, 1, 2, 3, 4, 0, 0, 0, 5]);
        options.sack([(1, 2), (3, 4), (5, 6)].into_iter());
        assert_eq!((options.octets().len(), &options.octets()[12..16]), (40, &[1, 1, 5, 26][..]));
    }

    /// RFC 6994 §3: kind 253, length, identifier; as long as the header that is counted.
    #[test]
    fn a_congestion_header_is_an_option_of_its_length() {
        for (protocol, length) in [(RateProtocol::Xcp, 20), (RateProtocol::Rcp, 16)] {
            let header = RateHeader { protocol, rtt: 1.0, window: 2.0, grant: -1.5, returned: 0.0 };
            let mut options = Options::NONE;
            options.rate_header(header);
            let octets = options.octets();
            assert_eq!((octets.len(), octets[0], octets[1]), (length, 253, length as u8));
            // 1 is 3f80_0000, -1.5 is bfc0_0000.
            assert_eq!(
                (&octets[4..6], &octets[length - 8..length - 6]),
                (&[0x3f, 0x80][..], &[0xbf, 0xc0][..])
            );
        }
    }

    /// RFC 2018 §4, the second case, and its option in §3; RFC 7323 §2.2; RFC 9293 §3.2.
    #[test]
    fn options_are_whole_words() {
        let mut options = Options::NONE;
        options.sack([(5500, 6000), (6500, 7000)].into_iter());
        let blocks =
            [[0, 0, 0x15, 0x7c], [0, 0, 0x17, 0x70], [0, 0, 0x19, 0x64], [0, 0, 0x1b, 0x58]];
        assert_eq!(options.octets(), [&[1, 1, 5, 18], &blocks.concat()[..]].concat());
        let mut options = Options::NONE;
        options.sack(std::iter::empty());
        assert!(options.octets().is_empty());
        options.maximum_segment_size(1460);
        options.sack_permitted();
        options.window_scale(7);
        assert_eq!(options.octets(), [2, 4, 0x05, 0xb4, 1, 1, 4, 2, 1, 3, 3, 7]);
        let header = Tcp { flags: flag::SYN, options: options.octets(), ..Tcp::default() };
        let mut out = Vec::new();
        tcp([KU, EDC], Ip::default(), &header, 0, &mut out);
        assert_eq!((out.len(), out[3], out[32]), (52, 52, 0x80));
        let pseudo = [&[10, 0, 0, 1, 10, 0, 0, 2, 0, 6, 0, 32], &out[20..]].concat();
        assert!(is_right(&pseudo));
    }
}
