//! Flows that follow the capacity of a link.

use super::Case;

/// On packets from `a` over `left` and `right` to `b`.
pub(crate) const PACING: &[Case] = &[
    ("pacing without a link", "[flow.x.tcp]", "[flow.x.pacing]\nrate = \"instcap\"\n[flow.x.tcp]"),
    (
        "pacing by an unknown link",
        "[flow.x.tcp]",
        "[flow.x.pacing]\nlink = \"rigth\"\nrate = \"instcap\"\n[flow.x.tcp]",
    ),
    (
        "pacing by an unknown law",
        "[flow.x.tcp]",
        "[flow.x.pacing]\nlink = \"right\"\nrate = \"effcpa\"\n[flow.x.tcp]",
    ),
    (
        "samples of no time",
        "[flow.x.tcp]",
        "[flow.x.pacing]\nlink = \"right\"\nrate = \"instcap\"\ninterval = \"0 s\"\n[flow.x.tcp]",
    ),
    (
        "an average of no samples",
        "[flow.x.tcp]",
        "[flow.x.pacing]\nlink = \"right\"\nrate.effcap.samples.count = 0\n[flow.x.tcp]",
    ),
    (
        "a minimum of no averages",
        "[flow.x.tcp]",
        "[flow.x.pacing]\nlink = \"right\"\nrate.effcap.averages.count = 0\n[flow.x.tcp]",
    ),
    (
        "an average of weeks",
        "[flow.x.tcp]",
        "[flow.x.pacing]\nlink = \"right\"\nrate.effcap.samples.count = 10000\n\
         interval = \"1 min\"\n[flow.x.tcp]",
    ),
    (
        "a pace of cells among packets",
        "[flow.x.tcp]",
        "[flow.x.pacing]\nlink = \"right\"\nrate.constant = \"1 Mbit/s of cell\"\n[flow.x.tcp]",
    ),
    (
        "a pacing buffer of cells among packets",
        "[flow.x.tcp]",
        "[flow.x.pacing]\nlink = \"right\"\nrate = \"instcap\"\nbuffer = \"10 cell\"\n[flow.x.tcp]",
    ),
    (
        "a fixed timeout without one",
        "timers = { bsd = { min_rto = \"500 ms\" } }",
        "timers = \"fixed\"",
    ),
    (
        "a fixed timeout of no time",
        "timers = { bsd = { min_rto = \"500 ms\" } }",
        "timers = { fixed = { rto = { span = \"0 s\" } } }",
    ),
];

/// On cells.
pub(crate) const PACING_OF_CELLS: &[Case] = &[
    (
        "paced twice",
        "service.ubr = ",
        "pacing = { link = \"ku-side\", rate = \"instcap\" }\nservice.ubr = ",
    ),
    (
        "an ABR source with pacing",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "service = \"abr\"\npacing = { link = \"ku-side\", rate = \"instcap\" }",
    ),
    (
        "paced acknowledgements of cells",
        "service.ubr = { pace = \"70 Mbit/s of payload\" }",
        "pacing = { link = \"ku-side\", rate = \"instcap\", paces = \"acknowledgements\" }",
    ),
    (
        "an allocator that measures no time",
        "[switch.an2]",
        "[switch.an2]\nrate_allocator.effcap.interval = \"0 s\"",
    ),
    (
        "an allocator without averages",
        "[switch.an2]",
        "[switch.an2]\nrate_allocator.effcap.averages.count = 0",
    ),
];
