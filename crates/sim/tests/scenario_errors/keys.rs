//! The text itself: TOML, sections, keys, and the types of their values.

use super::Case;

/// Syntax, names of sections and keys, missing ones, and types.
pub(crate) const KEYS: &[Case] = &[
    ("toml syntax", "duration = \"20 s\"", "duration = "),
    ("toml bare word", "recovery = \"reno\"", "recovery = reno"),
    ("duplicate key", "delay = \"4 us\"", "delay = \"4 us\"\ndelay = \"5 us\""),
    ("duplicate section", "[host.edc]", "[host.ku]"),
    (
        "duplicate key far behind the first",
        "timers = \"bsd\"",
        "timers = \"bsd\"\nmtu = \"1500 B\"",
    ),
    ("unknown section", "[observe]", "[observer]"),
    (
        "distribution of no port",
        "interval = \"10 ms\"",
        "distributions = { ports = [\"an2.*\", \"an2.edc\"] }",
    ),
    ("distribution of no flow", "interval = \"10 ms\"", "distributions = { flows = [\"bluk\"] }"),
    ("segments of no flow", "interval = \"10 ms\"", "segments = { flows = [\"bluk\"] }"),
    (
        "segments that end before they begin",
        "interval = \"10 ms\"",
        "segments = { from = \"3 s\", to = \"2 s\" }",
    ),
    ("line of packets for cells", "rate = \"OC-3c\"", "rate = \"VDSL2-40\""),
    ("distributions in one list", "interval = \"10 ms\"", "distributions = [\"an2.edc-side\"]"),
    (
        "a port that is no list",
        "interval = \"10 ms\"",
        "distributions = { ports = \"an2.edc-side\" }",
    ),
    ("unknown key", "delay = \"2.2 ms\"", "dealy = \"2.2 ms\""),
    ("unknown key in a variant", "{ write =", "{ wriet ="),
    (
        "unknown key in a named section",
        "distance = \"440 km\"",
        "delay = \"1 ms\"\ncolour = \"red\"",
    ),
    ("missing key", "rate = \"OC-3c\"", ""),
    ("missing run", "[run]\nduration = \"20 s\"\nwarm_up = \"2 s\"", ""),
    ("missing traffic", "traffic.ttcp = { write = \"64 KiB\" }", ""),
    ("section as a value", "[host.edc]\ncpu_per_segment = \"550 us\"", "[host]\nedc = 5"),
    ("bare number for a time", "delay = \"2.2 ms\"", "delay = 2.2"),
    ("bare number for a size", "window = \"128 KiB\"", "window = 131072"),
    ("array for a rate", "rate = \"OC-3c\"", "rate = [1, 2]"),
    ("string for an integer", "warm_up = \"2 s\"", "seed = \"7\""),
    ("float for an integer", "warm_up = \"2 s\"", "seed = 7.5"),
    ("negative integer", "warm_up = \"2 s\"", "seed = -1"),
    ("integer too large", "warm_up = \"2 s\"", "seed = 99999999999999999999"),
    ("string for a boolean", "timers = \"bsd\"", "handshake = \"yes\""),
];
