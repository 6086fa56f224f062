//! The resource-management (RM) cell of ABR (ATM Forum TM 4.0, af-tm-0056.000 §5.10.3; ITU-T
//! I.371), octet by octet.
//!
//! A source sends it among its data, switches write into it, the destination returns it. Rates
//! travel in 16 bits, so they arrive [quantised](CellRate::quantised).

use thiserror::Error;

use crate::units::CellRate;

/// Protocol id of ABR, octet 6.
const PROTOCOL_ID: u8 = 1;
/// Payload type of an RM cell, in a virtual channel and in a virtual path alike (ITU-T I.361).
const PAYLOAD_TYPE: u8 = 0b110;
/// x⁸ + x² + x + 1, the generator of the header checksum (ITU-T I.432.1).
const HEC_GENERATOR: u16 = 0x107;
/// x¹⁰ + x⁹ + x⁵ + x⁴ + x + 1, the generator of the payload checksum (ITU-T I.610).
const CRC_10_GENERATOR: u16 = 0x633;

/// The direction of a cell along its connection (DIR).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// With the data, from the source.
    #[default]
    Forward,
    /// Against the data, to the source.
    Backward,
}

/// Content of an RM cell for the source and the switches. The default is forward, with all rates
/// zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RmCell {
    /// Direction of travel, to the destination or back.
    pub direction: Direction,
    /// BN: a switch or the destination made it, not the source.
    pub is_notification: bool,
    /// Congestion indication: the source must slow down.
    pub ci: bool,
    /// No increase: the source must not become faster.
    pub ni: bool,
    /// Explicit rate: the highest rate of the source; switches lower it.
    pub er: CellRate,
    /// Current cell rate: what the source is allowed as it sends the cell.
    pub ccr: CellRate,
    /// Minimum cell rate: what the connection was promised.
    pub mcr: CellRate,
}

/// The cell header at the user-network interface (ITU-T I.361), without the payload type, which is
/// that of an RM cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Generic flow control, four bits.
    pub gfc: u8,
    /// Virtual path.
    pub vpi: u8,
    /// Virtual channel; 6 for the RM cells of a whole path.
    pub vci: u16,
    /// CLP: the cell is sent out of rate and is the first to be dropped.
    pub clp: bool,
}

/// A rate in the 16 bits of an RM cell: one reserved, nz, five of exponent e, nine of mantissa m;
/// the rate is nz · 2ᵉ · (1 + m / 512) cells per second (TM 4.0 §5.10.3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodedRate(pub u16);

/// Reason why 53 octets are not an RM cell.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RmCellError {
    /// The header is damaged: octet 5, and its correct value. One wrong bit could be corrected; it
    /// is not.
    #[error("octet 5 of the cell, its HEC, is {0:#04x}: octets 1 to 4 make it {1:#04x}")]
    Hec(u8, u8),
    /// The cell carries something else.
    #[error("the payload type of the cell is {0:#05b}: that of an RM cell is 0b110")]
    PayloadType(u8),
    /// The payload is damaged.
    #[error("the CRC-10 of the cell's payload leaves the remainder {0:#05x}: expected none")]
    Crc10(u16),
    /// Resource management of another kind than ABR.
    #[error("octet 6 of the cell, its protocol id, is {0}: that of ABR is 1")]
    ProtocolId(u8),
}

impl EncodedRate {
    const NONZERO: u16 = 1 << 14;
    /// Mantissas to an exponent.
    const STEPS: u16 = 1 << 9;
    /// 2³¹ · (1 + 511/512), or 4 290 772 992 cells per second.
    const LARGEST: Self = Self(2 * Self::NONZERO - 1);

    /// The largest rate that is not above `rate`: zero below one cell per second, the largest of
    /// all beyond it.
    pub fn of(rate: CellRate) -> Self {
        let rate = rate.min(Self::LARGEST.rate()).0;
        // Fractions of a cell do not move the exponent. The cast turns a negative rate into zero.
        let Some(exponent) = (rate as u64).checked_ilog2() else { return Self::default() };
        // Both exact: a division by a power of two, and a difference of numbers within a factor of
        // two.
        let fraction = rate / (1_u64 << exponent) as f64 - 1.0;
        Self(
            Self::NONZERO
                + exponent as u16 * Self::STEPS
                + (fraction * f64::from(Self::STEPS)) as u16,
        )
    }

    /// The rate it stands for, exactly. The reserved bit is ignored.
    pub fn rate(self) -> CellRate {
        let (nonzero, exponent) =
            (self.0 / Self::NONZERO % 2, self.0 % Self::NONZERO / Self::STEPS);
        let significand = u64::from(nonzero * (Self::STEPS + self.0 % Self::STEPS));
        CellRate((significand << exponent) as f64 / f64::from(Self::STEPS))
    }
}

impl CellRate {
    /// This rate as an RM cell carries it: at most one part in 512 less, never more
    /// ([`EncodedRate::of`]).
    #[must_use]
    pub fn quantised(self) -> Self {
        EncodedRate::of(self).rate()
    }
}

