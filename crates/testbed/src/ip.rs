//! The ECN field of packets of IPv4 (RFC 791 §3.1, RFC 3168 §5).

use cellway_sim::pdu::Ecn;

/// Octet of the header with the ECN field, in its two lowest bits.
const TRAFFIC_CLASS: usize = 1;
/// First octet of the checksum of the header.
const CHECKSUM: usize = 10;
const SHORTEST_HEADER: usize = 20;
const CONGESTION_EXPERIENCED: u8 = 0b11;

/// True for a packet of IPv4 with a whole header.
pub(crate) fn is_ipv4(packet: &[u8]) -> bool {
    packet.len() >= SHORTEST_HEADER && packet[0] >> 4 == 4
}

/// The ECN field of a packet of IPv4. ECT(1) counts as ECT(0): queues mark both.
pub(crate) fn ecn_of(packet: &[u8]) -> Ecn {
    match packet[TRAFFIC_CLASS] & CONGESTION_EXPERIENCED {
        0 => Ecn::NotCapable,
        CONGESTION_EXPERIENCED => Ecn::Congested,
        _ => Ecn::Capable,
    }
}

/// Marks a packet of IPv4 with CE, and corrects its checksum (RFC 1624, equation 3).
pub(crate) fn mark(packet: &mut [u8]) {
    let word = |packet: &[u8], at: usize| u16::from_be_bytes([packet[at], packet[at + 1]]);
    let before = word(packet, 0);
    packet[TRAFFIC_CLASS] |= CONGESTION_EXPERIENCED;
    let sum = u32::from(!word(packet, CHECKSUM)) + u32::from(!before) + u32::from(word(packet, 0));
    let folded = (sum & 0xffff) + (sum >> 16);
    let folded = (folded & 0xffff) + (folded >> 16);
    packet[CHECKSUM..CHECKSUM + 2].copy_from_slice(&(!(folded as u16)).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sum of the words of a header, checksum included: all ones if the header is whole (RFC 1071).
    fn sum(header: &[u8]) -> u16 {
        let words = header.chunks(2).map(|two| u32::from(u16::from_be_bytes([two[0], two[1]])));
        let sum: u32 = words.sum();
        ((sum & 0xffff) + (sum >> 16)) as u16
    }

    /// A header from 192.168.0.1 to 192.168.0.199 whose checksum is 0xb861.
    const HEADER: [u8; 20] = [
        0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0xb8, 0x61, 0xc0, 0xa8, 0x00,
        0x01, 0xc0, 0xa8, 0x00, 0xc7,
    ];

    #[test]
    fn marks_leave_the_checksum_right() {
        assert_eq!(sum(&HEADER), 0xffff);
        for class in 0..=255 {
            let mut header = HEADER;
            header[TRAFFIC_CLASS] = class;
            let checksum = 0xb861_u16.checked_sub(u16::from(class)).expect("no borrow");
            header[CHECKSUM..CHECKSUM + 2].copy_from_slice(&checksum.to_be_bytes());
            assert_eq!(sum(&header), 0xffff);
            mark(&mut header);
            assert_eq!((sum(&header), ecn_of(&header)), (0xffff, Ecn::Congested));
        }
    }

    #[test]
    fn fields_have_their_meanings() {
        let of = |class: u8| ecn_of(&[0x45, class]);
        assert_eq!([of(0), of(1), of(2)], [Ecn::NotCapable, Ecn::Capable, Ecn::Capable]);
        assert_eq!([of(3), of(0xfc)], [Ecn::Congested, Ecn::NotCapable]);
        assert!(is_ipv4(&HEADER) && !is_ipv4(&HEADER[..19]) && !is_ipv4(&[0x60; 40]));
    }
}
