//! How much may wait at the outputs of a node.

use super::port::PortRoom;
use crate::language::part::prelude::*;
use crate::units::CellsOrPackets;

variants! {
    /// `switch.buffer` and `edge.buffer`, in the unit that the links carry.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Buffer {
        /// No limit.
        Infinite = "infinite",
        /// Each output port has its own.
        PerPort(CellsOrPackets) = "per_port" value("\"1000 cell\"") as Kind::Room,
        /// Each VC has its own at each port.
        PerVc(CellsOrPackets) = "per_vc" value("\"256 cell\"") as Kind::Room,
        /// One memory for all ports of the switch.
        Shared(CellsOrPackets) = "shared" value("\"8 kcell\"") as Kind::Room,
    }
}

/// `switch.vbr_buffer` and `switch.abr_buffer`: classes are of cells, and one shares no memory.
pub(crate) const CLASS_BUFFER: Kind = Kind::Variants(&[
    Variant::word("infinite", "No limit."),
    Variant::value("per_port", Kind::Cells, "\"1000 cell\"", "Each output port has its own."),
    Variant::value("per_vc", Kind::Cells, "\"256 cell\"", "Each VC has its own at each port."),
]);

impl Buffer {
    /// How many units it holds; `None` without a limit.
    pub const fn size(self) -> Option<CellsOrPackets> {
        match self {
            Self::Infinite => None,
            Self::PerPort(size) | Self::PerVc(size) | Self::Shared(size) => Some(size),
        }
    }

    /// What it is to each port.
    pub const fn at_port(self) -> PortRoom {
        match self {
            Self::Infinite => PortRoom::Infinite,
            Self::PerPort(size) => PortRoom::PerPort(size.count()),
            Self::PerVc(size) => PortRoom::PerVc(size.count()),
            Self::Shared(_) => PortRoom::Shared,
        }
    }

    /// What all ports of the node have together, if they share it.
    pub const fn shared(self) -> Option<u64> {
        match self {
            Self::Shared(size) => Some(size.count()),
            Self::Infinite | Self::PerPort(_) | Self::PerVc(_) => None,
        }
    }
}