impl Header {
    /// Octets 1 to 4.
    fn word(self) -> u32 {
        let address =
            u32::from(self.gfc) << 28 | u32::from(self.vpi) << 20 | u32::from(self.vci) << 4;
        address | u32::from(PAYLOAD_TYPE) << 1 | u32::from(self.clp)
    }

    fn decode(octets: &[u8; 53]) -> Result<Self, RmCellError> {
        let word = u32::from_be_bytes([octets[0], octets[1], octets[2], octets[3]]);
        if octets[4] != hec(word) {
            return Err(RmCellError::Hec(octets[4], hec(word)));
        }
        let payload_type = (word >> 1) as u8 & 0b111;
        if payload_type != PAYLOAD_TYPE {
            return Err(RmCellError::PayloadType(payload_type));
        }
        let clp = word & 1 == 1;
        Ok(Self { gfc: (word >> 28) as u8, vpi: (word >> 20) as u8, vci: (word >> 4) as u16, clp })
    }
}

impl RmCell {
    /// The 53 octets on the line. QL and SN are not of the ATM Forum's ABR, nor is RA: all zero.
    pub fn encode(&self, header: &Header) -> [u8; 53] {
        let mut octets = [0; 53];
        octets[..4].copy_from_slice(&header.word().to_be_bytes());
        octets[4] = hec(header.word());
        octets[5] = PROTOCOL_ID;
        let flags = [self.direction == Direction::Backward, self.is_notification, self.ci, self.ni];
        octets[6] = flags.iter().fold(0, |bits, flag| bits << 1 | u8::from(*flag)) << 4;
        for (first, rate) in [(7, self.er), (9, self.ccr), (11, self.mcr)] {
            octets[first..first + 2].copy_from_slice(&EncodedRate::of(rate).0.to_be_bytes());
        }
        octets[21..51].fill(0x6A);
        let crc_10 = remainder(&octets[5..], CRC_10_GENERATOR);
        octets[51..].copy_from_slice(&crc_10.to_be_bytes());
        octets
    }

    /// The header and the content of 53 octets from the line. Reserved bits, RA, QL and SN are
    /// ignored.
    pub fn decode(octets: &[u8; 53]) -> Result<(Header, Self), RmCellError> {
        let header = Header::decode(octets)?;
        let remainder = remainder(&octets[5..], CRC_10_GENERATOR);
        if remainder != 0 {
            return Err(RmCellError::Crc10(remainder));
        }
        if octets[5] != PROTOCOL_ID {
            return Err(RmCellError::ProtocolId(octets[5]));
        }
        let [is_backward, is_notification, ci, ni] =
            [7, 6, 5, 4].map(|bit| octets[6] >> bit & 1 == 1);
        let rate =
            |first| EncodedRate(u16::from_be_bytes([octets[first], octets[first + 1]])).rate();
        let [er, ccr, mcr] = [7, 9, 11].map(rate);
        let direction = if is_backward { Direction::Backward } else { Direction::Forward };
        Ok((header, Self { direction, is_notification, ci, ni, er, ccr, mcr }))
    }
}

/// Header error control: the checksum of octets 1 to 4, as a number.
fn hec(word: u32) -> u8 {
    // The constant is for receivers that lost a bit and look for the cell boundary (ITU-T I.432.1).
    remainder(&(u64::from(word) << 8).to_be_bytes(), HEC_GENERATOR) as u8 ^ 0x55
}

