//! `link.rate` and `link.carries`: the unit and the rate of a link. A standard line or a rate
//! becomes the rates of its layers.

use crate::atm::aal5;
use crate::language::fault::{At, did_you_mean, nearest, one_of};
use crate::language::part::prelude::*;
use crate::language::preset::Preset;
use crate::language::rate_of_cells::{cell_rate, check_cell_time};
use crate::language::tree::text;
use crate::units::{Bytes, CELL_BITS, Framing, Layer, LayeredRate, Rate, quoted};

/// `link.rate` and `link.carries`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    /// 53-byte cells.
    Cells {
        /// Rate of all bits on the wire.
        line_rate: Rate,
        /// Rate of the bits of whole cells.
        cell_rate: Rate,
    },
    /// Variable-length packets.
    Packets {
        /// Rate of all bits on the wire.
        line_rate: Rate,
        /// Framing that is added to each IP packet on the wire.
        framing: Framing,
    },
}

impl Carries {
    /// True for cells.
    pub const fn is_of_cells(self) -> bool {
        matches!(self, Self::Cells { .. })
    }

    /// Rate of all bits on the wire.
    pub const fn line_rate(self) -> Rate {
        match self {
            Self::Cells { line_rate, .. } | Self::Packets { line_rate, .. } => line_rate,
        }
    }

    /// Rate of the bits of whole cells; `None` for packets.
    pub const fn cell_rate(self) -> Option<Rate> {
        match self {
            Self::Cells { cell_rate, .. } => Some(cell_rate),
            Self::Packets { .. } => None,
        }
    }

    /// Rate at which it takes its units: of the bits of whole cells, or of all bits of packets.
    pub fn rate(self) -> Rate {
        self.cell_rate().unwrap_or(self.line_rate())
    }

    /// Layer of the bits that [`rate`](Self::rate) counts.
    pub const fn layer(self) -> Layer {
        if self.is_of_cells() { Layer::Cell } else { Layer::Line }
    }

    /// Name of its unit: `cell` or `packet`.
    pub const fn unit(self) -> &'static str {
        if self.is_of_cells() { "cell" } else { "packet" }
    }

    /// Bits that an IP packet takes of [`rate`](Self::rate): those of its cells, or its own with
    /// framing.
    pub const fn bits_of(self, packet_bytes: u64) -> u64 {
        match self {
            Self::Cells { .. } => aal5::cells_of(packet_bytes) * CELL_BITS,
            Self::Packets { framing, .. } => framing.wire_bits(packet_bytes),
        }
    }
}

variants! {
    /// `link.carries`, before the rate is known.
    #[derive(Clone, Copy, Debug)]
    enum Unit {
        /// 53-byte ATM cells.
        Cells = "cells",
        /// Packets of variable length.
        Packets(Packets) = "packets",
    }
}

part! {
    /// `link.carries.packets`.
    #[derive(Clone, Copy, Debug)]
    struct Packets {
        /// Framing bytes added to each IP packet on the wire.
        overhead: Bytes = default("0 B", "\"18 B\"") as Kind::Size { min: 0, max: MAX_PACKET },
        /// True if every 48 bytes of packet and framing take 53 on the wire, without padding and
        /// trailer: headers of cells alone, for AAL5 `carries = "cells"`, or `drop.cake` with
        /// `framing = "atm"`.
        cell_headers: bool = default("false", "true"),
    }
}

impl Packets {
    fn framing(self) -> Framing {
        let bytes = u32::try_from(self.overhead.0).expect("no more than a packet may have");
        Framing { bytes, cell_headers: self.cell_headers }
    }
}

impl Part for Carries {
    type Value = Self;

