//! What circuits are asked for: ABR with its allocators, guaranteed frame rate with its scheduler.

use super::Case;

/// ABR parameters and allocators of rates.
pub(crate) const ABR: &[Case] = &[
    (
        "icr above pcr",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { pcr = \"10 Mbit/s of cell\", icr = \"20 Mbit/s of cell\" }",
    ),
    (
        "mcr above icr",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { mcr = \"10 Mbit/s of cell\", icr = \"5 Mbit/s of cell\" }",
    ),
    (
        "mcr above the narrow link",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { mcr = \"120 Mbit/s of cell\" }",
    ),
    (
        "pcr above its link",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { pcr = \"155.52 Mbit/s of cell\" }",
    ),
    (
        "pcr of line",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { pcr = \"100 Mbit/s of line\" }",
    ),
    (
        "nrm of no power",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { nrm = 33 }",
    ),
    (
        "nrm too large",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { nrm = 512 }",
    ),
    (
        "rif of no power",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { rif = \"1/10\" }",
    ),
    (
        "rif as a float",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { rif = 0.0625 }",
    ),
    (
        "rdf of nothing",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { rdf = 0 }",
    ),
    (
        "cdf too small",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { cdf = \"1/128\" }",
    ),
    (
        "tbe too large",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { tbe = \"17 Mcell\" }",
    ),
    (
        "trm too long",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { trm = \"101 ms\" }",
    ),
    (
        "adtf too short",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { adtf = \"9 ms\" }",
    ),
    (
        "crm of nothing",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { crm = 0 }",
    ),
    (
        "time out factor below one",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { use_it_or_lose_it.time_based.tof = 0.5 }",
    ),
    (
        "abr buffer of the source in bytes",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.abr = { buffer = { tail = \"64 KiB\" } }",
    ),
    ("allocator unknown", "drop = \"tail\"", "drop = \"tail\"\nrate_allocator = \"erika\""),
    (
        "target utilisation of nothing",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica = { target_utilisation = 0 } }",
    ),
    (
        "target utilisation above one",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica = { target_utilisation = 1.1 } }",
    ),
    (
        "interval of no cells",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica = { interval_cells = 0 } }",
    ),
    (
        "An of one",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica = { activity_decay = 1.0 } }",
    ),
    (
        "Az of nothing",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica = { overload_average = { ratio = { weight = 0.0 \
         } } } }",
    ),
    (
        "delta below zero",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica = { delta = -0.1 } }",
    ),
    (
        "a of one",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica_plus = { queue_control = { hyperbolic = { a = \
         1.0 } } } }",
    ),
    (
        "b of one",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica_plus = { queue_control = { linear = { b = 1 } } \
         } }",
    ),
    (
        "qdlf of nothing",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica_plus = { queue_control = { hyperbolic = { qdlf \
         = 0.0 } } } }",
    ),
    (
        "qdlf above one",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica_plus = { queue_control = { step = { qdlf = 1.5 \
         } } } }",
    ),
    (
        "q1 above q2",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica_plus = { queue_control = { step = { q1 = 8 } } \
         } }",
    ),
    (
        "the third step below the fourth",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica_plus = { queue_control = { step = { a = 0.4 } } \
         } }",
    ),
    (
        "q1 below the target",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica_plus = { queue_control = { linear = { q1 = 0.5 \
         } } } }",
    ),
    (
        "target delay of nothing",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { erica_plus = { target_delay = \"0 s\" } }",
    ),
    (
        "thresholds out of order",
        "drop = \"tail\"",
        "drop = \"tail\"\nrate_allocator = { relative_rate = { no_increase = \"9 cell\", \
         congestion = \"3 cell\" } }",
    ),
    (
        "abr buffer shared",
        "drop = \"tail\"",
        "drop = \"tail\"\nabr_buffer = { shared = \"1 kcell\" }",
    ),
    (
        "stop of a transport before its start",
        "to = \"edc\"",
        "to = \"edc\"\nstart = \"3 s\"\nstop = \"2 s\"",
    ),
];

/// The guaranteed frame rate service, and the scheduler.
pub(crate) const GFR: &[Case] = &[
    (
        "gfr without a minimum rate",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mfs = \"32 cell\" }",
    ),
    (
        "gfr above the narrow link",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"120 Mbit/s of cell\" }",
    ),
    (
        "gfr peak rate above its link",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"1 Mbit/s of cell\", pcr = \"155.52 Mbit/s of cell\" }",
    ),
    (
        "gfr minimum rate above its peak rate",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"20 Mbit/s of cell\", pcr = \"10 Mbit/s of cell\" }",
    ),
    (
        "gfr burst without room for a frame",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"20 Mbit/s of cell\", mbs = \"191 cell\" }",
    ),
    (
        "gfr with z above one",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"20 Mbit/s of cell\", z = 1.5 }",
    ),
    (
        "gfr minimum rate of line",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"20 Mbit/s of line\" }",
    ),
    (
        "gfr tagging unknown",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"20 Mbit/s of cell\", tagging = \"gcra\" }",
    ),
    (
        "gfr marker without parameters",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"20 Mbit/s of cell\", tagging = \"pme\" }",
    ),
    (
        "gfr marker that never moves",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"20 Mbit/s of cell\", tagging.pme = { interval = \"100 ms\", step \
         = 0 } }",
    ),
    (
        "gfr non-conforming unknown",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service.gfr = { mcr = \"20 Mbit/s of cell\", non_conforming = \"drop\" }",
    ),
    ("scheduler unknown", "drop = \"tail\"", "drop = \"tail\"\nscheduler = \"lottery\""),
    ("excess unknown", "drop = \"tail\"", "drop = \"tail\"\nscheduler.wfq.excess = \"by_weight\""),
];
