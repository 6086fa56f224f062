//! Standard lines, so that nobody has to look up which rate is which.
//!
//! A line of cells has the rate of whole cells that its framing leaves; a line of packets the rate
//! of whole packets with their own framing, which `link.carries.packets.overhead` adds.

use crate::units::Rate;

/// A line whose framing is standardised.
#[derive(Debug)]
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    line_bits_per_second: u64,
    carries: Carried,
    pub(crate) meaning: &'static str,
}

/// Rate of the whole cells or packets on a line, bits per second.
#[derive(Clone, Copy, Debug)]
enum Carried {
    Cells(u64),
    Packets(u64),
}
use Carried::{Cells, Packets};

pub(crate) const PRESETS: &[Preset] = &[
    Preset {
        name: "OC-3c",
        line_bits_per_second: 155_520_000,
        // 260 of 270 columns of the SONET frame carry cells.
        carries: Cells(149_760_000),
        meaning: "SONET STS-3c / STM-1",
    },
    Preset {
        name: "OC-12c",
        line_bits_per_second: 622_080_000,
        carries: Cells(599_040_000),
        meaning: "SONET STS-12c / STM-4",
    },
    Preset {
        name: "DS-3",
        line_bits_per_second: 44_736_000,
        // PLCP: 12 cells every 125 us.
        carries: Cells(40_704_000),
        meaning: "44.736 Mbit/s with PLCP framing",
    },
    Preset {
        name: "TAXI-100",
        line_bits_per_second: 100_000_000,
        // One byte of synchronisation before the 53 of each cell.
        carries: Cells(100_000_000 * 53 / 54),
        meaning: "4B/5B at 125 Mbaud, one sync byte per cell",
    },
    Preset {
        name: "DS-3-direct",
        line_bits_per_second: 44_736_000,
        // ITU-T G.804 §7: cells in the 84 bits behind each overhead bit, found by their HEC.
        carries: Cells(44_736_000 * 84 / 85),
        meaning: "44.736 Mbit/s, cells in 84 of 85 bits",
    },
    Preset {
        name: "E3",
        line_bits_per_second: 34_368_000,
        // ITU-T G.832 §2.1: 530 octets of payload in the 537 of a frame, every 125 us.
        carries: Cells(33_920_000),
        meaning: "34.368 Mbit/s, ITU-T G.832: 530 of 537 octets",
    },
    Preset {
        name: "E1",
        line_bits_per_second: 2_048_000,
        // ITU-T G.804 §6: cells in the time slots 1 to 15 and 17 to 31.
        carries: Cells(1_920_000),
        meaning: "2.048 Mbit/s, ITU-T G.804: 30 of 32 time slots",
    },
    Preset {
        name: "T1",
        line_bits_per_second: 1_544_000,
        // ITU-T G.804 §8: cells in the 192 bits behind each framing bit.
        carries: Cells(1_536_000),
        meaning: "1.544 Mbit/s, ITU-T G.804: 192 of 193 bits",
    },
    Preset {
        name: "VDSL2-100",
        line_bits_per_second: 100_000_000,
        // IEEE 802.3 §61.3.3: a synchronisation octet before 64 of packets.
        carries: Packets(100_000_000 * 64 / 65),
        meaning: "100 Mbit/s net data rate, ITU-T G.993.2 annex K: 64 of 65 octets",
    },
    Preset {
        name: "VDSL2-40",
        line_bits_per_second: 40_000_000,
        carries: Packets(40_000_000 * 64 / 65),
        meaning: "40 Mbit/s net data rate, likewise",
    },
    Preset {
        name: "GPON-down",
        line_bits_per_second: 2_488_320_000,
        // ITU-T G.984.3 §8.1: of 38 880 octets in 125 us the PCBd has 30, and 8 for an allocation.
        carries: Packets(2_488_320_000 / 38_880 * (38_880 - 30 - 8)),
        meaning: "2.488 Gbit/s, ITU-T G.984.3, one allocation; 5 bytes of GEM header per packet",
    },
    Preset {
        name: "GPON-up",
        line_bits_per_second: 1_244_160_000,
        // ITU-T G.984.2 table 2, G.984.3 §8.2: of 19 440 octets 12 of guard, preamble and
        // delimiter, and 3 of BIP, ONU-ID and Ind for one burst.
        carries: Packets(1_244_160_000 / 19_440 * (19_440 - 12 - 3)),
        meaning: "1.244 Gbit/s, ITU-T G.984.3, one burst a frame; 5 bytes of GEM header per packet",
    },
    Preset {
        name: "DVB-S",
        line_bits_per_second: 55_000_000,
        // EN 300 421 §4.4: inner code 3/4, outer code 188 of 204 octets.
        carries: Packets(55_000_000 * 3 / 4 * 188 / 204),
        meaning: "27.5 Mbaud QPSK 3/4, EN 300 421: the transport stream",
    },
    Preset {
        name: "DVB-S2-QPSK-3/4",
        line_bits_per_second: 55_000_000,
        // EN 302 307-1 tables 5a and 11: of 32 400 + 90 symbols 48 408 - 80 bits of data.
        carries: Packets(27_500_000 * 48_328 / 32_490),
        meaning: "27.5 Mbaud, normal frames without pilots, EN 302 307-1",
    },
    Preset {
        name: "DVB-S2-8PSK-3/4",
        line_bits_per_second: 82_500_000,
        carries: Packets(27_500_000 * 48_328 / 21_690),
        meaning: "27.5 Mbaud, likewise: 21 600 + 90 symbols",
    },
];

