//! Units that may follow a number, and common misspellings of them.

use super::size::CELL_BITS;

/// One kind of quantity: its units, largest last, and its words in messages.
pub(super) struct Dimension {
    /// Name with its article: "a time".
    pub(super) noun: &'static str,
    pub(super) units: &'static [Unit],
    /// The smallest amount that differs from zero.
    pub(super) finest: &'static str,
    pub(super) example: &'static str,
    /// Common misspellings, each with the right unit.
    pub(super) misspellings: &'static [(&'static str, &'static str)],
}

/// A unit and how many base units it is.
pub(super) struct Unit {
    pub(super) name: &'static str,
    pub(super) scale: u64,
}

const fn unit(name: &'static str, scale: u64) -> Unit {
    Unit { name, scale }
}

/// Times, in picoseconds.
pub(super) const TIME: Dimension = Dimension {
    noun: "a time",
    units: &[
        unit("ps", 1),
        unit("ns", 1_000),
        unit("us", 1_000_000),
        unit("ms", 1_000_000_000),
        unit("s", 1_000_000_000_000),
        unit("min", 60_000_000_000_000),
        unit("h", 3_600_000_000_000_000),
        unit("d", 86_400_000_000_000_000),
    ],
    finest: "1 ps",
    example: "10 ms",
    misspellings: &[
        ("µs", "us"),
        ("μs", "us"),
        ("usec", "us"),
        ("nsec", "ns"),
        ("msec", "ms"),
        ("sec", "s"),
        ("second", "s"),
        ("seconds", "s"),
        ("m", "min` or `ms"),
        ("minutes", "min"),
        ("hours", "h"),
        ("days", "d"),
    ],
};

/// Rates, in bits per second.
pub(super) const RATE: Dimension = Dimension {
    noun: "a rate",
    units: &[
        unit("bit/s", 1),
        unit("kbit/s", 1_000),
        unit("Mbit/s", 1_000_000),
        unit("Gbit/s", 1_000_000_000),
        unit("cell/s", CELL_BITS),
        unit("kcell/s", 1_000 * CELL_BITS),
    ],
    finest: "1 bit/s",
    example: "149.76 Mbit/s of cell",
    misspellings: &[
        ("b/s", "bit/s"),
        ("bps", "bit/s"),
        ("kb/s", "kbit/s"),
        ("kbps", "kbit/s"),
        ("Kbit/s", "kbit/s"),
        ("Mb/s", "Mbit/s"),
        ("Mbps", "Mbit/s"),
        ("MB/s", "Mbit/s"),
        ("Gb/s", "Gbit/s"),
        ("Gbps", "Gbit/s"),
        ("cells/s", "cell/s"),
        ("cps", "cell/s"),
    ],
};

/// Sizes, in bytes.
pub(super) const SIZE: Dimension = Dimension {
    noun: "a size",
    units: &[
        unit("B", 1),
        unit("kB", 1_000),
        unit("MB", 1_000_000),
        unit("GB", 1_000_000_000),
        unit("KiB", 1 << 10),
        unit("MiB", 1 << 20),
        unit("GiB", 1 << 30),
    ],
    finest: "1 B",
    example: "64 KiB",
    misspellings: &[
        ("b", "B"),
        ("byte", "B"),
        ("bytes", "B"),
        ("KB", "kB` or `KiB"),
        ("K", "kB` or `KiB"),
        ("k", "kB` or `KiB"),
        ("kb", "kB` or `KiB"),
        ("M", "MB` or `MiB"),
        ("G", "GB` or `GiB"),
    ],
};

/// Numbers of cells.
pub(super) const CELLS: Dimension = Dimension {
    noun: "a number of cells",
    units: &[unit("cell", 1), unit("kcell", 1_000), unit("Mcell", 1_000_000)],
    finest: "1 cell",
    example: "256 cell",
    misspellings: &[("cells", "cell"), ("kcells", "kcell"), ("Mcells", "Mcell")],
};

/// Numbers of packets.
pub(super) const PACKETS: Dimension = Dimension {
    noun: "a number of packets",
    units: &[unit("packet", 1), unit("kpacket", 1_000)],
    finest: "1 packet",
    example: "100 packet",
    misspellings: &[("packets", "packet"), ("pkt", "packet"), ("kpackets", "kpacket")],
};

/// Numbers of cells or of packets, as the links of the switch require.
pub(super) const CELLS_OR_PACKETS: Dimension = Dimension {
    noun: "a number of cells or packets",
    units: &[
        unit("cell", 1),
        unit("kcell", 1_000),
        unit("Mcell", 1_000_000),
        unit("packet", 1),
        unit("kpacket", 1_000),
    ],
    finest: "1 cell",
    example: "256 cell",
    misspellings: &[
        ("cells", "cell"),
        ("kcells", "kcell"),
        ("packets", "packet"),
        ("pkt", "packet"),
    ],
};

/// Distances, in picoseconds of propagation at 5 us/km, light in glass.
pub(super) const DISTANCE: Dimension = Dimension {
    noun: "a distance",
    units: &[unit("m", 5_000), unit("km", 5_000_000)],
    finest: "0.2 mm",
    example: "440 km",
    misspellings: &[
        ("kilometers", "km"),
        ("kilometres", "km"),
        ("meters", "m"),
        ("metres", "m"),
        ("KM", "km"),
    ],
};
