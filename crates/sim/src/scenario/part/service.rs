//! `flow.service` and `vc.service`: the service of a circuit, with its parameters.

use super::abr::Abr;
use super::gfr::Gfr;
use crate::atm::Class;
use crate::language::fault::At;
use crate::language::part::prelude::*;
use crate::language::rate_of_cells::check_cell_time;
use crate::units::{CELL_BYTES, CELL_PAYLOAD_BYTES, Layer, LayeredRate, Rate, Span};

variants! {
    /// `flow.service` and `vc.service`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Service {
        /// Unspecified bit rate; served last.
        Ubr(Ubr) = "ubr",
        /// Available bit rate: the source obeys the rate that the network allows; served second.
        Abr(Abr) = "abr",
        /// Guaranteed frame rate: whole frames, a minimum cell rate; shares the queue of UBR.
        Gfr(Gfr) = "gfr",
        /// Variable bit rate; served first.
        Vbr = "vbr",
        /// Constant bit rate; served first, together with VBR.
        Cbr = "cbr",
    }
}

/// UBR without a pace.
impl Default for Service {
    fn default() -> Self {
        Self::Ubr(Ubr::default())
    }
}

part! {
    /// `service.ubr`, for both directions.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Ubr {
        /// Cell-level pacing at the source, `of cell` or `of payload`.
        pace: Option<Pacing> = absent("as fast as the first link", "\"70 Mbit/s of payload\""),
    }
}

/// `service.ubr.pace`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// This rate counts whole 53-byte cells.
    OfCell(Rate),
    /// This rate counts the 48 payload bytes of each cell.
    OfPayload(Rate),
}

impl Typed for Pacing {
    const KIND: Kind = Kind::Rate;
}

impl Read for Pacing {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let cells = At { value: Rate::read(node, kind, place)?, at: node.span() };
        check_cell_time(cells.value, &cells, place)?;
        let LayeredRate { rate, layer } = LayeredRate::read(node, kind, place)?;
        Ok(match layer {
            Layer::Payload => Self::OfPayload(rate),
            Layer::Cell | Layer::Line => Self::OfCell(rate),
        })
    }
}

impl Value for Pacing {
    fn write(&self) -> String {
        let (rate, layer) = match *self {
            Self::OfCell(rate) => (rate, Layer::Cell),
            Self::OfPayload(rate) => (rate, Layer::Payload),
        };
        format!("\"{}\"", LayeredRate { rate, layer })
    }
}

impl Pacing {
    /// Time from one cell to the next.
    pub fn cell_time(self) -> Span {
        match self {
            Self::OfCell(rate) => rate.cell_time(),
            Self::OfPayload(rate) => rate.cell_time_of_payload(),
        }
    }

    /// Rate of whole cells, rounded down, so that the payload rate of a link is not above the link.
    pub(crate) fn of_cells(self) -> Rate {
        match self {
            Self::OfCell(rate) => rate,
            Self::OfPayload(rate) => {
                let bits = rate.bits_per_second() * CELL_BYTES / CELL_PAYLOAD_BYTES;
                Rate::from_bits_per_second(bits)
            }
        }
    }

    /// Bits per second of whole cells, exactly.
    pub(crate) fn bits_of_cells(self) -> f64 {
        match self {
            Self::OfCell(rate) => rate.bits_per_second() as f64,
            Self::OfPayload(rate) => {
                rate.bits_per_second() as f64 * CELL_BYTES as f64 / CELL_PAYLOAD_BYTES as f64
            }
        }
    }
}

impl Service {
    /// The cell rate that the network guarantees, if the service has one.
    pub fn minimum_rate(&self) -> Option<Rate> {
        match self {
            Self::Abr(abr) => Some(abr.min_rate()),
            Self::Gfr(gfr) => Some(gfr.mcr),
            Self::Ubr(_) | Self::Vbr | Self::Cbr => None,
        }
    }

    /// The parameters of GFR, if it is the service.
    pub const fn gfr(&self) -> Option<&Gfr> {
        match self {
            Self::Gfr(gfr) => Some(gfr),
            Self::Abr(_) | Self::Ubr(_) | Self::Vbr | Self::Cbr => None,
        }
    }

    /// The pacing, if the service is UBR with one.
    pub const fn pace(&self) -> Option<Pacing> {
        match self {
            Self::Ubr(ubr) => ubr.pace,
            Self::Abr(_) | Self::Gfr(_) | Self::Vbr | Self::Cbr => None,
        }
    }

    /// The queue in which its cells wait at an output.
    pub const fn class(&self) -> Class {
        match self {
            Self::Vbr | Self::Cbr => Class::Vbr,
            Self::Abr(_) => Class::Abr,
            Self::Ubr(_) | Self::Gfr(_) => Class::Ubr,
        }
    }

    /// The rates that the service asks for, each with the keys that lead to it.
    pub(crate) fn rates(&self) -> Vec<(Rate, &'static [&'static str])> {
        let asked: [(Option<Rate>, &[&str]); 3] = match self {
            Self::Ubr(Ubr { pace }) => {
                [(pace.map(Pacing::of_cells), &["ubr", "pace"]), (None, &[]), (None, &[])]
            }
            Self::Abr(abr) => {
                [(abr.pcr, &["abr", "pcr"]), (abr.icr, &["abr", "icr"]), (abr.mcr, &["abr", "mcr"])]
            }
            Self::Gfr(gfr) => {
                [(gfr.pcr, &["gfr", "pcr"]), (Some(gfr.mcr), &["gfr", "mcr"]), (None, &[])]
            }
            Self::Vbr | Self::Cbr => return Vec::new(),
        };
        asked.into_iter().filter_map(|(rate, keys)| Some((rate?, keys))).collect()
    }
}
