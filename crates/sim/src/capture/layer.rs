//! Layers at which units of links of cells are shown, with their virtual channels: what a card for
//! ATM hands to its host.
//!
//! * `LINKTYPE_SUNATM` (123): a packet with LLC/SNAP (RFC 2684 §5.1) behind four octets: direction
//!   and kind of traffic, VPI, VCI.
//! * `LINKTYPE_ERF` (197), Extensible Record Format of Endace: a header of 16 octets, then the
//!   header of a cell without its HEC; behind it a packet with LLC/SNAP (type 4, AAL5), or the
//!   payload of an RM cell (type 3, ATM).
//!
//! The virtual path is 0. The virtual channel of a flow is 32 and its number, in both directions:
//! those below 32 are reserved (ITU-T I.361). Padding and trailer of AAL5 are not shown.

use crate::capture::START;
use crate::pdu::{Captured, Header, IpVersion, RmCell};

/// Direction from the host, and LLC-multiplexed traffic, of `LINKTYPE_SUNATM`.
const FROM_HOST: u8 = 0x80;
const LLC: u8 = 2;
/// Records of `LINKTYPE_ERF`: length of the header, types, and records of varying length.
const ERF_HEADER: usize = 16;
const ERF_ATM: u8 = 3;
const ERF_AAL5: u8 = 4;
const VARYING_LENGTH: u8 = 4;
/// Octets of an ATM header without its HEC.
const ATM_HEADER: usize = 4;
/// Octets of LLC and SNAP.
const LLC_SNAP: usize = 8;
/// First virtual channel that is not reserved.
const FIRST_VCI: u32 = 32;
const VCIS: u32 = 1 << 16;

/// Layer at which packets of links of cells are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// IP, as on every link of packets.
    #[default]
    Ip,
    /// AAL5 with its virtual channel, as a card of Sun shows it.
    Sunatm,
    /// AAL5 with its virtual channel, and RM cells of ABR, as a card of Endace shows them.
    Erf,
}

/// Way of a unit: its virtual channel, its direction at the host, and its instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    vci: u16,
    is_sent: bool,
    picoseconds: u64,
}

impl Way {
    /// The way of what is captured of a flow in this direction.
    pub(super) fn of(captured: &Captured, direction: u32) -> Self {
        let vci = FIRST_VCI + direction / 2 % (VCIS - FIRST_VCI);
        let picoseconds = captured.at.picoseconds() as u64;
        Self { vci: vci as u16, is_sent: captured.is_sent, picoseconds }
    }

    /// Octets 1 to 4 of a cell, with the last cell's payload type if `ends_frame` (ITU-T I.361).
    fn atm_header(self, ends_frame: bool) -> [u8; ATM_HEADER] {
        (u32::from(self.vci) << 4 | u32::from(ends_frame) << 1).to_be_bytes()
    }

    /// Header of a record with `length` octets behind it.
    fn erf_header(self, kind: u8, length: usize) -> [u8; ERF_HEADER] {
        const SECOND: u64 = 1_000_000_000_000;
        let seconds = START + self.picoseconds / SECOND;
        let fraction = (u128::from(self.picoseconds % SECOND) << 32) / u128::from(SECOND);
        let short = |length: usize| (length.min(usize::from(u16::MAX)) as u16).to_be_bytes();
        let mut octets = [0; ERF_HEADER];
        octets[..8].copy_from_slice(&(seconds << 32 | fraction as u64).to_le_bytes());
        octets[8..10].copy_from_slice(&[kind, VARYING_LENGTH | u8::from(!self.is_sent)]);
        octets[10..12].copy_from_slice(&short(ERF_HEADER + length));
        octets[14..].copy_from_slice(&short(length));
        octets
    }
}

/// Octets before a packet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Below {
    octets: [u8; ERF_HEADER + ATM_HEADER + LLC_SNAP],
    length: usize,
}

