//! Rates of what sends cells: written of cells or of their payload, kept as that of whole cells.

use crate::language::fault::At;
use crate::language::part::prelude::*;
use crate::units::{CELL_BYTES, CELL_PAYLOAD_BYTES, Layer, LayeredRate, Rate};

impl Typed for Rate {
    const KIND: Kind = Kind::Rate;
}

impl Read for Rate {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let written = At { value: LayeredRate::read(node, kind, place)?, at: node.span() };
        cell_rate(written.value).ok_or_else(|| of_line(&written, place))
    }
}

impl Value for Rate {
    fn write(&self) -> String {
        format!("\"{}\"", LayeredRate { rate: *self, layer: Layer::Cell })
    }
}

pub(crate) fn of_line(rate: &At<LayeredRate>, place: &str) -> Fault {
    Fault::new(
        &rate.at,
        format!("`{place}`: a source sends cells; expected a rate `of cell` or `of payload`"),
    )
}

/// The rate of whole cells, to the nearest bit per second; `None` for a line rate.
pub(crate) fn cell_rate(layered: LayeredRate) -> Option<Rate> {
    let bits = layered.rate.bits_per_second();
    match layered.layer {
        Layer::Line => None,
        Layer::Cell => Some(layered.rate),
        Layer::Payload => {
            let half = CELL_PAYLOAD_BYTES / 2;
            Some(Rate::from_bits_per_second((bits * CELL_BYTES + half) / CELL_PAYLOAD_BYTES))
        }
    }
}
