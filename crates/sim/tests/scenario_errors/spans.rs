//! Sources, and times that no run can have.

use super::Case;

/// Sources and their transport, times beyond a hundred days, and counts.
pub(crate) const SPANS: &[Case] = &[
    (
        "greedy without tcp",
        "[flow.bulk.tcp]\nmtu = \"9180 B\"\nwindow = \"128 KiB\"\nrecovery = \"reno\"\ntimers = \
         \"bsd\"",
        "",
    ),
    (
        "cbr with tcp",
        "traffic.ttcp = { write = \"64 KiB\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of cell\" }",
    ),
    ("run beyond a hundred days", "duration = \"20 s\"", "duration = \"100 d\""),
    ("queue beyond a hundred days", "rate = \"TAXI-100\"", "rate = \"1 bit/s of cell\""),
    ("processing beyond a hundred days", "\"250 us\"", "\"4 d\""),
    ("path beyond a hundred days", "delay = \"2.2 ms\"", "delay = \"100 d\""),
    (
        "gap beyond a hundred days",
        "traffic.ttcp = { write = \"64 KiB\" }\nservice.ubr = { pace = \"70 Mbit/s of payload\" \
         }\n[flow.bulk.tcp]\n\
         mtu = \"9180 B\"\nwindow = \"128 KiB\"\nrecovery = \"reno\"\ntimers = \"bsd\"",
        "traffic.exponential_on_off = { rate = \"10 Mbit/s of cell\", on = \"1 ms\", off = \"100 \
         d\" }",
    ),
    (
        "interval beyond a hundred days",
        "[switch.an2]",
        "[switch.an2]\nrate_allocator.erica.interval = \"100 d\"",
    ),
    (
        "interval below a cell",
        "[switch.an2]",
        "[switch.an2]\nrate_allocator.erica_plus.interval = \"1 ps\"",
    ),
    ("count of nothing", "[host.edc]", "[host.edc]\ncount = 0"),
    ("count too large", "[host.edc]", "[host.edc]\ncount = 100001"),
    ("family named as one", "[host.edc]", "[host.edc]\ncount = 2"),
    ("star without a family", "to = \"edc\"", "to = \"edc[*]\"\ncount = 2"),
    ("member that is not there", "to = \"edc\"", "to = \"edc[3]\""),
];
