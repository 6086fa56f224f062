//! Values with a unit: times, sizes, rates and their limits.

use super::Case;

/// Units, layers of rates, signs and ranges.
pub(crate) const QUANTITIES: &[Case] = &[
    ("misspelt time unit", "delay = \"2.2 ms\"", "delay = \"2.2 msec\""),
    ("unit of another quantity", "delay = \"2.2 ms\"", "delay = \"2.2 KiB\""),
    ("ambiguous kilobyte", "window = \"128 KiB\"", "window = \"128 KB\""),
    ("bits for bytes", "rate = \"OC-3c\"", "rate = \"155 Mb/s of cell\""),
    ("plural unit", "per_vc = \"256 cell\"", "per_vc = \"256 cells\""),
    ("bytes for cells", "per_vc = \"256 cell\"", "per_vc = \"16 KiB\""),
    ("rate without a layer", "rate = \"OC-3c\"", "rate = \"155 Mbit/s\""),
    ("rate of an unknown layer", "rate = \"OC-3c\"", "rate = \"155 Mbit/s of cells\""),
    ("line rate of a cell link", "rate = \"OC-3c\"", "rate = \"155.52 Mbit/s of line\""),
    ("line rate of a pace", "70 Mbit/s of payload", "70 Mbit/s of line"),
    ("unknown preset", "rate = \"OC-3c\"", "rate = \"OC-3\""),
    ("distance in miles", "440 km", "440 miles"),
    ("negative time", "delay = \"2.2 ms\"", "delay = \"-2.2 ms\""),
    ("time finer than a picosecond", "delay = \"2.2 ms\"", "delay = \"0.0001 ns\""),
    ("time beyond a hundred days", "delay = \"2.2 ms\"", "delay = \"101 d\""),
    ("exponent", "delay = \"2.2 ms\"", "delay = \"2e3 us\""),
    ("zero duration", "duration = \"20 s\"\nwarm_up = \"2 s\"", "duration = \"0 s\""),
    ("zero rate", "rate = \"OC-3c\"", "rate = \"0 bit/s of cell\""),
    ("cells of no whole picoseconds", "rate = \"OC-3c\"", "rate = \"9999 Gbit/s of cell\""),
    ("absurd rate", "rate = \"OC-3c\"", "rate = \"10001 Gbit/s of cell\""),
    ("empty buffer", "256 cell", "0 cell"),
    ("zero window", "window = \"128 KiB\"", "window = \"0 B\""),
    ("window beyond its field", "window = \"128 KiB\"", "window = \"2 GiB\""),
    ("mss beyond a packet", "mtu = \"9180 B\"", "mss = \"65496 B\""),
    ("mtu without room", "mtu = \"9180 B\"", "mtu = \"40 B\""),
    ("mtu and mss", "mtu = \"9180 B\"", "mtu = \"9180 B\"\nmss = \"512 B\""),
    ("zero timer", "timers = \"bsd\"", "timers.fine = { granularity = \"0 s\" }"),
    (
        "timeouts crossed",
        "timers = \"bsd\"",
        "timers.bsd = { min_rto = \"2 s\", max_rto = \"1 s\" }",
    ),
    ("limit too small", "interval = \"10 ms\"", "limit = 15"),
    ("zero interval", "interval = \"10 ms\"", "interval = \"0 s\""),
    ("misspelt change", "interval = \"10 ms\"", "interval = \"changes\""),
];
