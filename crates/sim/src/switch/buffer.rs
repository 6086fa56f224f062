//! Buffers at the outputs of a node.

use std::fmt;

use super::port::BufferSize;
use crate::language::fault::did_you_mean;
use crate::language::part::prelude::*;
use crate::language::tree::out_of_range;
use crate::units::{Bytes, Cells, CellsOrPackets, Packets, Rate, Span};

variants! {
    /// `switch.buffer` and `edge.buffer`, in the unit that the links carry.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Buffer {
        /// No limit.
        Infinite = "infinite",
        /// Each output port has its own. Bytes, or a time of its line, become whole cells of 53
        /// bytes, or packets of the largest MTU that passes, at least one.
        PerPort(Room) = "per_port" value("\"1000 cell\"") as Kind::PortRoom,
        /// Each VC has its own at each port.
        PerVc(CellsOrPackets) = "per_vc" value("\"256 cell\"") as Kind::Room,
        /// One memory for all ports of the switch.
        Shared(CellsOrPackets) = "shared" value("\"8 kcell\"") as Kind::Room,
    }
}

/// `switch.vbr_buffer` and `switch.abr_buffer`: classes are of cells, and a class shares no memory.
pub(crate) const CLASS_BUFFER: Kind = Kind::Variants(&[
    Variant::word("infinite", "No limit."),
    Variant::value("per_port", Kind::Cells, "\"1000 cell\"", "Each output port has its own."),
    Variant::value("per_vc", Kind::Cells, "\"256 cell\"", "Each VC has its own at each port."),
]);

impl Buffer {
    /// Units that it holds; `None` without a limit, and for bytes or a time before the line is
    /// known.
    pub const fn size(self) -> Option<CellsOrPackets> {
        match self {
            Self::PerPort(Room::Units(size)) | Self::PerVc(size) | Self::Shared(size) => Some(size),
            Self::Infinite | Self::PerPort(Room::Bytes(_) | Room::Time(_)) => None,
        }
    }

    /// Buffer in units, at a port that sends these.
    pub(crate) fn in_units(self, sent: Sent) -> Self {
        match self {
            Self::PerPort(room) => Self::PerPort(Room::Units(room.in_units(sent))),
            Self::Infinite | Self::PerVc(_) | Self::Shared(_) => self,
        }
    }

    /// True if its size in units is known with the line alone.
    pub(crate) const fn depends_on_line(self) -> bool {
        matches!(self, Self::PerPort(Room::Bytes(_) | Room::Time(_)))
    }

    /// Buffer of each port.
    pub fn at_port(self) -> BufferSize {
        match self {
            Self::Infinite => BufferSize::Infinite,
            Self::PerPort(Room::Units(size)) => BufferSize::PerPort(size.count()),
            Self::PerPort(_) => unreachable!("a port's buffer is in the units that it sends"),
            Self::PerVc(size) => BufferSize::PerVc(size.count()),
            Self::Shared(_) => BufferSize::Shared,
        }
    }

    /// Size of the memory that all ports of the node share, if they do.
    pub const fn shared(self) -> Option<u64> {
        match self {
            Self::Shared(size) => Some(size.count()),
            Self::Infinite | Self::PerPort(_) | Self::PerVc(_) => None,
        }
    }
}

/// Room for the units that wait at one port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Number of cells or packets.
    Units(CellsOrPackets),
    /// Bytes: as many units as fit into them.
    Bytes(Bytes),
    /// Time: as many units as the line sends in it.
    Time(Span),
}

/// The cells of a port, or its longest packets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    pub(crate) are_cells: bool,
    pub(crate) bytes: u64,
    /// Bits of each on the line.
    pub(crate) bits: u64,
    pub(crate) rate: Rate,
}

impl Room {
    /// Whole units that fit, at least one.
    fn in_units(self, sent: Sent) -> CellsOrPackets {
        const PICOSECONDS: u128 = 1_000_000_000_000;
        let count = match self {
            Self::Units(units) => return units,
            Self::Bytes(bytes) => u128::from(bytes.0 / sent.bytes),
            Self::Time(time) => {
                let bits = time.picoseconds() as u128 * u128::from(sent.rate.bits_per_second());
                bits / (u128::from(sent.bits) * PICOSECONDS)
            }
        };
        let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
        if sent.are_cells {
            CellsOrPackets::Cells(Cells(count))
        } else {
            CellsOrPackets::Packets(Packets(count))
        }
    }
}

impl Typed for Room {
    const KIND: Kind = Kind::PortRoom;
}

impl Read for Room {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let is_any = matches!(kind, Kind::PortRoom);
        let text = node.get_ref().as_str().filter(|_| is_any).unwrap_or_default();
        match (text.parse::<Bytes>(), text.parse::<Span>()) {
            (Ok(Bytes(0)) | Err(_), Ok(Span::ZERO)) | (Ok(Bytes(0)), Err(_)) => {
                Err(out_of_range(node, place, "more than `0 B` or `0 s`"))
            }
            (Ok(bytes), _) => Ok(Self::Bytes(bytes)),
            (_, Ok(time)) => Ok(Self::Time(time)),
            (Err(size), Err(time)) => {
                let units = CellsOrPackets::read(node, kind, place).map(Self::Units);
                let meant = size.suggestion().or(time.suggestion()).map(did_you_mean);
                let too = "a size such as `2 MB` or a time such as `50 ms` is accepted, too";
                let hint = (!text.is_empty()).then(|| meant.unwrap_or_else(|| too.to_owned()));
                units.map_err(|fault| {
                    let hint = fault.hint.clone().or(hint);
                    fault.with_hint(hint)
                })
            }
        }
    }
}

impl Value for Room {
    fn write(&self) -> String {
        format!("\"{self}\"")
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Units(units) => units.fmt(f),
            Self::Bytes(bytes) => bytes.fmt(f),
            Self::Time(time) => time.fmt(f),
        }
    }
}

impl From<CellsOrPackets> for Room {
    fn from(units: CellsOrPackets) -> Self {
        Self::Units(units)
    }
}
