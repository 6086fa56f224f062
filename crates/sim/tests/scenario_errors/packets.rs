//! Links of packets.

use super::Case;
use super::common::PACKETS;

/// Buffers, thresholds and rates in packets, and scenarios without a part that each needs.
pub(crate) const PACKET: &[Case] = &[
    (
        "weighted fair queueing of packets",
        "[switch.router]",
        "[switch.router]\nscheduler = \"wfq\"",
    ),
    (
        "two orders of packets",
        "[switch.router]",
        "[switch.router]\nscheduler = \"drr\"\ndrop = \"fq_codel\"",
    ),
    (
        "flow queues with a buffer for each",
        "buffer.per_port = \"100 packet\"",
        "buffer.per_vc = \"100 packet\"\ndrop = \"fq_codel\"",
    ),
    ("cells and packets mixed", PACKETS, MIXED),
    ("preset of a packet link", "100 Mbit/s of line", "OC-3c"),
    ("buffer in cells", "100 packet", "100 cell"),
    (
        "threshold of cells in a buffer of packets",
        "buffer.per_port = \"100 packet\"",
        "buffer.per_port = \"100 packet\"\ndrop = { epd = { threshold = \"50 cell\" } }",
    ),
    (
        "threshold of cells before links of packets",
        "buffer.per_port = \"100 packet\"",
        "drop = { epd = { threshold = \"50 cell\" } }",
    ),
    ("pace on packets", "to = \"b\"", "to = \"b\"\nservice.ubr.pace = \"1 Mbit/s of cell\""),
    ("transit through a host", PACKETS, TRANSIT),
    ("copies of a link", "[link.left]", "[link.left]\ncount = 2"),
    ("empty file", PACKETS, ""),
    ("no hosts", PACKETS, "[run]\nduration = \"1 s\""),
    ("no flows", PACKETS, "[run]\nduration = \"1 s\"\n[host.a]"),
];

const MIXED: &str = r#"
[run]
duration = "1 s"
[host]
a = {}
b = {}
[switch.router]
[link.left]
between = ["a", "router"]
rate = "100 Mbit/s of line"
carries = "packets"
delay = "1 ms"
[link.right]
between = ["router", "b"]
rate = "DS-3"
delay = "1 ms"
[flow.x]
from = "a"
to = "b"
traffic = "greedy"
tcp = {}
"#;

const TRANSIT: &str = r#"
[run]
duration = "1 s"
[host]
a = {}
b = {}
c = {}
[link.left]
between = ["a", "b"]
rate = "OC-3c"
delay = "1 ms"
[link.right]
between = ["b", "c"]
rate = "OC-3c"
delay = "1 ms"
[flow.x]
from = "a"
to = "c"
traffic = "greedy"
tcp = {}
"#;