impl Below {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.octets[..self.length]
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    fn with(mut self, octets: &[u8]) -> Self {
        self.octets[self.length..self.length + octets.len()].copy_from_slice(octets);
        self.length += octets.len();
        self
    }
}

impl Layer {
    /// Link type of its interfaces.
    pub(super) fn link_type(self) -> u16 {
        match self {
            Self::Ip => 101,
            Self::Sunatm => 123,
            Self::Erf => 197,
        }
    }

    /// Octets before a packet of `length` octets.
    #[inline]
    pub(super) fn below(self, way: Way, ip: IpVersion, length: u32) -> Below {
        match self {
            Self::Ip => Below::default(),
            Self::Sunatm => {
                let [high, low] = way.vci.to_be_bytes();
                let direction = if way.is_sent { FROM_HOST } else { 0 };
                Below::default().with(&[direction | LLC, 0, high, low]).with(&llc_snap(ip))
            }
            Self::Erf => {
                let length = ATM_HEADER + LLC_SNAP + length as usize;
                let header = way.erf_header(ERF_AAL5, length);
                Below::default().with(&header).with(&way.atm_header(true)).with(&llc_snap(ip))
            }
        }
    }
}

/// LLC and SNAP of a packet, RFC 2684 §5.1.
fn llc_snap(ip: IpVersion) -> [u8; LLC_SNAP] {
    let [high, low] = match ip {
        IpVersion::V4 => [0x08, 0x00],
        IpVersion::V6 => [0x86, 0xdd],
    };
    [0xaa, 0xaa, 3, 0, 0, 0, high, low]
}

/// The record of an RM cell.
pub(super) fn rm_cell(way: Way, clp: bool, cell: &RmCell) -> Vec<u8> {
    let octets = cell.encode(&Header { vci: way.vci, clp, ..Header::default() });
    let (header, payload) = (&octets[..ATM_HEADER], &octets[ATM_HEADER + 1..]);
    let record = way.erf_header(ERF_ATM, header.len() + payload.len());
    [&record, header, payload].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::CellRate;

    /// Second flow, 1.5 s after the start.
    const SENT: Way = Way { vci: 33, is_sent: true, picoseconds: 1_500_000_000_000 };

    #[test]
    fn a_packet_of_sun_has_its_channel() {
        let below = Layer::Sunatm.below(SENT, IpVersion::V4, 40);
        assert_eq!(below.as_slice(), [0x82, 0, 0, 33, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0]);
        let back = Layer::Sunatm.below(Way { is_sent: false, ..SENT }, IpVersion::V6, 40);
        assert_eq!(back.as_slice(), [2, 0, 0, 33, 0xaa, 0xaa, 3, 0, 0, 0, 0x86, 0xdd]);
        assert!(Layer::Ip.below(SENT, IpVersion::V4, 40).as_slice().is_empty());
    }

    /// 10^9 + 1 s are 3b9aca01 hexadecimal, and a half is 2^31 of 2^32.
    #[test]
    fn a_record_has_its_instant_and_lengths() {
        let below = Layer::Erf.below(SENT, IpVersion::V4, 40);
        let expected = [
            &[0, 0, 0, 0x80, 0x01, 0xca, 0x9a, 0x3b, 4, 4, 0, 68, 0, 0, 0, 52][..],
            &[0, 0, 2, 0x12, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0],
        ];
        assert_eq!(below.as_slice(), expected.concat());
    }

    #[test]
    fn an_rm_cell_is_shown_without_its_hec() {
        let cell = RmCell { er: CellRate(1000.0), ..RmCell::default() };
        let record = rm_cell(SENT, true, &cell);
        assert_eq!(&record[8..20], [3, 4, 0, 68, 0, 0, 0, 52, 0, 0, 2, 0x1d]);
        // 1000 cells a second are 2^9 (1 + 488 / 512): 4000 + 9 * 200 + 1e8 hexadecimal.
        assert_eq!((record.len(), &record[20..24]), (68, &[1, 0, 0x53, 0xe8][..]));
    }
}
