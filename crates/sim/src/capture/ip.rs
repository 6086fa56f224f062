//! The headers of IPv4 (RFC 791) and IPv6 (RFC 8200), by the version of the addresses.
//!
//! A packet of IPv6 has no flow label: zero is none (RFC 6437 §2).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::checksum::Sum;
use crate::pdu::IpVersion;

const V4_HEADER: usize = 20;
const V6_HEADER: usize = 40;
/// Flag of a packet that may not be fragmented; no packet is, here.
const DONT_FRAGMENT: u16 = 0x4000;
/// Time to live, and hop limit.
const HOPS: u8 = 64;
/// Address of the first host; RFC 1918 §3.
const FIRST_V4: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
/// Likewise, a unique local address; RFC 4193 §3.
const FIRST_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 1);

/// Fields of an IP header beside addresses and length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ip {
    /// Identification of a packet of IPv4.
    pub(super) id: u16,
    /// DSCP (RFC 2474 §3) and, below it, ECN (RFC 3168 §5): 0 not capable, 1 ECT(1), 2 ECT(0), 3
    /// CE.
    pub(super) traffic_class: u8,
}

/// Address of a host.
pub(super) fn address(host: usize, ip: IpVersion) -> IpAddr {
    match ip {
        IpVersion::V4 => Ipv4Addr::from(u32::from(FIRST_V4) + host as u32).into(),
        IpVersion::V6 => Ipv6Addr::from(u128::from(FIRST_V6) + host as u128).into(),
    }
}

/// Version of packets to an address.
pub(super) fn version_of(address: IpAddr) -> IpVersion {
    if address.is_ipv6() { IpVersion::V6 } else { IpVersion::V4 }
}

/// Octets of the header of packets to an address.
#[inline]
pub(super) fn length_of(address: IpAddr) -> u32 {
    if address.is_ipv6() { V6_HEADER as u32 } else { V4_HEADER as u32 }
}

/// Octets of the IP header at the start of a packet, and the protocol above it.
pub(super) fn length_and_protocol(octets: &[u8]) -> (usize, u8) {
    let octet = |place: usize| octets.get(place).copied().unwrap_or(0);
    match octet(0) >> 4 {
        6 => (V6_HEADER, octet(6)),
        _ => (4 * usize::from(octet(0) & 0x0f), octet(9)),
    }
}

/// Writes a header before `above` octets of `protocol`.
#[inline]
pub(super) fn header(addresses: [IpAddr; 2], ip: Ip, protocol: u8, above: u32, out: &mut Vec<u8>) {
    match addresses {
        [IpAddr::V4(from), IpAddr::V4(to)] => v4([from, to], ip, protocol, above, out),
        [from, to] => v6([from, to].map(octets_of), ip, protocol, above, out),
    }
}

/// RFC 791 §3.1.
#[inline]
fn v4([from, to]: [Ipv4Addr; 2], ip: Ip, protocol: u8, above: u32, out: &mut Vec<u8>) {
    let mut octets = [0; V4_HEADER];
    octets[..2].copy_from_slice(&[0x45, ip.traffic_class]);
    octets[2..4].copy_from_slice(&(V4_HEADER as u16 + above as u16).to_be_bytes());
    octets[4..6].copy_from_slice(&ip.id.to_be_bytes());
    octets[6..8].copy_from_slice(&DONT_FRAGMENT.to_be_bytes());
    octets[8..10].copy_from_slice(&[HOPS, protocol]);
    octets[12..16].copy_from_slice(&from.octets());
    octets[16..].copy_from_slice(&to.octets());
    let checksum = Sum::default().with(&octets).checksum();
    octets[10..12].copy_from_slice(&checksum.to_be_bytes());
    out.extend_from_slice(&octets);
}

/// RFC 8200 §3.
fn v6([from, to]: [[u8; 16]; 2], ip: Ip, next_header: u8, above: u32, out: &mut Vec<u8>) {
    let mut octets = [0; V6_HEADER];
    octets[..4].copy_from_slice(&(6 << 28 | u32::from(ip.traffic_class) << 20).to_be_bytes());
    octets[4..6].copy_from_slice(&(above as u16).to_be_bytes());
    octets[6..8].copy_from_slice(&[next_header, HOPS]);
    octets[8..24].copy_from_slice(&from);
    octets[24..].copy_from_slice(&to);
    out.extend_from_slice(&octets);
}

fn octets_of(address: IpAddr) -> [u8; 16] {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => address.octets(),
    }
}

/// Sum of addresses, protocol and length, which belong to the checksum (RFC 9293 §3.1, RFC 8200
/// §8.1).
#[inline]
pub(super) fn pseudo_header(addresses: [IpAddr; 2], protocol: u8, length: u32) -> Sum {
    let sum = addresses.iter().fold(Sum::default(), |sum, address| match address {
        IpAddr::V4(address) => sum.with(&address.octets()),
        IpAddr::V6(address) => sum.with(&address.octets()),
    });
    sum.with_word(u16::from(protocol)).with(&length.to_be_bytes())
}
