//! Encapsulations of IP packets on a line, and the part of the line that is left for data.
//!
//! AAL5 (ITU-T I.363.5): headers, packet, padding and a trailer of 8 bytes fill whole cells of 48
//! bytes, each with 5 of header. In front of the packet:
//!
//! | encapsulation | bytes | source |
//! |---|---|---|
//! | VC of IP alone | 0 | RFC 2684 §6.1 |
//! | LLC/SNAP, routed | 8 | RFC 2684 §5.1 |
//! | PPPoA, VC of PPP alone | 2: the protocol | RFC 2364 |
//! | PPPoA, LLC | 6: LLC and NLPID of PPP, the protocol | RFC 2364 |
//! | PPPoE, VC of Ethernet alone | 24: pad 2, MAC 14, PPPoE 6, protocol 2 | RFC 2684 §6.2, 2516 |
//! | PPPoE, LLC/SNAP bridged | 32: LLC, OUI, PID 8, pad 2, the other 22 | RFC 2684 §5.2, 2516 |
//!
//! Bridged Ethernet has no frame check sequence here; with it 4 bytes follow the packet.
//!
//! PPP on a serial line (RFC 1662): flag 1 (closing and opening as one), address 1, control 1,
//! protocol 2, FCS 2, or 4 on SONET (RFC 2615). Of random data 2 of 256 bytes are escaped on octet-
//! synchronous lines, each by one more; the flag is not.
//!
//! TCP has 20 bytes, its options come on top, IP 20. Range: whole bytes.

use crate::range::{OutOfRange, within};

/// Bytes of the IP and TCP headers without options.
pub const TCP_IP: u32 = 40;
/// Bytes of a cell, and bytes of its payload.
const CELL: u32 = 53;
const PAYLOAD: u32 = 48;
const TRAILER: u32 = 8;

/// Encapsulation of packets on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encapsulation {
    /// AAL5, with bytes of headers before the packet.
    Aal5 {
        /// Bytes of headers in front of the packet.
        headers: u32,
    },
    /// PPP, with the bytes of its frame check sequence.
    Ppp {
        /// Bytes of the frame check sequence, 2 or 4.
        check: u32,
    },
}

/// Encapsulations by name, as in Python.
pub const ENCAPSULATIONS: [(&str, Encapsulation); 8] = [
    ("aal5_vc", Encapsulation::Aal5 { headers: 0 }),
    ("aal5_llc", Encapsulation::Aal5 { headers: 8 }),
    ("pppoa_vc", Encapsulation::Aal5 { headers: 2 }),
    ("pppoa_llc", Encapsulation::Aal5 { headers: 6 }),
    ("pppoe_vc", Encapsulation::Aal5 { headers: 24 }),
    ("pppoe_llc", Encapsulation::Aal5 { headers: 32 }),
    ("ppp", Encapsulation::Ppp { check: 2 }),
    ("ppp_sonet", Encapsulation::Ppp { check: 4 }),
];

impl Encapsulation {
    /// Cells of a packet of `bytes`; absent on a line without cells.
    pub const fn cells(self, bytes: u32) -> Option<u32> {
        match self {
            Self::Aal5 { headers } => Some((headers + bytes + TRAILER).div_ceil(PAYLOAD)),
            Self::Ppp { .. } => None,
        }
    }

    /// Bytes on the line for a packet of `bytes`, expected for PPP.
    pub fn line_bytes(self, bytes: u32) -> f64 {
        match self {
            Self::Aal5 { headers } => {
                f64::from((headers + bytes + TRAILER).div_ceil(PAYLOAD) * CELL)
            }
            Self::Ppp { check } => {
                let between_flags = f64::from(1 + 1 + 2 + bytes + check);
                1.0 + between_flags * (1.0 + 2.0 / 256.0)
            }
        }
    }

    /// Fraction of the line that is data, in segments of `segment` bytes of data, with `options`
    /// bytes of TCP options.
    pub fn data_part(self, segment: u32, options: u32) -> Result<f64, OutOfRange> {
        let expected = "1 to 65495 bytes";
        within("segment", f64::from(segment), expected, |_| (1..=65_495).contains(&segment))?;
        let expected = "0 to 40 bytes";
        within("options", f64::from(options), expected, |_| options <= 40)?;
        Ok(f64::from(segment) / self.line_bytes(segment + options + TCP_IP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_name(name: &str) -> Encapsulation {
        ENCAPSULATIONS.iter().find(|(known, _)| *known == name).expect("a known one").1
    }

    /// 1500 bytes: 31.4, 31.6, 31.5, 32.1 and 32.0 times 48 bytes.
    #[test]
    fn cells_of_an_ethernet_packet() {
        let cells = |name| by_name(name).cells(1500).expect("AAL5");
        let names = ["aal5_vc", "aal5_llc", "pppoa_vc", "pppoe_vc", "pppoe_llc"];
        assert_eq!(names.map(cells), [32, 32, 32, 32, 33]);
        assert_eq!(by_name("aal5_vc").cells(40), Some(1));
        assert_eq!(by_name("aal5_llc").cells(40), Some(2));
        assert_eq!(by_name("aal5_llc").cells(9180), Some(192));
    }

    /// MSS 512 and 9140: 12 and 192 cells.
    #[test]
    fn the_ceilings_of_llc_snap() {
        let llc = by_name("aal5_llc");
        assert!((llc.data_part(512, 0).unwrap() - 512.0 / (12.0 * 53.0)).abs() < 1e-12);
        assert!((llc.data_part(9140, 0).unwrap() - 9140.0 / (192.0 * 53.0)).abs() < 1e-12);
    }

    /// 1500 bytes of PPP: 1506 between flags without escapes, 11.77 of them escaped.
    #[test]
    fn ppp_by_hand() {
        let bytes = by_name("ppp").line_bytes(1500);
        assert!((bytes - (1.0 + 1506.0 + 1506.0 / 128.0)).abs() < 1e-9, "{bytes}");
        assert_eq!(by_name("ppp").cells(1500), None);
    }

    #[test]
    fn segments_that_no_packet_has_are_refused() {
        let llc = by_name("aal5_llc");
        assert_eq!(llc.data_part(0, 0).unwrap_err().name, "segment");
        assert_eq!(llc.data_part(100, 41).unwrap_err().name, "options");
    }
}
