//! Datagrams: their sizes, their rates, and what does not go with them.

use super::Case;

/// On [`FAMILIES`](super::common::FAMILIES).
pub(crate) const DATAGRAM: &[Case] = &[
    (
        "datagrams at a rate of cells",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\", datagram = \"160 B\" }",
    ),
    (
        "datagrams at a rate of a line",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"9.36 Mbit/s of line\", datagram = \"160 B\" }",
    ),
    (
        "datagrams without payload",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = \"0 B\" }",
    ),
    (
        "datagrams longer than a packet",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = \"65508 B\" }",
    ),
    (
        "exponential datagrams that may be longer than a packet",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = { \
         exponential.mean = \"2 kB\" } }",
    ),
    (
        "uniform datagrams from a larger size",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = { uniform = [\"2 kB\", \
         \"1 kB\"] } }",
    ),
    (
        "uniform datagrams of one size",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = { uniform = [\"2 kB\"] } }",
    ),
    (
        "datagrams of no mix",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = { mix = [] } }",
    ),
    (
        "mix of datagrams without a weight",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = { mix = [[\"12 B\", 0]] } }",
    ),
    (
        "mix of datagrams that are bare sizes",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = { mix = [\"12 B\"] } }",
    ),
    (
        "mix of a datagram that is too long",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = { mix = [[\"12 B\", 1], \
         [\"66 kB\", 1]] } }",
    ),
    (
        "blocks of a distribution whose largest is no datagram, refused before it is summed",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.burst = { block.lognormal = { median = \"1 KiB\", max = \"1000 GB\" }, \
         period = \"10 ms\" }",
    ),
    (
        "datagrams of a bare number",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = 160 }",
    ),
    (
        "datagrams of an unknown distribution",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram.unifrom = [\"1 B\", \"2 B\"] }",
    ),
    (
        "datagrams over tcp",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = \"160 B\" }\ntcp = {}",
    ),
    (
        "datagrams above their link",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.poisson = { rate = \"120 Mbit/s of payload\", datagram = \"160 B\" }",
    ),
    (
        "datagrams faster than time",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"7000 Gbit/s of payload\", datagram = \"1 B\" }",
    ),
];
