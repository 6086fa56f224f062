//! Packets of IPv4 and TCP, written and checked without the code under test (RFC 791 §3.1, RFC 9293
//! §3.1, RFC 1071).

use std::net::SocketAddrV4;

/// Fields of a packet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) seq: u32,
    pub(crate) ack: u32,
    pub(crate) flags: u8,
    pub(crate) window: u16,
    pub(crate) ecn: u8,
    /// In whole words.
    pub(crate) options: Vec<u8>,
    pub(crate) payload: Vec<u8>,
}

fn number(octets: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(octets[at..at + 4].try_into().expect("four octets"))
}

/// Ones' complement sum of `octets` on top of `start`.
fn sum(octets: &[u8], start: u64) -> u16 {
    let word = |two: &[u8]| u64::from(two[0]) << 8 | u64::from(*two.get(1).unwrap_or(&0));
    let sum = octets.chunks(2).map(word).sum::<u64>() + start;
    // Sixteen bits of ones stand for zero in both forms.
    match sum % 0xffff {
        0 if sum > 0 => 0xffff,
        sum => sum as u16,
    }
}

fn sum_of_tcp(packet: &[u8]) -> u16 {
    let pseudo = u64::from(sum(&packet[12..20], 0)) + 6 + (packet.len() - 20) as u64;
    sum(&packet[20..], pseudo)
}

/// A packet with right lengths and checksums.
pub(crate) fn packet([from, to]: [SocketAddrV4; 2], fields: &Fields) -> Vec<u8> {
    let length = 40 + fields.options.len() + fields.payload.len();
    let words = (20 + fields.options.len()) / 4;
    let mut packet = vec![0x45, fields.ecn];
    packet.extend((length as u16).to_be_bytes());
    packet.extend([0, 0, 0x40, 0, 64, 6, 0, 0]);
    packet.extend(from.ip().octets().into_iter().chain(to.ip().octets()));
    packet.extend(from.port().to_be_bytes().into_iter().chain(to.port().to_be_bytes()));
    packet.extend(fields.seq.to_be_bytes().into_iter().chain(fields.ack.to_be_bytes()));
    packet.extend([(words as u8) << 4, fields.flags]);
    packet.extend(fields.window.to_be_bytes().into_iter().chain([0; 4]));
    packet.extend(fields.options.iter().chain(&fields.payload));
    let header = !sum(&packet[..20], 0);
    packet[10..12].copy_from_slice(&header.to_be_bytes());
    let checksum = !sum_of_tcp(&packet);
    packet[36..38].copy_from_slice(&checksum.to_be_bytes());
    packet
}

/// Fields of a packet between these ends; panics unless it is whole, with right checksums.
pub(crate) fn read(packet: &[u8], [from, to]: [SocketAddrV4; 2]) -> Fields {
    assert!(packet.len() >= 40 && packet[0] == 0x45 && packet[9] == 6, "{packet:02x?}");
    let word = |at: usize| u16::from_be_bytes([packet[at], packet[at + 1]]);
    assert_eq!(usize::from(word(2)), packet.len(), "length");
    assert_eq!((sum(&packet[..20], 0), sum_of_tcp(packet)), (0xffff, 0xffff), "checksums");
    let ends = [packet[12..16].to_vec(), packet[16..20].to_vec()];
    assert_eq!(ends, [from, to].map(|end| end.ip().octets().to_vec()), "addresses");
    assert_eq!([word(20), word(22)], [from, to].map(|end| end.port()), "ports");
    let data = 20 + 4 * usize::from(packet[32] >> 4);
    Fields {
        seq: number(packet, 24),
        ack: number(packet, 28),
        flags: packet[33],
        window: word(34),
        ecn: packet[1] & 3,
        options: packet[40..data].to_vec(),
        payload: packet[data..].to_vec(),
    }
}
