//! Cell rates of standard lines, from the structure of their frames; bits per second.
//!
//! | line | frame | source |
//! |---|---|---|
//! | OC-3c, OC-12c | 260 of 270 columns; 12c: 1040 of 1080 | ITU-T G.707, I.432 |
//! | DS-3 | PLCP: 12 cells in 125 µs | ITU-T G.804 |
//! | DS-3 direct | 84 of 85 bits | ITU-T G.804 |
//! | E3 | 530 of 537 octets | ITU-T G.832 |
//! | E1 | 30 of 32 time slots | ITU-T G.804 |
//! | T1 | 192 of 193 bits | ITU-T G.804 |
//! | TAXI-100 | 53 of 54 bytes | ATM Forum UNI 3.1 |

/// A standard line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Name in the scenario language.
    pub name: &'static str,
    /// Rate of all bits.
    pub bits: f64,
    /// Rate of the bits of whole cells of 53 bytes.
    pub cell_bits: f64,
}

/// A line on which cells have `used` of every `all` bits.
const fn line(name: &'static str, bits: f64, used: f64, all: f64) -> Line {
    Line { name, bits, cell_bits: bits * used / all }
}

/// All standard lines.
pub const LINES: [Line; 8] = [
    line("OC-3c", 155.52e6, 260.0, 270.0),
    line("OC-12c", 622.08e6, 1040.0, 1080.0),
    Line { name: "DS-3", bits: 44.736e6, cell_bits: 12.0 * 424.0 * 8000.0 },
    line("DS-3-direct", 44.736e6, 84.0, 85.0),
    line("E3", 34.368e6, 530.0, 537.0),
    line("E1", 2.048e6, 30.0, 32.0),
    line("T1", 1.544e6, 192.0, 193.0),
    line("TAXI-100", 100e6, 53.0, 54.0),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// ITU-T I.432.1: 149.760 and 599.040 Mbit/s; G.804 and G.832: 1.536, 1.920, 33.920, 40.704.
    #[test]
    fn cell_rates_are_those_of_the_standards() {
        let expected = [
            ("OC-3c", 149.76e6),
            ("OC-12c", 599.04e6),
            ("DS-3", 40.704e6),
            ("E3", 33.92e6),
            ("E1", 1.92e6),
            ("T1", 1.536e6),
        ];
        for (name, rate) in expected {
            let found = LINES.iter().find(|line| line.name == name).expect("a line of that name");
            assert!((found.cell_bits - rate).abs() < 1e-3, "{name}: {}", found.cell_bits);
        }
    }
}
