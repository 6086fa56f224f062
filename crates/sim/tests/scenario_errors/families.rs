//! Families of members, their flows and sources of raw cells.

use super::{Case, SetCase};

/// Counts and stars, starts and stops, and sources of raw cells.
pub(crate) const FAMILY: &[Case] = &[
    ("star without a count", "[link.in]\ncount = 3", "[link.in]"),
    ("star of another count", "[link.in]\ncount = 3", "[link.in]\ncount = 4"),
    ("star over an unknown family", "from = \"src[*]\"", "from = \"scr[*]\""),
    ("member beyond the family", "from = \"src[2]\"", "from = \"src[4]\""),
    (
        "member written out with a count",
        "[switch.mux]",
        "[host.\"src[2]\"]\ncount = 2\n[switch.mux]",
    ),
    ("start after the run", "start = \"1.5 ms\"", "start = { uniform = [\"0 s\", \"2 s\"] }"),
    (
        "start always after the run",
        "start = \"1.5 ms\"",
        "start.exponential = { mean = \"1 s\", offset = \"1 s\" }",
    ),
    ("start of one time", "start = \"1.5 ms\"", "start = { uniform = [\"1 s\"] }"),
    ("start of a single time", "start = \"1.5 ms\"", "start = { uniform = \"1 s\" }"),
    (
        "start from later to sooner",
        "start = \"1.5 ms\"",
        "start = { uniform = [\"2 ms\", \"1 ms\"] }",
    ),
    ("start without a mean", "start = \"1.5 ms\"", "start = \"exponential\""),
    (
        "start of an unknown distribution",
        "start = \"1.5 ms\"",
        "start.unifrom = [\"1 ms\", \"2 ms\"]",
    ),
    ("start of a bare number", "start = \"1.5 ms\"", "start = 1"),
    (
        "stop that may come before the start",
        "start = \"1.5 ms\"",
        "start = { uniform = [\"0 s\", \"2 ms\"] }\nstop = \"1.5 ms\"",
    ),
    ("mean of nothing", "start = \"1.5 ms\"", "start.exponential = { mean = \"0 s\" }"),
    ("member with a count", "[switch.mux]", "[host.\"zzz[2]\"]\ncount = 2\n[switch.mux]"),
    ("brackets in a name", "[switch.mux]", "[host.\"src[]\"]\n[switch.mux]"),
    ("cbr above its link", "9.36 Mbit/s of cell", "150 Mbit/s of cell"),
    (
        "duty cycle of nothing",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.on_off = { rate = \"9.36 Mbit/s of cell\", period = \"1 ms\", duty_cycle = 0 }",
    ),
    (
        "duty cycle above one",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.on_off = { rate = \"9.36 Mbit/s of cell\", period = \"1 ms\", duty_cycle = 1.01 }",
    ),
    (
        "burst above its link",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.exponential_on_off = { rate = \"150 Mbit/s of cell\", on = \"1 ms\", off = \"1 \
         ms\" }",
    ),
    (
        "bursts shorter than a thousandth of a cell",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.exponential_on_off = { rate = \"9.36 Mbit/s of cell\", on = \"1 ps\", off = \"1 \
         ms\" }",
    ),
    (
        "talk spurts shorter than a thousandth of a packet",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.voice = { talk = \"19 us\", silence = \"1 ps\" }",
    ),
    (
        "stop at the start",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }\nstop = \"1.5 ms\"",
    ),
    (
        "greedy raw cells without abr",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic = \"greedy\"",
    ),
    ("cbr of line", "9.36 Mbit/s of cell", "9.36 Mbit/s of line"),
    ("raw cells in an unknown rate", "9.36 Mbit/s of cell", "9.36 Mbps of cell"),
    (
        "too many members",
        "[switch.demux]",
        "[host]\na.count = 100000\nb.count = 100000\nc.count = 100000\nd.count = 100000\ne.count = \
         100000\n[switch.demux]",
    ),
];

/// Settings of single members, on [`FAMILIES`](super::common::FAMILIES).
pub(crate) const MEMBERS: &[SetCase] = &[
    ("set a member beyond the family", &[("flow.bulk[4].start", "1 ms")]),
    ("set a member of what is no family", &[("flow.cells[1].start", "1 ms")]),
    ("set a member of an unknown name", &[("flow.blk[1].start", "1 ms")]),
    ("set an unknown key of a member", &[("flow.bulk[2].strat", "1 ms")]),
    ("set a member to a bare number", &[("flow.bulk[2].start", "1")]),
    ("set a member to what does not fit", &[("run.seed", "3"), ("flow.bulk[2].to", "src[2]")]),
    ("set a count of a member", &[("flow.bulk[2].count", "2")]),
    ("set all members to what does not fit", &[("run.seed", "3"), ("flow.bulk[*].start", "2 s")]),
    ("set member nought", &[("host.src[0].cpu_per_segment", "1 ms")]),
];
