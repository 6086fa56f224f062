//! Datagrams as packets of IPv4 (RFC 791) and UDP (RFC 768), and back. The checksum of UDP is left
//! out, as RFC 768 allows.

use std::net::SocketAddrV4;

use quinn_proto::EcnCodepoint;

/// Octets of both headers.
pub(crate) const HEADERS: usize = 28;
const CHECKSUM: usize = 10;
const UDP: u8 = 17;

/// The packet of a datagram.
pub(crate) fn packet(
    own: SocketAddrV4,
    peer: SocketAddrV4,
    ecn: Option<EcnCodepoint>,
    content: &[u8],
) -> Vec<u8> {
    let (length, class) = ((HEADERS + content.len()) as u16, ecn.map_or(0, |ecn| ecn as u8));
    let mut packet = vec![0x45, class];
    packet.extend(length.to_be_bytes());
    packet.extend([0, 0, 0x40, 0, 64, UDP, 0, 0]);
    packet.extend(own.ip().octets());
    packet.extend(peer.ip().octets());
    let words = packet.chunks(2).map(|two| u32::from(u16::from_be_bytes([two[0], two[1]])));
    let sum: u32 = words.sum();
    let sum = (sum & 0xffff) + (sum >> 16);
    let sum = (sum & 0xffff) + (sum >> 16);
    packet[CHECKSUM..CHECKSUM + 2].copy_from_slice(&(!(sum as u16)).to_be_bytes());
    packet.extend(own.port().to_be_bytes());
    packet.extend(peer.port().to_be_bytes());
    packet.extend((length - 20).to_be_bytes());
    packet.extend([0, 0]);
    packet.extend_from_slice(content);
    packet
}

/// The ECN field and the datagram of a packet.
pub(crate) fn datagram(packet: &[u8]) -> Option<(Option<EcnCodepoint>, &[u8])> {
    let header = 4 * usize::from(packet.first()? & 0xf);
    Some((EcnCodepoint::from_bits(packet.get(1)? & 0b11), packet.get(header + 8..)?))
}
