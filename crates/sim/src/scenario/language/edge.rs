//! The buffer of edges.

use crate::language::keys::{Kind, Variant};

pub(crate) const EDGE_BUFFER: &[Variant] = &[
    Variant::word("infinite", "No limit."),
    Variant::value(
        "per_port",
        Kind::Room,
        "\"100 packet\"",
        "Each output for packets has its own.",
    ),
    Variant::value(
        "per_vc",
        Kind::Room,
        "\"20 packet\"",
        "Each way of each flow has its own at each of them.",
    ),
    Variant::value(
        "shared",
        Kind::Room,
        "\"100 packet\"",
        "One memory for all outputs for packets.",
    ),
];