    const KEYS: &'static [Key] = &[
        Key::required(
            "rate",
            Kind::LinkRate,
            "\"OC-3c\"",
            "Rate: a standard line, or a rate `of cell`, `of payload` or, for packets, `of line`.",
        ),
        Key::with_default("carries", Unit::KIND, "cells", "\"packets\"", "Unit that it carries."),
    ];

    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        let (rate, unit) = (section.spanned("rate")?, section.value("carries")?);
        match unit {
            Unit::Cells => cells(&rate, section.place()),
            Unit::Packets(framed) => packets(&rate, framed.framing(), section.place()),
        }
    }

    fn write(carries: &Self, entries: &mut Entries) {
        let layered = |rate, layer| format!("\"{}\"", LayeredRate { rate, layer });
        match *carries {
            Self::Cells { line_rate, cell_rate } => {
                let preset = Preset::with_rates(line_rate, cell_rate);
                let rate = preset.map(|preset| format!("\"{}\"", preset.name));
                entries.push(("rate", rate.unwrap_or_else(|| layered(cell_rate, Layer::Cell))));
            }
            Self::Packets { line_rate, framing } => {
                let unit = Unit::Packets(Packets {
                    overhead: Bytes(u64::from(framing.bytes)),
                    cell_headers: framing.cell_headers,
                });
                let rate = layered(line_rate, Layer::Line);
                entries.extend([("rate", rate), ("carries", unit.write())]);
            }
        }
    }
}

fn cells(rate: &At<LinkRate>, place: &str) -> Result<Carries, Fault> {
    let layered = match rate.value {
        LinkRate::Preset(preset) => {
            let line_rate = preset.line_rate();
            return match preset.cell_rate() {
                Some(cell_rate) => Ok(Carries::Cells { line_rate, cell_rate }),
                None => Err(of_packets(rate, preset, place)),
            };
        }
        LinkRate::Layered(layered) => layered,
    };
    let Some(cell_rate) = cell_rate(layered) else {
        let message = format!(
            "`{place}.rate`: a line rate does not say how fast cells are; expected `carries = \
             \"packets\"`, or a rate `of cell` or `of payload`, or {}",
            one_of(&Preset::names_of(true))
        );
        return Err(Fault::new(&rate.at, message));
    };
    check_cell_time(cell_rate, rate, &format!("{place}.rate"))?;
    Ok(Carries::Cells { line_rate: cell_rate, cell_rate })
}

fn packets(rate: &At<LinkRate>, framing: Framing, place: &str) -> Result<Carries, Fault> {
    if let LinkRate::Layered(LayeredRate { rate, layer: Layer::Line }) = rate.value {
        return Ok(Carries::Packets { line_rate: rate, framing });
    }
    if let LinkRate::Preset(preset) = rate.value
        && let Some(line_rate) = preset.packet_rate()
    {
        return Ok(Carries::Packets { line_rate, framing });
    }
    let message = format!(
        "`{place}.rate`: a link that carries packets has no cells; expected a rate `of line` such \
         as `100 Mbit/s of line`"
    );
    Err(Fault::new(&rate.at, message))
}

fn of_packets(rate: &At<LinkRate>, preset: &Preset, place: &str) -> Fault {
    let message = format!(
        "`{place}.rate`: the line {} carries packets; expected `carries = \"packets\"`, or {}",
        quoted(preset.name),
        one_of(&Preset::names_of(true))
    );
    Fault::new(&rate.at, message)
}

/// `link.rate`: a standard line by name, or a rate.
#[derive(Clone, Copy)]
enum LinkRate {
    Preset(&'static Preset),
    Layered(LayeredRate),
}

impl Read for LinkRate {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let written = text(node, kind, place)?.trim();
        if let Some(preset) = Preset::named(written) {
            return Ok(Self::Preset(preset));
        }
        if written.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return LayeredRate::read(node, kind, place).map(Self::Layered);
        }
        let names = Preset::names();
        let message = format!(
            "`{place}`: unknown line {}; expected {}, or a rate such as `149 Mbit/s of cell`",
            quoted(written),
            one_of(&names)
        );
        let hint = nearest(written, &names).map(did_you_mean);
        Err(Fault::new(&node.span(), message).with_hint(hint))
    }
}