/// Remainder of a polynomial over GF(2), highest power first, divided by `generator`.
fn remainder(octets: &[u8], generator: u16) -> u16 {
    let degree = generator.ilog2();
    let bits =
        octets.iter().flat_map(|octet| (0..8).rev().map(move |bit| u16::from((octet >> bit) & 1)));
    bits.fold(0, |rest, bit| {
        let longer = rest << 1 | bit;
        if longer >> degree == 1 { longer ^ generator } else { longer }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written out by hand; the HEC and the CRC-10 by long division of whole numbers.
    const GOLDEN: [u8; 53] = [
        0x00, 0x10, 0x06, 0x4C, 0x6A, // VPI 1, VCI 100, payload type 110, CLP 0; HEC
        0x01, 0xB0, 0x64, 0xB1, 0x61, 0x0D, 0x4E,
        0x58, // ABR; DIR, CI, NI; e, m: 18, 177; 16, 269; 7, 88
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // QL, SN
        0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A,
        0x6A, // 22 to 35
        0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A, 0x6A,
        0x6A, // 36 to 49
        0x6A, 0x6A, 0x03, 0x44, // 50 to 53
    ];

    fn with_wrong_bit(mut octets: [u8; 53], bit: usize) -> [u8; 53] {
        octets[bit / 8] ^= 0x80 >> (bit % 8);
        octets
    }

    fn nonzero_rates() -> impl Iterator<Item = EncodedRate> {
        (EncodedRate::NONZERO..=EncodedRate::LARGEST.0).map(EncodedRate)
    }

    #[test]
    fn published_checksums() {
        // The idle cell, 00 00 00 01, of ITU-T I.432.1; the check value of CRC-10/ATM in Cook's
        // catalogue.
        assert_eq!(hec(1), 0x52);
        let digits = b"123456789".iter().fold(0, |digits, octet| digits << 8 | u128::from(*octet));
        assert_eq!(remainder(&(digits << 10).to_be_bytes(), CRC_10_GENERATOR), 0x199);
    }

    #[test]
    fn a_cell_octet_by_octet() {
        let header = Header { vpi: 1, vci: 100, ..Header::default() };
        let [er, ccr, mcr] = [353_207.5, 100_000.0, 150.0].map(CellRate);
        let flags =
            RmCell { direction: Direction::Backward, ci: true, ni: true, ..RmCell::default() };
        assert_eq!(RmCell { er, ccr, mcr, ..flags }.encode(&header), GOLDEN);
        let [er, ccr] = [352_768.0, 99_968.0].map(CellRate);
        assert_eq!(RmCell::decode(&GOLDEN), Ok((header, RmCell { er, ccr, mcr, ..flags })));
    }

    #[test]
    fn every_flag_has_its_bit() {
        let none = RmCell::default();
        let dir = RmCell { direction: Direction::Backward, ..none };
        let bn = RmCell { is_notification: true, ..none };
        let flagged = [none, dir, bn, RmCell { ci: true, ..none }, RmCell { ni: true, ..none }];
        let header = Header { gfc: 0xA, vpi: 0xBC, vci: 0xDEF0, clp: true };
        assert_eq!(flagged.map(|cell| cell.encode(&header)[6]), [0, 0x80, 0x40, 0x20, 0x10]);
        assert_eq!(header.word(), 0xABCD_EF0D);
    }

    #[test]
    fn every_rate_with_every_flag_reads_back() {
        for EncodedRate(code) in nonzero_rates() {
            let has = |bit: u32| code >> bit & 1 == 1;
            let [er, ccr, mcr] =
                [code, !code, code.swap_bytes()].map(|code| EncodedRate(code).rate());
            let direction = if has(0) { Direction::Forward } else { Direction::Backward };
            let cell =
                RmCell { direction, is_notification: has(1), ci: has(2), ni: has(3), er, ccr, mcr };
            let header = Header { gfc: code as u8 & 0xF, vpi: code as u8, vci: !code, clp: has(4) };
            let octets = cell.encode(&header);
            assert_eq!(remainder(&octets[5..], CRC_10_GENERATOR), 0);
            assert_eq!(RmCell::decode(&octets), Ok((header, cell)));
        }
    }

    #[test]
    fn one_or_two_wrong_bits_are_found() {
        // The generator is (x + 1) times a primitive polynomial of degree 9: two bits are told
        // apart up to 511 bits.
        let is_damaged =
            |octets: &[u8; 53]| matches!(RmCell::decode(octets), Err(RmCellError::Crc10(_)));
        for first in 5 * 8..53 * 8 {
            let single = with_wrong_bit(GOLDEN, first);
            assert!(is_damaged(&single), "bit {first}");
            for second in first + 1..53 * 8 {
                assert!(is_damaged(&with_wrong_bit(single, second)), "bits {first} and {second}");
            }
        }
        let of_header = |bit| RmCell::decode(&with_wrong_bit(GOLDEN, bit));
        assert!(
            (0..5 * 8).map(of_header).all(|result| matches!(result, Err(RmCellError::Hec(..))))
        );
    }

    #[test]
    fn other_cells_are_refused() {
        let mut data = GOLDEN;
        (data[3], data[4]) = (0x40, 0x4E);
        assert_eq!(RmCell::decode(&data), Err(RmCellError::PayloadType(0b000)));
        let mut foreign = GOLDEN;
        (foreign[5], foreign[51], foreign[52]) = (2, 0x00, 0x4D);
        assert_eq!(RmCell::decode(&foreign), Err(RmCellError::ProtocolId(2)));
    }

    #[test]
    fn quantising_takes_at_most_one_part_in_512_and_adds_nothing() {
        // Up to the last float before the next rate, each rate is its own: no rate between two is
        // left untried.
        for (code, next) in nonzero_rates().zip(nonzero_rates().skip(1)) {
            let (rate, above) = (code.rate(), next.rate());
            assert_eq!([rate, CellRate(above.0.next_down())].map(EncodedRate::of), [code, code]);
            assert!(rate < above && above.0 - rate.0 <= rate.0 / 512.0);
        }
    }

    #[test]
    fn rates_end_at_one_and_at_four_thousand_million_cells_per_second() {
        assert_eq!(CellRate(1.0).quantised(), CellRate(1.0));
        assert_eq!([0.0, 0.999, -1.0].map(|rate| CellRate(rate).quantised()), [CellRate::ZERO; 3]);
        let largest = [CellRate(4_290_772_992.0); 2];
        assert_eq!([1e10, f64::INFINITY].map(|rate| CellRate(rate).quantised()), largest);
        assert_eq!(EncodedRate(0x3FFF).rate(), CellRate::ZERO, "exponent and mantissa without nz");
    }
}
