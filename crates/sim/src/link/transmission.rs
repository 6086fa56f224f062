//! Time that a unit takes on the line.

use crate::atm::aal5;
use crate::engine::Frames;
use crate::pdu::{CellHead, ContentId, Packet};
use crate::units::{CELL_BITS, CELL_PAYLOAD_BYTES, Framing, Rate, Span};

/// The rate of a line, and the kind of its units.
///
/// A sender asks for the instant at which a unit has been sent and never for a time per unit, so
/// that the time may depend on the instant at which the unit begins.
#[derive(Clone, Copy, Debug)]
pub enum Transmission {
    /// Cells, all alike, with the time of one cell.
    Cells(Span),
    /// Packets, whose time depends on their size.
    Packets {
        /// Bits on the wire.
        line_rate: Rate,
        /// Bytes added to each packet.
        framing: Framing,
    },
    /// Units whose time depends on the instant at which they begin: the rate varies, never above
    /// that of the line.
    Varying(Fastest),
}

/// The line at its greatest rate, where the rate varies.
#[derive(Clone, Copy, Debug)]
pub struct Fastest {
    /// Bits on the wire; bits of whole cells on a line of cells.
    pub line_rate: Rate,
    /// Bytes added to each packet; `None` on a line of cells.
    pub framing: Option<Framing>,
}

impl Transmission {
    /// Bits of a unit on the wire.
    #[inline]
    pub fn bits_of(&self, unit: CellHead, frames: &Frames) -> u64 {
        match *self {
            Self::Cells(_) | Self::Varying(Fastest { framing: None, .. }) => CELL_BITS,
            Self::Packets { framing, .. }
            | Self::Varying(Fastest { framing: Some(framing), .. }) => {
                framing.wire_bits(u64::from(frames.look(ContentId(unit.tag())).bytes))
            }
        }
    }

    /// Bytes that a unit carries, IP bytes of a packet or payload of a cell, and the key of a
    /// packet, zero without one.
    #[inline(never)]
    pub fn bytes_and_key(&self, unit: CellHead, frames: &Frames) -> (u16, u32) {
        if self.is_of_cells() {
            (CELL_PAYLOAD_BYTES as u16, 0)
        } else {
            let frame = frames.look(ContentId(unit.tag()));
            (frame.bytes.min(Packet::MAX_IP_BYTES) as u16, frame.key())
        }
    }

    /// Bytes that all units of an IP packet carry together.
    pub fn bytes_of_packet(&self, ip_bytes: u64) -> u64 {
        if self.is_of_cells() { CELL_PAYLOAD_BYTES * aal5::cells_of(ip_bytes) } else { ip_bytes }
    }

    /// Bits on the wire of all units of an IP packet.
    pub fn bits_of_packet(&self, ip_bytes: u64) -> u64 {
        match self {
            Self::Cells(_) | Self::Varying(Fastest { framing: None, .. }) => {
                CELL_BITS * aal5::cells_of(ip_bytes)
            }
            Self::Packets { framing, .. }
            | Self::Varying(Fastest { framing: Some(framing), .. }) => framing.wire_bits(ip_bytes),
        }
    }

    /// Units that an IP packet is cut into.
    #[inline]
    pub fn units_of(&self, ip_bytes: u32) -> u32 {
        if self.is_of_cells() { aal5::cells_of(u64::from(ip_bytes)) as u32 } else { 1 }
    }

    /// Time that the units of one IP packet take together, back to back; at the rate of the line if
    /// that varies.
    pub fn span_of_packet(&self, ip_bytes: u64) -> Span {
        match *self {
            Self::Varying(line) => line.constant().span_of_packet(ip_bytes),
            Self::Cells(cell_time) => cell_time * aal5::cells_of(ip_bytes) as i64,
            Self::Packets { line_rate, framing } => {
                line_rate.span_of_bits(framing.wire_bits(ip_bytes))
            }
        }
    }

    /// Time of a unit with so many bits on the wire; at the rate of the line if that varies.
    pub fn span_of_bits(&self, bits: u64) -> Span {
        match *self {
            Self::Varying(line) => line.constant().span_of_bits(bits),
            Self::Cells(cell_time) => cell_time,
            Self::Packets { line_rate, .. } => line_rate.span_of_bits(bits),
        }
    }

    /// Rate of the line in bit/s on the wire, the greatest where it varies.
    pub(crate) fn line_rate_f64(&self) -> f64 {
        match *self {
            Self::Cells(cell_time) => CELL_BITS as f64 / cell_time.seconds_f64(),
            Self::Packets { line_rate, .. } | Self::Varying(Fastest { line_rate, .. }) => {
                line_rate.bits_per_second() as f64
            }
        }
    }

    /// The shortest time that a unit can take on the line.
    pub fn shortest(&self) -> Span {
        const IP_HEADER_BYTES: u64 = 20;
        match *self {
            Self::Cells(cell_time) => cell_time,
            Self::Packets { .. } => self.span_of_packet(IP_HEADER_BYTES),
            Self::Varying(line) => line.constant().shortest(),
        }
    }

    /// The time of a cell, if all units are cells and take the same time.
    pub fn cell_time(&self) -> Option<Span> {
        match *self {
            Self::Cells(cell_time) => Some(cell_time),
            Self::Packets { .. } | Self::Varying(_) => None,
        }
    }

    /// True if all units are cells.
    #[inline]
    pub fn is_of_cells(&self) -> bool {
        match self {
            Self::Cells(_) => true,
            Self::Packets { .. } => false,
            Self::Varying(line) => line.framing.is_none(),
        }
    }

    /// Makes the rate vary below that of the line, with the same units.
    #[must_use]
    pub fn varying(self, line_rate: Rate) -> Self {
        let framing = match self {
            Self::Packets { framing, .. } => Some(framing),
            Self::Cells(_) | Self::Varying(_) => None,
        };
        Self::Varying(Fastest { line_rate, framing })
    }
}

impl Fastest {
    /// The line at its greatest rate for the whole run.
    fn constant(self) -> Transmission {
        let Self { line_rate, framing } = self;
        match framing {
            Some(framing) => Transmission::Packets { line_rate, framing },
            None => Transmission::Cells(line_rate.cell_time()),
        }
    }
}
