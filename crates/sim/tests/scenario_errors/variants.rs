//! Words and tables of which one is chosen.

use super::Case;

/// Lists of series, words, variants with their parameters, and combinations of words.
pub(crate) const VARIANTS: &[Case] = &[
    ("unknown series", "\"queue\", \"cwnd\"", "\"queue\", \"cnwd\""),
    ("series named twice", "\"queue\", \"cwnd\"", "\"queue\", \"queue\""),
    (
        "rule that knows Reno's window alone",
        "recovery = \"reno\"",
        "congestion = \"cubic\"\nrecovery = \"tahoe\"",
    ),
    (
        "Reno's avoidance with another law",
        "recovery = \"reno\"",
        "congestion = \"cubic\"\navoidance = \"bsd_extra\"",
    ),
    ("beta of one", "recovery = \"reno\"", "congestion = { cubic = { beta = 1 } }"),
    ("unknown word", "recovery = \"reno\"", "recovery = \"renno\""),
    (
        "limited transmit without fast retransmit",
        "recovery = \"reno\"",
        "recovery = \"vanilla\"\nlimited_transmit = true",
    ),
    (
        "guard that belongs to the rule",
        "recovery = \"reno\"",
        "recovery = \"sack\"\nfast_retransmit_guard = false",
    ),
    (
        "guard that the rule has not",
        "recovery = \"reno\"",
        "recovery = \"hoe\"\nfast_retransmit_guard = true",
    ),
    ("unknown variant", "buffer = { per_vc = \"256 cell\" }", "buffer = { per_vx = \"256 cell\" }"),
    (
        "two variants",
        "buffer = { per_vc = \"256 cell\" }",
        "buffer = { per_vc = \"256 cell\", shared = \"1 kcell\" }",
    ),
    ("no variant", "buffer = { per_vc = \"256 cell\" }", "buffer = {}"),
    ("variant without its parameter", "drop = \"tail\"", "drop = \"epd\""),
    ("variant without its value", "buffer = { per_vc = \"256 cell\" }", "buffer = \"per_vc\""),
    ("variant missing a key", "drop = \"tail\"", "drop = { epd = {} }"),
    ("variant of a wrong type", "drop = \"tail\"", "drop = 3"),
    ("word with parameters", "drop = \"tail\"", "drop = { tail = { size = 3 } }"),
];