impl Preset {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The line of cells that has exactly these rates.
    pub(crate) fn with_rates(line_rate: Rate, cell_rate: Rate) -> Option<&'static Self> {
        PRESETS
            .iter()
            .find(|preset| (preset.line_rate(), preset.cell_rate()) == (line_rate, Some(cell_rate)))
    }

    /// The names of all lines.
    pub(crate) fn names() -> Vec<&'static str> {
        PRESETS.iter().map(|preset| preset.name).collect()
    }

    /// The names of lines of cells, or else of lines of packets.
    pub(crate) fn names_of(is_of_cells: bool) -> Vec<&'static str> {
        let of = |preset: &&Self| preset.cell_rate().is_some() == is_of_cells;
        PRESETS.iter().filter(of).map(|preset| preset.name).collect()
    }

    /// Rate of all bits on the wire.
    pub(crate) const fn line_rate(&self) -> Rate {
        Rate::from_bits_per_second(self.line_bits_per_second)
    }

    /// Rate of the bits of whole cells; `None` for a line of packets.
    pub(crate) const fn cell_rate(&self) -> Option<Rate> {
        match self.carries {
            Cells(bits) => Some(Rate::from_bits_per_second(bits)),
            Packets(_) => None,
        }
    }

    /// Rate of the bits of whole packets; `None` for a line of cells.
    pub(crate) const fn packet_rate(&self) -> Option<Rate> {
        match self.carries {
            Cells(_) => None,
            Packets(bits) => Some(Rate::from_bits_per_second(bits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(name: &str) -> u64 {
        let rate = Preset::named(name).and_then(Preset::cell_rate);
        rate.expect("a line of cells").bits_per_second()
    }

    fn packets(name: &str) -> u64 {
        let rate = Preset::named(name).and_then(Preset::packet_rate);
        rate.expect("a line of packets").bits_per_second()
    }

    /// Cell rates in the tables of ITU-T I.432 and G.804; af-phy-0016, 0034, 0054, 0064.
    #[test]
    fn cell_rates_are_those_of_the_standards() {
        assert_eq!(["OC-3c", "OC-12c", "E3"].map(cells), [149_760_000, 599_040_000, 33_920_000]);
        assert_eq!(["T1", "E1", "DS-3"].map(cells), [1_536_000, 1_920_000, 40_704_000]);
        // 44.736 · 84/85 = 44.209694...
        assert_eq!(cells("DS-3-direct"), 44_209_694);
        // The 530 octets of a frame are ten cells.
        assert_eq!(cells("E3") / 424 / 8000, 10);
    }

    /// EN 302 307-1 table 13: 1.487473 and 2.228124 bits per symbol; EN 300 421 table 3 has
    /// 38.01 Mbit/s for 27.5 Mbaud at 3/4.
    #[test]
    fn satellite_lines_have_the_efficiencies_of_their_standards() {
        let per_symbol = |name| packets(name) as f64 / 27.5e6;
        assert!((per_symbol("DVB-S2-QPSK-3/4") - 1.487_473).abs() < 1e-6);
        assert!((per_symbol("DVB-S2-8PSK-3/4") - 2.228_124).abs() < 1e-6);
        assert_eq!(packets("DVB-S"), 38_014_705);
    }

    /// 64 000 bit/s for an octet of each frame of 125 us.
    #[test]
    fn passive_optical_lines_lose_their_headers() {
        assert_eq!(packets("GPON-down"), 2_488_320_000 - 38 * 64_000);
        assert_eq!(packets("GPON-up"), 1_244_160_000 - 15 * 64_000);
        assert_eq!(packets("VDSL2-100"), 98_461_538);
    }
}
