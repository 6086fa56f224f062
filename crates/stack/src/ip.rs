//! Fields of packets of IPv4 (RFC 791 §3.1): that of ECN (RFC 3168 §5), and those that tell
//! connections apart.

use cellway_sim::pdu::Ecn;

/// Octet of the header with the ECN field, in its two lowest bits.
const TRAFFIC_CLASS: usize = 1;
/// First octet of the checksum of the header.
const CHECKSUM: usize = 10;
const SHORTEST_HEADER: usize = 20;
const CONGESTION_EXPERIENCED: u8 = 0b11;
/// First octet of the flags and the offset of a fragment.
const FRAGMENT: usize = 6;
const PROTOCOL: usize = 9;
/// Both addresses.
const ADDRESSES: std::ops::Range<usize> = 12..20;
/// Protocols whose header begins with two ports: TCP, UDP, DCCP, SCTP, UDP-Lite.
const WITH_PORTS: [u8; 5] = [6, 17, 33, 132, 136];

/// True for a packet of IPv4 with a whole header.
pub fn is_ipv4(packet: &[u8]) -> bool {
    packet.len() >= SHORTEST_HEADER && packet[0] >> 4 == 4
}

/// The ECN field of a packet of IPv4.
pub fn ecn_of(packet: &[u8]) -> Ecn {
    match packet[TRAFFIC_CLASS] & CONGESTION_EXPERIENCED {
        0 => Ecn::NotCapable,
        1 => Ecn::L4s,
        CONGESTION_EXPERIENCED => Ecn::Congested,
        _ => Ecn::Capable,
    }
}

/// Key of the connection of a packet of IPv4: a hash of addresses, protocol and ports that is not
/// zero. A fragment has no ports, as only the first one of a packet carries them.
pub fn key_of(packet: &[u8]) -> u32 {
    // FNV-1a, with its offset basis and prime for 32 bits.
    let hash = |hash: u32, octet: &u8| (hash ^ u32::from(*octet)).wrapping_mul(0x0100_0193);
    let header = 4 * usize::from(packet[0] & 0x0f);
    let is_fragment = packet[FRAGMENT] & 0x3f != 0 || packet[FRAGMENT + 1] != 0;
    let has_ports = WITH_PORTS.contains(&packet[PROTOCOL]) && !is_fragment;
    let ports = packet.get(header..header + 4).filter(|_| has_ports).unwrap_or(&[]);
    let fields = packet[ADDRESSES].iter().chain(&packet[PROTOCOL..=PROTOCOL]).chain(ports);
    fields.fold(0x811c_9dc5, hash).max(1)
}

/// Content of a packet of IPv4 that arrives with this ECN field; in `buffer` if it was marked on
/// the way.
pub fn as_it_arrives<'a>(content: &'a [u8], ecn: Ecn, buffer: &'a mut [u8]) -> &'a [u8] {
    if ecn != Ecn::Congested || ecn_of(content) == Ecn::Congested {
        return content;
    }
    let marked = &mut buffer[..content.len()];
    marked.copy_from_slice(content);
    mark(marked);
    marked
}

/// Marks a packet of IPv4 with CE, and corrects its checksum (RFC 1624, equation 3).
fn mark(packet: &mut [u8]) {
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
    fn keys_tell_connections_apart_and_nothing_else() {
        let with = |ports: [u8; 4], changed: (usize, u8)| {
            let mut packet = [&HEADER[..], &ports, &[0; 4]].concat();
            packet[changed.0] = changed.1;
            key_of(&packet)
        };
        let (ports, same) = ([0x13, 0x89, 0xc0, 0x00], (0, HEADER[0]));
        let key = with(ports, same);
        assert_ne!(key, with([0x13, 0x89, 0xc0, 0x01], same));
        assert_ne!(key, with(ports, (ADDRESSES.start + 3, 2)));
        assert_ne!(key, with(ports, (PROTOCOL, 6)));
        // ECN field, length, identification, checksum.
        for changed in [TRAFFIC_CLASS, 3, 4, CHECKSUM] {
            assert_eq!(key, with(ports, (changed, 0xa5)));
        }
        // Neither fragments nor ICMP have ports.
        for changed in [(FRAGMENT, 0x20), (FRAGMENT + 1, 1), (PROTOCOL, 1)] {
            assert_eq!(with(ports, changed), with([1, 2, 3, 4], changed));
        }
        // Options lie before the ports, and a packet may end there.
        assert_eq!(with([1, 2, 3, 4], (0, 0x46)), with([4, 3, 2, 1], (0, 0x46)));
        assert_ne!(key_of(&HEADER), 0);
    }

    #[test]
    fn fields_have_their_meanings() {
        let of = |class: u8| ecn_of(&[0x45, class]);
        assert_eq!([of(0), of(1), of(2)], [Ecn::NotCapable, Ecn::L4s, Ecn::Capable]);
        assert_eq!([of(3), of(0xfc)], [Ecn::Congested, Ecn::NotCapable]);
        assert!(is_ipv4(&HEADER) && !is_ipv4(&HEADER[..19]) && !is_ipv4(&[0x60; 40]));
    }
}
