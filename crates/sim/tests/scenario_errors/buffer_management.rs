//! Drop policies.

use super::Case;

/// Drop policies and their parameters; the buffer has 256 cells, for each port where the case says
/// so.
pub(crate) const DROP: &[Case] = &[
    ("flow queues of cells", PER_VC_TAIL, "drop = \"fq_codel\""),
    ("probability above one", PER_VC_TAIL, "drop = { pie = { mark_threshold = 1.5 } }"),
    ("no target", PER_VC_TAIL, "drop = { codel = { target = \"0 s\" } }"),
    (
        "L above H",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { dfba = { low = \"200 cell\", high = 0.5 } }",
    ),
    (
        "H above K",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { dfba = { low = 0.5, high = \"257 cell\" } }",
    ),
    (
        "Z above one",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { dfba = { low = 0.5, high = 0.8, z = { constant = \
         1.5 } } }",
    ),
    (
        "Z below zero",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { dfba = { low = 0.5, high = 0.8, z = { constant = \
         -0.5 } } }",
    ),
    (
        "unknown Z",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { dfba = { low = 0.5, high = 0.8, z = \
         \"one_minus_shear\" } }",
    ),
    (
        "Z per VC without a VC that has it",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { dfba = { low = 0.5, high = 0.8, z = \"per_vc\" } \
         }",
    ),
    (
        "alpha above one",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { dfba = { low = 0.5, high = 0.8, alpha = 1.01 } }",
    ),
    (
        "alpha below zero",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { dfba = { low = 0.5, high = 0.8, alpha = -0.01 } \
         }",
    ),
    (
        "max_probability of nothing",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { red = { min_threshold = 0.1, max_threshold = \
         0.2, max_probability = 0 } }",
    ),
    (
        "ECN on a policy that cannot mark",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { epd = { threshold = 0.8, ecn = true } }",
    ),
    (
        "weight of nothing",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { red = { min_threshold = 0.1, max_threshold = \
         0.2, weight = 0.0 } }",
    ),
    (
        "weight above one",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { red = { min_threshold = 0.1, max_threshold = \
         0.2, weight = 1.1 } }",
    ),
    (
        "mean frame of nothing",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { red = { min_threshold = 0.1, max_threshold = \
         0.2, mean_frame = \"0 B\" } }",
    ),
    (
        "interval of no time",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { vq_mcr = { threshold = 0.1, interval = \"0 s\" } \
         }",
    ),
    (
        "thresholds of marked frames out of order",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { ered = { min_threshold = 0.1, max_threshold = \
         0.2, marked_min_threshold = 0.3 } }",
    ),
    (
        "Z of Selective Drop above one",
        PER_VC_TAIL,
        "buffer.per_port = \"256 cell\"\ndrop = { selective_drop = { threshold = 0.5, z = 1.5 } }",
    ),
    (
        "mean queue of a buffer per VC",
        "drop = \"tail\"",
        "drop = { red = { min_threshold = 0.1, max_threshold = 0.2 } }",
    ),
    (
        "policy that compares VCs with a class's buffer per VC",
        PER_VC_TAIL,
        "abr_buffer.per_vc = \"256 cell\"\ndrop = { selective_drop = { threshold = \"100 cell\" } \
         }",
    ),
    (
        "threshold of packets before links of cells",
        PER_VC_TAIL,
        "drop = { epd = { threshold = \"100 packet\" } }",
    ),
    (
        "mcr of gfr above its link",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"150 Mbit/s of cell\" }",
    ),
    (
        "z of gfr above one",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"15 Mbit/s of cell\", z = 2 }",
    ),
];

const PER_VC_TAIL: &str = "buffer = { per_vc = \"256 cell\" }\ndrop = \"tail\"";

/// Thresholds that do not fit the buffer.
pub(crate) const THRESHOLDS: &[Case] = &[
    (
        "threshold above the buffer",
        "drop = \"tail\"",
        "drop = { epd = { threshold = \"257 cell\" } }",
    ),
    ("threshold as too large a part", "drop = \"tail\"", "drop = { epd = { threshold = 1.1 } }"),
    (
        "policy that compares VCs with a buffer per VC",
        "drop = \"tail\"",
        "drop = { fba = { threshold = 0.8 } }",
    ),
    (
        "part of an infinite buffer",
        "buffer = { per_vc = \"256 cell\" }\ndrop = \"tail\"",
        "drop = { priority = { low = 0.5, high = 0.8 } }",
    ),
    (
        "priorities out of order",
        "drop = \"tail\"",
        "drop = { priority = { low = 0.8, high = 0.5 } }",
    ),
    (
        "thresholds of RED out of order",
        "drop = \"tail\"",
        "drop = { red = { min_threshold = \"100 cell\", max_threshold = 0.2 } }",
    ),
    ("buffer in packets", "256 cell", "256 packet"),
];
