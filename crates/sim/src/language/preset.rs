//! Standard lines, so that nobody has to look up which rate is which.

use crate::units::Rate;

/// A line whose framing is standardised.
#[derive(Debug)]
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    line_bits_per_second: u64,
    cell_bits_per_second: u64,
    pub(crate) meaning: &'static str,
}

pub(crate) const PRESETS: &[Preset] = &[
    Preset {
        name: "OC-3c",
        line_bits_per_second: 155_520_000,
        // 260 of 270 columns of the SONET frame carry cells.
        cell_bits_per_second: 149_760_000,
        meaning: "SONET STS-3c / STM-1",
    },
    Preset {
        name: "OC-12c",
        line_bits_per_second: 622_080_000,
        cell_bits_per_second: 599_040_000,
        meaning: "SONET STS-12c / STM-4",
    },
    Preset {
        name: "DS-3",
        line_bits_per_second: 44_736_000,
        // PLCP: 12 cells every 125 us.
        cell_bits_per_second: 40_704_000,
        meaning: "44.736 Mbit/s with PLCP framing",
    },
    Preset {
        name: "TAXI-100",
        line_bits_per_second: 100_000_000,
        // One byte of synchronisation before the 53 of each cell.
        cell_bits_per_second: 100_000_000 * 53 / 54,
        meaning: "4B/5B at 125 Mbaud, one sync byte per cell",
    },
];

impl Preset {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The line that has exactly these rates.
    pub(crate) fn with_rates(line_rate: Rate, cell_rate: Rate) -> Option<&'static Self> {
        PRESETS
            .iter()
            .find(|preset| (preset.line_rate(), preset.cell_rate()) == (line_rate, cell_rate))
    }

    pub(crate) fn names() -> Vec<&'static str> {
        PRESETS.iter().map(|preset| preset.name).collect()
    }

    /// All bits on the wire.
    pub(crate) const fn line_rate(&self) -> Rate {
        Rate::from_bits_per_second(self.line_bits_per_second)
    }

    /// Bits of whole cells.
    pub(crate) const fn cell_rate(&self) -> Rate {
        Rate::from_bits_per_second(self.cell_bits_per_second)
    }
}
