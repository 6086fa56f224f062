//! Settings of the command line.

use super::SetCase;

/// A path and a value that the command line sets.
pub(crate) const SETS: &[SetCase] = &[
    ("set unknown section", &[("lnk.ku-side.delay", "1 ms")]),
    ("set unknown name", &[("link.ku-sied.delay", "1 ms")]),
    ("set unknown key", &[("link.ku-side.dealy", "1 ms")]),
    ("set unknown variant", &[("flow.bulk.traffic.tctp.write", "1 KiB")]),
    ("set unknown parameter", &[("flow.bulk.traffic.ttcp.wriet", "1 KiB")]),
    ("set below a value", &[("link.ku-side.delay.x", "1 ms")]),
    ("set a section", &[("link.ku-side", "1 ms")]),
    ("set no path", &[("link..delay", "1 ms")]),
    ("set a bad value", &[("link.ku-side.delay", "10 parsec")]),
    ("set a bare number", &[("link.ku-side.delay", "10")]),
    ("set what does not fit", &[("run.seed", "3"), ("run.warm_up", "1 min")]),
    ("set a word that is none", &[("flow.bulk.tcp.recovery", "cubic")]),
    ("set a pattern of no name", &[("link.taxi*.delay", "1 ms")]),
    ("set a pattern for a key", &[("link.ku-side.de*", "1 ms")]),
    ("set a pattern for a section", &[("li*.ku-side.delay", "1 ms")]),
    ("set all links as sections", &[("link.*", "1 ms")]),
    ("set a bad value by a pattern", &[("run.seed", "3"), ("link.*-side.delay", "10 parsec")]),
    (
        "set what does not fit by a pattern",
        &[("run.seed", "3"), ("link.e*.rate", "9 Mbit/s of line")],
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
