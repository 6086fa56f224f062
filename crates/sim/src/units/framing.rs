//! Framing: bytes that a line adds to a packet.

use super::size::{CELL_BYTES, CELL_PAYLOAD_BYTES};

/// Framing around each packet on a line that carries packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Framing {
    /// Bytes added to each packet.
    pub bytes: u32,
    /// True if every 48 bytes, with those added, take 53: the headers of ATM cells, without padding
    /// and trailer.
    pub cell_headers: bool,
}

impl Framing {
    /// No framing.
    pub const NONE: Self = Self { bytes: 0, cell_headers: false };

    /// Bits on the wire of a packet of `ip_bytes`, to the nearest.
    #[inline]
    pub const fn wire_bits(self, ip_bytes: u64) -> u64 {
        let bits = 8 * (ip_bytes + self.bytes as u64);
        if self.cell_headers {
            (bits * CELL_BYTES + CELL_PAYLOAD_BYTES / 2) / CELL_PAYLOAD_BYTES
        } else {
            bits
        }
    }

    /// Bits on the wire per bit of packets and bytes added.
    pub fn bits_per_bit(self) -> f64 {
        if self.cell_headers { CELL_BYTES as f64 / CELL_PAYLOAD_BYTES as f64 } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 500 · 53/48 bytes are 4416.67 bits.
    #[test]
    fn headers_of_cells_lengthen_a_packet_by_five_in_48() {
        let bits = |bytes, cell_headers| Framing { bytes, cell_headers }.wire_bits(500);
        assert_eq!([bits(0, false), bits(38, false), bits(0, true)], [4_000, 4_304, 4_417]);
        assert_eq!(Framing { bytes: 4, cell_headers: true }.wire_bits(44), 424);
        assert_eq!(Framing::NONE.wire_bits(1_500), 12_000);
    }
}
