//! The keys of edges and of the virtual circuits that several flows share.

use crate::language::keys::{Key, Kind, Variant};
use crate::language::kinds::{ANY_TIME, COUNT};
use crate::language::part::Typed;
use crate::scenario::part::drop::Drop;
use crate::scenario::part::service::Service;

/// `[edge.NAME]`.
pub(crate) const EDGE: &[Key] = &[
    COUNT,
    Key::with_default(
        "delay",
        ANY_TIME,
        "0 s",
        "\"20 us\"",
        "Processing delay from input to output queue, the same for every packet and cell.",
    ),
    Key::with_default(
        "buffer",
        Kind::Variants(EDGE_BUFFER),
        "infinite",
        "{ per_port = \"100 packet\" }",
        "How much may wait at an output for packets; what waits for cells is the segmentation \
         buffer's, `abr.buffer`.",
    ),
    Key::with_default(
        "drop",
        Drop::KIND,
        "tail",
        "{ red = { min_threshold = 0.2, max_threshold = 0.6 } }",
        "What happens to a packet for an output for packets.",
    ),
];

const EDGE_BUFFER: &[Variant] = &[
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

/// `[vc.NAME]`.
pub(crate) const VC: &[Key] = &[
    Key::required(
        "between",
        Kind::Nodes,
        "[\"west\", \"east\"]",
        "The two edges that it joins, both ways.",
    ),
    Key::with_default(
        "service",
        Service::KIND,
        "ubr",
        "{ abr = { buffer = { tail = \"2000 cell\" } } }",
        "How the network carries its cells; a pace is for both ways.",
    ),
];
